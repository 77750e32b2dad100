"""What need not be flushed: seen at once, never lost to the end of a process, and only ever a tail of the journal."""

import os
from pathlib import Path

import pytest

from contract.journal.house import WAIT_S, House, facts, fill, postgres_house, put, to
from journal.test_sqlite_faults import findings, live_copy
from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.postgres import PostgresStore
from sabot_gateway.journal.record import Stream
from sabot_gateway.journal.sqlite import SqliteStore, open_sqlite_journal
from sabot_gateway.journal.verification import verify
from services.postgres import Postgres

T = Stream("table-1")
FULL, NORMAL = 2, 1  # PRAGMA synchronous


def test_sqlite_flushes_every_commit_but_those_that_were_begun_without(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "journal.db")
    found = []
    for flush in (True, False, False, True):
        store.begin(flush=flush)
        found.append(store.rows("PRAGMA synchronous")[0][0])
        store.commit()
    store.close()
    assert found == [FULL, NORMAL, NORMAL, FULL]


def test_a_transaction_that_failed_unflushed_does_not_leave_the_next_one_unflushed(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "journal.db")
    store.begin(flush=False)
    store.connection.close()  # as after an error that nothing else helps against
    store.rollback()
    store.begin()
    assert store.rows("PRAGMA synchronous") == [(FULL,)]
    store.rollback()
    store.close()


def test_postgresql_flushes_every_commit_but_those_that_were_begun_without(postgres: Postgres, tmp_path: Path) -> None:
    house = postgres_house(postgres, tmp_path)
    house.open()
    store = PostgresStore(house.address)
    found = []
    for flush in (True, False, False, True):
        store.begin(flush=flush)
        found.append(store.rows("SHOW synchronous_commit")[0][0])
        store.commit()
    store.close()
    house.close()
    assert found == ["on", "off", "off", "on"]


def test_a_power_cut_takes_back_a_tail_that_was_not_flushed_and_nothing_before(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with open_sqlite_journal(path) as journal:
        fill(journal, streams=2, rounds=5)
        put(journal, to(T, facts(b"fact")))
        journal.sign_checkpoint(1).result(WAIT_S)
        flushed, length = dict(journal.heads()), path.with_name("journal.db-wal").stat().st_size
        for n in range(3):
            journal.append(to(T, facts(b"derived %d" % n)), flush=False).result(WAIT_S)
        assert journal.heads()[T].position == flushed[T].position + 3, "readers see them at once"
        whole = live_copy(path, tmp_path / "whole")
        cut = live_copy(path, tmp_path / "cut")
    os.truncate(cut.with_name("journal.db-wal"), length)
    for copy, kept in ((whole, 3), (cut, 0)):
        assert findings(copy) == []
        with open_sqlite_journal(copy) as journal:
            assert journal.heads()[T].position == flushed[T].position + kept
            fill(journal, streams=2, rounds=2)
        assert findings(copy) == []


def test_what_is_flushed_carries_all_before_it(tmp_path: Path) -> None:
    """A checkpoint signs heads that were not flushed: it is behind them in the log, so it is there only if they are."""
    path = tmp_path / "journal.db"
    with open_sqlite_journal(path) as journal:
        put(journal, to(T, facts(b"fact")))
        length = path.with_name("journal.db-wal").stat().st_size
        journal.append(to(T, facts(b"derived")), flush=False).result(WAIT_S)
        between = path.with_name("journal.db-wal").stat().st_size
        journal.sign_checkpoint(1).result(WAIT_S)
        copies = {at: live_copy(path, tmp_path / f"cut-{at}") for at in (length, between, between + 100)}
    for at, copy in copies.items():
        os.truncate(copy.with_name("journal.db-wal"), at)
        with open_sqlite_journal(copy) as journal:
            assert journal.heads()[T].position == (1 if at == length else 2)
        assert findings(copy) == []


@pytest.fixture(params=["sqlite", "postgres"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> House:
    if request.param == "postgres":
        return postgres_house(request.getfixturevalue("postgres"), tmp_path)
    path = tmp_path / "journal.db"
    return House(str(path), lambda: open_sqlite_journal(path))


def test_appends_with_and_without_a_flush_make_one_chain(house: House) -> None:
    journal = house.open()
    futures = [journal.append(to(f"table-{n}", facts(b"a", b"b")), flush=n % 2 == 0) for n in range(8)]
    for future in futures:
        future.result(WAIT_S)
    assert [record.id for record in journal.tail()] == list(range(1, 17))
    assert {head.position for head in journal.heads().values()} == {2}
    house.close()
    with reader_at(house.address) as reader:
        assert verify(reader).findings == ()
