# SPDX-License-Identifier: GPL-3.0-or-later
"""--score: figures of the demo model's card, bytes by the formula, NLL file, locale."""
import json
import pathlib
import statistics
import unittest

from locale_folder import german_environment
from program import BOOK, ProgramTest

# 2 · 6 layers · 2 KV heads · 64 · 4 bytes of a float32
BYTES_PER_TOKEN = 2 * 6 * 2 * 64 * 4


class ScoreTest(ProgramTest):
    def score(self, *arguments, **changes):
        answer = self.run_well("--score", BOOK, "--whole", "--device", "cpu", "--dtype", "float32", *arguments, **changes)
        return json.loads(answer.stdout)

    def test_figures_of_the_card(self):
        span = ("--warm", "1024", "--score-tokens", "1024")
        full = self.score(*span)
        self.assertAlmostEqual(full["nll"], 3.988397, delta=1e-4)
        self.assertEqual(full["scored"], 1024)
        self.assertEqual(full["kv_payload_bytes"], 2048 * BYTES_PER_TOKEN)
        window = self.score(*span, "--policy", "window", "--budget", "256")
        self.assertAlmostEqual(window["nll"], 4.000124, delta=1e-4)
        self.assertEqual(window["kv_payload_bytes"], 256 * BYTES_PER_TOKEN)
        heavy = self.score(*span, "--policy", "attention-score", "--budget", "256")
        self.assertAlmostEqual(heavy["nll"], 4.028608, delta=1e-3)

    def test_budget_in_other_units(self):
        span = ("--warm", "128", "--score-tokens", "128", "--policy", "window")
        share = self.score(*span, "--budget", "25%")
        self.assertEqual(share["budget_tokens"], 64)
        size = self.score(*span, "--budget", f"{64 * BYTES_PER_TOKEN // 1024}KiB")
        self.assertEqual(size["budget_tokens"], 64)
        self.assertEqual(size["kept_digest"], share["kept_digest"])

    def test_policies_that_must_see_the_prompt(self):
        span = ("--warm", "192", "--score-tokens", "64", "--policy", "kvzip", "--budget", "64")
        self.assertIn("prefill-then-score", self.refusal("--score", BOOK, *span))
        answer = self.score(*span, "--protocol", "prefill-then-score", "--divergence")
        self.assertEqual(answer["protocol"], "prefill-then-score")
        self.assertGreater(answer["kl_mean"], 0)

    def test_file_of_nll(self):
        path = self.folder / "nll.txt"
        answer = self.score("--warm", "64", "--score-tokens", "100", "--nll", path)
        values = [float(line) for line in path.read_text().splitlines()]
        self.assertEqual(len(values), 100)
        self.assertAlmostEqual(statistics.fmean(values), answer["nll"], delta=1e-6)

    def test_a_field_of_json_lines(self):
        lines = pathlib.Path(BOOK).read_text(encoding="utf-8-sig").replace("\r\n", "\n").splitlines(keepends=True)[:400]
        text = "".join(lines)
        plain = self.folder / "text.txt"
        plain.write_text(text, encoding="utf-16")
        objects = self.folder / "text.jsonl"
        objects.write_text(json.dumps({"id": 1, "body": text}) + "\n", encoding="utf-8")
        span = ("--whole", "--device", "cpu", "--dtype", "float32", "--warm", "64", "--score-tokens", "64")
        expected = json.loads(self.run_well("--score", plain, *span).stdout)
        answer = json.loads(self.run_well("--score", objects, "--field", "body", *span).stdout)
        self.assertEqual(answer["nll"], expected["nll"])
        self.assertEqual(answer["text_field"], "body")
        self.assertNotIn("text_field", expected)
        self.assertIn('line 1 has no text "text"', self.refusal("--score", objects, *span))

    def test_german_locale_changes_nothing(self):
        arguments = ("--warm", "64", "--score-tokens", "64", "--policy", "window", "--budget", "32")
        self.assertEqual(self.figures(self.score(*arguments)),
                         self.figures(self.score(*arguments, **german_environment(self))))

    @staticmethod
    def figures(answer):
        return {k: answer[k] for k in ("nll", "perplexity", "kept_digest", "kv_payload_bytes", "parameters")}


if __name__ == "__main__":
    unittest.main()
