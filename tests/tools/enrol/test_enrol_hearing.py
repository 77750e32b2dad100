"""Which of a controller's events count at the reader: each once, opened with its key, seen now and not before."""

from typing import Any

from sabot_gateway.link.device import Device
from sabot_gateway.model.event import CardScanned, ChipsRead
from sabot_protocol.codec import decode, encode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal, unseal
from sabot_protocol.topics import build_topic
from sabot_tools.enrol.hearing import LATE_MS, Hearing

OLD, NEW = DeviceKey("t1-a", bytes(16)), DeviceKey("t1-a", bytes(range(16)))
TOPIC = build_topic("riviera", "t1-a", "event")


def message(first: int, *events: tuple[str, dict[str, Any]], boot: int = 1, key: DeviceKey = NEW) -> bytes:
    return seal(key, TOPIC, encode("event", {"boot": boot, "first": first, "events": list(events)}))


def card(device_ms: int, number: int = 1) -> tuple[str, dict[str, Any]]:
    return "card_scanned", {"device_ms": device_ms, "reader": 0, "uid": number.to_bytes(4, "big")}


def chips(device_ms: int, part: int, of: int, *numbers: int) -> tuple[str, dict[str, Any]]:
    uids = [number.to_bytes(4, "big") for number in numbers]
    return "chips_read", {
        "device_ms": device_ms,
        "seat": 1,
        "spot": "ante",
        "part": part,
        "of": of,
        "uids": uids,
    }


def hearing(*, has_begun: bool = True) -> Hearing:
    made = Hearing("riviera", Device("t1-a", "t1", "table", (NEW, OLD)))
    if has_begun:
        made.begin()
    return made


def tags(events: list[Any]) -> list[str]:
    return [event.tag for event in events if isinstance(event, CardScanned)]


def test_nothing_counts_before_the_beginning_and_never_later() -> None:
    heard = hearing(has_begun=False)
    assert heard.take(message(1, card(100)), 1_000) == []
    assert heard.late == 1
    heard.begin()
    assert heard.take(message(1, card(100)), 1_500) == []
    assert tags(heard.take(message(1, card(100), card(1_000, 2)), 2_000)) == ["00000002"]


def test_a_message_sent_again_counts_once_and_a_lost_one_when_it_comes() -> None:
    heard = hearing()
    assert tags(heard.take(message(5, card(0, 5)), 0)) == ["00000005"]
    assert heard.take(message(5, card(0, 5)), 50) == []
    assert tags(heard.take(message(7, card(100, 7)), 100)) == ["00000007"]
    assert tags(heard.take(message(5, card(0, 5), card(90, 6), card(100, 7)), 3_000)) == ["00000006"]


def test_what_was_seen_long_ago_and_told_after_an_outage_is_late() -> None:
    heard = hearing()
    heard.take(message(1, card(10_000)), 20_000)
    late = 20_000 + LATE_MS + 1
    assert heard.take(message(2, card(10_000, 2)), late) == []
    assert heard.late == 1
    assert tags(heard.take(message(3, card(10_001, 3)), late)) == ["00000003"]


def test_of_a_backlog_in_one_message_only_the_newest_can_be_now() -> None:
    heard = hearing()
    assert tags(heard.take(message(1, card(1_000, 1), card(2_000, 2), card(90_000, 3)), 500_000)) == ["00000003"]
    assert heard.late == 2
    assert not heard.is_misled
    # A card that is really passed now shows that even the newest was from before.
    heard.take(message(4, card(450_000, 4)), 520_000)
    assert heard.is_misled


def test_a_clock_that_drifts_misleads_nobody() -> None:
    heard = hearing()
    for hour in range(10):
        at_ms = hour * 3_600_000
        assert heard.take(message(hour + 1, card(at_ms + 200 * hour, hour)), at_ms)
    assert not heard.is_misled


def test_a_restarted_controller_begins_its_clock_anew_and_its_older_events_do_not_count() -> None:
    heard = hearing()
    heard.take(message(1, card(90_000), boot=3), 100_000)
    assert tags(heard.take(message(9, card(50, 2), boot=4), 200_000)) == ["00000002"]
    assert heard.take(message(8, card(95_000, 3), boot=3), 200_001) == []


def test_a_key_that_is_being_replaced_still_opens_and_a_strangers_does_not() -> None:
    heard = hearing()
    assert tags(heard.take(message(1, card(0), key=OLD), 0)) == ["00000001"]
    stranger = DeviceKey("t1-a", bytes(reversed(range(16))))
    assert heard.take(message(2, card(0), key=stranger), 0) == []
    assert "not_authentic" in heard.wrong
    assert heard.take(b"noise", 0) == []


def test_a_stack_in_parts_is_one_reading_and_half_of_one_is_none() -> None:
    heard = hearing()
    assert heard.take(message(1, chips(5, 1, 2, 1, 2)), 5) == []
    (whole,) = heard.take(message(2, chips(5, 2, 2, 3)), 6)
    assert isinstance(whole, ChipsRead)
    assert whole.tags == ("00000001", "00000002", "00000003")
    assert heard.take(message(3, chips(9, 2, 2, 4)), 9) == []


def test_a_controller_that_nobody_acknowledges_is_asked_to_go_on_before_it_falls_silent() -> None:
    heard = hearing()
    topic = build_topic("riviera", "t1-a", "command")

    def order(now_ms: int) -> dict[str, Any] | None:
        sealed = heard.nudge(now_ms)
        return None if sealed is None else decode(unseal(NEW, topic, sealed), "command")[1]

    assert order(1_000_000) == {"number": 1_000, "body": ("resend", {"boot": 1, "from": 1, "to": 1})}
    for number in (11, 12):
        heard.take(message(number, card(0, number), boot=2), 0)
        assert order(1_000_000) is None
    heard.take(message(13, card(0, 13), boot=2), 0)
    # Numbers of orders never go back, whatever the clock does.
    assert order(900_000) == {"number": 1_001, "body": ("resend", {"boot": 2, "from": 13, "to": 13})}
    assert order(900_000) is None
