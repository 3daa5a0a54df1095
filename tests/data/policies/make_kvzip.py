# SPDX-License-Identifier: GPL-3.0-or-later
"""Scores and kept positions of NVIDIA's KVzip press for a tiny model: kvzip.json.

    python -m venv venv && venv/bin/pip install kvpress==0.5.5 && venv/bin/python make_kvzip.py

The model has no tokenizer; a stand-in gives fixed ids for the instructions, as the test does."""

import json
import pathlib

import kvpress.presses.kvzip_press as kvzip
import torch
from transformers import DynamicCache, Qwen2ForCausalLM

HERE = pathlib.Path(__file__).parent
MODEL = HERE.parent / "models" / "untied"
PROMPT, PART, BUDGET = 50, 20, 20
IDS = {
    "": [],
    "\n": [11],
    "\n\nRepeat the previous context exactly.": [5, 9, 2, 40],
    "\n\nRepeat the part of the previous context exactly, starting with": [7, 3, 33, 21, 60],
}


class Tokenizer:
    chat_template = None

    @staticmethod
    def from_pretrained(_):
        return Tokenizer()

    def encode(self, text, return_tensors=None, add_special_tokens=False):
        return torch.tensor([IDS[text]], dtype=torch.long)


def some_tokens(count):
    """As in tests/engine/support/decoders.h."""
    tokens, state = [], 12345
    for _ in range(count):
        state = (state * 1664525 + 1013904223) % 2**32
        tokens.append((state >> 16) % 64)
    return tokens


torch.set_default_dtype(torch.float64)  # of the press's mask
kvzip.AutoTokenizer = Tokenizer
model = Qwen2ForCausalLM.from_pretrained(MODEL, dtype=torch.float64, attn_implementation="sdpa").eval()
layers, heads = model.config.num_hidden_layers, model.config.num_key_value_heads
ratio = 1 - BUDGET / PROMPT


def kept_by(**options):
    """Positions that each layer and head keeps, and the scores of the prompt."""
    press = kvzip.KVzipPress(compression_ratio=ratio, chunk_size=PART, n_sink=4, **options)
    original = press.compress_post
    scores = []

    def compress_post(loaded):
        scores.extend(press.score_val[:, 0].tolist())
        assert int(press.score_val.numel() * ratio + 1e-9) == layers * heads * (PROMPT - BUDGET)
        original(loaded)

    press.compress_post = compress_post
    with torch.no_grad(), press(model):
        model.model(input_ids=torch.tensor([some_tokens(PROMPT)]), past_key_values=DynamicCache())
    kept = []
    for layer in model.model.layers:
        _, gone_heads, positions = layer.self_attn.masked_key_indices
        gone = set(zip(gone_heads.tolist(), positions.tolist()))
        kept.append([[p for p in range(PROMPT) if (head, p) not in gone] for head in range(heads)])
        layer.self_attn.masked_key_indices = None
    return kept, scores


kept, scores = kept_by()
kept_plus, _ = kept_by(kvzip_plus_normalization=True)
assert kept_plus != kept

data = {"kvpress": "0.5.5", "prompt": PROMPT, "part": PART, "budget": BUDGET, "ids": IDS,
        "scores": [[[round(x, 12) for x in head] for head in layer] for layer in scores],
        "kept": kept, "kept_plus": kept_plus}
(HERE / "kvzip.json").write_text(json.dumps(data) + "\n")
