#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A model folder with random weights in the shape of Qwen2.5-0.5B or 1.5B, for speed where no weights can be fetched.

usage: random_model.py 0.5B|1.5B TOKENIZER_FOLDER OUT
Needs PyTorch alone. Weights are bfloat16, small enough that hidden states stay finite.
"""
import json
import pathlib
import shutil
import struct
import sys

import torch

SHAPES = {"0.5B": (896, 4864, 24, 14), "1.5B": (1536, 8960, 28, 12)}  # hidden, intermediate, layers, query heads
KV_HEADS = 2
VOCABULARY = 151936


def tensors(hidden, inner, layers, heads):
    head = hidden // heads
    yield "model.embed_tokens.weight", (VOCABULARY, hidden)
    yield "model.norm.weight", (hidden,)
    for layer in range(layers):
        prefix = f"model.layers.{layer}."
        for name in ("input_layernorm", "post_attention_layernorm"):
            yield prefix + name + ".weight", (hidden,)
        for name, rows in (("q", hidden), ("k", KV_HEADS * head), ("v", KV_HEADS * head)):
            yield f"{prefix}self_attn.{name}_proj.weight", (rows, hidden)
            yield f"{prefix}self_attn.{name}_proj.bias", (rows,)
        yield prefix + "self_attn.o_proj.weight", (hidden, hidden)
        yield prefix + "mlp.gate_proj.weight", (inner, hidden)
        yield prefix + "mlp.up_proj.weight", (inner, hidden)
        yield prefix + "mlp.down_proj.weight", (hidden, inner)


def main():
    hidden, inner, layers, heads = SHAPES[sys.argv[1]]
    out = pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    for name in ("vocab.json", "merges.txt", "tokenizer_config.json"):
        shutil.copy(pathlib.Path(sys.argv[2]) / name, out)
    (out / "config.json").write_text(json.dumps({
        "architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "hidden_act": "silu", "hidden_size": hidden,
        "intermediate_size": inner, "num_hidden_layers": layers, "num_attention_heads": heads,
        "num_key_value_heads": KV_HEADS, "max_position_embeddings": 131072, "rope_theta": 1000000.0,
        "rms_norm_eps": 1e-6, "vocab_size": VOCABULARY, "tie_word_embeddings": True, "torch_dtype": "bfloat16"}))
    header, offset = {}, 0
    for name, shape in tensors(hidden, inner, layers, heads):
        size = 2 * torch.Size(shape).numel()
        header[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header).encode()
    torch.manual_seed(0)
    with open(out / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for name, shape in tensors(hidden, inner, layers, heads):
            values = torch.ones(shape) if name.endswith("norm.weight") else torch.randn(shape) * 0.02
            file.write(values.to(torch.bfloat16).view(torch.int16).numpy().tobytes())


if __name__ == "__main__":
    main()
