"""One append of a stream at a time, in order, and never twice: shown against a real journal."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sabot_gateway.journal.chain import EMPTY
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import Entry, Head, Kind, Owner, Record, Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.journal.stored import StoredJournal
from sabot_gateway.mqtt.ingested import Ack
from sabot_gateway.runtime.stream_queue import MOST_AT_ONCE, StreamQueue, Waiting

TABLE = Stream("table-1")
WAIT_S = 60


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[StoredJournal]:
    with open_sqlite_journal(tmp_path / "journal.db") as journal:
        yield journal


def queue(head: Head = EMPTY) -> StreamQueue:
    return StreamQueue(TABLE, Owner("g1"), 1, head)


def fact(text: str) -> Waiting:
    return Waiting(Entry(Kind.FACT, text.encode(), 1_700_000_000_000), device="felt-1", ack=Ack(1, 3))


def decision(text: str) -> Waiting:
    return Waiting(Entry(Kind.DECISION, text.encode(), 1_700_000_000_000))


def bodies(records: Iterator[Record]) -> list[str]:
    return [record.body.decode() for record in records]


def test_decisions_go_before_facts_and_each_keeps_its_order(journal: StoredJournal) -> None:
    line = queue()
    for waiting in (fact("f1"), decision("d1"), fact("f2"), decision("d2")):
        line.put(waiting)
    append = line.launch()
    assert append is not None
    (receipt,) = journal.append(append).result(WAIT_S)
    assert [waiting.entry.body for waiting in line.landed(receipt)] == [b"d1", b"d2", b"f1", b"f2"]
    assert bodies(journal.read(TABLE)) == ["d1", "d2", "f1", "f2"]
    assert line.is_idle


def test_a_second_append_waits_for_the_first() -> None:
    line = queue()
    line.put(fact("f1"))
    assert line.launch() is not None
    line.put(fact("f2"))
    assert line.launch() is None
    assert len(line) == 2


def test_facts_can_be_held_back_until_the_decisions_are_durable() -> None:
    line = queue()
    line.put(fact("f1"))
    line.put(decision("d1"))
    append = line.launch(with_facts=False)
    assert append is not None
    assert [entry.body for entry in append.entries] == [b"d1"]


def test_a_flood_is_cut_into_pieces_in_order() -> None:
    line = queue()
    for number in range(MOST_AT_ONCE + 5):
        line.put(fact(str(number)))
    append = line.launch()
    assert append is not None
    assert len(append.entries) == MOST_AT_ONCE
    assert len(line) == MOST_AT_ONCE + 5


def test_the_same_append_after_a_lost_answer_is_refused_and_found_in_the_journal(journal: StoredJournal) -> None:
    line = queue()
    line.put(fact("f1"))
    line.put(fact("f2"))
    append = line.launch()
    assert append is not None
    journal.append(append).result(WAIT_S)  # committed, but the answer never reached the queue
    with pytest.raises(JournalError) as refused:
        journal.append(line.append_under_way()).result(WAIT_S)
    assert refused.value.code is ErrorCode.MOVED
    receipt = line.receipt_from(journal.read(TABLE, line.position))
    assert receipt is not None
    assert [waiting.ack for waiting in line.landed(receipt)] == [Ack(1, 3)] * 2
    assert (line.position, bodies(journal.read(TABLE))) == (2, ["f1", "f2"])


def test_records_of_somebody_else_are_not_taken_for_ours(journal: StoredJournal) -> None:
    line = queue()
    line.put(fact("f1"))
    line.launch()
    other = StreamQueue(TABLE, Owner("g2"), 2, EMPTY)
    other.put(fact("f1"))
    append = other.launch()
    assert append is not None
    journal.append(append).result(WAIT_S)
    assert line.receipt_from(journal.read(TABLE, line.position)) is None


def test_what_is_abandoned_is_handed_back_whole() -> None:
    line = queue()
    line.put(fact("f1"))
    line.launch()
    line.put(fact("f2"))
    line.put(decision("d1"))
    assert [waiting.entry.body for waiting in line.abandon()] == [b"f1", b"d1", b"f2"]
    assert line.is_idle
