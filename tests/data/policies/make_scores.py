# SPDX-License-Identifier: GPL-3.0-or-later
"""Scores and kept sets of NVIDIA's kvpress for one layer of random queries, keys and values: scores.json.

    python -m venv venv && venv/bin/pip install kvpress==0.5.5 && venv/bin/python make_scores.py

kvpress keeps int(L * (1 - ratio)) entries, in no order of position: the kept sets here are sorted. It scores the
entries of a window above all others, which the tests leave out."""

import json
import pathlib
import types

import torch
from kvpress import (
    AdaKVPress, BlockPress, CAMPress, ChunkKVPress, CriticalKVPress, CURPress, DuoAttentionPress,
    ExpectedAttentionPress, FinchPress, KeyDiffPress, KnormPress, LagKVPress, MergingPress, ObservedAttentionPress,
    PyramidKVPress, SimLayerKVPress, SnapKVPress, StreamingLLMPress, TOVAPress,
)
from transformers.models.llama.modeling_llama import rotate_half

TOKENS, QUERY_HEADS, KV_HEADS, HEAD_DIM, HIDDEN, BASE = 100, 4, 2, 8, 12, 10000.0


def rounded(*shape):
    """Normal random numbers that three decimals hold exactly."""
    return (torch.randn(*shape, dtype=torch.float64, generator=RANDOM) * 1000).round() / 1000


def rotary(_, positions):
    frequencies = BASE ** (-torch.arange(0, HEAD_DIM, 2, dtype=torch.float64) / HEAD_DIM)
    angles = positions.to(torch.float64).unsqueeze(-1) * frequencies
    angles = torch.cat((angles, angles), -1)
    return angles.cos(), angles.sin()


def turned(x, cos, sin):
    return x * cos + rotate_half(x) * sin


RANDOM = torch.Generator().manual_seed(7)
queries = rounded(TOKENS, QUERY_HEADS, HEAD_DIM)  # before rotation
queries[:4] *= 5  # the first ones are outliers
plain_keys = rounded(TOKENS, KV_HEADS, HEAD_DIM) + 1.5
values = rounded(TOKENS, KV_HEADS, HEAD_DIM)
output = rounded(HIDDEN, QUERY_HEADS * HEAD_DIM)

cos, sin = rotary(None, torch.arange(TOKENS).unsqueeze(0))
K = turned(plain_keys.permute(1, 0, 2).unsqueeze(0), cos.unsqueeze(1), sin.unsqueeze(1))
V = values.permute(1, 0, 2).unsqueeze(0)
Q = turned(queries.permute(1, 0, 2).unsqueeze(0), cos.unsqueeze(1), sin.unsqueeze(1))

module = torch.nn.Module()
module.config = types.SimpleNamespace(
    num_attention_heads=QUERY_HEADS, num_key_value_heads=KV_HEADS, head_dim=HEAD_DIM, hidden_size=HIDDEN,
    num_hidden_layers=6, _attn_implementation="sdpa")
module.head_dim = HEAD_DIM
module.num_key_value_groups = QUERY_HEADS // KV_HEADS
module.rotary_emb = rotary
module.q_proj = torch.nn.Identity()
module.o_proj = types.SimpleNamespace(weight=output)
hidden = queries.reshape(1, TOKENS, QUERY_HEADS * HEAD_DIM)
kwargs = {"position_embeddings": (cos, sin)}

