#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden divergences from the full cache, and golden NLLs of prefill-then-score, by transformers and NumPy.

usage: make_divergence.py > divergence.json        (needs torch, transformers, sentencepiece; one minute)

The demo model scores a bundled text as tests/data/nll/hf_reference.py does, with its pruning. For each scored token,
with p the full cache's prediction and q the policy's, both in float64 from float32 logits:
    kl         sum over the vocabulary of p (ln p - ln q), as llama.cpp's perplexity tool defines it
    delta_p    q - p of the token that follows
    same_top   whether both find the same token the most probable
and the figures over all tokens: mean, median and 99th percentile of kl, root of the mean square of delta_p, share of
same_top, ratio of perplexities. Prefill-then-score feeds the warm tokens without pruning, prunes once to the budget,
and goes on with the policy's pruning around every chunk.
"""
import argparse
import json
import pathlib
import sys

import numpy
import torch
from transformers import AutoModelForCausalLM, DynamicCache

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "nll"))
import hf_reference  # noqa: E402

WARM, SCORE, CHUNK, SINKS = 300, 200, 32, 4


def logits_of(model, ids, policy, budget, prompt_first):
    args = argparse.Namespace(policy=policy, sinks=SINKS, recent=0)
    layers = model.config.num_hidden_layers
    cache, total = DynamicCache(), WARM + SCORE
    positions = [torch.zeros(0, dtype=torch.long) for _ in range(layers)]
    rows = []

    def prune(target, seen):
        hf_reference.prune(cache, target, args, None, positions, seen, [])

    bounds = list(range(0, total, CHUNK)) + [total]
    if prompt_first:
        bounds = list(range(0, WARM, CHUNK)) + list(range(WARM, total, CHUNK)) + [total]
    for start, end in zip(bounds, bounds[1:]):
        prunes = policy != "full" and (not prompt_first or start >= WARM)
        if prunes and prompt_first and start == WARM:
            prune(budget, start)
        if prunes:
            prune(max(SINKS + 1, budget - (end - start)), start)
        held = cache.layers[0].keys.shape[2] if cache.layers else 0
        at = torch.arange(start, end)
        mask = torch.zeros(1, 1, end - start, held + end - start)
        future = torch.ones(end - start, end - start, dtype=torch.bool).triu(1)
        mask[0, 0, :, held:].masked_fill_(future, torch.finfo(torch.float32).min)
        output = model(ids[None, start:end], attention_mask=mask, position_ids=at[None], past_key_values=cache,
                       use_cache=True)
        for index in range(layers):
            positions[index] = torch.cat([positions[index], at])
        rows.append(output.logits[0])
        if prunes:
            prune(budget, end)
    return torch.cat(rows)[WARM:].double()


def main():
    torch.set_num_threads(2)
    torch.set_grad_enabled(False)
    resources = HERE.parents[2] / "resources"
    folder = resources / "demo_model"
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="sdpa").eval()
    ids = hf_reference.tokens_of(resources / "texts" / "war_of_the_worlds.txt", hf_reference.encoder_of(folder),
                                 WARM + SCORE + 1, True)
    after = ids[WARM + 1:WARM + SCORE + 1, None]
    base = logits_of(model, ids, "full", 0, False).log_softmax(1)
    cases = []
    for budget, prompt_first in ((64, False), (64, True), (256, False)):
        own = logits_of(model, ids, "window", budget, prompt_first).log_softmax(1)
        kl = (base.exp() * (base - own)).sum(1).numpy()
        delta = (own.gather(1, after).exp() - base.gather(1, after).exp())[:, 0].numpy()
        same = (own.argmax(1) == base.argmax(1)).numpy()
        nll, base_nll = (-x.gather(1, after)[:, 0].numpy() for x in (own, base))
        cases.append({
            "budget": budget, "protocol": "prefill-then-score" if prompt_first else "article",
            "kl_mean": float(kl.mean()), "kl_median": float(numpy.median(kl)),
            "kl_p99": float(numpy.percentile(kl, 99)), "delta_p_rms": float(numpy.sqrt((delta ** 2).mean())),
            "same_top": float(same.mean()), "perplexity_ratio": float(numpy.exp(nll.mean() - base_nll.mean())),
            "kl": kl.round(7).tolist(), "delta_p": delta.round(7).tolist(), "nll": nll.round(6).tolist()})
    json.dump({"warm": WARM, "score": SCORE, "chunk": CHUNK, "sinks": SINKS, "cases": cases}, sys.stdout, indent=None)
    print()


if __name__ == "__main__":
    main()
