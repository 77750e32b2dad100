"""Numbers of commands: a controller obeys only one that is greater than every one before, whoever sent it.

The number in use is the UTC second, or one more than the last: it grows over restarts and takeovers without being
kept anywhere, and a burst (the blocks of an update) runs ahead of the clock only as long as it lasts. After such a
burst and a restart the controller answers `stale` once, and the number leaps over the burst.
"""

from typing import Final

MOST: Final = 0xFFFF_FFFF

# More commands than one burst has: 1 MiB of software in blocks of 768 bytes, and room.
LEAP: Final = 4_096


# No order of ours is older on its way: the number of one that is was given out long ago.
OLD_S: Final = 60


def next_number(last: int, now_ms: int) -> int:
    """The number of the next command after `last`; 0 when none was sent."""
    return min(MOST, max(last + 1, now_ms // 1000))


def finished(last: int, number: int, outcome: str) -> int:
    """The last number to count from, after a controller reported what became of command `number`."""
    return max(last, number + LEAP if outcome == "stale" else number)


def is_played(number: int, outcome: str, now_ms: int) -> bool:
    """Whether a controller refused an order that nobody gave lately: somebody played an old one to it."""
    return outcome == "stale" and number < now_ms // 1000 - OLD_S
