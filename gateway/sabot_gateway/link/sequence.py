"""Numbers of one controller's events: which of a batch are new, and what to say of the others.

A controller numbers its events over its whole life, boots included, keeps them until they are acknowledged, and
sends them in order from the last acknowledged on (firmware: outbox.py, drain.py). So a batch that begins behind a
hole is never taken at once: what is missing can still come, because nothing behind the hole is acknowledged.
A hole is given up, as a LinkGap that the fold makes of the jump in the numbers, in two cases only:
  - the controller itself says in `outbox_overflow` that those numbers are lost, and ASK_EVERY_MS later, asked again,
    still begins behind them: what it sent before it lost them may have been on its way;
  - asked ASKS times, ASK_EVERY_MS apart, it began behind the hole each time. It always begins with the oldest that
    it still has, and its report of the loss may be too far down the queue to be seen before the hole is passed.
A controller that was never heard before is expected to begin with 1: one that served elsewhere is asked too, and then
taken from where it stands. Two devices with one identity contradict each other: the same number with another boot
or time, or an older boot with new numbers. What it knows as acknowledged a controller never sends again: numbers that
were taken so long ago that they can be on no way any more were recorded by somebody, and are played again.

Owns Sequence (journaled: the fold keeps the same value) and Window (live only). Pure.
"""

from enum import Enum
from typing import Final, NamedTuple

# Four beginnings behind the hole, each after another question: no delayed copy and no single loss looks like that.
ASKS: Final = 4
ASK_EVERY_MS: Final = 1_000

# A question costs the controller a write to flash: one that brings no answer at all is not put so often.
SILENT_ASK_MS: Final = 5_000

# Events whose times are remembered to know a twin: four batches under way of 32 events, and as many again. A controller
# sends none of before again: beside what is under way a power cut costs it an ack of 16 events (firmware: outbox.py).
MEMORY: Final = 256

# An older boot whose events are sent again and again in spite of our acks, for so long, is not the device we know.
RELAPSES: Final = 4
RELAPSE_MS: Final = 10_000


class Sequence(NamedTuple):
    """What was taken: everything from `start` to `upto` that still existed; `last_ms` is the device time of `upto`.

    `refused` says why the events of `boot` are quarantined; empty when they are taken.
    """

    boot: int = 0
    upto: int = 0
    start: int = 0
    last_ms: int = 0
    refused: str = ""


UNHEARD: Final = Sequence()


class Verdict(Enum):
    NEW = "new"  # take the events from `skip` on
    DUPLICATE = "duplicate"  # nothing new: acknowledge again
    AHEAD = "ahead"  # behind a hole: not taken, the controller keeps it
    LATE = "late"  # of a hole that was given up: too late to be taken in order
    REPLAYED = "replayed"  # older than a controller would send again
    TWIN = "twin"  # contradicts what was taken


class Judged(NamedTuple):
    """`skip`: events of the batch that were taken before. `asks`: (from, to) to ask for now, or None."""

    verdict: Verdict
    skip: int = 0
    asks: tuple[int, int] | None = None


def advanced(sequence: Sequence, boot: int, first: int, count: int, last_ms: int) -> Sequence:
    """The sequence after a batch was taken; the same live and in replay."""
    start = sequence.start or first
    refused = sequence.refused if boot == sequence.boot else ""
    return Sequence(boot, first + count - 1, start, last_ms, refused)


def gap_before(sequence: Sequence, first: int) -> tuple[int, int] | None:
    """The numbers that a batch beginning with `first` leaves out; None for a device not heard before."""
    if not sequence.upto or first <= sequence.upto + 1:
        return None
    return sequence.upto + 1, first - 1


