# SPDX-License-Identifier: GPL-3.0-or-later
"""--list-policies, --list-evaluations, --version and --help."""
import json
import re
import unittest

from program import SOURCE, ProgramTest


class ListsTest(ProgramTest):
    def test_policies_as_json_describe_their_parameters(self):
        policies = {p["id"]: p for p in json.loads(self.run_well("--list-policies", "--json").stdout)}
        self.assertLessEqual({"full", "window", "attention-score"}, policies.keys())
        self.assertFalse(policies["full"]["uses_budget"])
        sinks = next(p for p in policies["window"]["parameters"] if p["name"] == "sinks")
        self.assertEqual((sinks["type"], sinks["default"]), ("integer", 4))
        self.assertLess(sinks["minimum"], sinks["maximum"])

    def test_policies_as_text_name_every_policy(self):
        ids = [p["id"] for p in json.loads(self.run_well("--list-policies", "--json").stdout)]
        text = self.run_well("--list-policies").stdout
        for policy in ids:
            self.assertRegex(text, rf"(?m)^{re.escape(policy)}  ")

    def test_readme_names_every_policy(self):
        readme = (SOURCE / "README.md").read_text(encoding="utf-8")
        ids = [p["id"] for p in json.loads(self.run_well("--list-policies", "--json").stdout)]
        self.assertEqual([policy for policy in ids if f"`{policy}`" not in readme], [])

    def test_evaluations(self):
        evaluations = json.loads(self.run_well("--list-evaluations", "--json").stdout)
        self.assertLessEqual({"perplexity", "retrieval", "drift", "speed"}, {e["id"] for e in evaluations})
        retrieval = next(e for e in evaluations if e["id"] == "retrieval")
        self.assertTrue(retrieval["uses_text"])
        self.assertLessEqual({"task", "length", "depth", "samples", "question"}, {p["name"] for p in retrieval["parameters"]})
        self.assertIn("perplexity", self.run_well("--list-evaluations").stdout)

    def test_version(self):
        self.assertRegex(self.run_well("--version").stdout, r"^kvist \d+\.\d+\.\d+")

    def test_help_names_every_option_of_the_documentation(self):
        text = self.run_well("--help").stdout
        for option in ("headless", "store", "csv", "charts", "list-policies", "list-evaluations", "json", "generate",
                       "model", "policy", "budget", "set", "tokens", "score", "warm", "score-tokens", "chunk", "dtype",
                       "device", "threads", "nll", "whole", "version", "help"):
            self.assertIn(f"--{option}", text)


if __name__ == "__main__":
    unittest.main()
