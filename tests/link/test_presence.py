"""Whether a controller is there: told once when it goes, once when it is back, and never for an old will."""

from sabot_gateway.link.order import LEAP, finished, next_number
from sabot_gateway.link.silence import GRACE_MS, SILENT_MS, Presence, granted, heard, passed, told

NOW = 1_790_000_000_000


def online() -> Presence:
    return told(Presence(), "online", 3, 2, NOW).presence


def test_a_birth_of_a_controller_never_lost_is_no_news() -> None:
    assert told(Presence(), "online", 3, 2, NOW).change is None


def test_a_will_is_believed_after_its_grace_and_told_once() -> None:
    lost = told(online(), "lost", 3, 2, NOW)
    assert lost.change is None
    assert passed(lost.presence, NOW + GRACE_MS - 1).change is None
    gone = passed(lost.presence, NOW + GRACE_MS)
    assert gone.change is False
    assert passed(gone.presence, NOW + 10 * GRACE_MS).change is None


def test_a_controller_that_comes_back_at_once_was_never_gone() -> None:
    lost = told(online(), "lost", 3, 2, NOW).presence
    back = told(lost, "online", 3, 3, NOW + 100)
    assert back.change is None
    assert passed(back.presence, NOW + GRACE_MS + 100).change is None


def test_one_that_comes_back_late_is_told() -> None:
    gone = passed(told(online(), "leaving", 3, 2, NOW).presence, NOW + GRACE_MS).presence
    assert told(gone, "online", 4, 1, NOW + 60_000).change is True


def test_the_will_of_an_earlier_connection_says_nothing() -> None:
    now = told(online(), "online", 3, 5, NOW).presence
    assert told(now, "lost", 3, 4, NOW + 1).presence == now
    assert told(now, "lost", 2, 9, NOW + 1).presence == now


def test_a_late_copy_of_a_birth_does_not_undo_its_will() -> None:
    lost = told(online(), "lost", 3, 2, NOW).presence
    assert passed(told(lost, "online", 3, 2, NOW + 1).presence, NOW + GRACE_MS).change is False


def test_silence_is_a_loss_and_a_word_ends_it() -> None:
    now = online()
    assert passed(now, NOW + SILENT_MS - 1).change is None
    gone = passed(now, NOW + SILENT_MS)
    assert gone.change is False
    assert heard(gone.presence, 3, NOW + SILENT_MS + 5).change is True


def test_events_still_on_their_way_do_not_undo_a_will() -> None:
    gone = passed(told(online(), "lost", 3, 2, NOW).presence, NOW + GRACE_MS).presence
    assert heard(gone, 3, NOW + GRACE_MS + 1).change is None
    assert heard(gone, 4, NOW + GRACE_MS + 1).change is True, "a new boot is there"


def test_one_never_heard_is_not_missed() -> None:
    assert passed(Presence(), NOW + SILENT_MS).change is None


def test_who_was_deaf_waits_again_before_anybody_is_lost() -> None:
    waiting = granted(told(online(), "lost", 3, 2, NOW).presence, NOW + 60_000)
    assert passed(waiting, NOW + 60_000 + GRACE_MS - 1).change is None
    assert passed(waiting, NOW + 60_000 + GRACE_MS).change is False
    silent = granted(online(), NOW + SILENT_MS)
    assert passed(silent, NOW + 2 * SILENT_MS - 1).change is None
    assert passed(silent, NOW + 2 * SILENT_MS).change is False
    assert granted(Presence(), NOW) == Presence(), "one never heard is not missed"


def test_command_numbers_grow_over_bursts_restarts_and_staleness() -> None:
    first = next_number(0, NOW)
    assert next_number(first, NOW) == first + 1
    assert next_number(0, NOW + 1_000) == first + 1, "a restart forgets, the clock does not"
    assert next_number(finished(first, first, "stale"), NOW) > first + LEAP
    assert finished(first, first - 3, "done") == first
