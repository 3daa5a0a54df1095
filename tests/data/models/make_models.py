#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the tiny random Qwen2 models of this folder and their golden logits.

usage: make_models.py            (writes beside itself; needs torch, transformers, safetensors, numpy)

Weights are random with a fixed seed, biases and norm weights included, so that a forgotten bias, a wrong
head grouping or a swapped norm moves the logits far beyond any tolerance. Each model folder gets

  config.json, model*.safetensors   as transformers writes them (classic_config: with the older key names)
  tokens.txt                        the ids that were fed, from position 0
  logits.f32                        float32 [tokens, vocabulary]: transformers, float32
  logits.f64                        float64, the same shape: forward() below, plain NumPy in float64

The two references are independent and must agree with each other; the script stops where they do not.
"""
import json
import pathlib
import shutil

import numpy
import torch
from safetensors.torch import load_file
from transformers import Qwen2Config, Qwen2ForCausalLM

TOKENS = 24
MODELS = {
    # 6 query heads to 2 key/value heads, an output matrix of its own, the configuration as transformers 5 writes it
    "untied": dict(
        hidden_size=48, intermediate_size=64, num_hidden_layers=3, num_attention_heads=6, num_key_value_heads=2,
        vocab_size=128, tie_word_embeddings=False),
    # two files and an index, output matrix tied to the embeddings, classic key names
    "tied_sharded": dict(
        hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
        vocab_size=96, tie_word_embeddings=True),
    # 7 query heads to a key/value head, as Qwen2.5-0.5B and 7B have it, stored in 16 bits
    "bfloat16_seven": dict(
        hidden_size=112, intermediate_size=64, num_hidden_layers=2, num_attention_heads=7, num_key_value_heads=1,
        vocab_size=64, tie_word_embeddings=True),
    "float16": dict(
        hidden_size=32, intermediate_size=40, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=2,
        vocab_size=80, tie_word_embeddings=False),
}
STORED = {"bfloat16_seven": torch.bfloat16, "float16": torch.float16}


def randomise(model, generator):
    for name, weight in model.named_parameters():
        noise = torch.randn(weight.shape, generator=generator)
        if name.endswith("norm.weight"):
            weight.data = 1 + 0.2 * noise
        elif name.endswith("bias"):
            weight.data = 0.5 * noise
        elif "embed" in name:
            weight.data = 0.3 * noise
        else:
            weight.data = noise / weight.shape[1] ** 0.5
    model.tie_weights()


def classic_config(folder):
    """The key names that published Qwen2.5 folders have."""
    path = folder / "config.json"
    config = json.loads(path.read_text())
    rope = config.pop("rope_parameters")
    config.pop("layer_types", None)
    config["rope_theta"] = rope["rope_theta"]
    config["torch_dtype"] = config.pop("dtype")
    path.write_text(json.dumps(config, indent=2) + "\n")


def forward(config, weights, ids):
    """Qwen2 in float64, written from its definition."""
    heads, groups = config.num_attention_heads, config.num_key_value_heads
    width = config.hidden_size // heads
    half = width // 2
    angles = numpy.arange(len(ids))[:, None] * config.rope_parameters["rope_theta"] ** (-numpy.arange(half) / half)
    cos, sin = numpy.cos(angles)[:, None], numpy.sin(angles)[:, None]

    def norm(x, name):
        return x / numpy.sqrt((x * x).mean(-1, keepdims=True) + config.rms_norm_eps) * weights[name + ".weight"]

    def product(x, name):
        return x @ weights[name + ".weight"].T + weights.get(name + ".bias", 0)

    def rotate(x):
        a, b = x[..., :half], x[..., half:]
        return numpy.concatenate([a * cos - b * sin, b * cos + a * sin], -1)

    x = weights["model.embed_tokens.weight"][ids]
    for layer in range(config.num_hidden_layers):
        base = f"model.layers.{layer}."
        y = norm(x, base + "input_layernorm")
        q = rotate(product(y, base + "self_attn.q_proj").reshape(len(ids), heads, width))
        k = rotate(product(y, base + "self_attn.k_proj").reshape(len(ids), groups, width))
        v = product(y, base + "self_attn.v_proj").reshape(len(ids), groups, width)
        context = numpy.empty_like(q)
        for head in range(heads):
            group = head // (heads // groups)
            logits = q[:, head] @ k[:, group].T / width ** 0.5
            logits[numpy.triu_indices(len(ids), 1)] = -numpy.inf
            weight = numpy.exp(logits - logits.max(-1, keepdims=True))
            context[:, head] = weight / weight.sum(-1, keepdims=True) @ v[:, group]
        x = x + product(context.reshape(len(ids), -1), base + "self_attn.o_proj")
        y = norm(x, base + "post_attention_layernorm")
        gate = product(y, base + "mlp.gate_proj")
        x = x + product(gate / (1 + numpy.exp(-gate)) * product(y, base + "mlp.up_proj"), base + "mlp.down_proj")
    x = norm(x, "model.norm")
    return x @ weights.get("lm_head.weight", weights["model.embed_tokens.weight"]).T


def make(folder, name, settings, seed):
    shutil.rmtree(folder, ignore_errors=True)
    generator = torch.Generator().manual_seed(seed)
    config = Qwen2Config(
        max_position_embeddings=512, rms_norm_eps=1e-6, hidden_act="silu", use_sliding_window=False,
        bos_token_id=1, eos_token_id=2, rope_parameters={"rope_type": "default", "rope_theta": 5000.0}, **settings)
    model = Qwen2ForCausalLM(config).eval()
    randomise(model, generator)
    stored = model.to(STORED.get(name, torch.float32))
    stored.save_pretrained(folder, max_shard_size="40KB" if name == "tied_sharded" else "50GB")
    (folder / "generation_config.json").unlink(missing_ok=True)
    if name != "untied":
        classic_config(folder)

    ids = torch.randint(0, config.vocab_size, (TOKENS,), generator=generator)
    with torch.no_grad():
        logits = Qwen2ForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()(ids[None]).logits[0].numpy()
    weights = {}
    for file in folder.glob("*.safetensors"):
        weights |= {key: value.double().numpy() for key, value in load_file(file).items()}
    exact = forward(config, weights, ids.numpy())
    difference = numpy.abs(exact - logits).max()
    assert difference < 2e-5, (name, difference)
    (folder / "tokens.txt").write_text(" ".join(map(str, ids.tolist())) + "\n")
    logits.astype("<f4").tofile(folder / "logits.f32")
    exact.astype("<f8").tofile(folder / "logits.f64")
    print(f"{name}: logits up to {numpy.abs(logits).max():.2f}, references differ by {difference:.1e}")


def main():
    here = pathlib.Path(__file__).resolve().parent
    for seed, (name, settings) in enumerate(MODELS.items()):
        make(here / name, name, settings, seed)


if __name__ == "__main__":
    main()
