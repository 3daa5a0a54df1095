# SPDX-License-Identifier: GPL-3.0-or-later
"""Channels that NVIDIA's kvpress leaves of random keys under random queries: think.json.

    python -m venv venv && venv/bin/pip install kvpress==0.5.5 && venv/bin/python make_think.py"""

import json
import pathlib
import types

import torch
from kvpress import ThinKPress

TOKENS, WINDOW, QUERY_HEADS, KV_HEADS, HEAD_DIM = 24, 6, 6, 2, 16

generator = torch.Generator().manual_seed(11)
channels = torch.rand(HEAD_DIM, generator=generator) * 2
keys = torch.randn(1, KV_HEADS, TOKENS, HEAD_DIM, generator=generator) * channels
queries = torch.randn(1, QUERY_HEADS, WINDOW, HEAD_DIM, generator=generator)
module = types.SimpleNamespace(config=types.SimpleNamespace(num_attention_heads=QUERY_HEADS), head_dim=HEAD_DIM)

golden = {"keys": keys[0].flatten().tolist(), "queries": queries[0].flatten().tolist(), "kept": {}}
for ratio in (0.4, 0.5, 0.8):
    press = ThinKPress(key_channel_compression_ratio=ratio, window_size=WINDOW)
    press.compute_window_queries = lambda *_: queries
    kwargs = {"hidden_states": None, "position_embeddings": None}
    pruned, _ = press.compress(module, None, keys.clone(), keys, None, kwargs)
    golden["kept"][str(ratio)] = [(pruned[0, head] != 0).any(0).nonzero().flatten().tolist() for head in range(KV_HEADS)]
pathlib.Path(__file__).with_name("think.json").write_text(json.dumps(golden) + "\n")
