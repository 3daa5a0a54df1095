#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Turn a Qwen2-architecture GGUF file into a Hugging Face model folder in float32.

usage: gguf_to_hf.py IN.gguf OUT_DIR TOKENIZER_DIR

Every tensor is dequantised and written under its Hugging Face name to
OUT_DIR/model.safetensors beside a config.json; vocab.json, merges.txt and tokenizer_config.json of
TOKENIZER_DIR are copied. Needs the Python packages gguf and numpy.
"""
import json
import pathlib
import shutil
import struct
import sys

import numpy
from gguf import GGUFReader
from gguf.quants import dequantize

LAYER_NAMES = {
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
GLOBAL_NAMES = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}


def hf_name(name):
    if name in GLOBAL_NAMES:
        return GLOBAL_NAMES[name]
    _, layer, part, kind = name.split(".")
    return f"model.layers.{layer}.{LAYER_NAMES[part]}.{kind}"


def write_safetensors(path, tensors):
    header, offset = {"__metadata__": {"format": "pt"}}, 0
    for name, values in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [offset, offset + values.nbytes]}
        offset += values.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for values in tensors.values():
            file.write(values.tobytes())


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    source, out, tokenizer = map(pathlib.Path, sys.argv[1:])
    reader = GGUFReader(source)
    tensors = {
        hf_name(tensor.name): numpy.ascontiguousarray(dequantize(tensor.data, tensor.tensor_type), "<f4")
        for tensor in reader.tensors
    }

    def field(key):
        return reader.fields["qwen2." + key].contents()

    config = {
        "architectures": ["Qwen2ForCausalLM"],
        "model_type": "qwen2",
        "hidden_act": "silu",
        "hidden_size": field("embedding_length"),
        "intermediate_size": field("feed_forward_length"),
        "num_hidden_layers": field("block_count"),
        "num_attention_heads": field("attention.head_count"),
        "num_key_value_heads": field("attention.head_count_kv"),
        "max_position_embeddings": field("context_length"),
        "rope_theta": float(field("rope.freq_base")),
        "rms_norm_eps": float(field("attention.layer_norm_rms_epsilon")),
        "vocab_size": int(tensors["model.embed_tokens.weight"].shape[0]),
        "tie_word_embeddings": "lm_head.weight" not in tensors,
        "use_sliding_window": False,
        "bos_token_id": 151643,
        "eos_token_id": 151645,
        "torch_dtype": "float32",
    }
    out.mkdir(parents=True, exist_ok=True)
    write_safetensors(out / "model.safetensors", tensors)
    (out / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    for name in ("vocab.json", "merges.txt", "tokenizer_config.json"):
        shutil.copy(tokenizer / name, out / name)
    print(f"{len(tensors)} tensors -> {out}")


if __name__ == "__main__":
    main()
