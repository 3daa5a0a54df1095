#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make compact.json: sinks and a window with positions within the cache, by transformers (5.24) as reference.

usage: make_compact.py            (writes beside itself; needs torch, transformers, safetensors)

Each case feeds the tokens of "tokens" in chunks to a tiny model in float64. Before a chunk, keys and values between the
sinks and what the budget leaves for the newest are dropped and the keys behind them turned back by as many positions;
the chunk's position ids continue at the number of entries held. "nll" are the negative log likelihoods of every token
but the first.
"""
import json
import pathlib
import tempfile

import torch
from safetensors.torch import load_file
from transformers import DynamicCache, Qwen2Config, Qwen2ForCausalLM

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent
CASES = [
    dict(config="models/untied/config.json", sinks=2, budget=12, chunk=1),
    dict(config="models/untied/config.json", sinks=0, budget=9, chunk=1),
    dict(config="models/untied/config.json", sinks=3, budget=20, chunk=6),
    dict(config="yarn/published.json", sinks=4, budget=16, chunk=1),
]


def model_of(config):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "config.json").write_text((DATA / config).read_text())
        settings = Qwen2Config.from_pretrained(folder, attn_implementation="eager")
    model = Qwen2ForCausalLM(settings).eval()
    model.load_state_dict(load_file(DATA / "models" / "untied" / "model.safetensors"))
    return model.double()


def turned_back(keys, frequencies, by):
    """The rotation of arXiv 2104.09864 by -by positions, components j and j + d/2 in a pair."""
    angle = torch.cat([frequencies, frequencies]) * by
    low, high = keys.chunk(2, -1)
    return keys * angle.cos() + torch.cat([high, -low], -1) * angle.sin()


def nll(case, ids):
    model = model_of(case["config"])
    frequencies = model.model.rotary_emb.inv_freq.double()
    cache = DynamicCache(config=model.config)
    rows = []
    for part in ids.split(case["chunk"]):
        held = cache.get_seq_length()
        drop = held - max(case["sinks"] + 1, case["budget"] - len(part))
        if drop > 0:
            first = case["sinks"]
            for layer in cache.layers:
                newest = turned_back(layer.keys[:, :, first + drop:], frequencies, drop)
                layer.keys = torch.cat([layer.keys[:, :, :first], newest], 2)
                layer.values = torch.cat([layer.values[:, :, :first], layer.values[:, :, first + drop:]], 2)
            held -= drop
        hidden = torch.ones(len(part), held + len(part), dtype=torch.bool).triu(held + 1)
        mask = torch.zeros(hidden.shape, dtype=torch.float64).masked_fill(hidden, float("-inf"))[None, None]
        places = torch.arange(held, held + len(part))
        with torch.no_grad():
            rows.append(model(part[None], position_ids=places[None], attention_mask=mask, past_key_values=cache,
                              cache_position=places).logits[0])
    chances = torch.cat(rows).log_softmax(1)
    return (-chances[:-1].gather(1, ids[1:, None])[:, 0]).tolist()


def main():
    ids = torch.randint(0, 128, (80,), generator=torch.Generator().manual_seed(11))
    cases = [{**case, "nll": nll(case, ids)} for case in CASES]
    (HERE / "compact.json").write_text(json.dumps({"tokens": ids.tolist(), "cases": cases}) + "\n")


if __name__ == "__main__":
    main()
