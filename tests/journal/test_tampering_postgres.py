"""Whatever somebody with a hand in the database and without the key changes in it is caught there as in a file."""

import random
from collections.abc import Iterator
from contextlib import suppress

import psycopg
import pytest

from contract.journal.house import House, postgres_house
from journal.test_tampering import TABLES, fill_journal
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.postgres import PostgresReader
from sabot_gateway.journal.verification import verify
from services.postgres import Postgres

SEED = 1122
CHANGES = 4  # of each column, as far as it has rows

COLUMNS = [
    (table, column) for table in TABLES if table not in ("section", "layout") for column in TABLES[table]
]  # sections are SQLite's own


@pytest.fixture(scope="module", params=[False, True], ids=["whole", "retained"])
def place(request: pytest.FixtureRequest, postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> House:
    place = postgres_house(postgres, tmp_path_factory.mktemp("keys"))
    fill_journal(place.open(), is_retained=request.param)
    place.close()
    return place


@pytest.fixture
def hand(place: House) -> Iterator["psycopg.Connection[tuple[object, ...]]"]:
    with psycopg.connect(place.address, autocommit=True) as connection:
        yield connection


def found(connection: "psycopg.Connection[tuple[object, ...]]") -> list[str]:
    try:
        return [finding.code for finding in verify(PostgresReader(connection)).findings]
    except JournalError as error:
        if error.code is not ErrorCode.CORRUPT:
            raise
        return ["damage"]


def others(value: object, dice: random.Random) -> list[object]:
    """Other values that the column can hold; the first may be the key of another row, the last is nobody's."""
    match value:
        case None:
            return [dice.randrange(1, 1 << 40)]
        case int():
            return [value + dice.choice((1, -1, 7)), value + (1 << 14)]  # a kind is two bytes wide
        case str():
            at = dice.randrange(len(value))
            return [value[:at] + ("a" if value[at] != "a" else "b") + value[at + 1 :], value + "z"]
        case bytes():
            at = dice.randrange(len(value))
            return [value[:at] + bytes([value[at] ^ 1 << dice.randrange(8)]) + value[at + 1 :]]
    raise AssertionError(type(value))


def is_caught(hand: "psycopg.Connection[tuple[object, ...]]", sql: str, *values: object) -> bool:
    """What verify says of the database after this; nothing of it stays. UniqueViolation where it cannot be."""
    with hand.transaction(force_rollback=True):
        assert hand.execute(sql, values).rowcount == 1
        return bool(found(hand))


def test_a_changed_field_is_caught(hand: "psycopg.Connection[tuple[object, ...]]") -> None:
    assert found(hand) == []
    dice = random.Random(SEED)
    for table, column in COLUMNS:
        rows = hand.execute(f"SELECT ctid::text, {column} FROM {table} ORDER BY 1").fetchall()
        changed = 0
        for place, value in dice.sample(rows, min(CHANGES, len(rows))):
            for wrong in others(value, dice):
                with suppress(psycopg.errors.UniqueViolation):
                    sql = f"UPDATE {table} SET {column} = %s WHERE ctid = %s::tid"
                    assert is_caught(hand, sql, wrong, place), f"seed {SEED}: {table}.{column}: {value!r} -> {wrong!r}"
                    changed += 1
        assert changed, f"{table}.{column} could not be changed at all"
    assert found(hand) == []


@pytest.mark.parametrize("table", sorted({table for table, _ in COLUMNS} - {"snapshot"}))
def test_a_deleted_row_is_caught(hand: "psycopg.Connection[tuple[object, ...]]", table: str) -> None:
    # But a snapshot: it only spares a restart some work, and the next one replaces it.
    rows = hand.execute(f"SELECT ctid::text FROM {table} ORDER BY 1").fetchall()
    for (place,) in random.Random(SEED).sample(rows, min(CHANGES, len(rows))):
        assert is_caught(hand, f"DELETE FROM {table} WHERE ctid = %s::tid", place), f"seed {SEED}: {table} at {place}"
