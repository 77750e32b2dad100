"""What the journal costs beside SQLite alone: durable appends with chain and fence, replay, verification, many tables.

Each figure stands beside raw inserts or plain reads of the same rows on the same disk in the same run. Rounds
alternate, so that a busy machine slows both; the best round counts, as noise only ever adds.
"""

import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from sabot_gateway.journal.port import Append
from sabot_gateway.journal.record import Entry, Kind, Owner, Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal, open_sqlite_reader
from sabot_gateway.journal.stored import StoredJournal
from sabot_gateway.journal.verification import verify
from sabot_tools.bench.row import Row

_BODY: Final = bytes(60)  # a card scan with its lead
_NOW_MS: Final = 1_700_000_000_000
_ROUNDS: Final = 3
_BATCHES: Final = {1: 200, 100: 5_000, 1_000: 20_000}  # records per append -> records per round
_TABLES: Final = 1_000
_OWNER: Final = Owner("bench")
_RAW: Final = "INSERT INTO record VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)"


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as name:
        folder = Path(name)
        with open_sqlite_journal(folder / "journal.db") as journal, closing(_raw(folder / "raw.db")) as raw:
            rows = [_appending(journal, raw, batch, count) for batch, count in _BATCHES.items()]
            rows.append(_many_tables(journal))
            rows += _reading(journal, raw, folder / "journal.db")
        return rows


def _raw(path: Path) -> sqlite3.Connection:
    """The floor: one table with the same columns, no chain, no fence, no order over tables."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(
        "CREATE TABLE record (id INTEGER PRIMARY KEY, stream INTEGER, tenure INTEGER, position INTEGER, "
        "kind INTEGER, device_ms INTEGER, received_ms INTEGER, body BLOB, hash BLOB)"
    )
    return connection


def _appending(journal: StoredJournal, raw: sqlite3.Connection, batch: int, count: int) -> Row:
    entries = [Entry(Kind.FACT, _BODY, _NOW_MS, _NOW_MS)] * batch
    rows = [(1, 1, 1, 1, _NOW_MS, _NOW_MS, _BODY, bytes(32))] * batch

    def ours() -> None:
        for _ in range(count // batch):
            journal.append(Append(Stream("table-0"), _OWNER, 1, entries)).result()

    def theirs() -> None:
        for _ in range(count // batch):
            raw.execute("BEGIN IMMEDIATE")
            raw.executemany(_RAW, rows)
            raw.execute("COMMIT")

    return _row(f"append, {batch} per commit", count, ours, "raw SQLite", theirs)


def _many_tables(journal: StoredJournal) -> Row:
    """A thousand tables with one event each in a commit, against one table with as many."""
    entry = [Entry(Kind.FACT, _BODY, _NOW_MS, _NOW_MS)]

    def appends(tables: int) -> list[list[Append]]:
        names = [Stream(f"table-{n}") for n in range(tables)]
        return [[Append(name, _OWNER, 1, entry)] for name in (names * (_TABLES // tables))]

    one, many = appends(1), appends(_TABLES)

    def run(groups: list[list[Append]]) -> None:
        for future in [journal.append(*group) for group in groups]:
            future.result()

    return _row(
        f"append over {_TABLES:,} tables", _TABLES, lambda: run(many), "the same to one table", lambda: run(one)
    )


def _reading(journal: StoredJournal, raw: sqlite3.Connection, path: Path) -> list[Row]:
    ((count,),) = raw.execute("SELECT COUNT(*) FROM record").fetchall()
    kept = sum(1 for _ in journal.tail())

    def plain() -> None:
        for _ in raw.execute("SELECT * FROM record ORDER BY id"):
            pass

    def replay() -> None:
        for _ in journal.tail():
            pass

    def check() -> None:
        with closing(open_sqlite_reader(path)) as reader:
            assert not verify(reader).findings

    return [
        _row("replay, read only", kept, replay, "plain SQLite read", plain, count),
        _row("verify", kept, check, "plain SQLite read", plain, count),
    ]


def _row(
    name: str,
    count: int,
    ours: Callable[[], None],
    against: str,
    theirs: Callable[[], None],
    their_count: int | None = None,
) -> Row:
    took = peer = float("inf")
    for _ in range(_ROUNDS):
        took, peer = min(took, _seconds(ours)), min(peer, _seconds(theirs))
    rate, floor = count / took, (their_count or count) / peer
    return Row(name, f"{rate:,.0f}", "records/s", f"{against} {floor:,.0f}/s", f"{rate / floor:.2f}")


def _seconds(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
