"""Reading a journal in SQLite: any page, one stream through the sections' directories, the ends of all streams.

Owns the queries that only SQLite needs and the translation of its errors. Writes nothing.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import MAX_INTEGER
from sabot_gateway.journal.section import LARGEST, Directory, Share
from sabot_gateway.journal.store import RECORDS, TENURES, End, Row, Tenure

# A write that failed; reads have codes of their own.
_UNWRITTEN: Final = frozenset(
    {
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_DIR_FSYNC,
        sqlite3.SQLITE_IOERR_TRUNCATE,
        sqlite3.SQLITE_IOERR_DELETE,
        sqlite3.SQLITE_IOERR_SHMOPEN,
        sqlite3.SQLITE_IOERR_SHMSIZE,
    }
)
_CODES: Final = {
    sqlite3.SQLITE_FULL: ErrorCode.FULL,
    sqlite3.SQLITE_READONLY: ErrorCode.READ_ONLY,
    sqlite3.SQLITE_CORRUPT: ErrorCode.CORRUPT,
    sqlite3.SQLITE_NOTADB: ErrorCode.NOT_A_JOURNAL,
    sqlite3.SQLITE_BUSY: ErrorCode.LOCKED,
}
# Small tables with an index: records are read one by one anyway, and a section's directory is held against them.
_BESIDE_RECORDS: Final = ("stream", "tenure", "signer", "statement", "snapshot", "quarantine")
_TAIL: Final = f"{RECORDS} WHERE r.id > :full AND r.stream = :stream AND r.position > :after ORDER BY r.id LIMIT :limit"


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """SQLite's errors become the journal's."""
    try:
        yield
    except sqlite3.Error as error:
        raise journal_error(path, error) from error


def journal_error(path: Path, error: sqlite3.Error) -> JournalError:
    """The journal's error for SQLite's; for what runs at every commit, where a context costs more than its body."""
    # Errors of the Python layer itself carry no code: text that is no UTF-8, a number too large for a column.
    number = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    code = _CODES.get(number & 0xFF, ErrorCode.UNAVAILABLE)
    if number in _UNWRITTEN and not os.access(path, os.W_OK):
        code = ErrorCode.READ_ONLY  # remounted while the file was open: SQLite says only that writing failed
    return JournalError(code, f"{path}: {error}.")


class SqliteReader:
    """A connection that reads; used by one thread at a time."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.connection = connection
        self._path = path
        self._section_size = 0

    @property
    def section_size(self) -> int:
        """Ids in a section, as this journal was laid out."""
        if not self._section_size:
            rows = self.rows("SELECT section_size FROM layout")
            if len(rows) != 1 or not 0 < rows[0][0] <= LARGEST:
                raise JournalError(ErrorCode.CORRUPT, "The journal's layout is damaged.")
            self._section_size = rows[0][0]
        return self._section_size

    def rows(self, sql: str, **values: object) -> list[Row]:
        with translated(self._path):
            return self.connection.execute(sql, values).fetchall()

    @contextmanager
    def still(self) -> Iterator[None]:
        with translated(self._path):
            self.connection.execute("BEGIN")
        try:
            yield
        finally:
            with suppress(sqlite3.Error):  # a damaged journal cannot even end a view; the first error says why
                self.connection.execute("ROLLBACK")

    def stream_rows(self, stream: int, after: int, limit: int) -> list[Row]:
        first, last = self.section_range()
        found: list[Row] = []
        number = self._section_behind(stream, after, first, last)
        while number <= last and len(found) < limit:
            share = self._share(number, stream)
            if share and share.end > after:
                skip = max(0, after - share.before)
                base = number * self.section_size + 1
                ids = [base + offset for offset in share.offsets[skip : skip + limit - len(found)]]
                rows = self.rows(f"{RECORDS} WHERE r.id IN ({','.join(map(str, ids))}) ORDER BY r.id")
                if len(rows) != len(ids):
                    raise JournalError(ErrorCode.CORRUPT, f"Section {number} lists records that are not there.")
                found += rows
                after += len(rows)
            number += 1
        if len(found) < limit:
            full = (last + 1) * self.section_size
            found += self.rows(_TAIL, full=full, stream=stream, after=after, limit=limit - len(found))
        return found

    def ends(self, names: Sequence[str] | None = None) -> list[End]:
        ends, full = section_ends(self)
        last_ids = {stream: last_id for stream, _, last_id in ends}
        # SQLite gives the other columns of the row that has the maximum.
        behind = {
            row[0]: row[1:]
            for row in self.rows(
                "SELECT stream, position, hash, MAX(id) FROM record WHERE id > :full GROUP BY stream", full=full
            )
        }
        found = []
        for stream, name, position, digest in self.rows("SELECT id, name, base_position, base_hash FROM stream"):
            if names is not None and name not in names:
                continue
            if stream in behind:
                position, digest = behind[stream][:2]
            else:
                query = "SELECT position, hash FROM record WHERE id = :id"
                for row in self.rows(query, id=last_ids.get(stream, 0)):
                    position, digest = row
            found.append(End(stream, name, position, digest))
        return found

    def tenures(self, streams: Sequence[int]) -> list[Tenure]:
        del streams  # all of them: this is asked once per start
        return [Tenure(*row) for row in self.rows(TENURES)]

    def section_range(self) -> tuple[int, int]:
        """The first and the last full section; (0, -1) when there is none."""
        first, last = self.rows("SELECT MIN(number), MAX(number) FROM section")[0]
        if first is None:
            return 0, -1
        if first < 0 or last > MAX_INTEGER // self.section_size - 1:
            raise JournalError(ErrorCode.CORRUPT, "A section has an impossible number.")
        return first, last

    def directory(self, number: int) -> Directory:
        rows = self.rows("SELECT directory FROM section WHERE number = :number", number=number)
        if not rows:
            raise JournalError(ErrorCode.CORRUPT, f"The directory of section {number} is missing.")
        return Directory(rows[0][0])

    def damage(self, until_id: int) -> str:
        ends: dict[int, tuple[int, int]] = {}
        for number in range(until_id // self.section_size):
            with self.still():  # a view each: a long one would keep the log from being reused
                (first_id,) = self.rows("SELECT first_id FROM clock")[0]
                if number < (first_id - 1) // self.section_size:
                    ends.clear()  # retention passed by; what follows is held against itself
                    continue
                try:
                    shares = self.directory(number).shares()
                except JournalError as error:
                    return str(error)
                if not self._agrees(number, shares, first_id, ends):
                    return f"The directory of section {number} is not the one that was written."
        return self._broken_table()

    def _broken_table(self) -> str:
        """Pages that no check of the evidence reads, such as those of an index: the next write may need them."""
        for table in _BESIDE_RECORDS:
            try:
                rows = self.rows(f"PRAGMA integrity_check({table})")
            except JournalError as error:
                return str(error)
            if rows != [("ok",)]:
                return f"The pages of the table {table} are damaged."
        return ""

    def close(self) -> None:
        self.connection.close()

    def _agrees(self, number: int, shares: list[Share], first_id: int, ends: dict[int, tuple[int, int]]) -> bool:
        base = number * self.section_size + 1
        listed: dict[int, tuple[int, int]] = {}
        for share in shares:
            for index, offset in enumerate(share.offsets):
                listed[base + offset] = share.stream, share.before + index + 1
            last_id = base + share.offsets[-1] if share.offsets else share.last_id
            before = ends.get(share.stream, (share.before, last_id))
            if before[0] != share.before or last_id != share.last_id or (not share.offsets and before[1] != last_id):
                return False
            ends[share.stream] = share.end, last_id
        query = "SELECT id, stream, position FROM record WHERE id >= :first AND id < :stop"
        rows = self.rows(query, first=max(base, first_id), stop=base + self.section_size)
        stored = {row[0]: (row[1], row[2]) for row in rows}
        return stored == {key: value for key, value in listed.items() if key >= first_id}

    def _section_behind(self, stream: int, after: int, first: int, last: int) -> int:
        """The first full section in which the stream goes beyond `after`; `last + 1` when there is none."""
        low, high = first, last + 1
        while low < high:
            middle = (low + high) // 2
            share = self._share(middle, stream)
            if share and share.end > after:
                high = middle
            else:
                low = middle + 1
        return low

    def _share(self, number: int, stream: int) -> Share | None:
        return self.directory(number).share(stream)


def section_ends(reader: SqliteReader) -> tuple[list[tuple[int, int, int]], int]:
    """Where each stream stood after the last full section, as (stream, position, last id), and that section's end."""
    _, last = reader.section_range()
    ends = {row[0]: (row[1], 0) for row in reader.rows("SELECT id, base_position FROM stream")}
    if last >= 0:
        for share in reader.directory(last).shares():
            ends[share.stream] = share.end, share.last_id
    return [(stream, *end) for stream, end in ends.items()], (last + 1) * reader.section_size
