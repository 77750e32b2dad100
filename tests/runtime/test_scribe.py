"""What is handed to the journal is written once, whatever becomes of the answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from runtime.gated_journal import GatedJournal
from sabot_gateway.journal.chain import EMPTY
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import Entry, Kind, Owner, Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.runtime.scribe import PROBE_EVERY_MS, STUCK_MS, Durable, Landed, Lost, Probed, Scribe
from sabot_gateway.runtime.stream_queue import StreamQueue, Waiting

FULL = JournalError(ErrorCode.FULL)
GONE = JournalError(ErrorCode.UNAVAILABLE)


class Desk:
    """A scribe with its own small queue, driven by hand."""

    def __init__(self, journal: GatedJournal) -> None:
        self.items: list[object] = []
        self.journal = journal
        self.scribe = Scribe(journal, self.items.append)
        self.now_ms = 0
        self.durable: list[str] = []
        self.lost: list[Lost] = []

    def turn(self, ms: int = 0) -> None:
        self.now_ms += ms
        items, self.items[:] = list(self.items), []
        for item in items:
            if isinstance(item, Landed):
                durable, lost = self.scribe.answered(item, self.now_ms)
                self._note(durable)
                self.lost += lost
            else:
                assert isinstance(item, Probed)
                self.scribe.probed(item, self.now_ms)
        self.scribe.tend(self.now_ms)

    def _note(self, durable: list[Durable]) -> None:
        self.durable += [waiting.entry.body.decode() for _, _, entries in durable for waiting in entries]

    def written(self) -> list[str]:
        return sorted(record.body.decode() for record in self.journal.tail())


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    journal = GatedJournal(open_sqlite_journal(tmp_path / "journal.db"))
    yield Desk(journal)
    journal.close()


def queue(name: str, *bodies: str, fence: int = 1, owner: str = "g1") -> StreamQueue:
    line = StreamQueue(Stream(name), Owner(owner), fence, EMPTY)
    put(line, *bodies)
    return line


def put(line: StreamQueue, *bodies: str) -> None:
    for body in bodies:
        line.put(Waiting(Entry(Kind.FACT, body.encode(), 1_700_000_000_000)))


def test_many_streams_fly_in_one_request(desk: Desk) -> None:
    desk.journal.is_open = False
    desk.scribe.write([queue("t1", "a", "b"), queue("t2", "c")], 0)
    assert desk.journal.held == 1
    desk.journal.release()
    desk.turn()
    assert desk.durable == ["a", "b", "c"]
    assert desk.scribe.is_idle


def test_nothing_is_durable_before_the_journal_says_so(desk: Desk) -> None:
    desk.journal.is_open = False
    desk.scribe.write([queue("t1", "a")], 0)
    desk.turn()
    assert desk.durable == []


@pytest.mark.parametrize("written", [0, 1])
def test_a_failed_request_is_written_once_when_the_journal_is_well(desk: Desk, written: int) -> None:
    """Whether it had been committed before the connection broke, or not."""
    desk.journal.is_open = False
    lines = [queue("t1", "a"), queue("t2", "b")]
    desk.scribe.write(lines, 0)
    desk.journal.fail(GONE, written=written)
    desk.journal.is_open = True
    desk.turn()
    assert desk.scribe.fault is GONE
    assert desk.durable == []
    put(lines[0], "later")
    desk.scribe.write(lines, 0)  # nothing is sent while the journal is not well
    for _ in range(5):
        desk.turn(PROBE_EVERY_MS)
    assert desk.scribe.fault is None
    assert sorted(desk.durable) == ["a", "b"] == desk.written()
    desk.scribe.write(lines, 0)
    desk.turn()
    assert desk.written() == ["a", "b", "later"]


def test_a_journal_that_stays_full_is_asked_again_and_again(desk: Desk) -> None:
    desk.journal.trouble = FULL
    desk.scribe.write([queue("t1", "a")], 0)
    for _ in range(7):
        desk.turn(PROBE_EVERY_MS)
        assert desk.scribe.fault is FULL
    desk.journal.trouble = None
    for _ in range(3):
        desk.turn(PROBE_EVERY_MS)
    assert desk.durable == ["a"] == desk.written()


def test_a_stream_that_another_gateway_took_over_is_lost_alone(desk: Desk) -> None:
    thief = queue("t2", "theirs", fence=9, owner="g2")
    desk.scribe.write([thief], 0)
    desk.turn()
    desk.scribe.write([queue("t1", "a"), queue("t2", "b"), queue("t3", "c")], 0)
    desk.turn()
    desk.turn()
    assert sorted(desk.durable) == ["a", "c", "theirs"]
    assert [(lost.queue.stream, lost.error.code) for lost in desk.lost] == [("t2", ErrorCode.FENCED)]
    assert desk.scribe.fault is None


def test_a_journal_that_does_not_answer_is_a_fault_until_it_does(desk: Desk) -> None:
    desk.journal.is_open = False
    desk.scribe.write([queue("t1", "a")], 0)
    desk.turn(STUCK_MS - 1)
    assert desk.scribe.fault is None
    desk.turn(1)
    assert desk.scribe.fault is not None
    desk.journal.release()
    desk.turn()
    assert desk.scribe.fault is None
    assert desk.durable == ["a"]
