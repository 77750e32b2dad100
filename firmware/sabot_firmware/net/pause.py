"""Milliseconds on both Pythons: ticks that wrap alike, and a sleep that takes them.

Owns the only difference between the two asyncios' clocks. Boards have time.ticks_ms and asyncio.sleep_ms; CPython
counts in nanoseconds and sleeps in seconds.
"""

import asyncio
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_time: "Any" = time
_asyncio: "Any" = asyncio

if sys.implementation.name == "micropython":
    ticks_ms = _time.ticks_ms
    sleep_ms = _asyncio.sleep_ms
else:
    from sabot_firmware.net import pause_host

    ticks_ms = pause_host.ticks_ms
    sleep_ms = pause_host.sleep_ms
