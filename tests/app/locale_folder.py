# SPDX-License-Identifier: GPL-3.0-or-later
"""A German locale for one test, made without being root."""
import subprocess
import sys
import tempfile


def german_environment(test):
    """Variables under which C, C++ and Qt take de_DE.UTF-8, with its decimal comma."""
    folder = tempfile.TemporaryDirectory()
    test.addCleanup(folder.cleanup)
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", f"{folder.name}/de_DE.UTF-8"],
                          capture_output=True, text=True, check=False)
    test.assertEqual(made.returncode, 0, made.stderr)
    variables = {"LOCPATH": folder.name, "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"}
    question = "import locale; locale.setlocale(locale.LC_ALL, ''); print(locale.localeconv()['decimal_point'])"
    answer = subprocess.run([sys.executable, "-c", question], env=variables, capture_output=True, text=True, check=True)
    test.assertEqual(answer.stdout.strip(), ",")
    return variables
