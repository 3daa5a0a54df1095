# SPDX-License-Identifier: GPL-3.0-or-later
"""What is refused, and that the message names the thing and the remedy."""
import subprocess
import unittest

from program import BOOK, PROGRAM, ProgramTest, environment


class WrongUseTest(ProgramTest):
    def test_options(self):
        self.assertIn("--polciy; did you mean --policy?", self.refusal("--polciy", "window"))
        self.assertIn("--csv belongs to --headless, not to --score", self.refusal("--score", BOOK, "--csv", "x.csv"))
        self.assertIn("needs --store", self.refusal("--headless", self.sweep_file()))
        self.assertIn("--warm", self.refusal("--score", BOOK, "--warm", "many"))
        self.assertIn("a value is missing", self.refusal("--score"))

    def test_policies_and_parameters(self):
        self.assertIn("attention-score", self.refusal("--score", BOOK, "--policy", "atention-score", "--budget", "64"))
        self.assertIn("sinks", self.refusal("--score", BOOK, "--policy", "window", "--budget", "64", "--set", "sink=4"))
        self.assertIn("sinks", self.refusal("--score", BOOK, "--policy", "window", "--budget", "64", "--set", "sinks=x"))
        self.assertIn("--budget", self.refusal("--score", BOOK, "--policy", "window"))
        self.assertIn("--budget", self.refusal("--score", BOOK, "--policy", "full", "--budget", "64"))

    def test_budget_that_cannot_hold_the_sinks(self):
        message = self.refusal("--score", BOOK, "--policy", "window", "--budget", "4", "--set", "sinks=4")
        self.assertIn("sinks", message)

    def test_files(self):
        self.assertIn("nowhere.txt", self.refusal("--score", "nowhere.txt"))
        self.assertIn("nowhere", self.refusal("--generate", "Once", "--model", "nowhere"))
        self.assertIn("nowhere.json", self.refusal("--headless", "nowhere.json", "--store", self.folder / "s.sqlite"))

    def test_sweep_file_with_an_unknown_key_names_line_and_nearest_key(self):
        message = self.refusal("--headless", self.sweep_file(budgts=["64"]), "--store", self.folder / "s.sqlite")
        self.assertIn("budgts", message)
        self.assertIn("budgets", message)
        self.assertRegex(message, r"line \d+|:\d+")

    def test_outputs_are_checked_before_anything_is_measured(self):
        sweep, store = self.sweep_file(), self.folder / "s.sqlite"
        message = self.refusal("--headless", sweep, "--store", store, "--csv", self.folder / "none" / "out.csv")
        self.assertIn("there is no folder", message)
        self.assertIn("is a folder", self.refusal("--headless", sweep, "--store", store, "--csv", self.folder))
        self.assertIn("--charts", self.refusal("--headless", sweep, "--store", store, "--charts", sweep))
        self.assertIn("--nll", self.refusal("--score", BOOK, "--nll", self.folder / "none" / "nll.txt"))
        self.assertFalse(store.exists())

    def test_standard_output_that_is_full(self):
        with open("/dev/full", "w") as full:
            answer = subprocess.run([PROGRAM, "--list-policies"], stdout=full, stderr=subprocess.PIPE, text=True,
                                    env=environment())
        self.assertEqual(answer.returncode, 1)
        self.assertIn("standard output", answer.stderr)

    def test_store_that_is_no_store(self):
        store = self.folder / "store.sqlite"
        store.write_text("not a database, but long enough to be looked at\n" * 100)
        self.assertIn("store.sqlite", self.refusal("--headless", self.sweep_file(), "--store", store))

    def test_window_without_a_display(self):
        self.assertIn("--headless", self.refusal())


if __name__ == "__main__":
    unittest.main()
