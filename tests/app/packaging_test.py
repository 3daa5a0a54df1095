# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripts and the files of an installation, by the tools that check them."""
import os
import pathlib
import re
import subprocess
import unittest

SOURCE = pathlib.Path(os.environ["KVIST_SOURCE"])
PACKAGING = SOURCE / "packaging"
SOURCED = {"common.sh", "real_weights.sh"}
SCRIPTS = [*sorted(PACKAGING.glob("*.sh")), *sorted((SOURCE / "tests" / "benchmarks").glob("*.sh")), SOURCE / ".ci" / "run"]


class PackagingTest(unittest.TestCase):
    def passes(self, *command):
        answer = subprocess.run([str(c) for c in command], cwd=SOURCE, capture_output=True, text=True, check=False)
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        return answer.stdout

    def test_scripts_are_clean(self):
        for script in SCRIPTS:
            self.passes("bash", "-n", script)
        self.passes("shellcheck", "-x", *SCRIPTS)

    def test_scripts_explain_themselves(self):
        for script in SCRIPTS:
            if script.name not in SOURCED:
                self.assertRegex(self.passes(script, "--help"), "usage: (packaging|tests/benchmarks)/")

    def test_setup_asks_for_nothing_twice(self):
        self.assertIn("--tests", self.passes(PACKAGING / "setup.sh", "--help"))
        packages = [line for line in (PACKAGING / "debian-packages.txt").read_text().splitlines() if re.match(r"[a-z]", line)]
        self.assertEqual(len(packages), len(set(packages)))

    def test_every_wheel_is_locked_by_hash(self):
        for lock in PACKAGING.glob("*-requirements.txt"):
            text = lock.read_text()
            self.assertEqual(len(re.findall(r"(?m)^[a-z0-9-]+==\S+ \\$", text)),
                             len(re.findall(r"(?m)^    --hash=sha256:[0-9a-f]{64}$", text)), lock.name)

    def test_desktop_entry_and_metainfo(self):
        self.passes("desktop-file-validate", PACKAGING / "kvist.desktop")
        self.passes("appstreamcli", "validate", "--no-net", PACKAGING / "kvist.metainfo.xml")

    def test_manual_page_names_every_option_of_the_help(self):
        page = (PACKAGING / "kvist.1").read_text(encoding="utf-8").replace("\\-", "-")
        answer = self.passes(os.environ["KVIST_PROGRAM"], "--help")
        for option in re.findall(r"(?m)^ +(--[a-z-]+)", answer):
            self.assertIn(option, page)


if __name__ == "__main__":
    unittest.main()