logits = Q @ K.repeat_interleave(QUERY_HEADS // KV_HEADS, 1).transpose(2, 3) / HEAD_DIM**0.5
attentions = (logits + torch.full((TOKENS, TOKENS), -torch.inf, dtype=torch.float64).triu(1)).softmax(-1)


def score(press, attentions=None):
    return press.score(module, hidden, K, V, attentions, kwargs)[0].tolist()


def kept(press):
    """Sorted positions that each head keeps: values carry their position. Only for presses that ignore values."""
    marked = torch.arange(TOKENS, dtype=torch.float64).view(1, 1, TOKENS, 1).expand(1, KV_HEADS, TOKENS, HEAD_DIM)
    _, left = press.compress(module, hidden, K, marked, None, kwargs)
    return [sorted(int(x) for x in head) for head in left[0, :, :, 0]]


def kept_unmasked(press):
    """The same of presses that only mask."""
    press.compress(module, hidden, K.clone(), V.clone(), None, kwargs)
    _, heads, positions = module.masked_key_indices
    gone = set(zip(heads.tolist(), positions.tolist()))
    return [[p for p in range(TOKENS) if (head, p) not in gone] for head in range(KV_HEADS)]


def kept_by_score(press, count):
    scores = torch.tensor(score(press))
    return [sorted(head.topk(count).indices.tolist()) for head in scores]


snap = {"window_size": 16, "kernel_size": 5}
half = 0.5


def finch(**options):
    """The question is the last 16 tokens; keys keep their rotation, so that the sets can be told by position."""
    press = FinchPress(half, rerotate_keys=False, **options)
    press.window_size = 16
    return press


def streaming_heads(sinks, recent):
    """The second KV head streams."""
    press = DuoAttentionPress(0.5)
    press.sink_size, press.recent_size = sinks, recent
    press.streaming_mask = torch.tensor([[False, True]])
    module.layer_idx = 0
    return press


scores = {
    "finch": score(finch()),
    "finch-plain": score(finch(normalize_scores=False)),
    "snapkv": score(SnapKVPress(half, **snap)),
    "tova": score(TOVAPress(half)),
    "h2o": score(ObservedAttentionPress(half), attentions),
    "knorm": score(KnormPress(half)),
    "keydiff": score(KeyDiffPress(half)),
    "cur": score(CURPress(half)),
    "cur-key": score(CURPress(half, leverage_type="key")),
    "cur-value": score(CURPress(half, leverage_type="value")),
    "cur-mean": score(CURPress(half, leverage_type="kv_avg")),
    "lagkv": score(LagKVPress(half, n_sink=4, lag_size=16)),
    "expected-attention": score(ExpectedAttentionPress(half, n_future_positions=64, epsilon=0.01)),
    "expected-attention-mean": score(ExpectedAttentionPress(half, n_future_positions=64, use_covariance=False)),
}
kept_sets = {
    "finch": kept(finch()),
    "snapkv": kept(SnapKVPress(half, **snap)),
    "tova": kept(TOVAPress(half)),
    "knorm": kept(KnormPress(half)),
    "keydiff": kept(KeyDiffPress(half)),
    "expected-attention": kept_by_score(ExpectedAttentionPress(half, n_future_positions=64, epsilon=0.01), 50),
    "criticalkv": kept_by_score(CriticalKVPress(SnapKVPress(half, **snap)), 50),
    "adakv": kept_unmasked(AdaKVPress(SnapKVPress(half, **snap))),
    "adakv-knorm": kept_unmasked(AdaKVPress(KnormPress(half))),
    "chunkkv": kept(ChunkKVPress(KnormPress(half), chunk_length=10)),
    "block": kept(BlockPress(KeyDiffPress(half), block_size=7)),
    "window": kept(StreamingLLMPress(half, n_sink=4)),
    "cur": kept_by_score(CURPress(half), 50),
    "duoattention": kept_unmasked(streaming_heads(4, 16)),
}


def merged(press, count):
    """Values of what stays, in order of position."""
    _, left = press.compress(module, hidden, K, V, None, kwargs)
    order = torch.tensor(score(press.press)).topk(count, dim=-1).indices.argsort(-1)
    return [head[places].flatten().tolist() for head, places in zip(left[0], order)]


def spread(count):
    """Values that CaM leaves of a window where it merges the expected share instead of drawing."""
    press = CAMPress(StreamingLLMPress(n_sink=4), target_size=count, merge_budget=8)
    press.layer_step_counts[0] = TOKENS - count  # all that go are merged
    module.layer_idx = 0
    received = attentions.sum(2).view(1, KV_HEADS, QUERY_HEADS // KV_HEADS, TOKENS).mean(2)
    press._running_attn_sum[0] = received.clone()
    bernoulli, torch.bernoulli = torch.bernoulli, lambda chance: chance
    _, left = press.compress(module, hidden, K.clone(), V.clone(), received, kwargs)
    torch.bernoulli = bernoulli
    return [head.flatten().tolist() for head in left[0]]


def layer_budgets(ratio, layers, tokens, window):
    module.config.num_hidden_layers = layers
    press = PyramidKVPress(ratio, window_size=window)
    budgets = []
    for module.layer_idx in range(layers):
        budgets.append(press.get_layer_budget(module, tokens))
    return {"entries": round(tokens * (1 - ratio)), "layers": layers, "budgets": budgets}


def nearby_share(recent, last):
    """The share of attention that SimLayerKV compares with its threshold, found by asking it again and again."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        press = SimLayerKVPress(lazy_threshold=middle, n_last=last, n_recent=recent, n_initial=4)
        low, high = (middle, high) if press.is_lazy(module, hidden, K, (cos, sin)) else (low, middle)
    return {"recent": recent, "last": last, "share": low}


merges = merged(MergingPress(SnapKVPress(half, **snap), similarity_threshold=0.6), 50)
pyramids = [layer_budgets(0.75, 6, 4000, 16), layer_budgets(0.6, 24, 10000, 32), layer_budgets(0.875, 28, 8192, 8)]


def flat(tensor):
    return tensor.flatten().tolist()


data = {
    "kvpress": "0.5.5",
    "shape": {"tokens": TOKENS, "query_heads": QUERY_HEADS, "kv_heads": KV_HEADS, "head_dim": HEAD_DIM,
              "hidden": HIDDEN, "base": BASE},
    "inputs": {"queries": flat(queries), "keys": flat(plain_keys), "values": flat(values), "output": flat(output)},
    "scores": scores,
    "kept": kept_sets,
    "merged": merges,
    "spread": spread(50),
    "pyramids": pyramids,
    "nearby": [nearby_share(8, 1), nearby_share(30, 1), nearby_share(16, 5)],
}


def compact(value):
    return round(value, 12) if isinstance(value, float) else value


def lines(value, depth=0):
    if isinstance(value, dict):
        inner = ",\n".join(" " * (depth + 1) + json.dumps(k) + ": " + lines(v, depth + 1) for k, v in value.items())
        return "{\n" + inner + "}"
    if isinstance(value, list) and value and isinstance(value[0], (list, dict)):
        return "[" + ",\n".join(lines(v, depth + 1) for v in value) + "]"
    if isinstance(value, list):
        return "[" + ",".join(json.dumps(compact(v)) for v in value) + "]"
    return json.dumps(compact(value))


pathlib.Path(__file__).with_name("scores.json").write_text(lines(data) + "\n")
