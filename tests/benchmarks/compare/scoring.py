#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time of scoring a text under the article's protocol: Kvist against transformers, pair by pair, in one run.

usage: scoring.py --kvist KVIST --reference hf_reference.py --model FOLDER --text FILE
                  [--warm 2048] [--score 1024] [--rounds 3] [--dtype bfloat16] [--threads 2]
                  [--chunk-one SCORED_TOKENS] [--json OUT.json]

Each round runs both programs one after the other, for the full cache, window 512 and attention score 512; loading is
not counted by either. With --chunk-one also the strict protocol, one token a chunk, over so many tokens. The last
column is the share of the limit that matrix products set: floating-point operations of the weights over the rate of
large products, measured in each round. Prints a Markdown table.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

from contender import median_and_interval

BUDGET = 512
POLICIES = ("full", "window", "attention-score")


def product_rate(dtype, threads):
    """FLOP/s of large matrix products by libtorch, the best of some."""
    code = f"""
import time, torch
torch.set_num_threads({threads})
a, b = torch.randn(512, 896).to(torch.{dtype}), torch.randn(9728, 896).to(torch.{dtype})
def seconds():
    started = time.perf_counter()
    for _ in range(8): torch.nn.functional.linear(a, b)
    return (time.perf_counter() - started) / 8
seconds()
print(2 * 512 * 896 * 9728 / min(seconds() for _ in range(8)))"""
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)


def operations(folder, fed, scored):
    """Floating-point operations of the weights: layers for all tokens, the head for the scored ones."""
    config = json.loads((pathlib.Path(folder) / "config.json").read_text(encoding="utf-8"))
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    kv = hidden // config["num_attention_heads"] * config["num_key_value_heads"]
    layer = hidden * (2 * hidden + 2 * kv) + 3 * hidden * inner
    return 2 * (fed * config["num_hidden_layers"] * layer + scored * hidden * config["vocab_size"])


class Pair:
    def __init__(self, args, policy, chunk, warm, score):
        self.policy, self.chunk, self.score = policy, chunk, score
        budget = [] if policy == "full" else ["--budget", str(BUDGET)]
        self.own = [args.kvist, "--score", args.text, "--model", args.model, "--policy", policy, *budget,
                    "--warm", str(warm), "--score-tokens", str(score), "--chunk", str(chunk), "--dtype", args.dtype]
        self.peer = [sys.executable, args.reference, args.model, args.text, "--policy", policy,
                     "--budget", str(BUDGET), "--warm", str(warm), "--score", str(score), "--chunk", str(chunk),
                     "--dtype", args.dtype, "--threads", str(args.threads)]
        self.operations = operations(args.model, warm + score, score)
        self.own_seconds, self.peer_seconds, self.shares = [], [], []
        self.nll = {}

    def run(self, args):
        rate = product_rate(args.dtype, args.threads)
        for command, seconds, name in ((self.own, self.own_seconds, "Kvist"),
                                       (self.peer, self.peer_seconds, "transformers")):
            time.sleep(1)
            answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            figures = answer.get("metrics", answer)
            seconds.append(figures["seconds"])
            self.nll[name] = figures["nll"]
        self.shares.append(self.operations / rate / self.own_seconds[-1])

    def row(self):
        return {"policy": self.policy, "chunk": self.chunk, "scored": self.score, "nll": self.nll,
                "kvist_s": self.own_seconds, "transformers_s": self.peer_seconds,
                "ratio": median_and_interval([b / a for a, b in zip(self.own_seconds, self.peer_seconds)]),
                "limit_share": median_and_interval(self.shares)}


def main():
    parser = argparse.ArgumentParser()
    for name in ("kvist", "reference", "model", "text"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--warm", type=int, default=2048)
    parser.add_argument("--score", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dtype", default="bfloat16")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--chunk-one", type=int, default=0)
    parser.add_argument("--json")
    args = parser.parse_args()
    pairs = [Pair(args, policy, 32, args.warm, args.score) for policy in POLICIES]
    if args.chunk_one:
        pairs += [Pair(args, policy, 1, BUDGET, args.chunk_one) for policy in ("full", "window")]
    for index in range(args.rounds):
        for pair in pairs:
            print("round", index + 1, pair.policy, "chunk", pair.chunk, file=sys.stderr)
            pair.run(args)
    rows = [pair.row() for pair in pairs]
    window, score = pairs[1], pairs[2]
    against_window = median_and_interval([b / a for a, b in zip(window.own_seconds, score.own_seconds)])
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps({"rows": rows, "score_to_window": against_window}, indent=1),
                                           encoding="utf-8")
    print("| policy | chunk | scored | Kvist s | transformers s | faster by | share of the product limit | NLL (Kvist / transformers) |")
    print("|---|---|---|---|---|---|---|---|")
    for row in rows:
        print("| {} | {} | {} | {:.1f} | {:.1f} | {:.2f} [{:.2f}, {:.2f}] | {:.2f} | {:.4f} / {:.4f} |".format(
            row["policy"], row["chunk"], row["scored"], statistics.median(row["kvist_s"]),
            statistics.median(row["transformers_s"]), *row["ratio"], row["limit_share"][0],
            row["nll"]["Kvist"], row["nll"]["transformers"]))
    print("\nAttention score takes {:.2f} [{:.2f}, {:.2f}] of the window's time.".format(*against_window))


if __name__ == "__main__":
    main()
