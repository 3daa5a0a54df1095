#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the GGUF files of this folder and what must be read from them.

usage: make_gguf.py            (writes beside itself; needs gguf, numpy, safetensors, torch, transformers)

  types.gguf    a tensor in each form that Kvist reads, by the form's name ("Q4_K"): where the package can quantise,
                random numbers that it quantised; and for every block form random bits with finite scales
                ("Q4_K.bits"), so that every bit of a block counts
  types.f32     their float32 values, one after the other in the order of the file, from the package's dequantize()
  small.gguf    a whole random model of one layer with the tokenizer of ../tokenizer/small, of mixed types
  small.f64     its logits [tokens, vocabulary] for the ids of small.ids, by the float64 forward of
                ../models/make_models.py over the dequantised tensors
  parts/        the same model in two files
Made with gguf 0.19.0 and NumPy 2; random numbers have a fixed seed.
"""
import json
import pathlib
import sys
from types import SimpleNamespace

import gguf
import numpy
from gguf import GGMLQuantizationType as Type
from gguf.quants import dequantize, quantize

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "models"))
from make_models import forward  # noqa: E402

QUANTISABLE = [Type.BF16, Type.Q4_0, Type.Q4_1, Type.Q5_0, Type.Q5_1, Type.Q8_0]
# where the float16 scales of a block lie
SCALES = {Type.Q4_0: [0], Type.Q4_1: [0, 2], Type.Q5_0: [0], Type.Q5_1: [0, 2], Type.Q8_0: [0], Type.IQ4_NL: [0],
          Type.Q2_K: [80, 82], Type.Q3_K: [108], Type.Q4_K: [0, 2], Type.Q5_K: [0, 2], Type.Q6_K: [208]}
ROWS = 2


def random_blocks(kind, random):
    """Rows of blocks of random bits, their scales finite float16 numbers of all sizes and both signs."""
    elements, size = gguf.GGML_QUANT_SIZES[kind]
    blocks = random.integers(0, 256, (ROWS, 256 // elements, size), dtype=numpy.uint8)
    for at in SCALES[kind]:
        scales = (random.normal(size=blocks.shape[:2]) * 10.0 ** random.integers(-6, 3, blocks.shape[:2]))
        blocks[:, :, at:at + 2] = scales.astype("<f2").view(numpy.uint8).reshape(*blocks.shape[:2], 2)
    return blocks.reshape(ROWS, -1)


def make_types(random):
    writer = gguf.GGUFWriter(HERE / "types.gguf", "test")
    values = []

    def add(name, data, kind, dtype=None):
        writer.add_tensor(name, data, raw_dtype=dtype)
        values.append(dequantize(data, kind).astype("<f4").ravel())

    numbers = random.normal(size=(ROWS, 64)).astype(numpy.float32)
    add("F32", numbers, Type.F32)
    add("F16", numbers.astype(numpy.float16), Type.F16)
    for kind in QUANTISABLE:
        add(kind.name, quantize(numbers, kind), kind, kind)
    for kind in SCALES:
        add(kind.name + ".bits", random_blocks(kind, random), kind, kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    numpy.concatenate(values).tofile(HERE / "types.f32")


def write_model(path, tokenizer, tensors, parts=0):
    writer = gguf.GGUFWriter(path, "qwen2", split_max_tensors=parts)
    writer.add_name("Small")
    writer.add_block_count(1)
    writer.add_context_length(256)
    writer.add_embedding_length(32)
    writer.add_feed_forward_length(64)
    writer.add_head_count(4)
    writer.add_head_count_kv(2)
    writer.add_rope_freq_base(5000.0)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    vocabulary = {token: (i, gguf.TokenType.NORMAL) for token, i in tokenizer["model"]["vocab"].items()}
    for token in tokenizer["added_tokens"]:
        kind = gguf.TokenType.CONTROL if token["special"] else gguf.TokenType.USER_DEFINED
        vocabulary[token["content"]] = (token["id"], kind)
    names = {i: (token, kind) for token, (i, kind) in vocabulary.items()}
    rows = tensors["token_embd.weight"][0].shape[0]
    listed = [names.get(i, (f"[PAD{i}]", gguf.TokenType.UNUSED)) for i in range(rows)]
    writer.add_token_list([token for token, _ in listed])
    writer.add_token_types([kind for _, kind in listed])
    merges = tokenizer["model"]["merges"]
    writer.add_token_merges([merge if isinstance(merge, str) else " ".join(merge) for merge in merges])
    writer.add_eos_token_id(vocabulary["<|endoftext|>"][0])
    for name, (data, kind) in tensors.items():
        writer.add_tensor(name, data, raw_dtype=None if kind in (Type.F32, Type.F16) else kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def make_model(random):
    tokenizer = json.loads((HERE.parent / "tokenizer" / "small" / "tokenizer.json").read_text())
    size = max(list(tokenizer["model"]["vocab"].values()) + [t["id"] for t in tokenizer["added_tokens"]]) + 5
    hidden, inner, heads, groups = 32, 64, 4, 2
    width = hidden // heads
    shapes = {
        "token_embd.weight": ((size, hidden), Type.Q8_0), "output.weight": ((size, hidden), Type.Q4_0),
        "output_norm.weight": ((hidden,), Type.F32), "blk.0.attn_norm.weight": ((hidden,), Type.F32),
        "blk.0.ffn_norm.weight": ((hidden,), Type.F32),
        "blk.0.attn_q.weight": ((heads * width, hidden), Type.Q8_0), "blk.0.attn_q.bias": ((heads * width,), Type.F32),
        "blk.0.attn_k.weight": ((groups * width, hidden), Type.F16), "blk.0.attn_k.bias": ((groups * width,), Type.F32),
        "blk.0.attn_v.weight": ((groups * width, hidden), Type.Q5_1), "blk.0.attn_v.bias": ((groups * width,), Type.F32),
        "blk.0.attn_output.weight": ((hidden, hidden), Type.BF16), "blk.0.ffn_gate.weight": ((inner, hidden), Type.Q5_0),
        "blk.0.ffn_up.weight": ((inner, hidden), Type.Q4_1), "blk.0.ffn_down.weight": ((hidden, inner), Type.Q8_0),
    }
    tensors, weights = {}, {}
    for name, (shape, kind) in shapes.items():
        numbers = random.normal(size=shape).astype(numpy.float32)
        if name.endswith("norm.weight"):
            numbers = 1 + numpy.float32(0.2) * numbers
        elif name.endswith("bias"):
            numbers *= numpy.float32(0.5)
        else:
            numbers /= numpy.float32(shape[1] ** 0.5)
        data = numbers if kind == Type.F32 else numbers.astype(numpy.float16) if kind == Type.F16 else quantize(numbers, kind)
        tensors[name] = (data, kind)
        weights[hugging_face_name(name)] = dequantize(data, kind).astype(numpy.float64)
    write_model(HERE / "small.gguf", tokenizer, tensors)
    (HERE / "parts").mkdir(exist_ok=True)
    write_model(HERE / "parts" / "small.gguf", tokenizer, tensors, parts=8)

    ids = random.integers(0, size, 5)
    (HERE / "small.ids").write_text(" ".join(map(str, ids)) + "\n")
    config = SimpleNamespace(num_attention_heads=heads, num_key_value_heads=groups, hidden_size=hidden,
                             num_hidden_layers=1, rms_norm_eps=1e-6, rope_parameters={"rope_theta": 5000.0})
    forward(config, weights, ids).astype("<f8").tofile(HERE / "small.f64")


def hugging_face_name(name):
    """By the package's own table of llama.cpp's and Hugging Face's names."""
    table = gguf.get_tensor_name_map(gguf.MODEL_ARCH.QWEN2, 1)
    base, ending = name.rsplit(".", 1)
    for theirs, (_, ours) in table.mapping.items():
        if ours == base and theirs.startswith(("model.layers.0.self_attn", "model.layers.0.mlp.", "model.layers.0.input",
                                               "model.layers.0.post_attention_layernorm", "model.embed_tokens",
                                               "model.norm", "lm_head")):
            if theirs.endswith(("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj",
                                "layernorm", "embed_tokens", "model.norm", "lm_head")):
                return f"{theirs}.{ending}"
    raise KeyError(name)


def main():
    random = numpy.random.default_rng(20250)
    make_types(random)
    make_model(random)
    for path in sorted(HERE.rglob("*")):
        if path.is_file() and path.suffix != ".py":
            print(path.relative_to(HERE), path.stat().st_size)


if __name__ == "__main__":
    main()
