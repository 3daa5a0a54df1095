# SPDX-License-Identifier: GPL-3.0-or-later
"""--headless: outputs, exit codes, and what is repeated."""
import csv
import json
import pathlib
import sqlite3
import unittest

from locale_folder import german_environment
from program import BOOK, SOURCE, ProgramTest, run
from store_content import measured, states

FIRST_COLUMNS = ("run_id state sweep model model_fingerprint text policy parameters budget_tokens warm scored context "
                 "chunk dtype device threads seed repeat").split()
FIGURES = ("nll nll_stderr perplexity perplexity_stderr delta_nll delta_nll_stderr kl_mean kl_p99 delta_p_rms same_top "
           "retrieval_accuracy kv_payload_bytes kv_payload_peak_bytes kv_metadata_bytes policy_state_bytes "
           "kv_read_bytes_per_step kv_allocated_bytes process_peak_bytes prefill_tok_s ttft_s decode_depth "
           "decode_tok_s_median decode_tok_s_mean decode_tok_s_sd decode_ms_p90 read_bandwidth_bytes_s roofline_tok_s "
           "seconds started_at program_version libtorch_version machine error").split()


class SweepTest(ProgramTest):
    def sweep(self, file, name="store", **changes):
        """Runs a sweep with all outputs; the answer, the CSV rows and the store."""
        store, table = self.folder / f"{name}.sqlite", self.folder / f"{name}.csv"
        answer = run("--headless", file, "--store", store, "--csv", table, "--charts", self.folder / name, **changes)
        rows = list(csv.DictReader(table.open(encoding="utf-8", newline=""))) if table.exists() else []
        return answer, rows, store

    def test_outputs_and_second_start(self):
        file = self.sweep_file(evaluations=[{"id": "perplexity"}, {"id": "speed", "depths": [64], "warmups": 1, "samples": 3}])
        answer, rows, store = self.sweep(file)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(list(rows[0])[:len(FIRST_COLUMNS + FIGURES)], FIRST_COLUMNS + FIGURES)
        self.assertEqual(states(store), {"finished": len(rows)})
        self.assertEqual({r["state"] for r in rows}, {"finished"})
        scored = [r for r in rows if r["perplexity"]]
        timed = [r for r in rows if r["decode_tok_s_median"]]
        self.assertEqual((len(scored), len(scored) + len(timed)), (5, len(rows)))
        window = next(r for r in scored if r["policy"] == "window" and r["budget_tokens"] == "64")
        self.assertEqual(json.loads(window["parameters"]), {"sinks": 4})
        self.assertEqual(int(float(window["kv_payload_bytes"])), 64 * 2 * 6 * 2 * 64 * 4)
        full = next(r for r in scored if r["policy"] == "full")
        self.assertAlmostEqual(float(window["delta_nll"]), float(window["nll"]) - float(full["nll"]), places=5)

        self.assertEqual(len(answer.stdout.splitlines()), len(rows) + 1)
        self.assertIn("perplexity", answer.stdout.splitlines()[0])
        pictures = sorted((self.folder / "store").glob("*.png"))
        self.assertGreaterEqual(len(pictures), 2)
        for picture in pictures:
            content = picture.read_bytes()
            self.assertTrue(content.startswith(b"\x89PNG\r\n\x1a\n"), picture)
            self.assertGreater(len(content), 5000, picture)

        again, rows_again, _ = self.sweep(file)
        self.assertEqual((again.returncode, again.stdout, rows_again), (0, answer.stdout, rows))
        self.assertIn("0 to measure", again.stderr)

    def test_refused_runs_do_not_stop_the_others(self):
        answer, rows, store = self.sweep(self.sweep_file(budgets=["4", "64"], policies=[{"id": "window"}]))
        self.assertEqual(answer.returncode, 2, answer.stderr)
        failed = [r for r in rows if r["state"] == "failed"]
        self.assertEqual(len(failed), 1)
        self.assertIn("sinks", failed[0]["error"])
        self.assertEqual(states(store)["finished"], len(rows) - 1)

    def test_german_locale(self):
        file = self.sweep_file(policies=[{"id": "window"}], budgets=["64"])
        _, plain, store = self.sweep(file)
        answer, german, german_store = self.sweep(file, "german", **german_environment(self))
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual([r["nll"] for r in german], [r["nll"] for r in plain])
        self.assertEqual(measured(german_store), measured(store))

    def test_presets_for_the_demo_model_stay_within_its_context(self):
        presets = [json.loads(p.read_text(encoding="utf-8")) for p in (SOURCE / "experiments" / "presets").glob("*.json")]
        spans = [c["warm"] + c["score"] for sweep in presets if sweep.get("model", "").endswith("demo_model")
                 for c in sweep.get("contexts", [])]
        self.assertTrue(spans)
        self.assertLessEqual(max(spans), 2048)

    def test_first_sweep_of_the_window(self):
        answer, rows, _ = self.sweep(SOURCE / "experiments" / "presets" / "budget_curve.json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual({r["policy"] for r in rows}, {"full", "window", "attention-score"})
        self.assertEqual({r["state"] for r in rows}, {"finished"})

    def test_model_of_the_command_line_takes_the_place_of_the_sweeps(self):
        file = self.sweep_file(model="/nowhere/model", policies=[{"id": "window"}], budgets=["64"])
        table = self.folder / "table.csv"
        self.run_well("--headless", file, "--store", self.folder / "s.sqlite", "--csv", table, "--model",
                      SOURCE / "resources" / "demo_model")
        with table.open(encoding="utf-8", newline="") as opened:
            self.assertEqual({row["state"] for row in csv.DictReader(opened)}, {"finished"})

    def test_retrieval_and_drift(self):
        file = self.sweep_file(
            policies=[{"id": "window"}], budgets=["25%"], contexts=[{"warm": 200, "score": 1}],
            evaluations=[{"id": "retrieval", "task": "single", "length": [256, 512], "depth": "0-100+50", "samples": 2,
                          "digits": 4, "answer": 12}, {"id": "drift", "tokens": 24}])
        answer, rows, store = self.sweep(file)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        asked = [r for r in rows if r["evaluation"] == "retrieval"]
        self.assertEqual(sorted({(r["task"], r["length"], r["depth"]) for r in asked}),
                         [("single", length, depth) for length in ("256", "512") for depth in ("0", "100", "50")])
        for row in asked:
            low, share, high = (float(row[f"retrieval_accuracy{end}"]) for end in ("_low", "", "_high"))
            self.assertTrue(0 <= low <= share <= high <= 1, row)
            self.assertEqual(row["context"], row["length"])
            self.assertEqual(row["budget_tokens"], "" if row["policy"] == "full" else str(int(row["length"]) // 4))
            self.assertEqual(json.loads(row["evaluation_parameters"])["question"], "after")
        drift = {r["policy"]: r for r in rows if r["evaluation"] == "drift"}
        self.assertEqual((drift["full"]["drift_equal_share"], drift["full"]["drift_first_divergence"]), ("1", ""))
        self.assertLessEqual(float(drift["window"]["drift_equal_share"]), 1)
        self.assertIn("recalled", answer.stdout.splitlines()[0])
        self.assertTrue((self.folder / "store" / "needle_map.png").exists())
        with sqlite3.connect(store) as connection:
            texts = dict(connection.execute("SELECT name, count(*) FROM texts GROUP BY name"))
        self.assertEqual(texts, {"answers": len(asked), "continuation": 2, "continuation_full": 2})

    def test_csv_into_a_pipe_or_a_full_device(self):
        arguments = ("--headless", self.sweep_file(policies=[{"id": "full"}]), "--store", self.folder / "s.sqlite", "--csv")
        self.assertIn("run_id,state,", self.run_well(*arguments, "/dev/stdout").stdout)
        answer = run(*arguments, "/dev/full")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("/dev/full cannot be written", answer.stderr)
        self.assertTrue(pathlib.Path("/dev/full").is_char_device())
        self.assertEqual(states(self.folder / "s.sqlite"), {"finished": 1})

    def test_report_stands_alone(self):
        report = self.folder / "report.html"
        self.run_well("--headless", self.sweep_file(), "--store", self.folder / "s.sqlite", "--report", report)
        page = report.read_text(encoding="utf-8")
        for part in ("<h1>Test</h1>", "<h2>Quality</h2>", "<h2>Memory</h2>", "data:image/png;base64,", "war_of_the_worlds.txt",
                     "kvist --headless run.json"):
            self.assertIn(part, page)
        self.assertNotIn("http", page)


if __name__ == "__main__":
    unittest.main()
