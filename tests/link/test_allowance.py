"""What a stranger sends is kept up to a bound and counted beyond it, whatever names he takes."""

from sabot_gateway.link.allowance import HOUR_MS, MOST_BYTES, MOST_EACH, MOST_MESSAGES, TELL_EVERY_MS, Allowance, Unkept

NOW = 1_790_000_000_000


def fill(allowance: Allowance) -> None:
    for _ in range(MOST_BYTES // MOST_EACH):
        assert allowance.admits("stranger", MOST_EACH, NOW)


def test_messages_beyond_the_bound_are_counted_with_their_bytes_and_told_once() -> None:
    allowance = Allowance()
    admitted = [allowance.admits("stranger", 10, NOW + n) for n in range(MOST_MESSAGES + 3)]
    assert admitted == [True] * MOST_MESSAGES + [False] * 3
    assert allowance.unkept(NOW) == [Unkept("stranger", 3, 30)]
    assert allowance.unkept(NOW + TELL_EVERY_MS) == []


def test_bytes_are_bounded_too() -> None:
    allowance = Allowance()
    fill(allowance)
    assert not allowance.admits("stranger", 1, NOW)


def test_a_message_is_charged_with_what_is_kept_of_it_and_counted_with_all_of_it() -> None:
    allowance = Allowance()
    for _ in range(MOST_BYTES // MOST_EACH):
        assert allowance.admits("stranger", 10 * MOST_EACH, NOW)
    assert not allowance.admits("stranger", 10 * MOST_EACH, NOW)
    assert allowance.unkept(NOW) == [Unkept("stranger", 1, 10 * MOST_EACH)]


def test_one_names_flood_takes_nothing_from_another() -> None:
    allowance = Allowance()
    fill(allowance)
    assert not allowance.admits("stranger", 1, NOW)
    assert allowance.admits("felt-1", 1, NOW)


def test_after_an_hour_there_is_room_again_also_when_the_clock_was_set_back() -> None:
    for later in (HOUR_MS, -5):
        allowance = Allowance()
        fill(allowance)
        assert not allowance.admits("stranger", 1, NOW)
        assert allowance.admits("stranger", 1, NOW + later)


def test_counts_that_grow_are_told_once_a_minute_and_at_once_to_one_who_stops() -> None:
    allowance = Allowance()
    fill(allowance)
    allowance.admits("stranger", 7, NOW)
    assert allowance.unkept(NOW) == [Unkept("stranger", 1, 7)]
    allowance.admits("stranger", 8, NOW)
    assert allowance.unkept(NOW + TELL_EVERY_MS - 1) == []
    assert allowance.unkept(NOW + TELL_EVERY_MS - 1, at_once=True) == [Unkept("stranger", 1, 8)]
    allowance.admits("stranger", 9, NOW)
    assert allowance.unkept(NOW + 2 * TELL_EVERY_MS) == [Unkept("stranger", 1, 9)]
