"""The boards' own code type-checks against MicroPython's stubs for that board."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT

# board folder -> (stubs, family folder)
BOARDS = {
    "rpi_pico_w": ("rp2-rpi_pico_w", "rp2"),
    "rpi_pico_2_w": ("rp2-rpi_pico2_w", "rp2"),
    "esp32_s3_w5500": ("esp32-esp32_generic_s3", ""),
}

# What a board runs first; slot.py lies there as a copy of its own.
AT_THE_ROOT = ("boot.py", "main.py", "starting.py", "sabot_firmware/core/slot.py")


def type_errors(board: str, folder: Path, tmp_path: Path) -> list[str]:
    """mypy's complaints about `folder`; what it says about the stubs themselves is theirs to mend."""
    stubs, family = BOARDS[board]
    typeshed = ROOT / ".tools" / "stubs" / stubs
    assert typeshed.is_dir(), "MicroPython's stubs are missing: run setup/stubs.sh."
    settings = tmp_path / "mypy.ini"
    settings.write_text(
        "[mypy]\nstrict = True\npython_version = 3.11\nexplicit_package_bases = True\nnamespace_packages = True\n"
    )
    boards = ROOT / "firmware" / "boards"
    root = tmp_path / "root"
    root.mkdir()
    for name in AT_THE_ROOT:
        shutil.copy(ROOT / "firmware" / name, root)
    search = [typeshed, ROOT / "protocol", ROOT / "firmware", boards, folder, root]
    family_folder = [boards / family] if family else []
    search += family_folder
    command = [sys.executable, "-m", "mypy", "--config-file", str(settings), "--cache-dir", str(tmp_path / "cache")]
    command += [
        "--custom-typeshed-dir",
        str(typeshed),
        # A manifest runs in MicroPython's build, not on a board.
        *(str(path) for path in sorted(folder.glob("*.py")) if path.name != "manifest.py"),
        str(boards / "machine_ports.py"),
        str(boards / "usb_port.py"),
        *map(str, sorted(root.glob("*.py"))),
        *map(str, family_folder),
    ]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": os.pathsep.join(map(str, search))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    assert "checked" in done.stdout or "no issues" in done.stdout, done.stdout
    return [line for line in done.stdout.splitlines() if ": error:" in line and not line.startswith(str(typeshed))]


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
def test_the_board_type_checks(board: str, tmp_path: Path) -> None:
    errors = type_errors(board, ROOT / "firmware" / "boards" / board, tmp_path)
    assert [line for line in errors if ".tools" not in line] == []


def test_a_wrong_call_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "rpi_pico_w"
    folder.mkdir()
    (folder / "wrong.py").write_text('import machine\n\nmachine.Pin(1).value("high", 2, 3)\n')
    errors = type_errors("rpi_pico_w", folder, tmp_path)
    assert any("wrong.py" in line for line in errors)
