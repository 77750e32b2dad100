"""The schema comes from every earlier version to the present one; an unknown newer one is refused in a sentence."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from contract.journal.house import House, fill, postgres_house
from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.migration import Script, packaged_scripts, script_from_text
from sabot_gateway.journal.postgres import PostgresStore
from sabot_gateway.journal.sqlite import SqliteStore, open_sqlite_journal
from services.postgres import Postgres

DIALECTS = ["sqlite", "postgres"]
# Versions that may come one day: each needs what the one before it made.
LATER = (
    "CREATE TABLE shift (id INTEGER PRIMARY KEY);\n\nINSERT INTO shift VALUES (7);\n",
    "-- a comment\nALTER TABLE shift ADD COLUMN name TEXT;\n",
    "UPDATE shift SET name = 'night';\n",
)
BROKEN = "CREATE TABLE half (id INTEGER PRIMARY KEY);\n\nINSERT INTO nowhere VALUES (1);\n"


def scripts_up_to(dialect: str, version: int, *texts: str) -> tuple[Script, ...]:
    first = packaged_scripts(dialect)
    later = [script_from_text(len(first) + n, text) for n, text in enumerate(texts, start=1)]
    return (*first, *later)[:version]


@pytest.fixture(params=DIALECTS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """A dialect and an empty place for a store of it."""
    if request.param == "sqlite":
        return request.param, str(tmp_path / "journal.db")
    server: Postgres = request.getfixturevalue("postgres")
    return request.param, postgres_house(server, tmp_path).address


def open_store(place: tuple[str, str], scripts: tuple[Script, ...]) -> SqliteStore | PostgresStore:
    dialect, address = place
    if dialect == "sqlite":
        return SqliteStore(Path(address), scripts=scripts)
    return PostgresStore(address, scripts=scripts)


@pytest.mark.parametrize("start", [1, 2, 3, 4])
def test_from_every_earlier_version_to_the_last(place: tuple[str, str], start: int) -> None:
    known = len(packaged_scripts(place[0]))
    every = scripts_up_to(place[0], known + 3, *LATER)
    open_store(place, every[: known + start - 1]).close()
    with closing(open_store(place, every)) as store:
        assert store.rows("SELECT name FROM shift") == [("night",)]
        versions = store.rows("SELECT version FROM schema_version ORDER BY version")
        assert [row[0] for row in versions] == [script.version for script in every]


def test_a_script_that_fails_leaves_the_version_before_it(place: tuple[str, str]) -> None:
    known = len(packaged_scripts(place[0]))
    with pytest.raises(JournalError):
        open_store(place, scripts_up_to(place[0], known + 2, LATER[0], BROKEN))
    with closing(open_store(place, scripts_up_to(place[0], known + 1, LATER[0]))) as store:
        assert store.rows("SELECT MAX(version) FROM schema_version") == [(known + 1,)]
        with pytest.raises(JournalError):
            store.rows("SELECT * FROM half")


def test_an_unknown_newer_version_is_refused_in_a_sentence_and_left_as_it_is(place: tuple[str, str]) -> None:
    known = len(packaged_scripts(place[0]))
    open_store(place, scripts_up_to(place[0], known + 2, *LATER)).close()
    with pytest.raises(JournalError) as caught:
        open_store(place, packaged_scripts(place[0]))
    assert caught.value.code is ErrorCode.NEWER_SCHEMA
    wanted = (
        f"was written by a newer version of Sabot. Its schema is version {known + 2}; this program knows up to {known}."
    )
    assert str(caught.value).endswith(wanted)
    with pytest.raises(JournalError) as caught, reader_at(place[1]):
        pass
    assert caught.value.code is ErrorCode.NEWER_SCHEMA


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_packaged_scripts_are_numbered_without_a_gap(dialect: str) -> None:
    assert [script.version for script in packaged_scripts(dialect)] == list(
        range(1, len(packaged_scripts(dialect)) + 1)
    )


def test_both_databases_have_the_same_tables(tmp_path: Path, postgres: Postgres) -> None:
    house: House = postgres_house(postgres, tmp_path)
    house.open().close()
    schema = house.address.rpartition("%3D")[2]
    wanted = postgres.query(
        "SELECT table_name || '.' || column_name FROM information_schema.columns "
        f"WHERE table_schema = '{schema}' ORDER BY 1"
    ).split()
    open_sqlite_journal(tmp_path / "journal.db").close()
    with closing(sqlite3.connect(tmp_path / "journal.db")) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        found = [f"{table}.{row[1]}" for table in tables for row in connection.execute(f"PRAGMA table_info({table})")]
    own = {"layout.one", "layout.section_size", "section.number", "section.directory"}
    assert sorted(set(found) - own) == sorted(wanted)


def test_a_journal_of_the_present_version_opens_again(tmp_path: Path) -> None:
    for _ in range(2):
        with open_sqlite_journal(tmp_path / "journal.db") as journal:
            fill(journal, streams=1, rounds=2)
