#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Score a text under the article's two pruning policies with Hugging Face transformers.

This is the reference that the engine's numbers are compared with: plain PyTorch, one
chunk at a time, the cache cropped by index. It is slow and simple on purpose.

usage: hf_reference.py MODEL_DIR TEXT --policy full|window|attention-score
           [--budget 512] [--sinks 4] [--recent 32] [--warm 4096] [--score 2048]
           [--chunk 32] [--dtype float32] [--whole] [--nll OUT.txt] [--kept OUT.txt]

Protocol (the article's): every non-blank line plus two newlines is tokenised separately
without special tokens, and the pieces are concatenated; tokens are fed CHUNK at a time;
before a chunk the cache is pruned to max(sinks + 1, budget - CHUNK) entries, after it to
BUDGET; keys keep the rotary position they were written with; a query of the chunk sees
every retained key and the chunk's own keys up to itself. The first WARM tokens are not
scored; of the next SCORE tokens each one's negative log likelihood is.

 full             nothing is pruned
 window           the first SINKS entries and the most recent ones
 attention-score  the first SINKS, the last RECENT and, of what lies between, the entries
                  with the greatest accumulated attention: averaged over all query heads of
                  the layer, summed over all queries so far, a chunk's own included
Prints one JSON object: mean negative log likelihood, perplexity, seconds.

--kept writes which positions survive, one pruning of one layer a line:
    WHY LAYER SEEN TARGET POSITIONS      (positions as "0-3,17,25-40")
WHY is "tie" where the last entry kept by its score and the first one dropped differ by less than 1e-5
relative, so that another order of summation may choose differently, and "end" for what each layer holds
at the end of the run. SEEN is the number of tokens fed before the pruning.
"""
import argparse
import json
import math
import pathlib
import time

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, DynamicCache


def encoder_of(folder):
    """text -> ids, by SentencePiece where the folder has a tokenizer.model, else by transformers."""
    model = pathlib.Path(folder) / "tokenizer.model"
    if model.exists():
        import sentencepiece
        return sentencepiece.SentencePieceProcessor(model_file=str(model)).encode
    tokenizer = AutoTokenizer.from_pretrained(folder)
    return lambda text: tokenizer.encode(text, add_special_tokens=False)


def tokens_of(path, encode, count, whole):
    if whole:
        return torch.tensor(encode(pathlib.Path(path).read_text(encoding="utf-8"))[:count])
    ids = []
    with open(path, encoding="utf-8") as text:
        for line in text:
            if line.strip():
                ids += encode(line.rstrip("\n") + "\n\n")
                if len(ids) >= count:
                    break
    return torch.tensor(ids[:count])


def kept(policy, length, target, sinks, recent, scores):
    """Indices, ascending, of the entries of one layer that survive, and whether the choice was close."""
    if length <= target:
        return None, False
    if policy == "window":
        recent = target - sinks
        return torch.cat([torch.arange(sinks), torch.arange(length - recent, length)]), False
    recent = min(recent, target - sinks)
    heavy = target - sinks - recent
    middle = scores[sinks:length - recent]
    top = torch.topk(middle, heavy).indices.sort().values + sinks
    ranked = middle.sort(descending=True).values
    close = 0 < heavy and (ranked[heavy - 1] - ranked[heavy]).item() < 1e-5 * ranked[heavy - 1].item()
    return torch.cat([torch.arange(sinks), top, torch.arange(length - recent, length)]), close


def ranges(positions):
    """[0, 1, 2, 5] -> "0-2,5"."""
    runs = []
    for position in positions.tolist():
        if runs and runs[-1][1] == position - 1:
            runs[-1][1] = position
        else:
            runs.append([position, position])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def prune(cache, target, args, scores, positions, seen, record):
    for index, layer in enumerate(cache.layers):
        score = scores[index] if scores else None
        keep, close = kept(args.policy, layer.keys.shape[2], target, args.sinks, args.recent, score)
        if keep is not None:
            layer.keys = layer.keys[:, :, keep].contiguous()
            layer.values = layer.values[:, :, keep].contiguous()
            positions[index] = positions[index][keep]
            if scores:
                scores[index] = score[keep]
        if close:
            record.append(f"tie {index} {seen} {target} {ranges(positions[index])}\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("text")
    parser.add_argument("--policy", default="full", choices=["full", "window", "attention-score"])
    parser.add_argument("--budget", type=int, default=512)
    parser.add_argument("--sinks", type=int, default=4)
    parser.add_argument("--recent", type=int, default=32)
    parser.add_argument("--warm", type=int, default=4096)
    parser.add_argument("--score", type=int, default=2048)
    parser.add_argument("--chunk", type=int, default=32)
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--whole", action="store_true", help="tokenise the text in one piece, not line by line")
    parser.add_argument("--nll")
    parser.add_argument("--kept")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.set_grad_enabled(False)

    needs_scores = args.policy == "attention-score"
    model = AutoModelForCausalLM.from_pretrained(
        args.model, dtype=getattr(torch, args.dtype),
        attn_implementation="eager" if needs_scores else "sdpa").eval()
    ids = tokens_of(args.text, encoder_of(args.model), args.warm + args.score + 1, args.whole)
    total = min(len(ids) - 1, args.warm + args.score)

    cache = DynamicCache()
    scores = [torch.zeros(0) for _ in range(model.config.num_hidden_layers)] if needs_scores else None
    held_positions = [torch.zeros(0, dtype=torch.long) for _ in range(model.config.num_hidden_layers)]
    record = []
    nlls = []
    started = time.time()
    for start in range(0, total, args.chunk):
        end = min(start + args.chunk, total)
        fed = end - start
        if args.policy != "full":
            prune(cache, max(args.sinks + 1, args.budget - fed), args, scores, held_positions, start, record)
        held = cache.layers[0].keys.shape[2] if cache.layers else 0
        positions = torch.arange(start, end)
        mask = torch.zeros(1, 1, fed, held + fed, dtype=model.dtype)
        future = torch.ones(fed, fed, dtype=torch.bool).triu(1)
        mask[0, 0, :, held:].masked_fill_(future, torch.finfo(model.dtype).min)
        scoring = end > args.warm
        output = model(ids[None, start:end], attention_mask=mask, position_ids=positions[None],
                       past_key_values=cache, use_cache=True, output_attentions=needs_scores,
                       logits_to_keep=0 if scoring else 1)
        held_positions = [torch.cat([held_by_layer, positions]) for held_by_layer in held_positions]
        if needs_scores:
            for index, attention in enumerate(output.attentions):
                grown = torch.zeros(held + fed)
                grown[:held] = scores[index]
                scores[index] = grown + attention[0].float().mean(0).sum(0)
        if scoring:
            logits = output.logits[0].float()
            nll = torch.nn.functional.cross_entropy(logits, ids[start + 1:end + 1], reduction="none")
            nlls.append(nll[max(0, args.warm - start):])
        if args.policy != "full":
            prune(cache, args.budget, args, scores, held_positions, end, record)
    nll = torch.cat(nlls)
    if args.nll:
        with open(args.nll, "w", encoding="utf-8") as out:
            out.writelines(f"{value:.6f}\n" for value in nll.tolist())
    if args.kept:
        record += [f"end {index} {total} {len(layer)} {ranges(layer)}\n" for index, layer in enumerate(held_positions)]
        pathlib.Path(args.kept).write_text("".join(record), encoding="utf-8")
    mean = nll.mean().item()
    print(json.dumps({
        "policy": args.policy, "budget": args.budget, "dtype": args.dtype, "scored": len(nll),
        "nll": mean, "perplexity": math.exp(mean), "nll_stderr": nll.std().item() / math.sqrt(len(nll)),
        "seconds": time.time() - started}))


if __name__ == "__main__":
    main()
