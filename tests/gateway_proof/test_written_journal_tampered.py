"""A journal that a whole gateway wrote, with decisions, snapshots and quarantine: every change to it is caught."""

import os
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gateway_proof.proof_evening import Evening
from gateway_proof.proof_house import ProofHouse
from gateway_proof.proof_report import Report
from gateway_proof.proof_stranger import publish_garbage
from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.verification import verify
from services.mosquitto import Mosquitto

pytestmark = pytest.mark.slow

SEED = 1120
CHANGES = 12  # of each column
PAGES = 40

# Every column of every table that holds evidence or leads to it. `clock.probes` only shows that the disk is well;
# `layout` and `section` lead to records once a section is full (tests/journal has such journals).
COLUMNS = {
    "record": ["id", "stream", "tenure", "position", "kind", "device_ms", "received_ms", "body", "hash"],
    "stream": ["id", "name", "base_position", "base_hash"],
    "tenure": ["id", "stream", "owner", "fence"],
    "statement": ["number", "text", "signer", "signature"],
    "signer": ["id", "public_key"],
    "snapshot": ["stream", "position", "hash", "made_ms", "body", "signer", "signature"],
    "quarantine": ["id", "reason"],
    "clock": ["first_id", "last_id", "statements"],
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Two lives of a gateway with all games, ended in order: snapshots of both, and records between."""
    folder = tmp_path_factory.mktemp("written")
    mosquitto = Mosquitto(tmp_path_factory.mktemp("mosquitto"))
    try:
        yield _write(folder, mosquitto)
    finally:
        mosquitto.stop()


def _write(folder: Path, mosquitto: Mosquitto) -> Path:
    house = ProofHouse(folder / "house", mosquitto.port)
    evening = Evening(house, mosquitto.port)
    try:
        publish_garbage(mosquitto.port, "t1-a", count=20, seed=SEED)
        evening.wait_for_events(600)
        assert evening.gateway.stop() == 0
        evening.gateway = house.process().wait_until_ready()
        evening.wait_for_events(300)
        evening.end()
    finally:
        evening.abandon()
    with closing(sqlite3.connect(house.journal)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        held = {table: connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] for table in COLUMNS}
    assert all(held.values()), f"an empty table cannot be tampered with: {held}"
    assert not found(house.journal)
    return house.journal


def found(path: Path) -> list[str]:
    try:
        with reader_at(str(path)) as reader:
            return [finding.code for finding in verify(reader).findings]
    except JournalError as error:
        if error.code is not ErrorCode.CORRUPT:
            raise
        return ["damage"]


def other(value: object, dice: random.Random) -> object:
    """Another value that the column can hold."""
    match value:
        case None:
            return dice.randrange(1, 1 << 40)
        case int():
            return value + dice.choice((1, -1, 7, 1 << 20))
        case str():
            at = dice.randrange(len(value))
            return value[:at] + ("a" if value[at] != "a" else "b") + value[at + 1 :]
        case bytes():
            if not value:
                return b"\x00"
            at = dice.randrange(len(value))
            return value[:at] + bytes([value[at] ^ 1 << dice.randrange(8)]) + value[at + 1 :]
    raise AssertionError(type(value))


def test_every_field_changed_at_random_is_caught(written: Path, tmp_path: Path, report: Report) -> None:
    dice, copy, changed = random.Random(SEED), tmp_path / "copy.db", 0
    for table, columns in COLUMNS.items():
        for column in columns:
            for _ in range(CHANGES if table in ("record", "snapshot") else 3):
                shutil.copy(written, copy)
                with closing(sqlite3.connect(copy)) as connection, connection:
                    rows = connection.execute(f"SELECT rowid, {column} FROM {table}").fetchall()
                    rowid, value = dice.choice(rows)
                    wrong = other(value, dice)
                    try:
                        connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", [wrong, rowid])
                    except sqlite3.IntegrityError:
                        continue  # another row has that key
                changed += 1
                assert found(copy), f"seed {SEED}: {table}.{column} of row {rowid}: {value!r} became {wrong!r}"
    report(f"seed {SEED}: {changed} changes, all caught")
    assert changed > 150


def test_every_page_that_a_disk_spoils_is_caught(written: Path, tmp_path: Path) -> None:
    dice, copy = random.Random(SEED), tmp_path / "copy.db"
    with closing(sqlite3.connect(written)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    unread = 0
    for page in dice.sample(range(1, pages), min(PAGES, pages - 1)):
        shutil.copy(written, copy)
        with copy.open("r+b") as file:
            file.seek(page * size)
            file.write(os.urandom(size))
        unread += not found(copy)
    assert unread <= free, f"seed {SEED}: {unread} spoilt pages were not noticed, {free} are free"
