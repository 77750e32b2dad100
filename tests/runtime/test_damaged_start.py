"""A record whose bytes a disk or a hand has changed is found by the start, however small the change."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import cbor2
import pytest

from runtime.gated_journal import GatedJournal
from runtime.pit import NOON, Pit, Script
from sabot_gateway.errors import StartError
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.port import Append
from sabot_gateway.journal.record import Entry, Kind, Owner
from sabot_gateway.journal.snapshot import Snapshot
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.runtime.house_runner import house_stream
from sabot_gateway.runtime.item import Stopped
from sabot_gateway.runtime.replay import start

SEED = 1121
CHANGES = 30
HOUSE = house_stream("g1")


@pytest.fixture
def pit() -> Pit:
    return Pit({"t1": Script("stu-beaten")})


@pytest.fixture
def played(pit: Pit, journal: GatedJournal) -> GatedJournal:
    """A coup in the journal, and no snapshot."""
    pump = pit.gateway(journal)
    pit.settle(pump)
    pit.play("t1")
    pit.send_all("t1")
    pit.settle(pump)
    return journal


@pytest.fixture
def beside(played: GatedJournal, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """The journal's file as a hand reaches it."""
    del played
    with closing(sqlite3.connect(tmp_path / "journal.db", isolation_level=None)) as connection:
        yield connection


@pytest.mark.parametrize("stream", ["t1", HOUSE])
def test_one_bit_of_any_record_is_found_by_the_start(
    pit: Pit, played: GatedJournal, beside: sqlite3.Connection, stream: str
) -> None:
    start(played, pit.plan)
    dice = random.Random(SEED)
    records = beside.execute(
        "SELECT r.id, position, body FROM record r JOIN stream s ON s.id = r.stream WHERE name = ?", [stream]
    ).fetchall()
    for _ in range(CHANGES):
        number, position, body = dice.choice(records)
        at = dice.randrange(len(body))
        spoilt = body[:at] + bytes([body[at] ^ 1 << dice.randrange(8)]) + body[at + 1 :]
        beside.execute("UPDATE record SET body = ? WHERE id = ?", [spoilt, number])
        with pytest.raises(JournalError, match=rf"Record {position} of {stream} breaks the chain[.]$") as caught:
            start(played, pit.plan)
        assert caught.value.code is ErrorCode.CORRUPT
        beside.execute("UPDATE record SET body = ? WHERE id = ?", [body, number])
    start(played, pit.plan)


def test_what_a_snapshot_stands_for_is_not_read_and_what_follows_it_is_held_against_it(
    pit: Pit, played: GatedJournal, beside: sqlite3.Connection
) -> None:
    pump = pit.gateway(played)
    pump.queue.put(Stopped())
    pit.settle(pump)
    pit.settle(pit.gateway(played))  # a start of its own: at least one record behind the snapshot
    beside.execute("UPDATE record SET body = x'00' WHERE id = 1")
    start(played, pit.plan)
    beside.execute("UPDATE record SET body = x'00' WHERE id = (SELECT MAX(id) FROM record)")
    with pytest.raises(JournalError, match="breaks the chain"):
        start(played, pit.plan)


def test_a_record_of_the_house_that_another_release_wrote_is_one_sentence(pit: Pit, played: GatedJournal) -> None:
    body = cbor2.dumps([9, "a form of the future"])
    (receipt,) = played.append(Append(HOUSE, Owner("g1"), 99, [Entry(Kind.FACT, body, NOON)])).result()
    with pytest.raises(StartError, match=rf"^Record {receipt.position} of {HOUSE} cannot be read by this release[.]$"):
        start(played, pit.plan)


def test_a_snapshot_of_the_house_that_another_release_wrote_is_passed_over(pit: Pit, tmp_path: Path) -> None:
    journal = GatedJournal(open_sqlite_journal(tmp_path / "other.db"))
    pump = pit.gateway(journal)
    pit.settle(pump)
    head = journal.heads()[HOUSE]
    journal.save_snapshots([Snapshot(HOUSE, head, NOON, cbor2.dumps([9, "house", "of the future"]))]).result()
    again = start(journal, pit.plan)
    assert again.house.house == pump.house.house
    assert again.house.saved_position == 0
    journal.close()
