"""How long somebody waits after wrong passwords. Pure: failures in, the end of the wait out.

Two counts run side by side. A name is locked after a few failures, longer each time; an address is slowed after many,
so that one place cannot try every name.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Patience:
    """`allowed` failures are free, then the wait doubles up to `longest_ms`; `memory_ms` later all is forgotten."""

    allowed: int
    first_ms: int
    longest_ms: int
    memory_ms: int


NAME: Final = Patience(allowed=5, first_ms=60_000, longest_ms=3_600_000, memory_ms=86_400_000)
ADDRESS: Final = Patience(allowed=30, first_ms=30_000, longest_ms=900_000, memory_ms=3_600_000)


def locked_until(failures: Sequence[int], patience: Patience, now_ms: int) -> int:
    """The time until which another attempt is refused (0: none is). `failures` are times, oldest first."""
    recent = [at for at in failures if at > now_ms - patience.memory_ms]
    beyond = len(recent) - patience.allowed
    if beyond < 0 or not recent:
        return 0
    wait = min(patience.first_ms << min(beyond, 32), patience.longest_ms)
    until = recent[-1] + wait
    return until if until > now_ms else 0
