"""Appending: what a receipt promises, and what is refused."""

import pytest

from contract.journal.house import OWNER, WAIT_S, House, facts, fill, put, to
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.port import Append
from sabot_gateway.journal.record import Entry, Head, Kind, Stream
from sabot_gateway.journal.stored import StoredJournal

T7 = Stream("table-7")


def refused(journal: StoredJournal, *appends: Append) -> ErrorCode:
    with pytest.raises(JournalError) as caught:
        put(journal, *appends)
    return caught.value.code


def test_what_was_appended_is_read_back_in_every_field(journal: StoredJournal) -> None:
    entries = [
        Entry(Kind.FACT, b"\x81\x01", 1000, 990),
        Entry(Kind.OPERATOR, b"", 1001),
        Entry(Kind.DECISION, b"x", -3),
    ]
    (receipt,) = put(journal, to(T7, entries, fence=4))
    records = list(journal.read(T7))
    assert [(r.kind, r.body, r.received_ms, r.device_ms) for r in records] == [tuple(e) for e in entries]
    assert {(r.stream, r.owner, r.fence) for r in records} == {(T7, OWNER, 4)}
    assert [r.position for r in records] == [1, 2, 3]
    assert (receipt.position, receipt.id, receipt.hash) == (3, records[-1].id, records[-1].hash)


def test_a_resolved_append_is_visible_to_every_reader(house: House, journal: StoredJournal) -> None:
    put(journal, to(T7, facts(b"a", b"b")))
    assert journal.heads()[T7].position == 2
    assert [record.body for record in journal.tail()] == [b"a", b"b"]


def test_streams_count_for_themselves_and_ids_over_all(journal: StoredJournal) -> None:
    fill(journal, streams=3, rounds=5)
    for table in range(3):
        records = list(journal.read(Stream(f"table-{table}")))
        assert [record.position for record in records] == [1, 2, 3, 4, 5]
        assert [record.body for record in records] == [b"%d/%d" % (table, n) for n in range(5)]
    assert [record.id for record in journal.tail()] == list(range(1, 16))


def test_several_streams_in_one_append_are_all_or_nothing(journal: StoredJournal) -> None:
    put(journal, to("table-1", facts(b"a"), fence=9))
    assert refused(journal, to("table-2", facts(b"b")), to("table-1", facts(b"c"), fence=8)) is ErrorCode.FENCED
    assert list(journal.heads()) == ["table-1"]
    put(journal, to("table-2", facts(b"b")), to("table-3", facts(b"d")))
    assert [record.body for record in journal.tail()] == [b"a", b"b", b"d"]


def test_a_stale_fence_is_refused_and_a_higher_one_takes_over(journal: StoredJournal) -> None:
    put(journal, to(T7, facts(b"a"), fence=1, owner="gateway-1"))
    put(journal, to(T7, facts(b"b"), fence=2, owner="gateway-2"))
    assert refused(journal, to(T7, facts(b"late"), fence=1, owner="gateway-1")) is ErrorCode.FENCED
    assert refused(journal, to(T7, facts(b"twin"), fence=2, owner="gateway-1")) is ErrorCode.FENCED
    assert [(r.owner, r.fence, r.body) for r in journal.read(T7)] == [("gateway-1", 1, b"a"), ("gateway-2", 2, b"b")]


def test_the_fence_outlives_a_restart(house: House) -> None:
    first = house.open()
    put(first, to(T7, facts(b"a"), fence=5))
    first.close()
    assert refused(house.open(), to(T7, facts(b"b"), fence=4)) is ErrorCode.FENCED


def test_a_writer_that_is_wrong_about_the_end_is_told(journal: StoredJournal) -> None:
    put(journal, to(T7, facts(b"a"), after=0))
    assert refused(journal, to(T7, facts(b"a"), after=0)) is ErrorCode.MOVED
    put(journal, to(T7, facts(b"b"), after=1))
    assert journal.heads()[T7].position == 2


@pytest.mark.parametrize(
    "wrong",
    [
        to("", facts(b"a")),
        to("two words", facts(b"a")),
        to("x" * 65, facts(b"a")),
        to(T7, facts(b"a"), owner="a\nb"),
        to(T7, facts(b"a"), fence=-1),
        to(T7, facts(b"a"), fence=1 << 63),
        to(T7, []),
        to(T7, [Entry(Kind.FACT, bytes((1 << 20) + 1), 0)]),
        to(T7, [Entry(Kind.FACT, b"", 1 << 63)]),
        to(T7, [Entry(Kind.FACT, b"fine", 0), Entry(Kind.FACT, b"", 0, -(1 << 63) - 1)]),
    ],
    ids=["no name", "blank", "long", "line break", "fence<0", "fence>64", "empty", "body", "received", "device"],
)
def test_what_the_journal_cannot_hold_is_refused_and_leaves_no_trace(journal: StoredJournal, wrong: Append) -> None:
    assert refused(journal, wrong) is ErrorCode.INVALID
    assert journal.heads() == {}
    put(journal, to(T7, facts(b"a")))
    assert journal.fault is None


def test_two_appends_to_one_stream_in_one_request_are_refused(journal: StoredJournal) -> None:
    assert refused(journal, to(T7, facts(b"a")), to(T7, facts(b"b"))) is ErrorCode.INVALID


def test_a_refusal_does_not_touch_its_neighbours_in_the_group(journal: StoredJournal) -> None:
    put(journal, to(T7, facts(b"a"), fence=3))
    futures = [journal.append(to(T7, facts(b"%d" % n), fence=3 if n % 2 else 2)) for n in range(40)]
    answers = [future.exception(WAIT_S) for future in futures]
    assert [isinstance(answer, JournalError) for answer in answers] == [n % 2 == 0 for n in range(40)]
    assert [record.body for record in journal.read(T7, after=1)] == [b"%d" % n for n in range(40) if n % 2]


def test_a_journal_goes_on_after_a_restart(house: House) -> None:
    first = house.open()
    fill(first, streams=3, rounds=11)
    heads = dict(first.heads())
    first.close()
    second = house.open()
    assert second.heads() == heads
    fill(second, streams=4, rounds=4)
    assert second.heads()[Stream("table-2")].position == 15
    assert [record.id for record in second.tail()] == list(range(1, 33 + 16 + 1))


def test_an_empty_journal_has_no_heads_and_an_unknown_stream_no_records(journal: StoredJournal) -> None:
    assert journal.heads() == {}
    assert list(journal.read(T7)) == []
    assert list(journal.tail()) == []


def test_a_closed_journal_refuses(house: House) -> None:
    journal = house.open()
    put(journal, to(T7, facts(b"a")))
    journal.close()
    assert refused(journal, to(T7, facts(b"b"))) is ErrorCode.CLOSED


def test_closing_writes_what_is_waiting(house: House) -> None:
    journal = house.open()
    futures = [journal.append(to(T7, facts(b"%d" % n))) for n in range(500)]
    journal.close()
    assert [future.result(0)[0].position for future in futures] == list(range(1, 501))
    assert house.open().heads()[T7] == Head(500, futures[-1].result(0)[0].hash)


def test_a_probe_writes_no_record(journal: StoredJournal) -> None:
    journal.probe().result(WAIT_S)
    assert list(journal.tail()) == []
