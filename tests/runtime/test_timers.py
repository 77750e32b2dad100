"""Timers: what the fold says is armed, each once, at its time, across restarts and clocks that are set."""

from hypothesis import given
from hypothesis import strategies as st

from sabot_gateway.runtime.timers import FEW, LONGEST_MS, Due, Timers

NOW = 1_700_000_000_000


def test_a_timer_fires_once_when_it_is_due() -> None:
    timers = Timers()
    timers.follow("t1", {"stall": (4, NOW + 500)}, NOW, 1_000)
    assert timers.next_ms() == 1_500
    assert timers.due(1_499) == []
    assert timers.due(1_500) == [Due("t1", "stall", 4)]
    assert timers.due(9_999) == []


def test_a_new_token_replaces_the_old_timer() -> None:
    timers = Timers()
    timers.follow("t1", {"lamps": (1, NOW + 100)}, NOW, 0)
    timers.follow("t1", {"lamps": (2, NOW + 300)}, NOW, 0)
    assert timers.due(200) == []
    assert timers.due(300) == [Due("t1", "lamps", 2)]


def test_a_cancelled_timer_never_fires() -> None:
    timers = Timers()
    timers.follow("t1", {"lamps": (1, NOW + 100)}, NOW, 0)
    timers.follow("t1", {}, NOW, 0)
    assert timers.due(1_000) == []


def test_a_timer_that_ran_out_while_the_gateway_was_away_is_due_at_once() -> None:
    timers = Timers()
    timers.follow("t1", {"stall": (7, NOW - 60_000)}, NOW, 50)
    assert timers.due(50) == [Due("t1", "stall", 7)]


def test_a_wall_clock_set_back_by_years_costs_a_day_at_most() -> None:
    timers = Timers()
    timers.follow("t1", {"stall": (7, NOW)}, 0, 0)
    assert timers.next_ms() == LONGEST_MS


def test_a_timer_that_goes_on_is_not_counted_from_anew() -> None:
    timers = Timers()
    timers.follow("t1", {"stall": (1, NOW + 1_000)}, NOW, 0)
    timers.follow("t1", {"stall": (1, NOW + 1_000), "lamps": (2, NOW + 5_000)}, NOW, 900)
    assert timers.due(1_000) == [Due("t1", "stall", 1)]


def test_a_table_that_is_forgotten_has_no_timers() -> None:
    timers = Timers()
    timers.follow("t1", {"stall": (1, NOW)}, NOW, 0)
    timers.forget("t1")
    assert timers.due(10) == []


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 500)), max_size=30), st.integers(1, 60))
def test_every_timer_that_stays_armed_fires_exactly_once(armings: list[tuple[str, int]], pace: int) -> None:
    timers, armed = Timers(), dict[str, tuple[int, int]]()
    fired: list[Due] = []
    at = 0
    for token, (name, wait) in enumerate(armings, 1):
        armed = {**armed, name: (token, NOW + at + wait)}
        timers.follow("t", armed, NOW + at, at)
        at += pace
        for due in timers.due(at):
            fired.append(due)
            armed = {timer: kept for timer, kept in armed.items() if timer != due.timer}
            timers.follow("t", armed, NOW + at, at)
    fired += timers.due(at + 1_000)
    assert len(set(fired)) == len(fired)
    assert {due.timer: due.token for due in fired[len(fired) - len(armed) :]} == {n: t for n, (t, _) in armed.items()}


def test_timers_that_were_replaced_do_not_pile_up_until_they_are_due() -> None:
    timers = Timers()
    for token in range(1, 20_000):
        timers.follow("t1", {"stall": (token, LONGEST_MS), "lamps": (token, token + 5)}, 0, 0)
    assert len(timers) <= FEW
    assert timers.due(LONGEST_MS) == [Due("t1", "lamps", 19_999), Due("t1", "stall", 19_999)]
