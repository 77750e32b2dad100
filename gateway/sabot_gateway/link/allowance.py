"""How much of what a stranger sends is kept: enough to see what it was, not enough to fill a disk.

Anybody who reaches the broker can send what is refused, in any name and without end. Within an hour the first
MOST_MESSAGES and MOST_BYTES in one name are quarantined byte for byte; the rest is counted, and the counts journaled.
Names that are not of the house share one allowance: a stranger chooses them, and memory must not be his to fill.
This is for bytes that nobody vouches for. What a controller sealed is always kept.
Owns the allowances. Pure: times are given.
"""

from typing import Final, NamedTuple

HOUR_MS: Final = 3_600_000
MOST_MESSAGES: Final = 1_000  # in an hour and one name
MOST_BYTES: Final = 1 << 20
MOST_EACH: Final = 1 << 16  # bytes that the quarantine keeps of one message
TELL_EVERY_MS: Final = 60_000  # how often the counts are journaled while they grow


class Unkept(NamedTuple):
    """Refused and only counted, since it was told last."""

    sender: str
    messages: int
    size: int  # bytes


class Allowance:
    """The allowances of one site, by name; whoever asks maps names that are not of the house to one."""

    __slots__ = ("_told_ms", "_unkept", "_used")

    def __init__(self) -> None:
        self._used: dict[str, tuple[int, int, int]] = {}  # since when, messages, bytes
        self._unkept: dict[str, tuple[int, int]] = {}  # messages, bytes
        self._told_ms = 0

    def admits(self, sender: str, size: int, now_ms: int) -> bool:
        """Whether these bytes are to be kept; if not they are counted."""
        since_ms, messages, used = self._used.get(sender, (now_ms, 0, 0))
        if not 0 <= now_ms - since_ms < HOUR_MS:
            since_ms, messages, used = now_ms, 0, 0
        kept = min(size, MOST_EACH)
        if messages < MOST_MESSAGES and used + kept <= MOST_BYTES:
            self._used[sender] = since_ms, messages + 1, used + kept
            return True
        count, total = self._unkept.get(sender, (0, 0))
        self._unkept[sender] = count + 1, total + size
        return False

    def unkept(self, now_ms: int, *, at_once: bool = False) -> list[Unkept]:
        """What was only counted, once a minute or `at_once`; told once."""
        if not self._unkept or not (at_once or abs(now_ms - self._told_ms) >= TELL_EVERY_MS):
            return []
        self._told_ms = now_ms
        told = [Unkept(sender, *counted) for sender, counted in self._unkept.items()]
        self._unkept = {}
        return told
