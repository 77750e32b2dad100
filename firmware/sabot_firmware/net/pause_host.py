"""A board's ticks and sleep on CPython, for simulated floors: see pause.py. Never on a board."""

import asyncio
import time
from operator import truediv

from sabot_firmware.core.ticks import MASK


def ticks_ms() -> int:
    """Milliseconds that wrap as a board's do."""
    return time.monotonic_ns() // 1000000 & MASK


async def sleep_ms(ms: int) -> None:
    """Let other tasks run for this long."""
    await asyncio.sleep(truediv(ms, 1000))
