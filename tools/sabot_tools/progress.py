"""A progress bar on a terminal, and nothing anywhere else.

It draws at most ten times a second and erases itself, so that what a command
prints is the same with and without it.
"""

import shutil
import sys
import time
from types import TracebackType
from typing import Final, Self, TextIO

_INTERVAL_NS: Final = 100_000_000
_WIDTH: Final = 30


class Progress:
    """Counts towards `total` (None when unknown); use it as a context manager."""

    def __init__(self, total: int | None, label: str, stream: TextIO | None = None) -> None:
        self._total = total
        self._label = label
        self._stream = sys.stderr if stream is None else stream
        self._is_drawn = self._stream.isatty()
        self._done = 0
        self._next_ns = 0
        self._drawn_length = 0

    def advance(self, amount: int = 1) -> None:
        self._done += amount
        if not self._is_drawn:
            return
        now = time.monotonic_ns()
        if now >= self._next_ns:
            self._next_ns = now + _INTERVAL_NS
            self._draw()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn_length:
            self._write(" " * self._drawn_length)
            self._write("")

    def _draw(self) -> None:
        figure = f" {self._done:,}"
        if self._total:
            done = min(self._done, self._total)
            filled = done * _WIDTH // self._total
            figure = f" [{'#' * filled}{'.' * (_WIDTH - filled)}] {done * 100 // self._total:3d} %"
        # A line that wraps could not be erased: the last column stays free, and the label gives way first.
        room = shutil.get_terminal_size().columns - 1
        text = f"{self._label[: max(0, room - len(figure))]}{figure}"[-room:]
        self._write(text.ljust(self._drawn_length))
        self._drawn_length = len(text)

    def _write(self, text: str) -> None:
        self._stream.write("\r" + text)
        self._stream.flush()
