"""firmware/manifest.py, run as MicroPython's build runs it: every file that it names is there, the release whole."""

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from conftest import ROOT
from sabot_tools.firmware_source import sources

FIRMWARE = ROOT / "firmware"


class Build:
    """The functions that a manifest is given; `frozen` is each file by its name in the image."""

    def __init__(self) -> None:
        self.frozen: dict[str, Path] = {}
        self.included: list[str] = []

    def run(self, file: Path) -> None:
        functions = {"include": self.include, "package": self.package, "module": self.module}
        with contextlib.chdir(file.parent):
            exec(compile(file.read_text(), str(file), "exec"), functions)

    def include(self, path: str) -> None:
        if path.startswith("$"):
            self.included.append(path)  # a part of MicroPython
        else:
            self.run(Path(path).resolve())

    def package(self, path: str, files: Sequence[str] | None = None, base_path: str = ".") -> None:
        names = files if files is not None else sorted(str(each) for each in Path(base_path, path).rglob("*.py"))
        for name in names:
            self._add(f"{path}/{name}", Path(base_path, path, name))

    def module(self, path: str, base_path: str = ".") -> None:
        assert path.endswith(".py")
        if base_path.startswith("$"):
            self.included.append(f"{base_path}/{path}")
            return
        self._add(path, Path(base_path, path))

    def _add(self, name: str, file: Path) -> None:
        assert file.is_file(), f"{file} is missing"
        assert name not in self.frozen, f"{name} is frozen twice"
        self.frozen[name] = file.resolve()


@pytest.mark.parametrize("board", ["rpi_pico_w", "rpi_pico_2_w"])
def test_what_is_frozen_is_the_release_and_what_starts_it(board: str) -> None:
    build = Build()
    build.run(FIRMWARE / "boards" / board / "manifest.py")
    # Not the port's own manifest: its _boot.py would give the outbox's flash to the file system.
    assert build.included == ["$(MPY_DIR)/extmod/asyncio", "$(PORT_DIR)/modules/rp2.py"]
    start = {
        "slot.py": FIRMWARE / "sabot_firmware" / "core" / "slot.py",
        "starting.py": FIRMWARE / "starting.py",
        "_boot.py": FIRMWARE / "boards" / "rp2" / "_boot.py",
        "board.py": FIRMWARE / "boards" / board / "board.py",
    }
    assert build.frozen == {name: Path(os.path.realpath(path)) for name, path in {**sources(), **start}.items()}
