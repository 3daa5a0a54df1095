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
    print(json.dumps({"samples": [sample_case(s) for s in samples], "pairs": [paired_case(*p) for p in pairs]}, indent=1))


if __name__ == "__main__":
    main()
