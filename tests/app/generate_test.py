# SPDX-License-Identifier: GPL-3.0-or-later
"""--generate: text comes, piece by piece, the same each time."""
import signal
import time
import unittest

from program import ProgramTest, start

PROMPT = "It was the best of times, it was the worst of times, it was the age of"


class GenerateTest(ProgramTest):
    def generate(self, *arguments):
        return self.run_well("--generate", PROMPT, "--device", "cpu", "--dtype", "float32", *arguments).stdout

    def test_text_repeats(self):
        text = self.generate("--tokens", "48")
        self.assertGreater(len(text.split()), 15)
        self.assertEqual(text, self.generate("--tokens", "48"))

    def test_fewer_tokens_are_the_beginning_of_more(self):
        self.assertTrue(self.generate("--tokens", "40").startswith(self.generate("--tokens", "20").rstrip("\n")))

    def test_budget_larger_than_the_text_changes_nothing(self):
        full = self.generate("--tokens", "32")
        self.assertEqual(full, self.generate("--tokens", "32", "--policy", "window", "--budget", "512"))
        self.assertNotEqual(full, self.generate("--tokens", "32", "--policy", "window", "--budget", "8"))

    def test_without_a_chat_template_the_prompt_is_given_plain(self):
        answer = self.run_well("--generate", PROMPT, "--chat", "--device", "cpu", "--dtype", "float32", "--tokens", "8")
        self.assertEqual(answer.stdout, self.generate("--tokens", "8"))
        self.assertIn("no chat template", answer.stderr)

    def test_text_is_streamed_and_a_signal_stops_it(self):
        process = start("--generate", PROMPT, "--device", "cpu", "--tokens", "100000")
        self.assertTrue(process.stdout.read(1), "nothing came before the end")
        begun = time.monotonic()
        process.send_signal(signal.SIGTERM)
        _, messages = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 143, messages)
        self.assertLess(time.monotonic() - begun, 2)


if __name__ == "__main__":
    unittest.main()
