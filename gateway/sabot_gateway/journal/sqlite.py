"""The SQLite adapter: the embedded default. WAL, synchronous=FULL, one write connection, readers of their own.

Owns connections, locking, bulk inserts and the translation of SQLite's errors. In WAL mode readers and the writer do
not block each other. A lock file, held for the store's life, keeps a second writing process out.
"""

import errno
import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import BinaryIO, Final

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.migration import Script, migrate, packaged_scripts, refuse_newer
from sabot_gateway.journal.section import SIZE, SectionBuilder
from sabot_gateway.journal.signing import load_or_make_signer
from sabot_gateway.journal.sqlite_reader import SqliteReader, journal_error, section_ends, translated
from sabot_gateway.journal.store import RecordRow
from sabot_gateway.journal.stored import StoredJournal

APPLICATION_ID: Final = 0x5361626F  # "Sabo": what file(1) and our own refusal go by
_INSERT: Final = "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_AT_ONCE: Final = 16  # rows of one statement
_INSERT_MANY: Final = _INSERT + ", (?, ?, ?, ?, ?, ?, ?, ?, ?)" * (_AT_ONCE - 1)
_PAGES: Final = 1024  # pages copied between two reports of progress
# Pages of the log. SQLite's own way is to move them into the database at the end of whichever commit made the log long,
# and whoever waits for that commit waits some milliseconds more. Here it is done when nobody waits, from the first
# number on; where commits leave no pause, from the second on: 64 MiB, which a restart after a kill reads in a moment.
_UNTIDY: Final = 256
_PAGE_BYTES: Final = 4_096  # of bodies in a page of records, if they were alone in it
_PAGE_RECORDS: Final = 40  # in a page, if they had no bodies
_OVERGROWN: Final = 16_384
_CHECKPOINT: Final = "PRAGMA wal_checkpoint(PASSIVE)"  # waits for no reader: what one still sees is moved next time
# Primary result codes after which the connection still works once the cause is gone.
_LASTING: Final = (sqlite3.SQLITE_FULL,)


def open_sqlite_journal(path: Path, *, section_size: int = SIZE) -> StoredJournal:
    """Opens the journal at `path` for writing, making it and its signing key at first start."""
    store = SqliteStore(path, section_size=section_size)
    try:
        return StoredJournal(store, load_or_make_signer(path.parent))
    except JournalError:
        store.close()
        raise


def open_sqlite_reader(path: Path) -> SqliteReader:
    """Opens a journal that somebody else may be writing, to read it only."""
    with translated(path):
        if not path.is_file():
            raise JournalError(ErrorCode.NOT_A_JOURNAL, f"There is no file {path}.")
        if not path.stat().st_size:
            raise JournalError(ErrorCode.NOT_A_JOURNAL, f"{path} is empty.")
        connection = _connect_for_reading(path)
        # A tampered name may be no UTF-8; whoever inspects must be able to name it all the same.
        connection.text_factory = lambda data: data.decode(errors="surrogateescape")
        try:
            _refuse_strangers(connection, path)
            refuse_newer(_Schema(connection).version(), packaged_scripts("sqlite")[-1].version)
        except (JournalError, sqlite3.Error):
            connection.close()
            raise
    return SqliteReader(connection, path)


def copy_pages(reader: SqliteReader, target: Path, advance: Callable[[int, int], None]) -> None:
    """SQLite's own online backup, as of one commit."""
    with translated(target), closing(sqlite3.connect(target)) as copy, reader.still():
        # The open view must have begun: a backup that is overtaken by a writer would start all over again.
        reader.rows("SELECT last_id FROM clock")
        reader.connection.backup(copy, pages=_PAGES, progress=lambda _, left, all_: advance(all_ - left, all_), sleep=0)


def settle_into_one_file(path: Path) -> None:
    """Leaves a journal that needs no log beside it, on disk."""
    with translated(path), closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA journal_mode = DELETE")
    with path.open("rb") as file:
        os.fsync(file.fileno())