class Window:
    """The live end of one device's numbers: what may be taken next, what is asked for, what was seen lately."""

    __slots__ = (
        "_asked_ms",
        "_asks",
        "_given_up",
        "_lost",
        "_lowest",
        "_nearest",
        "_relapses",
        "_seen",
        "_since_ms",
        "sequence",
    )

    def __init__(self, sequence: Sequence = UNHEARD) -> None:
        self.sequence = sequence
        self._lowest = 0  # first number behind the hole; 0: no hole
        self._asks = 0
        self._asked_ms = 0
        self._since_ms = 0  # when the hole was seen
        self._nearest = 0  # the first number that came since it was asked last
        self._lost = (0, 0)  # what the controller reported as lost, ahead of the hole being passed
        self._given_up = (0, 0)  # the last hole that was passed
        self._relapses: tuple[int, int, int] = (0, 0, 0)  # number, how often, since when
        self._seen: list[tuple[int, int, int]] = [_NOTHING] * MEMORY  # number, boot, device time

    @property
    def has_hole(self) -> bool:
        """Something is missing that the controller may still have."""
        return self._lowest > 0

    def judge(self, boot: int, first: int, times: list[int], lost: tuple[int, int] | None, now_ms: int) -> Judged:
        """What becomes of a batch with these device times; `lost` is the range of an outbox_overflow in it."""
        known = self.sequence
        expected = known.upto + 1
        if first == expected and boot == known.boot:  # nearly always
            return _WHOLE
        last = first + len(times) - 1
        if first > expected:
            return self._behind_hole(boot, first, lost, now_ms)
        if self._contradicts(boot, first, times):
            return _TWIN
        if last <= known.upto:
            if first <= self._given_up[1] and last >= self._given_up[0]:
                return _LATE
            return self._again(boot, first, last, now_ms)
        return Judged(Verdict.NEW, expected - first)

    def take(self, boot: int, first: int, times: list[int]) -> None:
        """The events of a batch were taken, or quarantined for good; those taken before are remembered again."""
        known = self.sequence
        if first > known.upto + 1 > 1:
            self._given_up = known.upto + 1, first - 1
        self.sequence = advanced(known, boot, first, len(times), times[-1])
        seen = self._seen
        for number, ms in enumerate(times, first):
            seen[number % MEMORY] = (number, boot, ms)
        if self._lowest and self.sequence.upto >= self._lowest - 1:
            self._lowest = self._nearest = self._asks = 0

    def refuse(self, reason: str) -> None:
        """From here on the events of this boot are quarantined."""
        self.sequence = self.sequence._replace(refused=reason)

    def due(self, now_ms: int) -> tuple[int, int] | None:
        """The numbers to ask for now, because an earlier question did not bring them."""
        if not self._lowest or now_ms - self._asked_ms < (ASK_EVERY_MS if self._nearest else SILENT_ASK_MS):
            return None
        return self._ask(now_ms)

    def _ask(self, now_ms: int) -> tuple[int, int]:
        if self._nearest > self._lowest:
            # It begins further on than before: it lost more, and the hole is as large as that.
            self._lowest, self._asks, self._since_ms = self._nearest, 1, now_ms
        elif self._nearest or not self._asks:
            self._asks += 1  # a question that nobody answered does not count: it may not have been heard
        self._nearest = 0
        self._asked_ms = now_ms
        return self.sequence.upto + 1, self._lowest - 1

    def _behind_hole(self, boot: int, first: int, lost: tuple[int, int] | None, now_ms: int) -> Judged:
        if boot < self.sequence.boot:
            return _TWIN
        if lost is not None:
            self._lost = lost
        if not self._lowest or first < self._lowest:
            # The nearest so far: what lies before it may be on its way, so count anew.
            self._lowest, self._asks, self._nearest, self._since_ms = first, 0, 0, now_ms
            return Judged(Verdict.AHEAD, 0, self._ask(now_ms))
        if not self._nearest or first < self._nearest:
            self._nearest = first
        if first > self._lowest:
            return _AHEAD
        if self._asks >= ASKS or (now_ms - self._since_ms >= ASK_EVERY_MS and self._is_reported_lost()):
            return _WHOLE
        return Judged(Verdict.AHEAD, 0, self._ask(now_ms)) if now_ms - self._asked_ms >= ASK_EVERY_MS else _AHEAD

    def _is_reported_lost(self) -> bool:
        return self._lost[0] <= self.sequence.upto + 1 and self._lowest <= self._lost[1] + 1

    def _contradicts(self, boot: int, first: int, times: list[int]) -> bool:
        known = self.sequence
        last = first + len(times) - 1
        if boot > known.boot and known.boot:
            return first <= known.upto  # a new boot begins with a new number
        if boot < known.boot and last > known.upto:
            return True
        if first <= known.upto <= last and boot == known.boot and times[known.upto - first] != known.last_ms:
            return True
        seen = self._seen
        for number, ms in enumerate(times, first):
            at = seen[number % MEMORY]
            if at[0] == number and (at[1] != boot or at[2] != ms):
                return True
        return False

    def _again(self, boot: int, first: int, last: int, now_ms: int) -> Judged:
        usual = _REPLAYED if last <= self.sequence.upto - MEMORY else _DUPLICATE
        if boot == self.sequence.boot or self._seen[first % MEMORY][0] == first:
            return usual
        number, times, since_ms = self._relapses
        if number != first:
            self._relapses = (first, 1, now_ms)
            return usual
        self._relapses = (first, times + 1, since_ms)
        is_other = times + 1 >= RELAPSES and now_ms - since_ms >= RELAPSE_MS
        return _TWIN if is_other else usual


_NOTHING: Final = (0, 0, 0)
_WHOLE: Final = Judged(Verdict.NEW)
_DUPLICATE: Final = Judged(Verdict.DUPLICATE)
_REPLAYED: Final = Judged(Verdict.REPLAYED)
_AHEAD: Final = Judged(Verdict.AHEAD)
_LATE: Final = Judged(Verdict.LATE)
_TWIN: Final = Judged(Verdict.TWIN)
