"""A board without a line, and an interruption at a step that the test chooses: for what takes hundreds of runs.

The board keeps its files as a dictionary and answers what board.py answers. The line itself, and a cable pulled in
mid-write, are usb_board.py's.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Any

import pytest

from sabot_tools.field import equipping
from sabot_tools.field.board import Identity
from sabot_tools.field.board_type import type_named

CHANGES = ("open", "replace", "rename", "unlink", "mkdir", "rmdir")


class Interruption:
    """Ctrl-C before the n-th change, of this computer's files or of the board's; `steps` counts them."""

    def __init__(self, patch: pytest.MonkeyPatch, at: int) -> None:
        self._at = at
        self.steps = 0
        for name in CHANGES:
            patch.setattr(os, name, self._before(getattr(os, name)))

    def step(self) -> None:
        self.steps += 1
        if self.steps == self._at:
            raise KeyboardInterrupt

    def _before(self, change: Callable[..., Any]) -> Callable[..., Any]:
        def changed(*args: Any, **more: Any) -> Any:
            if change.__name__ != "open" or args[1] & os.O_CREAT:
                self.step()
            return change(*args, **more)

        return changed


class MemoryBoard:
    """One board; `step` is called before each change to it."""

    def __init__(self) -> None:
        self.lying: dict[str, bytes] = {}
        self.events = b"of an earlier life"
        self.starts = 0
        self.step: Callable[[], None] = lambda: None

    def plug_in(self, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(equipping, "Board", lambda *_: self)

    def identify(self) -> Identity:
        return Identity(type_named("rpi_pico_2_w"), "Pico 2 W", 6, "e661", False, "main.py" in self.lying, 256)

    def digests(self, paths: Iterable[str]) -> dict[str, str]:
        return {path: sha256(self.lying[path]).hexdigest() if path in self.lying else "" for path in paths}

    def read_text(self, path: str) -> str:
        return self.lying.get(path, b"").decode()

    def files(self, folder: str) -> list[str]:
        return [path for path in self.lying if path.startswith(folder)]

    def write(self, path: str, data: bytes, *_: object) -> None:
        self.step()
        self.lying[path] = data

    def remove(self, path: str) -> None:
        if path in self.lying:
            self.step()
            del self.lying[path]

    def install(self, files: Mapping[str, bytes], advance: Callable[[int], None]) -> int:
        for path, data in files.items():
            if self.lying.get(path) != data:
                self.write(path, data)
            advance(len(data))
        return len(files)

    def forget_events(self, sectors: int) -> None:
        assert sectors == 256
        self.step()
        self.events = b""

    def restart(self, *, wait: bool) -> None:
        self.step()
        if not wait:
            assert "service" not in self.lying
            self.starts += 1

    def close(self) -> None:
        return
