# SPDX-License-Identifier: GPL-3.0-or-later
"""A sweep that is stopped or killed goes on where it was, to the same figures."""
import re
import signal
import time
import unittest

from program import ProgramTest, start
from store_content import measured, states


class ResumeTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file = self.sweep_file(contexts=[{"warm": 512, "score": 512}])

    def command(self, store):
        return ("--headless", self.file, "--store", self.folder / store)

    def interrupt_after(self, runs, store, number):
        """Starts the sweep, sends a signal once so many runs have ended; the messages and the exit code."""
        process = start(*self.command(store))
        messages = ""
        while not re.search(rf"^\[{runs}/", messages, re.MULTILINE):
            line = process.stderr.readline()
            self.assertTrue(line, f"the sweep ended before its run {runs}: {messages}")
            messages += line
        sent = time.monotonic()
        process.send_signal(number)
        _, rest = process.communicate(timeout=60)
        return process.returncode, messages + rest, time.monotonic() - sent

    def check_resume(self, store):
        """The same command measures what is missing and nothing else, to the figures of an undisturbed run."""
        before = measured(self.folder / store)
        answer = self.run_well(*self.command(store))
        total, stored, new = map(int, re.search(r"(\d+) runs, (\d+) already stored, (\d+) to measure", answer.stderr).groups())
        self.assertEqual((stored, new), (len(before), total - len(before)))
        after = measured(self.folder / store)
        self.assertEqual(states(self.folder / store), {"finished": total})
        self.assertEqual({key: after[key] for key in before}, before)
        self.run_well(*self.command("undisturbed.sqlite"))
        self.assertEqual(after, measured(self.folder / "undisturbed.sqlite"))

    def test_interrupted_by_sigint(self):
        code, messages, seconds = self.interrupt_after(1, "store.sqlite", signal.SIGINT)
        self.assertEqual(code, 130, messages)
        self.assertLess(seconds, 3)
        self.assertIn("stopped", messages)
        counts = states(self.folder / "store.sqlite")
        self.assertGreaterEqual(counts["finished"], 1)
        self.assertGreaterEqual(counts["interrupted"], 1)
        self.assertEqual(sum(counts.values()), counts["finished"] + counts["interrupted"])
        self.check_resume("store.sqlite")

    def test_killed(self):
        code, messages, _ = self.interrupt_after(2, "store.sqlite", signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL, messages)
        self.assertGreaterEqual(len(measured(self.folder / "store.sqlite")), 2)
        self.check_resume("store.sqlite")


if __name__ == "__main__":
    unittest.main()
