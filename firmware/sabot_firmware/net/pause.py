"""Milliseconds on both Pythons: ticks that wrap alike, and a sleep that takes them.

Owns the only difference between the two asyncios' clocks. Boards have time.ticks_ms and asyncio.sleep_ms; CPython
counts in nanoseconds and sleeps in seconds.
"""

import asyncio
import sys
import time

from sabot_firmware.core.ticks import MASK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_on_board = sys.implementation.name == "micropython"
_time: "Any" = time
_asyncio: "Any" = asyncio

if _on_board:
    ticks_ms = _time.ticks_ms
    sleep_ms = _asyncio.sleep_ms
else:
    from operator import truediv

    def ticks_ms() -> int:
        """Milliseconds that wrap as a board's do."""
        return time.monotonic_ns() // 1000000 & MASK

    async def sleep_ms(ms: int) -> None:
        """Let other tasks run for this long."""
        await asyncio.sleep(truediv(ms, 1000))
