# SPDX-License-Identifier: GPL-3.0-or-later
"""Which folder may include what: the layers app, ui, experiments, engine/api, engine."""
import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ["KVIST_SOURCE"])
QT_HEADERS = pathlib.Path(os.environ["KVIST_QT_HEADERS"])
TORCH = ("ATen/", "c10/", "torch/", "caffe2/")


def files(folder):
    return [p for p in sorted((SOURCE / folder).rglob("*")) if p.suffix in (".h", ".cpp", ".cu", ".cuh")]


def includes(path):
    return re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', path.read_text(encoding="utf-8"), re.MULTILINE)


def is_qt(name):
    return name.startswith("Q") or name.startswith("qt")


def in_module(name, modules):
    return any((QT_HEADERS / module / name.removeprefix(module + "/")).exists() for module in modules)


class LayersTest(unittest.TestCase):
    def refuse(self, folder, is_forbidden, why):
        checked = 0
        for path in files(folder):
            for name in includes(path):
                checked += 1
                if is_forbidden(name):
                    self.fail(f"{path.relative_to(SOURCE)} includes {name}: {why}")
        self.assertGreater(checked, 0, folder)

    def test_engine_knows_neither_qt_nor_sql_nor_the_layers_above(self):
        self.refuse("engine", lambda n: is_qt(n) or n == "sqlite3.h" or
                    n.startswith(("experiments/", "ui/", "app/")), "the engine stands alone")

    def test_engine_api_is_the_standard_library_alone(self):
        self.refuse("engine/api", lambda n: "/" in n and not n.startswith("engine/api/"), "engine/api holds values only")

    def test_each_folder_of_the_engine_uses_those_before_it(self):
        order = ["api", "runtime", "kernels", "files", "text", "model", "cache", "policies", "session", "evaluate"]
        folders = {p.name for p in (SOURCE / "engine").iterdir() if p.is_dir()}
        self.assertEqual(folders, set(order))
        for place, folder in enumerate(order):
            later = tuple(f"engine/{name}/" for name in order[place + 1:])
            self.refuse(f"engine/{folder}", lambda n: n.startswith(later), "that folder stands above it")

    def test_experiments_know_the_engine_by_its_api(self):
        self.refuse("experiments", lambda n: n.startswith((*TORCH, "ui/", "app/")) or
                    (n.startswith("engine/") and not n.startswith("engine/api/")), "only engine/api is below")
        self.refuse("experiments", lambda n: is_qt(n) and not in_module(n, ("QtCore", "QtSql", "QtNetwork")),
                    "experiments work without a window")

    def test_window_knows_neither_torch_nor_sql(self):
        self.refuse("ui", lambda n: n.startswith((*TORCH, "app/")) or n.startswith("QSql") or n == "sqlite3.h" or
                    (n.startswith("engine/") and not n.startswith("engine/api/")), "the window shows what experiments give")

    def test_program_uses_public_headers(self):
        self.refuse("app", lambda n: n.startswith(TORCH) or n.startswith("QSql") or
                    (n.startswith("engine/") and not n.startswith("engine/api/")), "the program composes")

    def test_sql_is_written_in_the_store_alone(self):
        statement = re.compile(r"\b(SELECT .+ FROM|INSERT (OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM|CREATE TABLE|PRAGMA)\b")
        writers = {str(p.relative_to(SOURCE)) for folder in ("app", "ui", "experiments", "engine")
                   for p in files(folder) if statement.search(p.read_text(encoding="utf-8"))}
        self.assertTrue(writers, "no SQL was found anywhere: the pattern is wrong")
        allowed = re.compile(r"experiments/(result_store|schema|store_\w+|run_query|run_rows?)\w*\.(cpp|h)")
        self.assertEqual([w for w in sorted(writers) if not allowed.fullmatch(w)], [])


if __name__ == "__main__":
    unittest.main()
