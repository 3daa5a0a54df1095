# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that decodes on request, and the statistics of comparing two of them."""
import json
import random
import statistics
import subprocess
import time


class Contender:
    """One worker process; requests as in ../decode_worker.cpp."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args[:3]} ended with {self.process.wait()}")
        return json.loads(line)

    def steps(self, name, count):
        """Median seconds of `count` steps, after one that warms the caches up."""
        time.sleep(0.05)  # lets the threads of the one before fall asleep
        return statistics.median(self.ask(do="steps", name=name, count=count + 1)["seconds"][1:])

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def median_and_interval(values, seed=0, draws=2000):
    """Median and its 95 % interval by bootstrap over the rounds."""
    generator = random.Random(seed)
    medians = sorted(statistics.median(generator.choices(values, k=len(values))) for _ in range(draws))
    return statistics.median(values), medians[int(0.025 * draws)], medians[int(0.975 * draws)]

