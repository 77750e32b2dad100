"""A controller's clock mapped to UTC: events carry milliseconds since its start, the gateway knows when they came.

A message can only be late, never early. So the smallest difference between arrival and device time, over some
minutes, is the start of the boot in UTC plus the quickest way of the network; what came late (a backlog after an
outage) does not move it. Differences are taken over two windows, so that a drifting crystal or a corrected clock of
the gateway is followed within minutes. `spread_ms` bounds how far an event's time may be off.
Owns the mapping and when a clock is set. Pure: arrival times are given.
"""

from typing import Final, NamedTuple

WINDOW_MS: Final = 5 * 60_000

# What scanning, sending and a house network take in all when nothing is wrong.
JITTER_MS: Final = 50

# Crystals of the boards: 30 ppm over the temperature range, and the gateway's own; rounded up.
DRIFT_PPM: Final = 100

# For so long after a message that agreed, another one that agrees says nothing new.
STEADY_MS: Final = 1_000

# Nothing is known yet: the first word of a boot may be as old as the longest outage that an outbox bridges.
UNSURE_MS: Final = 24 * 3_600_000

# The controller's own clock (it checks certificates by it) is set at each boot and twice a day.
SET_EVERY_MS: Final = 12 * 3_600_000

# Events come in the order in which they happened. One that happened so much before the one ahead of it in the same boot
# did not: the controller's clock went back, which is worth an alert and a new mapping. So is as long a leap ahead.
BACK_MS: Final = 60_000


class Clock(NamedTuple):
    """One boot's clock: UTC = device milliseconds + `offset_ms`."""

    boot: int = 0
    offset_ms: int = 0
    spread_ms: int = UNSURE_MS
    window_ms: int = 0  # when the present window began
    window_offset_ms: int = 0  # the smallest difference in it
    before_offset_ms: int | None = None  # and in the one before
    sure_ms: int = 0  # when a message last agreed with `offset_ms`
    first_ms: int = 0  # when this boot was first heard
    set_ms: int = 0  # when the clock was last set, 0 for not in this boot
    set_offset_ms: int = 0  # `offset_ms` at that time


UNSET: Final = Clock()


def resumed(boot: int, offset_ms: int, spread_ms: int, sure_ms: int, now_ms: int) -> Clock:
    """The mapping as it was journaled, last confirmed at `sure_ms`: what comes late now does not move it."""
    return Clock(boot, offset_ms, spread_ms, now_ms, offset_ms, None, sure_ms, now_ms)


def observe(clock: Clock, boot: int, device_ms: int, now_ms: int) -> Clock:
    """The mapping after a message of `boot` whose last event happened at `device_ms` came at `now_ms`."""
    found = now_ms - device_ms
    if boot != clock.boot:
        return Clock(boot, found, UNSURE_MS, now_ms, found, None, now_ms, now_ms)
    if (
        0 <= found - clock.window_offset_ms <= JITTER_MS
        and now_ms - clock.sure_ms < STEADY_MS
        and clock.spread_ms == JITTER_MS
        and now_ms - clock.window_ms < WINDOW_MS
    ):
        return clock  # nearly always: it says what was known a moment ago
    window_ms, smallest, before = clock.window_ms, clock.window_offset_ms, clock.before_offset_ms
    if now_ms - window_ms >= WINDOW_MS:
        before, window_ms, smallest = smallest, now_ms, found
    elif found < smallest:
        smallest = found
    elif found > smallest + JITTER_MS:
        # Late: it says nothing about the clock, except that time has passed since something did.
        spread = _spread(clock, clock.offset_ms, now_ms)
        return clock if spread == clock.spread_ms else clock._replace(spread_ms=spread)
    offset = smallest if before is None or smallest < before else before
    sure = now_ms if found <= offset + JITTER_MS else clock.sure_ms
    spread = _spread(clock._replace(sure_ms=sure), offset, now_ms)
    return clock._replace(
        offset_ms=offset,
        spread_ms=spread,
        window_ms=window_ms,
        window_offset_ms=smallest,
        before_offset_ms=before,
        sure_ms=sure,
    )


def set_back(clock: Clock, last_ms: int, device_ms: int, now_ms: int) -> tuple[Clock, int | None]:
    """The mapping for an event behind one at `last_ms` of the same boot, and how far the clock went back, if it did."""
    if last_ms - device_ms < BACK_MS:
        return clock, None
    found = now_ms - device_ms
    return Clock(clock.boot, found, UNSURE_MS, now_ms, found, None, now_ms, now_ms), found - clock.offset_ms


def leapt(before: Clock, after: Clock) -> int | None:
    """How far a mapping that was sure of itself has moved within a boot, if no lateness and no drift explains it.

    The controller's clock went on by more than the time that passed, or the gateway's own was set: either way the
    times before and after do not line up.
    """
    moved = after.offset_ms - before.offset_ms
    if after.boot != before.boot or abs(moved) < max(BACK_MS, before.spread_ms):
        return None
    return moved


def is_set_due(clock: Clock, now_ms: int) -> bool:
    """Whether to send the controller the time."""
    return clock.boot > 0 and (not clock.set_ms or now_ms - clock.set_ms >= SET_EVERY_MS)


def was_set(clock: Clock, now_ms: int) -> tuple[Clock, int | None]:
    """The clock after a `time` command, and how far it ran off since the one before (None: the first of this boot)."""
    off = clock.offset_ms - clock.set_offset_ms if clock.set_ms else None
    return clock._replace(set_ms=now_ms, set_offset_ms=clock.offset_ms), off


def _spread(clock: Clock, offset_ms: int, now_ms: int) -> int:
    moved = abs(clock.offset_ms - offset_ms)
    drift = (now_ms - clock.sure_ms) * DRIFT_PPM // 1_000_000
    if clock.spread_ms >= UNSURE_MS and not moved and now_ms - clock.first_ms < 1_000:
        return UNSURE_MS  # a second message of the same moment proves nothing
    return min(UNSURE_MS, JITTER_MS + moved + max(0, drift))
