"""Folds of tables kept along their streams, so that the recall of an old coup need not begin at the stream's start.

The journal keeps only the newest snapshot of a table; here older ones stay, in a file of their own that may be deleted
at any time. They come from two sides: the journal's own snapshot is copied when it has moved far enough, and a recall
that had to fold a long way leaves bookmarks behind it. A bookmark holds sealed cards, like the journal beside it, and
is used only if the chain still has the record that it stands on.
"""

import sqlite3
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

from sabot_gateway.journal.record import Head, Stream
from sabot_gateway.projections.source import Source

EVERY: Final = 2_000  # records of one table between two bookmarks: folding so many takes about a tenth of a second
_VERSION: Final = 1
_ASIDE: Final = ("house/", "quarantine/")  # streams that are no table


class Bookmarks:
    """Used from any thread; every method is short."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._db = _opened(path)

    def before(self, stream: Stream, position: int) -> tuple[Head, bytes] | None:
        """The nearest fold that stands before `position`."""
        with self._lock:
            row = self._db.execute(
                "SELECT position, hash, body FROM bookmark WHERE stream = ? AND position < ?"
                " ORDER BY position DESC LIMIT 1",
                (stream, position),
            ).fetchone()
        return None if row is None else (Head(row[0], row[1]), row[2])

    def keep(self, stream: Stream, head: Head, body: bytes) -> None:
        """Keeps a fold, unless one stands nearby."""
        with self._lock:
            near = self._db.execute(
                "SELECT 1 FROM bookmark WHERE stream = ? AND position > ? AND position < ?",
                (stream, head.position - EVERY, head.position + EVERY),
            ).fetchone()
            if near is None:
                self._db.execute(
                    "INSERT OR REPLACE INTO bookmark (stream, position, hash, body) VALUES (?, ?, ?, ?)",
                    (stream, head.position, head.hash, body),
                )

    def drop(self, stream: Stream, position: int) -> None:
        """One that does not fit the journal or cannot be read."""
        with self._lock:
            self._db.execute("DELETE FROM bookmark WHERE stream = ? AND position = ?", (stream, position))

    def copy_snapshots(self, journal: Source) -> None:
        """The journal's present snapshots of all tables."""
        for stream in journal.heads():
            if stream.startswith(_ASIDE):
                continue
            snapshot = journal.snapshot(stream)
            if snapshot is not None:
                self.keep(stream, snapshot.head, snapshot.body)

    def close(self) -> None:
        with self._lock:
            self._db.close()


def _opened(path: Path) -> sqlite3.Connection:
    with suppress(sqlite3.Error):
        return _prepared(path)
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return _prepared(path)


def _prepared(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        if db.execute("PRAGMA user_version").fetchone() != (_VERSION,):
            db.execute("DROP TABLE IF EXISTS bookmark")
            db.execute(
                "CREATE TABLE bookmark (stream TEXT NOT NULL, position INTEGER NOT NULL, hash BLOB NOT NULL,"
                " body BLOB NOT NULL, PRIMARY KEY (stream, position)) WITHOUT ROWID"
            )
            db.execute(f"PRAGMA user_version = {_VERSION}")
        db.execute("SELECT 1 FROM bookmark LIMIT 1").fetchall()
    except sqlite3.Error:
        db.close()
        raise
    return db
