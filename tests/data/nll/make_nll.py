#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Score two bundled texts with the demo model by hf_reference.py: golden NLLs and kept positions.

usage: make_nll.py            (writes beside itself; needs torch, transformers, sentencepiece; two minutes)

For each case NAME.txt holds the negative log likelihood of every scored token and, where the policy prunes,
NAME.kept which positions survive (see hf_reference.py); cases.txt lists the settings:
    NAME TEXT SEGMENTS POLICY BUDGET SINKS RECENT CHUNK WARM SCORE
Scoring starts inside a chunk of 32 and the last chunk is shorter than the others.
"""
import pathlib
import subprocess
import sys

WARM, SCORE = 300, 200
TEXTS = {"wells": ("war_of_the_worlds.txt", "whole"), "wiki": ("wiki.test.raw", "lines")}


def cases():
    for text in TEXTS:
        for chunk in (32, 1):
            yield text, "full", 0, 0, 0, chunk
            for budget in (64, 128, 256):
                yield text, "window", budget, 4, 0, chunk
                yield text, "attention-score", budget, 4, 32, chunk
    yield "wells", "window", 100, 0, 0, 32
    yield "wells", "attention-score", 48, 2, 8, 32


def main():
    here = pathlib.Path(__file__).resolve().parent
    resources = here.parents[2] / "resources"
    lines = []
    for text, policy, budget, sinks, recent, chunk in cases():
        file, segments = TEXTS[text]
        name = "_".join([text, policy.replace("-", "_")] + ([str(budget)] if budget else []) + [f"chunk{chunk}"])
        command = [sys.executable, here / "hf_reference.py", resources / "demo_model", resources / "texts" / file,
                   "--policy", policy, "--warm", str(WARM), "--score", str(SCORE), "--chunk", str(chunk),
                   "--dtype", "float32", "--nll", here / f"{name}.txt"]
        if segments == "whole":
            command.append("--whole")
        if policy != "full":
            command += ["--budget", str(budget), "--sinks", str(sinks), "--recent", str(recent),
                        "--kept", here / f"{name}.kept"]
        print(name, subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())
        lines.append(f"{name} {file} {segments} {policy} {budget} {sinks} {recent} {chunk} {WARM} {SCORE}\n")
    (here / "cases.txt").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
