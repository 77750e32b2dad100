"""Whatever somebody with the file and without the key changes in it is caught."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from contract.journal.house import OWNER, WAIT_S, facts, fill, put, to
from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.quarantine import Refusal
from sabot_gateway.journal.record import Stream
from sabot_gateway.journal.snapshot import Snapshot
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.journal.stored import StoredJournal
from sabot_gateway.journal.verification import Finding, verify

TIMES = 10 if os.environ.get("SABOT_LONG") else 1

# Every table that holds evidence or leads to it. `clock.probes` and SQLite's own tables hold neither.
TABLES = {
    "record": ["id", "stream", "tenure", "position", "kind", "device_ms", "received_ms", "body", "hash"],
    "stream": ["id", "name", "base_position", "base_hash"],
    "tenure": ["id", "stream", "owner", "fence"],
    "statement": ["number", "text", "signer", "signature"],
    "signer": ["id", "public_key"],
    "snapshot": ["stream", "position", "hash", "made_ms", "body", "signer", "signature"],
    "quarantine": ["id", "reason"],
    "section": ["number", "directory"],
    "layout": ["section_size"],
    "clock": ["first_id", "last_id", "statements"],
}


def make_journal(path: Path, *, is_retained: bool) -> None:
    with open_sqlite_journal(path, section_size=16) as journal:
        fill_journal(journal, is_retained=is_retained)


def fill_journal(journal: StoredJournal, *, is_retained: bool) -> None:
    """Something in every table, under a checkpoint and behind it."""
    fill(journal, streams=3, rounds=10, at_ms=1_000)
    journal.quarantine(OWNER, 1, [Refusal("oversize", "x", b"raw", 1_500)]).result(WAIT_S)
    journal.sign_checkpoint(1).result(WAIT_S)
    heads = journal.heads()
    covered = [Stream(f"table-{n}") for n in range(3)]
    journal.save_snapshots([Snapshot(each, heads[each], 1, b"state") for each in covered]).result(WAIT_S)
    if is_retained:
        journal.retain(before_ms=1_006, at_ms=2)
    put(journal, to("table-0", facts(b"taken over"), fence=2, owner="gateway-2"))
    fill(journal, streams=3, rounds=0)
    journal.quarantine(OWNER, 1, [Refusal("not_authentic", "y", b"raw", 3_000)]).result(WAIT_S)
    put(journal, to("table-1", facts(b"a", b"b", b"c")))
    journal.sign_checkpoint(3).result(WAIT_S)
    put(journal, to("table-2", facts(b"last")))  # chained, under no checkpoint


@pytest.fixture(scope="module", params=[False, True], ids=["whole", "retained"])
def sound(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "journal.db"
    make_journal(path, is_retained=request.param)
    assert findings(path) == []
    return path


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("copy") / "journal.db"


def findings(path: Path) -> list[Finding]:
    try:
        with reader_at(str(path)) as reader:
            return list(verify(reader).findings)
    except JournalError as error:
        if error.code is not ErrorCode.CORRUPT:
            raise
        return [Finding("damage", str(error))]


def changed(value: object, chance: st.DataObject) -> object:
    """Another value that the column can hold."""
    match value:
        case None:
            return chance.draw(st.integers(0, 2**40))
        case int():
            near = st.sampled_from([value + 1, value - 1, value + 7])
            return chance.draw(near | st.integers(-(2**63), 2**63 - 1))
        case str():
            at = chance.draw(st.integers(0, len(value) - 1))
            return value[:at] + chance.draw(st.sampled_from("aZ0 é\n")) + value[at + 1 :]
        case bytes():
            if not value or chance.draw(st.booleans()):
                return value + b"\x00"
            at = chance.draw(st.integers(0, len(value) - 1))
            return value[:at] + bytes([value[at] ^ 1 << chance.draw(st.integers(0, 7))]) + value[at + 1 :]
    raise AssertionError(type(value))


@pytest.mark.parametrize(("table", "column"), [(table, column) for table in TABLES for column in TABLES[table]])
@settings(max_examples=12 * TIMES, deadline=None)
@given(chance=st.data())
def test_a_changed_field_is_caught(sound: Path, copy: Path, table: str, column: str, chance: st.DataObject) -> None:
    shutil.copy(sound, copy)
    with closing(sqlite3.connect(copy)) as connection, connection:
        rows = connection.execute(f"SELECT rowid, {column} FROM {table}").fetchall()
        rowid, value = chance.draw(st.sampled_from(rows))
        other = changed(value, chance)
        assume(other != value)
        try:
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", [other, rowid])
        except sqlite3.IntegrityError:
            assume(False)  # another row has that key
    assert findings(copy), f"{table}.{column} of row {rowid}: {value!r} became {other!r}"


@pytest.mark.parametrize("column", TABLES["record"][3:])
def test_the_first_bad_record_is_named(sound: Path, copy: Path, column: str) -> None:
    shutil.copy(sound, copy)
    with closing(sqlite3.connect(copy)) as connection, connection:
        ids = [row[0] for row in connection.execute("SELECT id FROM record ORDER BY id")]
        wanted = ids[4]
        for number in (wanted, ids[7]):
            is_blob = column in ("body", "hash")
            change = f"CAST({column} || 'x' AS BLOB)" if is_blob else f"{column} + 1"
            connection.execute(f"UPDATE record SET {column} = {change} WHERE id = ?", [number])
    assert findings(copy)[0].id == wanted


@settings(max_examples=40 * TIMES, deadline=None)
@given(chance=st.data())
def test_a_deleted_record_is_caught_wherever_it_stood(sound: Path, copy: Path, chance: st.DataObject) -> None:
    shutil.copy(sound, copy)
    with closing(sqlite3.connect(copy)) as connection, connection:
        ids = [row[0] for row in connection.execute("SELECT id FROM record ORDER BY id")]
        gone = chance.draw(st.sets(st.sampled_from(ids), min_size=1))
        connection.executemany("DELETE FROM record WHERE id = ?", [[number] for number in gone])
    assert findings(copy)
    assert findings(copy)[0].id in (min(gone), 0)


@settings(max_examples=40 * TIMES, deadline=None)
@given(chance=st.data())
def test_two_records_swapped_are_caught(sound: Path, copy: Path, chance: st.DataObject) -> None:
    """Whole rows in each other's place, with or without their hashes."""
    columns = chance.draw(st.sampled_from([TABLES["record"][1:], TABLES["record"][1:-1], ["body"], ["body", "hash"]]))
    shutil.copy(sound, copy)
    with closing(sqlite3.connect(copy)) as connection, connection:
        names = ", ".join(columns)
        rows = connection.execute(f"SELECT id, {names} FROM record ORDER BY id").fetchall()
        one, other = chance.draw(st.lists(st.sampled_from(rows), min_size=2, max_size=2, unique=True))
        assume(one[1:] != other[1:])
        places = ", ".join(f"{column} = ?" for column in columns)
        for row, place in ((one, other), (other, one)):
            connection.execute(f"UPDATE record SET {places} WHERE id = ?", [*row[1:], place[0]])
    assert findings(copy)


