"""The scripts of on_both/ pass on CPython and on a real MicroPython with a board's heap, with equal output."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT, MicroPython

HERE = ROOT / "tests" / "firmware"
RUNNER = HERE / "run_on_both.py"
PATH = [ROOT / "protocol", ROOT / "firmware", ROOT / "tests", HERE / "on_both"]
SCRIPTS = sorted(path for path in (HERE / "on_both").glob("*.py") if "\ndef test_" in path.read_text())

# Everything is compiled from source on the spot here; this script needs every driver and every model of a chip at once.
ROOMY = {"hal_assembly": "192k"}


def test_there_are_scripts_to_run() -> None:
    assert SCRIPTS


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_passes_alike_on_both_pythons(script: Path, micropython: MicroPython) -> None:
    theirs = micropython.run(RUNNER, script.stem, path=PATH, heap=ROOMY.get(script.stem, "128k"))
    assert _results(theirs) == _results(_on_cpython(RUNNER, script.stem, PATH))


def test_a_failing_script_fails_on_both(tmp_path: Path, micropython: MicroPython) -> None:
    folder = tmp_path / "firmware" / "on_both"
    folder.mkdir(parents=True)
    (folder / "broken.py").write_text("def test_false():\n    assert 1 == 2, 'as told'\n")
    path = [tmp_path, *PATH]
    with pytest.raises(AssertionError, match="failed test_false"):
        micropython.run(RUNNER, "broken", path=path)
    with pytest.raises(AssertionError, match="failed test_false"):
        _on_cpython(RUNNER, "broken", path)


def _on_cpython(runner: Path, name: str, path: list[Path]) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-B", str(runner), name],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, f"CPython {name} failed:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def _results(output: str) -> list[str]:
    return [line for line in output.splitlines() if not line.startswith("# ")]
