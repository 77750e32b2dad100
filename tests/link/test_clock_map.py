"""A controller's milliseconds become UTC within the stated spread, in spite of outages, drift and a corrected clock."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from sabot_gateway.link.clock import (
    BACK_MS,
    JITTER_MS,
    SET_EVERY_MS,
    UNSET,
    UNSURE_MS,
    Clock,
    is_set_due,
    leapt,
    observe,
    set_back,
    was_set,
)

BOOTED_MS = 1_790_000_000_000
DAY_MS = 24 * 3_600_000


def steady(clock: Clock, since_ms: int, until_ms: int, delay_ms: int = 5, every_ms: int = 10_000) -> Clock:
    for device_ms in range(since_ms, until_ms, every_ms):
        clock = observe(clock, 1, device_ms, BOOTED_MS + device_ms + delay_ms)
    return clock


def test_a_steady_line_is_known_to_its_delay() -> None:
    clock = steady(UNSET, 1_000, 60_000)
    assert clock.offset_ms == BOOTED_MS + 5
    assert clock.spread_ms == JITTER_MS


def test_the_first_word_of_a_boot_proves_nothing() -> None:
    assert observe(UNSET, 1, 5_000, BOOTED_MS + 7_200_000).spread_ms == UNSURE_MS


def test_a_backlog_does_not_move_a_clock_that_is_known() -> None:
    clock = steady(UNSET, 0, 600_000)
    back_ms = 600_000 + 3_600_000
    for device_ms in range(600_000, back_ms, 30_000):
        clock = observe(clock, 1, device_ms, BOOTED_MS + back_ms)
        assert clock.offset_ms == BOOTED_MS + 5
    assert JITTER_MS <= clock.spread_ms < 1_000, "an hour of drift at most"


def test_a_backlog_of_an_unknown_boot_is_put_right_by_what_is_live() -> None:
    clock = observe(UNSET, 1, 1_000, BOOTED_MS + 3_600_000)
    assert clock.spread_ms == UNSURE_MS
    clock = observe(clock, 1, 3_599_000, BOOTED_MS + 3_600_000)
    assert clock.offset_ms == BOOTED_MS + 1_000
    clock = steady(clock, 3_600_000, 3_700_000)
    assert clock.offset_ms == BOOTED_MS + 5
    assert clock.spread_ms == JITTER_MS


@given(st.integers(0, 2**32), st.integers(-60, 60))
def test_drift_is_followed_within_the_spread(seed: int, ppm: int) -> None:
    random = Random(seed)
    clock = UNSET
    for minute in range(1, 24 * 60, 7):
        true_ms = minute * 60_000
        device_ms = true_ms + true_ms * ppm // 1_000_000
        clock = observe(clock, 1, device_ms, BOOTED_MS + true_ms + random.randrange(2, 40))
        if minute > 10:
            assert abs(device_ms + clock.offset_ms - (BOOTED_MS + true_ms)) <= clock.spread_ms + JITTER_MS


def test_a_corrected_clock_of_the_gateway_is_followed_within_minutes() -> None:
    clock = steady(UNSET, 0, 600_000)
    for device_ms in range(600_000, 1_500_000, 10_000):
        clock = observe(clock, 1, device_ms, BOOTED_MS + device_ms + 10_000)
    assert clock.offset_ms == BOOTED_MS + 10_000


def test_a_new_boot_begins_anew() -> None:
    clock = observe(steady(UNSET, 0, 60_000), 2, 100, BOOTED_MS + 90_000)
    assert (clock.boot, clock.offset_ms, clock.spread_ms) == (2, BOOTED_MS + 89_900, UNSURE_MS)


def test_the_time_is_set_at_each_boot_and_at_least_daily() -> None:
    assert not is_set_due(UNSET, BOOTED_MS)
    clock = steady(UNSET, 0, 60_000)
    assert is_set_due(clock, BOOTED_MS + 60_000)
    clock, off_ms = was_set(clock, BOOTED_MS + 60_000)
    assert off_ms is None
    assert not is_set_due(clock, BOOTED_MS + 60_000 + SET_EVERY_MS - 1)
    assert is_set_due(clock, BOOTED_MS + 60_000 + SET_EVERY_MS)
    assert SET_EVERY_MS <= DAY_MS


def test_how_far_a_clock_ran_off_is_told_when_it_is_set_again() -> None:
    clock, _ = was_set(steady(UNSET, 0, 60_000), BOOTED_MS + 60_000)
    for device_ms in range(60_000, 1_500_000, 10_000):
        clock = observe(clock, 1, device_ms, BOOTED_MS + device_ms + 3_005)
    assert was_set(clock, BOOTED_MS + SET_EVERY_MS)[1] == 3_000


def test_a_clock_that_went_back_within_a_boot_is_mapped_anew_and_told() -> None:
    clock = steady(UNSET, 0, 600_000)
    hour_ms = 3_600_000
    now_ms = BOOTED_MS + 600_005
    assert set_back(clock, 600_000, 600_000 - BACK_MS + 1, now_ms) == (clock, None)
    anew, off_ms = set_back(clock, 600_000 + hour_ms, 600_000, now_ms + hour_ms)
    assert off_ms == hour_ms
    assert anew.offset_ms == BOOTED_MS + 5 + hour_ms
    assert anew.spread_ms == UNSURE_MS
    assert is_set_due(anew, now_ms + hour_ms)


def test_a_clock_that_leapt_ahead_within_a_boot_is_told() -> None:
    clock = steady(UNSET, 0, 600_000)
    hour_ms = 3_600_000
    after = observe(clock, 1, 600_000 + hour_ms, BOOTED_MS + 600_005)
    assert after.offset_ms == BOOTED_MS + 5 - hour_ms
    assert leapt(clock, after) == -hour_ms
    assert leapt(after, observe(after, 1, 610_000 + hour_ms, BOOTED_MS + 610_005)) is None, "told once"


def test_the_gateways_own_clock_set_ahead_is_told_when_it_is_followed() -> None:
    clock = steady(UNSET, 0, 600_000)
    hour_ms = 3_600_000
    told = []
    for device_ms in range(600_000, 1_800_000, 10_000):
        after = observe(clock, 1, device_ms, BOOTED_MS + device_ms + 5 + hour_ms)
        told.append(leapt(clock, after))
        clock = after
    assert [each for each in told if each is not None] == [hour_ms]


def test_neither_a_late_message_nor_the_first_sure_one_is_a_leap() -> None:
    late = observe(UNSET, 1, 5_000, BOOTED_MS + 7_200_000)  # out of an outbox, two hours old
    assert leapt(late, observe(late, 1, 7_300_000, BOOTED_MS + 7_300_005)) is None
    clock = steady(UNSET, 0, 600_000)
    assert leapt(clock, observe(clock, 1, 600_000, BOOTED_MS + 900_000)) is None
    assert leapt(clock, observe(clock, 2, 1_000, BOOTED_MS + 900_000)) is None, "another boot has another zero"