@pytest.mark.parametrize("table", [table for table in TABLES if table != "snapshot"])
@settings(max_examples=8 * TIMES, deadline=None)
@given(chance=st.data())
def test_a_deleted_row_is_caught_in_every_table(sound: Path, copy: Path, table: str, chance: st.DataObject) -> None:
    # But a snapshot: it only spares a restart some work, and the next one replaces it.
    shutil.copy(sound, copy)
    with closing(sqlite3.connect(copy)) as connection, connection:
        rowid = chance.draw(st.sampled_from([row[0] for row in connection.execute(f"SELECT rowid FROM {table}")]))
        connection.execute(f"DELETE FROM {table} WHERE rowid = ?", [rowid])
    assert findings(copy), f"row {rowid} of {table}"


@settings(max_examples=30 * TIMES, deadline=None)
@given(chance=st.data())
def test_a_journal_cut_short_before_its_last_checkpoint_is_caught_though_all_else_was_made_to_fit(
    sound: Path, copy: Path, chance: st.DataObject
) -> None:
    """The forger takes the newest records away and mends the clock, the quarantine and the tenures."""
    shutil.copy(sound, copy)
    with closing(sqlite3.connect(copy)) as connection, connection:
        first, last = connection.execute("SELECT first_id, last_id FROM clock").fetchone()
        cut = chance.draw(st.integers(first - 1, last - 2))  # the last record alone is under no signature
        connection.execute("DELETE FROM record WHERE id > ?", [cut])
        connection.execute("DELETE FROM quarantine WHERE id > ?", [cut])
        connection.execute("DELETE FROM section WHERE (number + 1) * 16 > ?", [cut])
        connection.execute("DELETE FROM tenure WHERE id NOT IN (SELECT tenure FROM record)")
        connection.execute("UPDATE clock SET last_id = ?", [cut])
        connection.execute("DELETE FROM snapshot")
    assert findings(copy)


def test_bytes_that_are_no_text_are_caught_too(sound: Path, copy: Path) -> None:
    shutil.copy(sound, copy)
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("UPDATE stream SET name = CAST(x'ff00fe' AS TEXT) WHERE name = 'table-0'")
    assert findings(copy)
