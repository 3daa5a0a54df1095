#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Decode speed of Kvist, transformers and llama.cpp in turn, step for step, in one run on one machine.

usage: decode.py --worker DECODE_WORKER --model FOLDER [--gguf BF16.gguf] [--no-transformers]
                 [--depths 512,4096,16384,65536] [--rounds 9] [--dtype bfloat16] [--threads 2] [--device cpu]
                 [--llama-deepest 16384] [--json OUT.json]

Every round asks each program for some steps at each depth, in an order drawn anew; a ratio is taken within its
round, and the table shows the median over the rounds with its 95 % interval. The limit of a step is the bytes of the
weights over the read bandwidth, and for attention the larger of bytes over bandwidth and operations over the float32
rate of the processor; both rates are measured in each round too. Prints Markdown tables. llama.cpp fills its cache by a
real prefill, which takes minutes at 16384 tokens and is left out beyond --llama-deepest.
"""
import argparse
import json
import math
import pathlib
import random
import statistics
import sys

from contender import Contender, median_and_interval

POLICIES = {
    "window": {"sinks": 4},
    "attention-score": {"sinks": 4, "recent": 32},
}


class Case:
    """One line of the comparison: a program with a policy at a depth."""

    def __init__(self, contender, label, depth, steps, policy="full", budget=0):
        self.contender, self.label, self.depth, self.steps = contender, label, depth, steps
        self.name = f"{label} {policy} {budget} {depth}"
        self.policy, self.budget = policy, budget
        self.seconds = []
        self.read_bytes = self.operations = None

    def open(self, rounds):
        answer = self.contender.ask(do="open", name=self.name, policy=self.policy,
                                    parameters=POLICIES.get(self.policy, {}), budget=self.budget,
                                    depth=self.depth, room=(self.steps + 1) * rounds)
        self.read_bytes, self.operations = answer.get("read_bytes"), answer.get("attention_operations")

    def run(self):
        self.seconds.append(self.contender.steps(self.name, self.steps))

    def close(self):
        self.contender.ask(do="close", name=self.name)

    def ratio_to(self, other):
        """Speed of this one over that of the other, round by round."""
        return [theirs / own for own, theirs in zip(self.seconds, other.seconds)]

    def shares(self, machines):
        """Speed over that of the limit, round by round."""
        return [(machine["weight_bytes"] / machine["bandwidth"] +
                 max(self.read_bytes / machine["bandwidth"], self.operations / machine.get("arithmetic", math.inf))) / seconds
                for machine, seconds in zip(machines, self.seconds)]


def play(cases, rounds, kvist):
    """All rounds of some cases, and the machine's rates in each round."""
    generator = random.Random(1)
    for case in cases:
        print("filling", case.name, file=sys.stderr)
        case.open(rounds)
    machines = []
    for index in range(rounds):
        print("round", index + 1, "of", rounds, file=sys.stderr)
        machines.append(kvist.ask(do="machine"))
        for case in generator.sample(cases, len(cases)):
            case.run()
    for case in cases:
        case.close()
    return machines


def against_peers(kvist, peers, depths, rounds, llama_deepest):
    """Rows depth by depth, as they are measured."""
    for depth in depths:
        rows = []
        own = Case(kvist, "Kvist", depth, 12)
        others = [Case(peer, label, depth, 3 if depth > 4096 and label == "transformers" else 6)
                  for label, peer in peers.items() if label == "transformers" or depth <= llama_deepest]
        policies = [Case(kvist, "Kvist", depth, 12, policy, 512) for policy in POLICIES if depth > 512]
        machines = play([own, *others, *policies], rounds, kvist)
        for case in [own, *policies, *others]:
            row = {"depth": depth, "program": case.label, "policy": case.policy, "budget": case.budget,
                   "tok_s": 1 / statistics.median(case.seconds), "seconds": case.seconds}
            if case.contender is kvist:
                row["roofline_share"] = median_and_interval(case.shares(machines))
            else:
                row["kvist_ratio"] = median_and_interval(own.ratio_to(case))
            rows.append(row)
        for rate in {"bandwidth", "arithmetic"} & machines[0].keys():
            rows[-1][rate] = statistics.median(machine[rate] for machine in machines)
        yield rows


