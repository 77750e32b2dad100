"""`views.db`: the views of the journal in a file beside it, which may be deleted at any time.

Owns the file and its progress. The last journal id folded is written in the same transaction as what was folded, so a
crash loses and doubles nothing. A file of another version, of another journal, or a broken one is built anew.
One writer (`catch_up`), any number of readers in other threads and processes; nobody waits for anybody (WAL).
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Final

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import Record
from sabot_gateway.projections.projector import Projector
from sabot_gateway.projections.schema import TABLES, VERSION
from sabot_gateway.projections.shelf import Shelf
from sabot_gateway.projections.source import Source

BATCH: Final = 4_096  # records folded in one transaction: short enough that a stop is prompt
_SIDE_FILES: Final = ("-wal", "-shm", "-journal")


class Views:
    """The views in one file; call `catch_up` from one thread at a time, `reading` from any."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writing = threading.Lock()
        self._db = _opened(path)
        self._projector = Projector(self._db)
        self._shelf: tuple[Source, Shelf] | None = None
        self._readers: list[sqlite3.Connection] = []
        self._lending = threading.Lock()
        self._is_closed = False

    @property
    def last_id(self) -> int:
        """The last record of the journal that the views contain."""
        with self.reading() as db:
            return int(db.execute("SELECT last_id FROM progress").fetchone()[0])

    @property
    def unreadable(self) -> int:
        """How many records this release could not read, and passed over."""
        with self.reading() as db:
            return int(db.execute("SELECT unreadable FROM progress").fetchone()[0])

    def catch_up(
        self,
        journal: Source,
        advance: Callable[[int], None] = lambda _: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> int:
        """Folds what is new, returns how many records that was; JournalError where the journal cannot be read."""
        with self._writing:
            self._projector.lookup = self._shelf_of(journal)
            records = self._unread(journal)
            done = 0
            while not stop():
                batch = list(islice(records, BATCH))
                if not batch:
                    break
                self._take(batch)
                done += len(batch)
                advance(len(batch))
            return done

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A read-only connection that sees the views as of one commit."""
        db = self._borrowed()
        try:
            db.execute("BEGIN")
            yield db
        finally:
            with suppress(sqlite3.Error):
                db.execute("ROLLBACK")
            with self._lending:
                if self._is_closed:
                    db.close()
                else:
                    self._readers.append(db)

    def close(self) -> None:
        with self._writing, self._lending:
            self._is_closed = True
            for db in self._readers:
                db.close()
            self._readers.clear()
            self._db.close()

    def _borrowed(self) -> sqlite3.Connection:
        with self._lending:
            if self._readers:
                return self._readers.pop()
        db = sqlite3.connect(
            f"{self._path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
        )
        db.execute("PRAGMA query_only = ON")
        return db

    def _shelf_of(self, journal: Source) -> Shelf:
        if self._shelf is None or self._shelf[0] is not journal:
            self._shelf = journal, Shelf(journal)
        return self._shelf[1]

    def _unread(self, journal: Source) -> Iterator[Record]:
        """Behind the last record folded, after a look whether it is the one that was folded."""
        last_id, last_hash = self._db.execute("SELECT last_id, last_hash FROM progress").fetchone()
        if not last_id:
            return journal.tail(None)
        records = journal.tail(last_id - 1)
        try:
            first = next(records, None)
        except JournalError as error:
            if error.code is not ErrorCode.REMOVED:
                raise
            # Retention has passed by: what was folded stays, the rest begins at the first record that is kept.
            return journal.tail(None)
        if first is None or first.id != last_id or first.hash != last_hash:
            self._begin_anew()
            return journal.tail(None)
        return records

    def _take(self, batch: list[Record]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for record in batch:
                self._projector.take(record)
            self._projector.flush()
            self._db.execute("UPDATE progress SET last_id = ?, last_hash = ?", (batch[-1].id, batch[-1].hash))
            self._db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            self._projector.forget()
            raise

    def _begin_anew(self) -> None:
        """Another journal than the one folded so far, or one put back from a backup."""
        self._db.execute("BEGIN IMMEDIATE")
        for (name,) in self._db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            self._db.execute(f"DROP TABLE {name}")
        for statement in _statements():
            self._db.execute(statement)
        self._db.execute("COMMIT")
        self._projector.forget()


def _opened(path: Path) -> sqlite3.Connection:
    """The file as it is, or a new one in its place."""
    with suppress(sqlite3.Error):
        db = _connected(path)
        try:
            rows = db.execute("SELECT version FROM progress").fetchall()
        except sqlite3.Error:
            rows = []
        if rows == [(VERSION,)] and db.execute("PRAGMA quick_check(1)").fetchone() == ("ok",):
            return db
        db.close()
    for name in (path.name, *(path.name + suffix for suffix in _SIDE_FILES)):
        path.with_name(name).unlink(missing_ok=True)
    db = _connected(path)
    db.execute("BEGIN IMMEDIATE")
    for statement in _statements():
        db.execute(statement)
    db.execute("COMMIT")
    return db


def _connected(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        # A crash of the machine may take the last transactions back; they are folded again.
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA cache_size = -65536")  # KiB
    except sqlite3.Error:
        db.close()
        raise
    return db


def _statements() -> Iterator[str]:
    for statement in TABLES.split(";"):
        if statement.strip():
            yield statement
    yield f"INSERT INTO progress (version, last_id, last_hash) VALUES ({VERSION}, 0, x'')"  # noqa: S608 - a number
