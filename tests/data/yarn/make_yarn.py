#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the golden files of YaRN with transformers (5.2) as reference.

usage: make_yarn.py            (writes beside itself; needs torch, transformers, safetensors)

  frequencies.json    for each case the rotary settings, head size, and what transformers' "yarn" makes of them: 1 / period
                      of each component (float32) and the factor of cosine and sine
  tokens.txt          ids, from position 0
  published.json      config.json of ../models/untied with "rope_scaling" at the top, as Qwen2.5's model cards have it
  transformers5.json  the same model with other settings inside "rope_parameters"
  *.f32               logits [tokens, vocabulary] of the weights of ../models/untied under that configuration, float32
"""
import json
import pathlib
import tempfile

import torch
from safetensors.torch import load_file
from transformers import Qwen2Config, Qwen2ForCausalLM
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

HERE = pathlib.Path(__file__).resolve().parent
UNTIED = HERE.parent / "models" / "untied"
CASES = [
    dict(head_dim=128, rope_theta=1e6, factor=4.0, original_max_position_embeddings=32768),
    dict(head_dim=64, rope_theta=1e6, factor=2.0, original_max_position_embeddings=32768),
    dict(head_dim=64, rope_theta=1e4, factor=8.0, original_max_position_embeddings=4096, beta_fast=16.0, beta_slow=2.0),
    dict(head_dim=32, rope_theta=5e3, factor=3.0, original_max_position_embeddings=64, truncate=False),
    dict(head_dim=16, rope_theta=5e3, factor=4.0, original_max_position_embeddings=16, attention_factor=0.75),
]


def frequencies(case):
    settings = {key: value for key, value in case.items() if key != "head_dim"}
    config = Qwen2Config(hidden_size=case["head_dim"] * 2, num_attention_heads=2,
                         max_position_embeddings=case["original_max_position_embeddings"],
                         rope_parameters={"rope_type": "yarn", **settings})
    inverse, scale = ROPE_INIT_FUNCTIONS["yarn"](config, "cpu")
    return {**case, "frequencies": inverse.tolist(), "scale": scale}


def logits(config_text, ids):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "config.json").write_text(config_text)
        config = Qwen2Config.from_pretrained(folder)
    model = Qwen2ForCausalLM(config).eval()
    model.load_state_dict(load_file(UNTIED / "model.safetensors"))
    with torch.no_grad():
        return model(ids[None]).logits[0].numpy()


def main():
    text = json.dumps([frequencies(case) for case in CASES], indent=1)
    (HERE / "frequencies.json").write_text(text + "\n")
    base = json.loads((UNTIED / "config.json").read_text())
    rope = base.pop("rope_parameters")
    base["max_position_embeddings"] = 16
    published = {**base, "rope_theta": rope["rope_theta"], "rope_scaling": {
        "type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16}}
    newer = {**base, "rope_parameters": {
        "rope_type": "yarn", "rope_theta": rope["rope_theta"], "factor": 6.0, "original_max_position_embeddings": 8,
        "attention_factor": 1.25, "beta_fast": 4.0, "beta_slow": 0.5, "truncate": False}}
    ids = torch.randint(0, base["vocab_size"], (40,), generator=torch.Generator().manual_seed(5))
    (HERE / "tokens.txt").write_text(" ".join(map(str, ids.tolist())) + "\n")
    plain = logits(json.dumps({**base, "rope_parameters": rope}), ids)
    for name, config in (("published", published), ("transformers5", newer)):
        (HERE / f"{name}.json").write_text(json.dumps(config, indent=1) + "\n")
        values = logits(json.dumps(config), ids)
        values.astype("<f4").tofile(HERE / f"{name}.f32")
        print(name, "differs from no scaling by", abs(values - plain).max())


if __name__ == "__main__":
    main()