def bounded_against_short(kvist, entries, rounds):
    """Policies at a great depth against a full cache of about as many entries."""
    steps = 20
    room = (steps + 1) * rounds
    short = Case(kvist, "Kvist", entries - room // 2, steps)
    policies = [Case(kvist, "Kvist", 4 * entries, steps, policy, entries) for policy in POLICIES]
    play([short, *policies], rounds, kvist)
    return [{"entries": entries, "policy": case.policy, "steps": steps * rounds,
             "slower": median_and_interval([1 / ratio - 1 for ratio in case.ratio_to(short)])} for case in policies]


def print_head(result):
    print(f"{result['cpu']}, {result['dtype']}, {result['threads']} threads; medians of {result['rounds']} rounds "
          "with 95 % intervals\n")
    print("| depth | program | policy | tok/s | share of the limit | Kvist is faster by |")
    print("|---|---|---|---|---|---|", flush=True)


def print_row(row):
    def text(key):
        return "{:.3f} [{:.3f}, {:.3f}]".format(*row[key]) if key in row else ""
    policy = row["policy"] + (f" {row['budget']}" if row["budget"] else "")
    print(f"| {row['depth']} | {row['program']} | {policy} | {row['tok_s']:.1f} | {text('roofline_share')} | "
          f"{text('kvist_ratio')} |", flush=True)


def print_rest(result):
    print("\n| entries | policy | steps | slower than a full cache of as many entries |")
    print("|---|---|---|---|")
    for row in result["bounded"]:
        print("| {} | {} | {} | {:+.1%} [{:+.1%}, {:+.1%}] |".format(row["entries"], row["policy"], row["steps"],
                                                                      *row["slower"]))
    memory = result["memory"]
    print(f"\nResident memory of Kvist with the weights alone: {memory['resident'] / 1e6:.0f} MB, of which weights "
          f"{memory['weights'] / 1e6:.0f} MB.")
    for program in result["programs"]:
        print(program)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--worker", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--gguf")
    parser.add_argument("--no-transformers", action="store_true")
    parser.add_argument("--depths", default="512,4096,16384,65536")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--dtype", default="bfloat16")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--llama-deepest", type=int, default=16384)
    parser.add_argument("--json")
    args = parser.parse_args()
    worker = pathlib.Path(__file__).with_name("peer_worker.py")
    threads = str(args.threads)
    kvist = Contender([args.worker, args.model, args.dtype, threads, args.device])
    peers = {}
    if not args.no_transformers:
        peers["transformers"] = Contender([sys.executable, worker, "transformers", args.model, args.dtype, threads])
    if args.gguf:
        for flash in ("on", "off"):
            peers[f"llama.cpp, flash attention {flash}"] = Contender(
                [sys.executable, worker, "llama.cpp", args.gguf, flash, threads])
    machine = kvist.ask(do="machine")
    result = {"cpu": machine["cpu"], "dtype": args.dtype, "threads": args.threads, "rounds": args.rounds,
              "memory": {"resident": machine["resident_bytes"], "weights": machine["all_weight_bytes"]},
              "programs": [peer.ask(do="machine")["version"] for peer in peers.values()]}
    depths = [int(depth) for depth in args.depths.split(",")]
    result["decode"] = []
    print_head(result)
    for rows in against_peers(kvist, peers, depths, args.rounds, args.llama_deepest):
        result["decode"] += rows
        for row in rows:
            print_row(row)
    for peer in peers.values():
        peer.close()
    result["bounded"] = [row for entries in (512, 8192)
                         for row in bounded_against_short(kvist, entries, max(10, args.rounds))]
    kvist.close()
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(result, indent=1), encoding="utf-8")
    print_rest(result)


if __name__ == "__main__":
    main()
