"""The audit of a journal finds an event that is missing, doubled, out of order, or acknowledged and not there."""

import pytest

from sabot_gateway.journal.record import Kind, Owner, Record, Stream
from sabot_gateway.transcript.fact import body_from_batch
from sabot_protocol.codec import encode
from sabot_tools.soak.audit import held_in_place


def told(first: int, count: int, skip: int = 0) -> Record:
    events = [("cut_card", {"device_ms": 5 + at}) for at in range(count)]
    payload = encode("event", {"boot": 1, "first": first, "events": events})
    body = body_from_batch("t1", skip, 0, 50, payload)
    return Record(1, Stream("t1"), Owner("pit-1"), 1, 1, Kind.FACT, 5, 5, body, b"")


def test_events_once_and_in_order_are_in_place() -> None:
    assert held_in_place([told(1, 3), told(4, 1)], 4, 4) == (4, "")


def test_what_was_taken_before_is_not_counted_twice() -> None:
    assert held_in_place([told(1, 3), told(2, 4, skip=2)], 5, 5) == (5, "")


def test_what_was_told_and_not_acknowledged_may_be_there_or_not() -> None:
    assert held_in_place([told(1, 3)], 2, 4) == (3, "")


@pytest.mark.parametrize(
    ("records", "held"),
    [
        ([told(1, 2), told(4, 1)], 2),
        ([told(1, 2), told(2, 2)], 2),
        ([told(2, 1), told(1, 1)], 0),
    ],
    ids=["missing", "twice", "out of order"],
)
def test_an_event_out_of_place_is_named(records: list[Record], held: int) -> None:
    found, sentence = held_in_place(records, 4, 4)
    assert found == held
    assert f"stands behind {held}" in sentence


def test_an_acknowledged_event_that_is_not_there_is_named() -> None:
    assert held_in_place([told(1, 3)], 4, 4) == (3, "4 of 4 events were acknowledged, 3 are in the journal.")


def test_an_event_that_nobody_told_is_named() -> None:
    assert held_in_place([told(1, 3)], 1, 2)[1]
