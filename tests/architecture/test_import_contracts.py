"""The import contracts hold, and each of them fails when the edge it guards is broken."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT

SOURCE_ROOTS = ("protocol", "firmware", "gateway", "tools")

# contract -> (file to break, line that breaks it)
BREAKS = {
    "Source roots point one way": ("gateway/sabot_gateway/model/card.py", "import sabot_tools.cli"),
    "The gateway points one way": ("gateway/sabot_gateway/model/card.py", "import sabot_gateway.rules.hand"),
    "Games never import each other": (
        "gateway/sabot_gateway/rules/games/stud.py",
        "import sabot_gateway.rules.games.ultimate_holdem",
    ),
    "The core has no clock": ("gateway/sabot_gateway/rules/hand.py", "import time"),
    "The journal's port": ("gateway/sabot_gateway/journal/port.py", "import sqlite3"),
    "The twin settles by itself": ("tools/sabot_tools/twin/hand.py", "import sabot_gateway.rules.hand"),
    "The wire contract has no I/O": ("protocol/sabot_protocol/frames.py", "import socket"),
}


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of the source roots and the contracts, free to break."""
    for root in SOURCE_ROOTS:
        shutil.copytree(ROOT / root, tmp_path / root, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def lint_imports(house: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": ":".join(str(house / root) for root in SOURCE_ROOTS)}
    command = [str(ROOT / ".venv/bin/lint-imports"), "--no-cache"]
    return subprocess.run(command, cwd=house, env=environment, capture_output=True, text=True, check=False)


def test_the_house_keeps_its_contracts(house: Path) -> None:
    done = lint_imports(house)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("contract", BREAKS)
def test_a_broken_edge_is_found(house: Path, contract: str) -> None:
    name, line = BREAKS[contract]
    path = house / name
    path.write_text(path.read_text() + f"\n{line}\n")
    done = lint_imports(house)
    assert done.returncode == 1, done.stdout + done.stderr
    broken = [text for text in done.stdout.splitlines() if " BROKEN" in text]
    assert any(text.startswith(contract) for text in broken), done.stdout
