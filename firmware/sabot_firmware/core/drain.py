"""When the outbox sends, and how much: live events at once, a backlog in full batches, a lost message again.

Owns the policy. Knows numbers and time, no bytes and no socket. Everything is sent in the order of its numbers:
the gateway journals in order, so a live event that overtook a backlog would only look like a gap. Live events are
served in three other ways: they are stored before anything is sent (append never waits for the link), only one
batch goes out per turn of the loop so that a scan is never held up by a backlog, and WINDOW full batches may be
under way at once, so that a backlog of an hour's outage is gone in seconds. Nothing lingers for company.
"""

from sabot_firmware.core.ticks import ticks_diff

# Batches sent and not yet acknowledged. Four of 944 bytes hide the round trip of any house network and bound what
# a lost connection sends twice.
WINDOW = 4

# Unacknowledged for so long, everything since the last ack is sent again; doubled up to the greatest.
RESEND_MS = 3000
RESEND_MAX_MS = 60000


class Drain:
    """Decides on one batch per turn: first = ready(...), then sent(...) with what really went."""

    def __init__(self) -> None:
        self._next = 1
        self._ends: list[int] = []  # last numbers of the batches under way
        self._since = 0
        self._wait_ms = RESEND_MS

    def restart(self, floor: int) -> None:
        """A new connection: nothing is under way, sending begins behind the last ack."""
        self._next = floor + 1
        self._ends = []
        self._wait_ms = RESEND_MS

    def rewind(self, first: int, floor: int) -> None:
        """The gateway asks for a resend from a number that is still kept."""
        first = first if first > floor else floor + 1
        if first < self._next:
            self._next = first
            self._ends = []

    def ready(self, now_ms: int, floor: int, newest: int) -> int:
        """The first number to send now, 0 for nothing. `floor` and `newest` are the outbox's."""
        if self._ends and self._ends[0] <= floor:
            while self._ends and self._ends[0] <= floor:
                del self._ends[0]
            self._since = now_ms
            self._wait_ms = RESEND_MS
        if self._next <= floor:
            self._next = floor + 1
        if self._ends and ticks_diff(now_ms, self._since) >= self._wait_ms:
            self._next = floor + 1
            self._ends = []
            self._wait_ms = min(2 * self._wait_ms, RESEND_MAX_MS)
        if self._next > newest or len(self._ends) >= WINDOW:
            return 0
        return self._next

    def sent(self, now_ms: int, first: int, count: int) -> None:
        """A batch of `count` events from `first` on went out."""
        if not count:
            return
        if not self._ends:
            self._since = now_ms
        self._next = first + count
        self._ends.append(first + count - 1)
