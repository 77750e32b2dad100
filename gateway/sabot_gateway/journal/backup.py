"""An online backup: the whole journal as of one commit in one SQLite file, from either database, while it is written.

Owns the copy. The result needs no log beside it, so it can be read from any medium; `sabot verify` holds it against
the signatures. A backup appears under its name only when it is whole and on disk.
"""

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from sabot_gateway.journal.address import is_server, reader_at
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.sqlite import SqliteStore, copy_pages, open_sqlite_reader, settle_into_one_file
from sabot_gateway.journal.store import Reader, clock_of
from sabot_gateway.journal.walk import PAGE

Advance = Callable[[int, int], None]  # done, total

_TABLES: Final = {
    "stream": ("id", "name", "base_position", "base_hash"),
    "tenure": ("id", "stream", "owner", "fence"),
    "signer": ("id", "public_key"),
    "statement": ("number", "text", "signer", "signature"),
    "snapshot": ("stream", "position", "hash", "made_ms", "body", "signer", "signature"),
    "quarantine": ("id", "reason"),
}
_RECORDS: Final = (
    "SELECT id, stream, tenure, position, kind, device_ms, received_ms, body, hash FROM record "
    "WHERE id > :after ORDER BY id LIMIT :limit"
)


def back_up(address: str, target: Path, advance: Advance | None = None) -> None:
    """Copies the journal at `address` to the new file `target`."""
    if target.exists():
        raise JournalError(ErrorCode.INVALID, f"{target} exists already.")
    draft = target.with_name(target.name + ".part")
    _discard(draft)
    try:
        if is_server(address):
            with reader_at(address) as reader, reader.still():
                _copy_rows(reader, draft, advance or _silent)
        else:
            with closing(open_sqlite_reader(Path(address))) as reader:
                copy_pages(reader, draft, advance or _silent)
        settle_into_one_file(draft)
        draft.rename(target)
        _sync_folder(target.parent)
    except OSError as error:
        raise JournalError(ErrorCode.UNAVAILABLE, f"{target}: {error.strerror}.") from error
    finally:
        _discard(draft)


def _copy_rows(reader: Reader, draft: Path, advance: Advance) -> None:
    first_id, last_id, statements = clock_of(reader)
    with closing(SqliteStore(draft)) as store:
        store.begin()
        for table, columns in _TABLES.items():
            names, places = ", ".join(columns), ", ".join(f":{column}" for column in columns)
            rows = reader.rows(f"SELECT {names} FROM {table}")  # noqa: S608 - our own names
            copies: list[dict[str, object]] = [dict(zip(columns, row, strict=True)) for row in rows]
            store.run_many(f"INSERT INTO {table} ({names}) VALUES ({places})", copies)  # noqa: S608 - our own names
        clock = "UPDATE clock SET first_id = :first, last_id = :last, statements = :statements"
        store.run(clock, first=first_id, last=last_id, statements=statements)
        store.commit()
        store.rollback()  # the sections begin anew, now that the streams are known
        after = first_id - 1
        while rows := reader.rows(_RECORDS, after=after, limit=PAGE):
            store.begin()
            store.insert_records(rows)
            store.commit()
            after = rows[-1][0]
            advance(after - first_id + 1, last_id - first_id + 1)


def _discard(draft: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal", ".lock"):
        draft.with_name(draft.name + ending).unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _silent(done: int, total: int) -> None:
    del done, total
