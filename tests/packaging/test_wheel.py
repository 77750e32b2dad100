"""One wheel holds all that an installed Sabot needs, and an empty environment can run it."""

import json
import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from conftest import ROOT

CARRIED = {
    "sabot_protocol/sabot.cddl",
    "sabot_gateway/rules/rulesets/tcf.toml",
    "sabot_gateway/rules/catalogue/tcf.toml",
    "sabot_tools/firmware/sabot_firmware/__init__.py",
    "sabot_gateway/journal/schema/sqlite/0001.sql",
    "sabot_gateway/journal/schema/postgres/0001.sql",
    "sabot_gateway/py.typed",
    "sabot_gateway/web/templates/layout.html",
    "sabot_gateway/web/static/sabot.css",
    "sabot_gateway/web/words/shell.toml",
    "sabot_firmware/app.py",
}


FLASHED = """
from hashlib import sha256
from sabot_tools.field.board_type import BOARD_TYPES, files_for, start_files
for board in BOARD_TYPES:
    files = start_files(board) if board.is_frozen else files_for(board, None, "1.0", 1)
    for name, data in files.items():
        print(board.name, name, sha256(data).hexdigest())
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(ROOT)], check=True)
    (built,) = folder.glob("sabot-*.whl")
    return built


def test_the_wheel_carries_grammar_rulesets_catalogue_and_firmware(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert names >= CARRIED
    assert not [name for name in names if name.startswith("tests/")]


@pytest.mark.slow
def test_an_empty_environment_installs_and_runs_the_wheel(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", str(wheel)], check=True, env=clean)
    sabot = str(tmp_path / "venv" / "bin" / "sabot")

    def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        command = [sabot, *arguments]
        return subprocess.run(
            command, input=stdin, capture_output=True, text=True, cwd=tmp_path, env=clean, check=False
        )

    assert run("--version").stdout.startswith("sabot 0.")
    assert "JOUER" in run("rules", "TCF-42").stdout
    examples = run("examples")
    assert examples.returncode == 0, examples.stderr
    coup = {
        "id": "1",
        "game": "TCF",
        "seats": [{"seat": 1, "cards": ["7s", "5d", "2c"], "bets": {"ante": 1000}, "decision": "fold"}],
        "dealer": {"cards": ["Jh", "Td", "8c"]},
    }
    settled = run("settle", stdin=json.dumps(coup) + "\n")
    assert settled.returncode == 0, settled.stderr
    assert json.loads(settled.stdout)["bank_net"] == 1000
    # A technician's laptop has no checkout: what it writes to a board is the same to the byte.
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", *_compiler()], check=True, env=clean)
    flashed = subprocess.run([str(python), "-c", FLASHED], capture_output=True, text=True, env=clean, check=True)
    here = subprocess.run([sys.executable, "-c", FLASHED], capture_output=True, text=True, check=True)
    assert flashed.stdout == here.stdout
    assert {"rpi_pico_w main.py", "esp32_s3_w5500 slot0/sabot_firmware/app.mpy", "esp32_s3_w5500 pins.py"} <= {
        line.rpartition(" ")[0] for line in here.stdout.splitlines()
    }
    imported = subprocess.run([str(python), "-c", "import sabot_firmware"], capture_output=True, env=clean, check=False)
    assert imported.returncode == 0, "simulated tables run the controllers' own code"


def _compiler() -> list[str]:
    """The compiler for the boards, as it is declared for the project."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        found: list[str] = tomllib.load(file)["dependency-groups"]["firmware"]
    return found
