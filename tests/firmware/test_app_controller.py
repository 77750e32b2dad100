"""The application on a bench of chip models gives the same answers on CPython and, from its image, on MicroPython."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT, MicroPython
from firmware.rig_image import RIG, START, write_rig_image

SCRIPT = RIG / "controller_bench.py"


@pytest.mark.slow
def test_the_bench_passes_alike_on_both_pythons(micropython: MicroPython, tmp_path: Path) -> None:
    image = write_rig_image(tmp_path / "rig.romfs")
    # The models of all chips and their tests share this heap with the application.
    theirs = micropython.run(START, str(image), SCRIPT.stem, heap="256k")
    path = os.pathsep.join([str(ROOT / "protocol"), str(ROOT / "firmware")])
    ours = subprocess.run(
        [sys.executable, "-W", "error", "-B", str(SCRIPT)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ours.returncode == 0, ours.stdout + ours.stderr
    assert ours.stdout.count("ok test_") >= 10
    assert theirs == ours.stdout
