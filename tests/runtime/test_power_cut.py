"""A power cut takes back decisions that no disk had yet: the start makes the very same ones, where they were."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import pytest

from runtime.gated_journal import GatedJournal
from runtime.pit import Pit, Script, settlements
from sabot_gateway.journal.port import Append, Receipt
from sabot_gateway.journal.record import Kind, Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal, open_sqlite_reader
from sabot_gateway.journal.verification import verify
from sabot_gateway.outputs.notice import Notice, notices_from_record
from sabot_gateway.runtime.house_runner import house_stream

T1 = Stream("t1")


class MeteredJournal(GatedJournal):
    """Knows up to which id everything is on stable storage."""

    flushed_id = 0

    def append(self, *appends: Append, flush: bool = True) -> "Future[tuple[Receipt, ...]]":
        future = super().append(*appends, flush=flush)
        if flush and future.done() and future.exception() is None:
            self.flushed_id = max(receipt.id for receipt in future.result())
        return future


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[MeteredJournal]:
    journal = MeteredJournal(open_sqlite_journal(path))
    yield journal
    journal.close()


def cut_power(path: Path, flushed_id: int) -> None:
    """Leaves the file as the log leaves it when its tail never reached the disk."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("DELETE FROM record WHERE id > ?", (flushed_id,))
        database.execute("UPDATE clock SET last_id = ?", (flushed_id,))


def decided(journal: GatedJournal) -> list[tuple[int, bytes]]:
    return [(record.position, record.body) for record in journal.read(T1) if record.kind is Kind.DECISION]


def told(journal: GatedJournal) -> list[Notice]:
    return [notice for record in journal.read(T1) for notice in notices_from_record("site", record)]


def test_only_decisions_of_tables_are_taken_back_and_the_start_makes_them_again(
    journal: MeteredJournal, path: Path
) -> None:
    pit = Pit({"t1": Script("stu-beaten")})
    pump = pit.gateway(journal)
    pit.settle(pump)
    pit.play("t1")
    pit.send_all("t1")
    pit.settle(pump)
    device = pit.devices["t1"]
    assert device.acked == device.newest
    assert len(settlements(journal, "t1")) == 1
    before, notices, revision = decided(journal), told(journal), pump.tables["t1"].revision
    tail = [record for record in journal.tail() if record.id > journal.flushed_id]
    assert tail, "the last decisions wait for no disk"
    assert {(record.kind, record.stream) for record in tail} == {(Kind.DECISION, T1)}
    journal.close()
    cut_power(path, journal.flushed_id)

    again = MeteredJournal(open_sqlite_journal(path))
    assert len(decided(again)) < len(before)
    assert settlements(again, "t1") == [], "the settlement was among them"
    pump = pit.gateway(again)
    pit.settle(pump)
    assert decided(again)[: len(before)] == before, "byte for byte, at the same positions"
    assert [notice.id for notice in told(again)] == [notice.id for notice in notices], "known to who was told before"
    assert len(settlements(again, "t1")) == 1
    assert pump.tables["t1"].revision > revision, "the picture goes on from there"
    assert device.acked == device.newest
    again.close()
    with closing(open_sqlite_reader(path)) as reader:
        assert not verify(reader).findings


def test_what_follows_from_no_fact_is_flushed(journal: MeteredJournal) -> None:
    """An alarm of the house may have no cause in the journal: nothing would raise it again."""
    pit = Pit({"t1": Script("stu-beaten")})
    pump = pit.gateway(journal)
    pit.settle(pump)
    pit.broker.arrive(pit.devices["t1"].topic("event"), b"not sealed by anybody", pit.clock.utc_ms)
    pit.settle(pump)
    house = house_stream(pit.plan.gateway)
    alarms = [record for record in journal.read(house) if record.kind is Kind.DECISION]
    assert alarms
    assert all(record.id <= journal.flushed_id for record in alarms)
