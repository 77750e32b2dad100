"""Protocol and firmware keep to the subset of Python that CPython and MicroPython share."""

import subprocess
from pathlib import Path

import pytest

from architecture.subset_guard import subset_breaks
from conftest import ROOT, MicroPython

# Chosen at run time by the interpreter's name, so MicroPython never loads them.
CPYTHON_ONLY = {"accelerated.py", "aead_cryptography.py"}
SHARED = sorted(
    path for root in ("protocol", "firmware") for path in (ROOT / root).glob("**/*.py") if path.name not in CPYTHON_ONLY
)


def test_there_is_code_to_guard() -> None:
    assert len(SHARED) > 5


@pytest.mark.parametrize("path", SHARED, ids=lambda path: str(path.relative_to(ROOT)))
def test_shared_code_keeps_to_the_subset(path: Path) -> None:
    assert subset_breaks(path.read_text()) == []


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import typing", "no typing"),
        ("from dataclasses import dataclass", "no dataclasses"),
        ("match x:\n    case 1: pass", "no match"),
        ("def f(a, /): pass", "positional-only"),
        ("async def f():\n    yield 1", "async generators"),
        ("half = 0.5", "floats"),
        ("half = 1 / 2", "use //"),
        ("try:\n    pass\nexcept* ValueError:\n    pass", "except*"),
    ],
)
def test_the_guard_finds_each_break(source: str, reason: str) -> None:
    assert any(reason in sentence for sentence in subset_breaks(source))


def test_a_real_micropython_compiles_every_shared_file(micropython: MicroPython) -> None:
    for path in SHARED:
        done = _compile(micropython, path)
        assert done.returncode == 0, f"{path}: {done.stderr}"


def test_a_real_micropython_refuses_what_it_cannot_compile(micropython: MicroPython, tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("match x:\n    case 1: pass\n")
    assert _compile(micropython, broken).returncode != 0


def _compile(micropython: MicroPython, path: Path) -> subprocess.CompletedProcess[str]:
    command = [str(micropython.launcher), "-X", "compile-only", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)
