"""The PostgreSQL adapter: for houses that run one, and for several gateways that share a floor.

Owns connections, the lock, COPY and the translation of psycopg's errors. Needs the extra `postgres`.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final

import psycopg
from psycopg import IsolationLevel, errors

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.migration import Script, migrate, packaged_scripts, refuse_newer
from sabot_gateway.journal.signing import load_or_make_signer
from sabot_gateway.journal.store import RECORDS, TENURES, End, RecordRow, Row, Tenure
from sabot_gateway.journal.stored import StoredJournal

_CONNECT_S: Final = 5  # a server that takes longer is as good as gone; the caller tries again
_MIGRATION_LOCK: Final = 0x5361626F  # any number of our own: gateways that start together migrate one by one
_COPY: Final = (
    "COPY record (id, stream, tenure, position, kind, device_ms, received_ms, body, hash) FROM STDIN (FORMAT BINARY)"
)
# The server's log is flushed in order: what is not flushed now is with the next commit that is.
_BEGIN_UNFLUSHED: Final = "BEGIN; SET LOCAL synchronous_commit = off"
_COPY_TYPES: Final = ["int8", "int8", "int8", "int8", "int2", "int8", "int8", "bytea", "bytea"]
_STREAM: Final = f"{RECORDS} WHERE r.stream = :stream AND r.position > :after ORDER BY r.position LIMIT :limit"
_ENDS: Final = (
    "SELECT s.id, s.name, COALESCE(r.position, s.base_position), COALESCE(r.hash, s.base_hash) FROM stream s "
    "LEFT JOIN LATERAL (SELECT position, hash FROM record WHERE stream = s.id ORDER BY position DESC LIMIT 1) r ON TRUE"
)


def open_postgres_journal(address: str, key_folder: Path) -> StoredJournal:
    """Opens the journal in the database at `address` (a postgresql:// URL), making tables and key at first start."""
    store = PostgresStore(address)
    try:
        return StoredJournal(store, load_or_make_signer(key_folder))
    except JournalError:
        store.close()
        raise


def open_postgres_reader(address: str) -> "PostgresReader":
    """Opens a journal that somebody else may be writing, to read it only."""
    reader = PostgresReader(_connect(address, for_reading=True))
    try:
        is_journal = reader.rows("SELECT to_regclass('schema_version') IS NOT NULL")[0][0]
        present = reader.rows("SELECT MAX(version) FROM schema_version")[0][0] if is_journal else None
        if present:
            refuse_newer(present, packaged_scripts("postgres")[-1].version)
    except JournalError:
        reader.close()
        raise
    if not present:
        reader.close()
        raise JournalError(ErrorCode.NOT_A_JOURNAL, "The database has no journal's tables.")
    return reader


@contextmanager
def translated() -> Iterator[None]:
    """psycopg's errors become the journal's."""
    try:
        yield
    except psycopg.Error as error:
        match error:
            case errors.DiskFull() | errors.OutOfMemory():
                code = ErrorCode.FULL
            case errors.ReadOnlySqlTransaction():
                code = ErrorCode.READ_ONLY
            case errors.DataCorrupted() | errors.IndexCorrupted() | errors.UniqueViolation():
                code = ErrorCode.CORRUPT
            case _:
                code = ErrorCode.UNAVAILABLE
        lines = str(error).strip().splitlines()  # the rest may quote values
        raise JournalError(code, f"PostgreSQL: {lines[0] if lines else type(error).__name__}.") from error


class PostgresReader:
    """A connection that reads; used by one thread at a time."""

    def __init__(self, connection: "psycopg.Connection[Row]") -> None:
        self.connection = connection

    def rows(self, sql: str, **values: object) -> list[Row]:
        with translated(), self.connection.cursor(binary=True) as cursor:
            return cursor.execute(_in_psycopg(sql), values).fetchall()

    @contextmanager
    def still(self) -> Iterator[None]:
        with translated(), self.connection.transaction():
            yield

    def stream_rows(self, stream: int, after: int, limit: int) -> list[Row]:
        return self.rows(_STREAM, stream=stream, after=after, limit=limit)

    def ends(self, names: Sequence[str] | None = None) -> list[End]:
        if names is None:
            return [End(*row) for row in self.rows(_ENDS)]
        return [End(*row) for row in self.rows(f"{_ENDS} WHERE s.name = ANY(:names)", names=list(names))]

    def tenures(self, streams: Sequence[int]) -> list[Tenure]:
        return [Tenure(*row) for row in self.rows(f"{TENURES} AND t.stream = ANY(:streams)", streams=list(streams))]

    def damage(self, until_id: int) -> str:
        del until_id
        return ""  # nothing is derived here but indexes, which the server keeps

    def close(self) -> None:
        with suppress(psycopg.Error):
            self.connection.close()


class PostgresStore(PostgresReader):
    """The store; what it inherits reads through the write connection."""

    is_shared = True

    def __init__(self, address: str, *, scripts: Sequence[Script] | None = None) -> None:
        self._address = address
        self._idle: SimpleQueue[PostgresReader] = SimpleQueue()
        super().__init__(_connect(address))
        try:
            with translated():
                migrate(_Schema(self.connection), scripts or packaged_scripts("postgres"))
        except JournalError:
            self.close()
            raise

    def begin(self, *, flush: bool = True) -> int:
        if self.connection.closed:
            self.connection = _connect(self._address)
        with translated():
            self.connection.execute("BEGIN" if flush else _BEGIN_UNFLUSHED)
        # This row's lock is held to the end of the commit, so ids are given out in the order in which commits become
        # visible: a reader that has seen id n will never see a smaller one appear. A sequence would not do: it
        # gives out numbers before the commit, and a slow transaction's would show up behind a reader's back.
        # The price is that commits of several gateways queue up; each carries all that was waiting.
        last_id: int = self.rows("SELECT last_id FROM clock FOR UPDATE")[0][0]
        return last_id

    def commit(self) -> None:
        with translated():
            self.connection.execute("COMMIT")

    def tidy(self, *, is_idle: bool) -> None:
        del is_idle  # the server does its own

    def rollback(self) -> None:
        try:
            self.connection.execute("ROLLBACK")
        except psycopg.Error:
            super().close()

    def run(self, sql: str, **values: object) -> int:
        with translated():
            return self.connection.execute(_in_psycopg(sql), values).rowcount

    def run_many(self, sql: str, values: Sequence[dict[str, object]]) -> None:
        with translated(), self.connection.cursor() as cursor:
            cursor.executemany(_in_psycopg(sql), values)

    def insert_records(self, rows: Sequence[RecordRow]) -> None:
        with translated(), self.connection.cursor() as cursor, cursor.copy(_COPY) as copy:
            copy.set_types(_COPY_TYPES)
            for row in rows:
                copy.write_row(row)

    def forget_before(self, first_id: int) -> None:
        del first_id  # nothing is derived here

    @contextmanager
    def reader(self) -> Iterator[PostgresReader]:
        try:
            reader = self._idle.get_nowait()
        except Empty:
            reader = PostgresReader(_connect(self._address, for_reading=True))
        try:
            yield reader
        except BaseException:
            reader.close()  # in a state nobody knows
            raise
        self._idle.put(reader)

    def close(self) -> None:
        while not self._idle.empty():
            self._idle.get_nowait().close()
        super().close()


class _Schema:
    """What a migration needs, on PostgreSQL."""

    def __init__(self, connection: "psycopg.Connection[Row]") -> None:
        self._connection = connection

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._connection.transaction():
            self._connection.execute("SELECT pg_advisory_xact_lock(%s)", [_MIGRATION_LOCK])
            yield

    def run(self, sql: str) -> object:
        return self._connection.execute(sql.encode())

    def version(self) -> int:
        rows: list[Any] = self._connection.execute("SELECT COALESCE(MAX(version), 0) FROM schema_version").fetchall()
        version: int = rows[0][0]
        return version


def _connect(address: str, *, for_reading: bool = False) -> "psycopg.Connection[Row]":
    with translated():
        connection = psycopg.connect(address, autocommit=True, connect_timeout=_CONNECT_S)
        if for_reading:
            connection.isolation_level = IsolationLevel.REPEATABLE_READ
            connection.read_only = True
        else:
            # Durable means durable, whatever the server's default is. READ COMMITTED: what follows the lock must
            # see what the lock's last holder committed.
            connection.execute("SET synchronous_commit = on")
            connection.isolation_level = IsolationLevel.READ_COMMITTED
    return connection


@lru_cache(maxsize=256)
def _in_psycopg(sql: str) -> bytes:
    """`:name` as psycopg writes it."""
    return re.sub(r":(\w+)", r"%(\1)s", sql.replace("%", "%%")).encode()
