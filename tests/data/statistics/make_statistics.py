#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden values of the engine's statistics by NumPy and SciPy.

usage: make_statistics.py > statistics.json
"""
import json

import numpy
from scipy import stats


def sample_case(values):
    data = numpy.asarray(values, dtype=numpy.float64)
    several = len(data) > 1
    return {
        "values": data.tolist(),
        "mean": float(numpy.mean(data)),
        "deviation": float(numpy.std(data, ddof=1)) if several else None,
        "standard_error": float(stats.sem(data)) if several else None,
        "median": float(numpy.median(data)),
        "percentiles": {str(p): float(numpy.percentile(data, p)) for p in (0, 1, 10, 25, 33.3, 50, 75, 90, 99, 100)},
    }


def paired_case(a, b):
    """float32 inputs, as per-token NLLs are; differences in float64."""
    a, b = numpy.float32(a), numpy.float32(b)
    difference = a.astype(numpy.float64) - b.astype(numpy.float64)
    return {"a": a.tolist(), "b": b.tolist(), "mean": float(difference.mean()),
            "standard_error": float(stats.sem(difference)),
            "t": float(stats.ttest_rel(a.astype(numpy.float64), b.astype(numpy.float64)).statistic)}


def block_case(values, block):
    """Circular block bootstrap of the mean: the exact deviation over all resamples, and 20,000 of them drawn."""
    data = numpy.asarray(values, dtype=numpy.float64)
    count = len(data)
    means = numpy.array([data[(start + numpy.arange(block)) % count].mean() for start in range(count)])
    drawn = numpy.random.default_rng(11).choice(means, size=(20000, count // block)).mean(axis=1)
    # Resamples are as long as the data; drawn ones have whole blocks, hence the correction.
    scale = numpy.sqrt((count // block) * block / count)
    return {"values": data.tolist(), "block": block, "exact": float(means.std() / numpy.sqrt(count / block)),
            "resampled": float(drawn.std() * scale), "independent": float(stats.sem(data))}


def binomial_case(successes, trials):
    interval = stats.binomtest(successes, trials).proportion_ci(confidence_level=0.95, method="wilson")
    return {"successes": successes, "trials": trials, "low": float(interval.low), "high": float(interval.high)}


def correlated(random, count, memory):
    """Neighbours that resemble each other: x[i] = memory · x[i-1] + noise."""
    values = numpy.zeros(count)
    for i in range(1, count):
        values[i] = memory * values[i - 1] + random.normal()
    return (3 + values).round(5)


def main():
    random = numpy.random.default_rng(7)
    nll = random.gamma(2.0, 1.5, 40).round(5)
    samples = [
        [3.25],
        [2.0, -1.0],
        [4, 1, 3, 2, 5],
        [0.031, 0.029, 0.030, 0.045, 0.0301, 0.0299, 0.030, 0.0305, 0.0312, 0.0287],
        (1e9 + random.normal(0, 1, 21).round(6)).tolist(),  # a naive sum of squares loses these
        random.exponential(2.0, 60).round(5).tolist(),
    ]
    pairs = [(nll, nll + random.normal(0.05, 0.2, 40).round(5)), ([1.5, 2.5], [1.25, 2.0])]
    blocks = [(correlated(random, 240, 0.8), 16), (correlated(random, 101, 0.0), 7), (nll, 1), ([1, 2, 3, 4], 2)]
    binomials = [(0, 10), (10, 10), (7, 10), (1, 3), (485, 500), (0, 1)]
    print(json.dumps({"samples": [sample_case(s) for s in samples], "pairs": [paired_case(*p) for p in pairs],
                      "blocks": [block_case(*b) for b in blocks], "binomials": [binomial_case(*b) for b in binomials]},
                     indent=1))


if __name__ == "__main__":
    main()