class SqliteStore(SqliteReader):
    """The store; what it inherits reads through the write connection."""

    is_shared = False

    def __init__(self, path: Path, *, scripts: Sequence[Script] | None = None, section_size: int = SIZE) -> None:
        self._path = path
        self._sections: SectionBuilder | None = None
        self._idle: SimpleQueue[SqliteReader] = SimpleQueue()
        self._lock = _take_lock(path)
        self._is_usable = self._is_flushing = False
        self._log_pages = 0  # in the log, about
        self._last_id = 0
        try:
            with translated(path):
                super().__init__(self._connect(), path)
                self._is_usable = True
                migrate(_Schema(self.connection), scripts or packaged_scripts("sqlite"))
                # Fixed when the journal is made: the directories that exist were cut to this size.
                self.run("INSERT INTO layout VALUES (1, :size) ON CONFLICT DO NOTHING", size=section_size)
        except JournalError:
            self.close()
            raise

    def begin(self, *, flush: bool = True) -> int:
        if not self._is_usable:
            self.connection = self._connect()
            self._is_usable = True
        try:
            if flush is not self._is_flushing:
                # The log is written in order and flushed whole, so what is not flushed now is with the next that is.
                self.connection.execute("PRAGMA synchronous = FULL" if flush else "PRAGMA synchronous = NORMAL")
                self._is_flushing = flush
            self.connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise journal_error(self._path, error) from error
        if self._sections is None:
            # Nobody else writes, so both are remembered from here on until a transaction fails.
            self._sections = self._load_sections()
            self._last_id = self.rows("SELECT last_id FROM clock")[0][0]
        return self._last_id

    def commit(self) -> None:
        try:
            self.connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise journal_error(self._path, error) from error

    def tidy(self, *, is_idle: bool) -> None:
        if self._is_usable and self._log_pages >= (_UNTIDY if is_idle else _OVERGROWN):
            # Trouble is not told here: the next commit meets the same disk, and its trouble is the journal's.
            self._log_pages = 0
            with suppress(sqlite3.Error):
                _, in_log, moved = self.connection.execute(_CHECKPOINT).fetchone()
                self._log_pages = in_log - moved

    def rollback(self) -> None:
        self._sections = None
        try:
            if self._is_usable and self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            self.connection.execute("SELECT 1 FROM clock").fetchall()
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _LASTING:
                self._is_usable = False
                with suppress(sqlite3.Error):
                    self.connection.close()

    def run(self, sql: str, **values: object) -> int:
        try:
            return self.connection.execute(sql, values).rowcount
        except sqlite3.Error as error:
            raise journal_error(self._path, error) from error

    def run_many(self, sql: str, values: Sequence[dict[str, object]]) -> None:
        with translated(self._path):
            self.connection.executemany(sql, values)

    def insert_records(self, rows: Sequence[RecordRow]) -> None:
        assert self._sections is not None, "records are inserted inside a transaction"
        try:
            self._insert(rows)
            full = self._sections.add([(row[0], row[1], row[3]) for row in rows])
            if full:
                self.connection.executemany("INSERT INTO section (number, directory) VALUES (?, ?)", full)
        except sqlite3.Error as error:
            raise journal_error(self._path, error) from error
        self._last_id = rows[-1][0]
        # The clock's page, the last page of records, and those that these filled: about, and never too few by much.
        self._log_pages += 2 + sum([len(row[7]) for row in rows]) // _PAGE_BYTES + len(rows) // _PAGE_RECORDS

    def _insert(self, rows: Sequence[RecordRow]) -> None:
        """Many at once: the interpreter's lock is let go for each statement, and another thread may keep it a while."""
        execute, at = self.connection.execute, 0
        while len(rows) - at >= _AT_ONCE:
            execute(_INSERT_MANY, tuple(chain.from_iterable(rows[at : at + _AT_ONCE])))
            at += _AT_ONCE
        for row in rows[at:]:
            execute(_INSERT, row)

    def forget_before(self, first_id: int) -> None:
        self.run("DELETE FROM section WHERE number < :number", number=(first_id - 1) // self.section_size)

    @contextmanager
    def reader(self) -> Iterator[SqliteReader]:
        try:
            reader = self._idle.get_nowait()
        except Empty:
            with translated(self._path):
                reader = SqliteReader(_connect_for_reading(self._path), self._path)
        try:
            yield reader
        except BaseException:
            reader.close()  # in a state nobody knows
            raise
        self._idle.put(reader)

    def close(self) -> None:
        while not self._idle.empty():
            self._idle.get_nowait().close()
        if self._is_usable:
            self._is_usable = False
            with suppress(sqlite3.Error):
                self.connection.close()
        self._lock.close()

    def _connect(self) -> sqlite3.Connection:
        with translated(self._path):
            connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=5)
            try:
                _refuse_strangers(connection, self._path)
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")  # each commit reaches the disk before it returns
                self._is_flushing = True
                connection.execute("PRAGMA wal_autocheckpoint = 0")  # `tidy` does it
                connection.execute("PRAGMA fullfsync = ON")  # the same on macOS, where fsync alone does not
                connection.execute("PRAGMA cell_size_check = ON")  # damaged pages are seen sooner
                connection.execute("PRAGMA secure_delete = FAST")  # what retention removed is overwritten where free
                connection.execute("PRAGMA trusted_schema = OFF")
            except (JournalError, sqlite3.Error):
                connection.close()
                raise
        return connection

    def _load_sections(self) -> SectionBuilder:
        ends, last_full_id = section_ends(self)
        builder = SectionBuilder(self.section_size, ends)
        builder.add(self.rows("SELECT id, stream, position FROM record WHERE id > :id ORDER BY id", id=last_full_id))
        return builder


class _Schema:
    """What a migration needs, on SQLite."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def run(self, sql: str) -> object:
        return self._connection.execute(sql)

    def version(self) -> int:
        version: int = self._connection.execute("SELECT COALESCE(MAX(version), 0) FROM schema_version").fetchone()[0]
        return version


def _connect_for_reading(path: Path) -> sqlite3.Connection:
    address = f"{path.resolve().as_uri()}?mode=ro"
    # A closed journal on a read-only medium has no log and may not make one; nobody can be writing it then.
    if not os.access(path.parent, os.W_OK) and not path.with_name(path.name + "-wal").exists():
        address += "&immutable=1"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=5)
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _refuse_strangers(connection: sqlite3.Connection, path: Path) -> None:
    """An empty file becomes a journal; a file with anything else in it is left alone."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application == APPLICATION_ID:
        return
    (tables,) = connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
    is_writable = not connection.execute("PRAGMA query_only").fetchone()[0]
    if application or tables or not is_writable:
        raise JournalError(ErrorCode.NOT_A_JOURNAL, f"{path} holds something else.")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _take_lock(path: Path) -> BinaryIO:
    try:
        lock = path.with_name(path.name + ".lock").open("ab")
    except OSError as error:
        is_barred = error.errno in (errno.EROFS, errno.EACCES, errno.EPERM)
        code = ErrorCode.READ_ONLY if is_barred else ErrorCode.UNAVAILABLE
        raise JournalError(code, f"{path}: {error.strerror}.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise JournalError(ErrorCode.LOCKED, f"Stop the process that has {path} open.") from None
    return lock
