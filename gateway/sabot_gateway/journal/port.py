"""The port `Journal`: what the gateway may ask of its store, whichever database is behind it.

Owns the contract; the adapters' equal behaviour is proven by one suite. Law 2 rests on it: a future that
`append` returned has a result only when the records are on stable storage and visible to readers (ADR 0014 says what
`flush=False` leaves out, and for which records only).
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from sabot_gateway.journal.error import JournalError
from sabot_gateway.journal.quarantine import Quarantined, Refusal
from sabot_gateway.journal.record import Entry, Head, Owner, Record, Stream
from sabot_gateway.journal.snapshot import Snapshot
from sabot_gateway.journal.statement import Checkpoint


@dataclass(frozen=True, slots=True)
class Append:
    """Entries for the end of one stream, by an owner with its fencing number.

    `after` is the position the writer believes the stream ends at; None for one that does not mind. After a
    failure whose outcome is unknown (a lost connection), a retry with `after` cannot write the entries twice.
    """

    stream: Stream
    owner: Owner
    fence: int
    entries: Sequence[Entry]
    after: int | None = None


class Receipt(NamedTuple):
    """Proof that an append is durable: its last record's position, id and hash."""

    stream: Stream
    position: int
    id: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class Removal:
    """What a retention run removed; `first_id` is the first id that was kept."""

    removed: int
    first_id: int


class Journal(Protocol):
    """Append-only streams, one per table. Every method may be called from any thread; readers never block the writer.

    A refusal (`JournalError.is_refusal`) concerns its own request only. Any other JournalError fails the whole
    group, acknowledges nothing of it, and shows in `fault` until a write succeeds again.
    """

    @property
    def fault(self) -> JournalError | None:
        """Why the last write failed; None when the journal is well."""

    def probe(self) -> Future[None]:
        """Writes something that is no record, so that a caller may see whether the journal is well again."""

    def append(self, *appends: Append, flush: bool = True) -> Future[tuple[Receipt, ...]]:
        """All of the appends (to distinct streams) durably, or none; the result comes after the commit.

        Without `flush`: for what can be worked out again from records that are on stable storage, and for nothing
        else. The result comes when it is in the journal, which readers see and no end of this process undoes; it may
        overtake requests that flush, and is on stable storage when the next one of those is. Losing power before that
        takes back a tail of the journal that holds nothing but such records.
        """

    def quarantine(self, owner: Owner, fence: int, refusals: Sequence[Refusal]) -> Future[Receipt]:
        """Keeps refused bytes in the owner's quarantine stream, chained like any record."""

    def save_snapshots(self, snapshots: Sequence[Snapshot]) -> Future[None]:
        """Replaces the snapshot of each stream; a snapshot must fit the chain at its position.

        Done when it is in the journal; it reaches the disk with the next commit that is flushed, after what it covers.
        """

    def sign_checkpoint(self, at_ms: int) -> Future[Checkpoint]:
        """Signs the heads of all streams as they stand at this commit."""

    def retain(self, before_ms: int, at_ms: int) -> Removal:
        """Removes the oldest records received before `before_ms` that snapshots cover, and leaves a signed anchor."""

    def read(self, stream: Stream, after: int = 0) -> Iterator[Record]:
        """The records of a stream behind position `after`, in order, up to what is durable when read."""

    def tail(self, after_id: int | None = None) -> Iterator[Record]:
        """The records of all streams behind `after_id` (None: all that are kept) in commit order, none skipped."""

    def heads(self) -> Mapping[Stream, Head]:
        """Where each stream ends, as of one commit."""

    def snapshot(self, stream: Stream) -> Snapshot | None:
        """The stream's snapshot if there is one; a snapshot whose signature is wrong is an error."""

    def quarantined(
        self, reason: str | None = None, before_id: int | None = None, limit: int = 100
    ) -> Sequence[Quarantined]:
        """What was refused, newest first, a page at a time."""

    def quarantine_counts(self) -> Mapping[str, int]:
        """How many refusals are kept, by reason."""

    def close(self) -> None:
        """Writes what is waiting, then ends the writer; later calls are refused."""
