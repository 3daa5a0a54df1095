# SPDX-License-Identifier: GPL-3.0-or-later
"""The program as a user starts it: for the tests in this folder."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["KVIST_PROGRAM"]
SOURCE = pathlib.Path(os.environ["KVIST_SOURCE"])
BOOK = SOURCE / "resources" / "texts" / "war_of_the_worlds.txt"


def environment(**changes):
    """The user's environment without a display, in the C locale unless changed."""
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    env.update({"LC_ALL": "C.UTF-8"})
    env.update(changes)
    return {k: v for k, v in env.items() if v is not None}


def start(*arguments, **changes):
    return subprocess.Popen([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=environment(**changes))


def run(*arguments, **changes):
    """Runs to the end; the answer has returncode, stdout and stderr."""
    process = start(*arguments, **changes)
    stdout, stderr = process.communicate(timeout=300)
    return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


class ProgramTest(unittest.TestCase):
    """With a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_well(self, *arguments, **changes):
        answer = run(*arguments, **changes)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return answer

    def refusal(self, *arguments, code=1):
        """What the program says about arguments that it must refuse."""
        answer = run(*arguments)
        self.assertEqual(answer.returncode, code, answer.stderr)
        self.assertEqual(answer.stdout, "")
        self.assertTrue(answer.stderr.startswith("kvist: "), answer.stderr)
        return answer.stderr

    def sweep_file(self, name="sweep.json", **changes):
        sweep = {
            "kvist_sweep": 1, "name": "Test", "model": "demo_model", "device": "cpu", "dtype": "float32",
            "text": {"file": str(BOOK), "segments": "whole"}, "chunk": 32,
            "contexts": [{"warm": 256, "score": 128}], "budgets": ["64", "128"],
            "policies": [{"id": "full"}, {"id": "window", "parameters": {"sinks": 4}},
                         {"id": "attention-score", "parameters": {"sinks": 4, "recent": 16}}],
            "evaluations": [{"id": "perplexity"}], "repeats": 1, "seed": 0,
        }
        sweep.update(changes)
        path = self.folder / name
        path.write_text(json.dumps(sweep, indent=2), encoding="utf-8")
        return path
