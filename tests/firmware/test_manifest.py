"""firmware/manifest.py, run as MicroPython's build runs it: every file that it names is there, the release whole."""

import os
from hashlib import sha256
from pathlib import Path

import pytest

from firmware.image_build import FIRMWARE, built, list_in
from sabot_tools.field.image_release import modules_in
from sabot_tools.firmware_source import sources

BOARDS = ["rpi_pico_w", "rpi_pico_2_w"]


@pytest.mark.parametrize("board", BOARDS)
def test_what_is_frozen_is_the_release_and_what_starts_it(board: str) -> None:
    build = built(board)
    # Not the port's own manifest: its _boot.py would give the outbox's flash to the file system.
    assert build.included == ["$(MPY_DIR)/extmod/asyncio", "$(PORT_DIR)/modules/rp2.py"]
    start = {
        "slot.py": FIRMWARE / "sabot_firmware" / "core" / "slot.py",
        "starting.py": FIRMWARE / "starting.py",
        "_boot.py": FIRMWARE / "boards" / "rp2" / "_boot.py",
        "board.py": FIRMWARE / "boards" / board / "board.py",
    }
    del build.frozen["image_list.py"]
    assert build.frozen == {name: Path(os.path.realpath(path)) for name, path in {**sources(), **start}.items()}


@pytest.mark.parametrize("board", BOARDS)
def test_the_image_says_which_modules_it_holds_by_the_digest_of_each_source(board: str) -> None:
    build = built(board)
    listed = modules_in(list_in(build))
    del build.frozen["image_list.py"]
    assert listed == tuple((name, sha256(path.read_bytes()).digest()) for name, path in sorted(build.frozen.items()))
