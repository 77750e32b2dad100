"""What a database must do for the journal: the shape that both adapters share, and the SQL they share.

Owns the portable statements (named parameters `:name`, nothing that only one database knows). The journal's logic
stands above this line once; below it an adapter connects, locks, inserts in bulk and translates errors.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, NamedTuple, Protocol

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import KINDS, Record

Row = tuple[Any, ...]  # the columns' types are the schema's

RECORDS: Final = (
    "SELECT r.id, s.name, t.owner, t.fence, r.position, r.kind, r.device_ms, r.received_ms, r.body, r.hash "
    "FROM record r JOIN stream s ON s.id = r.stream JOIN tenure t ON t.id = r.tenure AND t.stream = r.stream "
)
TAIL: Final = RECORDS + "WHERE r.id > :after AND r.id <= :until ORDER BY r.id LIMIT :limit"
CLOCK: Final = "SELECT first_id, last_id, statements FROM clock"
STREAM: Final = "SELECT id, base_position FROM stream WHERE name = :name"
# The present tenure of each stream: the one with the highest fence.
TENURES: Final = (
    "SELECT t.stream, t.id, t.owner, t.fence FROM tenure t "
    "WHERE t.fence = (SELECT MAX(u.fence) FROM tenure u WHERE u.stream = t.stream)"
)
OWNERS: Final = f"SELECT s.name, p.owner, p.fence FROM ({TENURES}) p LEFT JOIN stream s ON s.id = p.stream"  # noqa: S608
SNAPSHOTS: Final = (
    "SELECT s.name, n.position, n.hash, n.made_ms, n.body, k.public_key, n.signature "
    "FROM snapshot n LEFT JOIN stream s ON s.id = n.stream LEFT JOIN signer k ON k.id = n.signer"
)
STATEMENTS: Final = (
    "SELECT n.number, n.text, k.public_key, n.signature FROM statement n LEFT JOIN signer k ON k.id = n.signer "
    "ORDER BY n.number"
)


# A row of the table `record` in its columns' order: id, stream, tenure, position, kind, device_ms, received_ms, body,
# hash. A plain tuple: one is made for every record that is ever written.
RecordRow = tuple[int, int, int, int, int, int | None, int, bytes, bytes]


class End(NamedTuple):
    """Where a stream ends, with its number in the store."""

    stream: int
    name: str
    position: int
    hash: bytes


class Tenure(NamedTuple):
    """The present owner of a stream."""

    stream: int
    id: int
    owner: str
    fence: int


class Reader(Protocol):
    """A connection that reads. Every method raises JournalError and nothing of the driver's."""

    def rows(self, sql: str, **values: object) -> list[Row]:
        """All rows of a query."""

    def still(self) -> AbstractContextManager[object]:
        """Inside, every query sees the journal as of one commit."""

    def stream_rows(self, stream: int, after: int, limit: int) -> list[Row]:
        """Rows of RECORDS of one stream behind a position, in order."""

    def ends(self, names: Sequence[str] | None = None) -> list[End]:
        """The ends of the named streams that exist; None for all."""

    def tenures(self, streams: Sequence[int]) -> list[Tenure]:
        """The present tenures of (at least) these streams."""

    def damage(self, until_id: int) -> str:
        """A sentence on the first derived structure up to `until_id` that disagrees with the records; else empty."""


class Store(Reader, Protocol):
    """The write connection, used by the writer thread alone; `reader` may be called from any thread."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes may append too, so that nothing remembered is true without a look."""

    def begin(self, *, flush: bool = True) -> int:
        """Starts a write transaction, alone until its end, and returns the last id given out."""

    def commit(self) -> None:
        """Returns when the transaction, if it was begun to be flushed, and all before it are on stable storage."""

    def tidy(self, *, is_idle: bool) -> None:
        """Between two transactions: does what the store must do now and then; more of it while nobody waits."""

    def rollback(self) -> None:
        """Never raises; afterwards `begin` works again if anything does."""

    def run(self, sql: str, **values: object) -> int:
        """Runs a statement and returns how many rows it changed."""

    def run_many(self, sql: str, values: Sequence[dict[str, object]]) -> None:
        """Runs a statement once per item."""

    def insert_records(self, rows: Sequence[RecordRow]) -> None:
        """Adds rows whose ids follow the last id without a gap."""

    def forget_before(self, first_id: int) -> None:
        """Drops what was derived from removed records."""

    def reader(self) -> AbstractContextManager[Reader]:
        """Lends a read connection."""

    def close(self) -> None:
        """Closes every connection."""


def clock_of(reader: Reader) -> tuple[int, int, int]:
    """The first and the last id that are kept, and the number of the last signed statement."""
    rows = reader.rows(CLOCK)
    if len(rows) != 1:
        raise JournalError(ErrorCode.CORRUPT, "The journal's clock is gone.")
    first_id, last_id, statements = rows[0]
    return first_id, last_id, statements


def record_from_row(row: Row) -> Record:
    number, stream, owner, fence, position, kind, device_ms, received_ms, body, digest = row
    try:
        return Record(number, stream, owner, fence, position, KINDS[kind], device_ms, received_ms, body, digest)
    except KeyError:
        raise JournalError(ErrorCode.CORRUPT, f"Record {number} is of no known kind.") from None
