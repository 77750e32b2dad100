"""One wheel holds all that an installed Sabot needs, and an empty environment can run it."""

import json
import os
import subprocess
import sys
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
}


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
    assert not [name for name in names if name.startswith(("tests/", "sabot_firmware/"))], (
        "firmware is data, not imports"
    )


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
    demo = run("demo")
    assert demo.returncode == 0, demo.stderr
    coup = {
        "id": "1",
        "game": "TCF",
        "seats": [{"seat": 1, "cards": ["7s", "5d", "2c"], "bets": {"ante": 1000}, "decision": "fold"}],
        "dealer": {"cards": ["Jh", "Td", "8c"]},
    }
    settled = run("settle", stdin=json.dumps(coup) + "\n")
    assert settled.returncode == 0, settled.stderr
    assert json.loads(settled.stdout)["bank_net"] == 1000
    imported = subprocess.run([str(python), "-c", "import sabot_firmware"], capture_output=True, env=clean, check=False)
    assert imported.returncode == 1
