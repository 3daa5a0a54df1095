# SPDX-License-Identifier: GPL-3.0-or-later
"""House rules that can be counted: folders, lengths, licence lines, formatting."""
import os
import pathlib
import re
import statistics
import subprocess
import unittest

SOURCE = pathlib.Path(os.environ["KVIST_SOURCE"])
FOLDERS = ("app", "engine", "experiments", "ui", "resources", "tests", "packaging")


def sources(*suffixes):
    return [p for folder in FOLDERS for p in sorted((SOURCE / folder).rglob("*")) if p.suffix in suffixes]


def named(paths):
    return [str(p.relative_to(SOURCE)) for p in paths]


class LayoutTest(unittest.TestCase):
    def test_every_top_level_folder_has_a_readme(self):
        missing = [f for f in FOLDERS if not (SOURCE / f / "README.md").is_file()]
        self.assertEqual(missing, [])

    def test_files_are_short(self):
        lengths = {p: len(p.read_text(encoding="utf-8").splitlines()) for p in sources(".h", ".cpp", ".cu", ".cuh", ".py")}
        self.assertEqual(named(p for p, n in lengths.items() if n > 500), [])
        self.assertLess(statistics.median(lengths.values()), 100)
        self.assertLess(sum(n > 300 for n in lengths.values()), 0.1 * len(lengths))

    def test_licence_lines(self):
        paths = [p for p in sources(".h", ".cpp", ".cu", ".cuh", ".py", ".sh", ".cmake") if "resources" not in p.parts]
        without = [p for p in paths if "SPDX-License-Identifier: GPL-3.0-or-later" not in
                   "".join(p.read_text(encoding="utf-8").splitlines(keepends=True)[:2])]
        self.assertEqual(named(without), [])

    def test_headers_have_a_guard(self):
        self.assertEqual(named(p for p in sources(".h", ".cuh") if "#pragma once" not in p.read_text(encoding="utf-8")), [])

    def test_nothing_is_left_to_be_done(self):
        mark = re.compile(r"\b(TODO|FIXME|XXX)\b")
        paths = [p for p in sources(".h", ".cpp", ".cu", ".cuh", ".py", ".sh") if p != pathlib.Path(__file__).resolve()]
        self.assertEqual(named(p for p in paths if mark.search(p.read_text(encoding="utf-8"))), [])

    def test_code_is_formatted(self):
        paths = [str(p) for p in sources(".h", ".cpp", ".cu", ".cuh")]
        answer = subprocess.run(["clang-format", "--dry-run", "-Werror", *paths], cwd=SOURCE, capture_output=True, text=True,
                                check=False)
        self.assertEqual(answer.returncode, 0, answer.stderr[:4000])


if __name__ == "__main__":
    unittest.main()
