# SPDX-License-Identifier: GPL-3.0-or-later
"""What two stores of the same sweep must have in common, bit for bit."""
import contextlib
import sqlite3

REPEATABLE = ("nll", "nll_stderr", "perplexity", "perplexity_stderr", "kv_payload_bytes", "kv_payload_peak_bytes",
              "kv_metadata_bytes", "policy_state_bytes")


def states(path):
    with contextlib.closing(sqlite3.connect(path)) as store:
        return dict(store.execute("SELECT state, count(*) FROM runs GROUP BY state"))


def measured(path):
    """By the key of each finished run: kept sets, per-token NLL and repeatable figures."""
    with contextlib.closing(sqlite3.connect(path)) as store:
        runs = {}
        for run_id, key, digest, nll in store.execute(
                "SELECT id, key, kept_digest, token_nll FROM runs JOIN samples ON run_id = id WHERE state = 'finished'"):
            figures = dict(store.execute("SELECT name, value FROM metrics WHERE run_id = ?", (run_id,)))
            runs[key] = (digest, nll, {name: figures.get(name) for name in REPEATABLE})
        return runs
