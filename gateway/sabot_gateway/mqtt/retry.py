"""How long to wait before trying again: doubling from a first wait to a longest one, with jitter.

Owns the arithmetic only; whoever waits has the clock. Half of each wait is random, so that a hundred gateways whose
broker came back do not all knock in the same millisecond, and none waits less than half of what it should.
"""

from collections.abc import Callable
from random import SystemRandom
from typing import Final

_random: Final[Callable[[int, int], int]] = SystemRandom().randint


class Retry:
    """The waits after failures in a row; `succeeded` begins again from the first."""

    def __init__(self, first_ms: int, longest_ms: int, random: Callable[[int, int], int] = _random) -> None:
        self._first_ms = first_ms
        self._longest_ms = longest_ms
        self._random = random
        self._failures = 0

    @property
    def failures(self) -> int:
        """How often it failed since it last went well."""
        return self._failures

    def failed(self) -> int:
        """How many milliseconds to wait now."""
        doublings = min(self._failures, 32)  # bounds the number, not the wait: any longest wait is reached by then
        whole = min(self._first_ms << doublings, self._longest_ms)
        self._failures += 1
        return self._random(whole - whole // 2, whole)

    def succeeded(self) -> None:
        self._failures = 0
