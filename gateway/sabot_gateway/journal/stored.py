"""`StoredJournal`: the port's contract, written once over the shape that every store has.

Owns the order of things inside a commit and on the way out to readers. Adapters are composed in, never inherited.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from types import TracebackType
from typing import Any, Final, Self

from sabot_gateway.journal import browsing
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.ledger import Ledger
from sabot_gateway.journal.port import Append, Receipt, Removal
from sabot_gateway.journal.quarantine import Quarantined, Refusal, body_from_refusal, quarantine_stream
from sabot_gateway.journal.record import Entry, Head, Kind, Owner, Record, Stream
from sabot_gateway.journal.retention import Cut, find_cut
from sabot_gateway.journal.signing import Signer
from sabot_gateway.journal.snapshot import Snapshot
from sabot_gateway.journal.statement import Anchor, Checkpoint, heads_digest
from sabot_gateway.journal.store import Reader, Store
from sabot_gateway.journal.testimony import Testimony
from sabot_gateway.journal.writer import GroupWriter, Request

_REMOVED_AT_ONCE: Final = 2_000  # records; appends that wait meanwhile wait for milliseconds


class StoredJournal:
    """A journal in a store; it owns the store and closes it."""

    def __init__(self, store: Store, signer: Signer) -> None:
        self._store = store
        self._ledger = Ledger(store)
        self._testimony = Testimony(store, signer)
        self._fault: JournalError | None = None
        self._is_closed = False
        self._retaining = threading.Lock()
        self._writer = GroupWriter(self._commit, partial(store.tidy, is_idle=True))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def fault(self) -> JournalError | None:
        return self._fault

    def probe(self) -> Future[None]:
        return self._submit_job(lambda: self._store.run("UPDATE clock SET probes = probes + 1") and None)

    def append(self, *appends: Append, flush: bool = True) -> Future[tuple[Receipt, ...]]:
        return self._writer.submit(Request(appends, flush=flush))

    def quarantine(self, owner: Owner, fence: int, refusals: Sequence[Refusal]) -> Future[Receipt]:
        stream = quarantine_stream(owner)

        def job() -> Receipt:
            bodies = [body_from_refusal(refusal) for refusal in refusals]
            entries = [
                Entry(Kind.FACT, body, refusal.received_ms) for body, refusal in zip(bodies, refusals, strict=True)
            ]
            (receipt,) = self._ledger.admit([Append(stream, owner, fence, entries)])
            first = receipt.id - len(refusals) + 1
            rows: list[dict[str, object]] = [
                {"id": first + n, "reason": refusal.reason} for n, refusal in enumerate(refusals)
            ]
            self._store.run_many("INSERT INTO quarantine (id, reason) VALUES (:id, :reason)", rows)
            return receipt

        return self._submit_job(job, stream)

    def save_snapshots(self, snapshots: Sequence[Snapshot]) -> Future[None]:
        # Not flushed: it is behind what it stands for in the same log, and a start without it only takes longer.
        return self._submit_job(lambda: self._testimony.save_snapshots(snapshots, self._ledger), flush=False)

    def sign_checkpoint(self, at_ms: int) -> Future[Checkpoint]:
        def job() -> Checkpoint:
            number, previous = self._testimony.next_statement()
            digest = heads_digest(self._ledger.heads())
            checkpoint = Checkpoint(number, previous, at_ms, self._ledger.last_id, digest)
            self._testimony.sign(checkpoint)
            return checkpoint

        return self._submit_job(job)

    def retain(self, before_ms: int, at_ms: int) -> Removal:
        with self._retaining:
            with self._reader() as reader:
                cut = find_cut(reader, before_ms)
            if cut.first_id > cut.old_first_id:
                self._submit_job(lambda: self._anchor(cut, before_ms, at_ms)).result()
            # Also what an interrupted run left behind: the anchor is signed first, the rows go after it.
            return Removal(self._remove_before(cut.first_id), cut.first_id)

    def read(self, stream: Stream, after: int = 0) -> Iterator[Record]:
        return browsing.read(self._reader, stream, after)

    def tail(self, after_id: int | None = None) -> Iterator[Record]:
        return browsing.tail(self._reader, after_id)

    def heads(self) -> Mapping[Stream, Head]:
        with self._reader() as reader:
            return {Stream(end.name): Head(end.position, end.hash) for end in reader.ends()}

    def snapshot(self, stream: Stream) -> Snapshot | None:
        with self._reader() as reader:
            return browsing.snapshot(reader, stream)

    def quarantined(
        self, reason: str | None = None, before_id: int | None = None, limit: int = 100
    ) -> Sequence[Quarantined]:
        with self._reader() as reader:
            return browsing.quarantined(reader, reason, before_id, limit)

    def quarantine_counts(self) -> Mapping[str, int]:
        with self._reader() as reader:
            return dict(reader.rows("SELECT reason, COUNT(*) FROM quarantine GROUP BY reason"))

    def close(self) -> None:
        self._writer.close()
        self._is_closed = True
        self._store.close()

    @contextmanager
    def _reader(self) -> Iterator[Reader]:
        if self._is_closed:
            raise JournalError(ErrorCode.CLOSED)
        with self._store.reader() as reader:
            yield reader

    def _submit_job(self, job: Callable[[], object], *streams: str, flush: bool = True) -> "Future[Any]":
        return self._writer.submit(Request((), job, streams, flush=flush))

    def _commit(self, group: list[Request]) -> None:
        """Runs on the writer thread: one transaction for the group, then the answers."""
        try:
            last_id = self._store.begin(flush=group[0].flush)
            self._ledger.open(last_id, [name for request in group for name in request.streams])
            for request in group:
                self._apply(request)
            self._ledger.flush()
            self._store.commit()
        except JournalError as fault:
            self._store.rollback()
            self._ledger.forget()
            self._testimony.forget()
            self._fault = fault
            for request in group:
                request.future.set_exception(request.refusal or fault)
            return
        self._fault = None
        for request in group:
            if request.refusal:
                request.future.set_exception(request.refusal)
            else:
                request.future.set_result(request.result)
        self._store.tidy(is_idle=False)

    def _apply(self, request: Request) -> None:
        try:
            if request.job is None:
                request.result = self._ledger.admit(request.appends)
            else:
                self._ledger.flush()  # a job sees every append that came before it
                request.result = request.job()
        except JournalError as error:
            if not error.is_refusal:
                raise
            request.refusal = error

    def _anchor(self, cut: Cut, before_ms: int, at_ms: int) -> None:
        if self._store.rows("SELECT first_id FROM clock")[0][0] != cut.old_first_id:
            raise JournalError(ErrorCode.MOVED, "Another gateway removed records at the same time.")
        number, previous = self._testimony.next_statement()
        self._testimony.sign(Anchor(number, previous, at_ms, cut.first_id, before_ms, cut.heads))
        self._store.run("UPDATE clock SET first_id = :first_id", first_id=cut.first_id)
        self._store.run_many(
            "UPDATE stream SET base_position = :position, base_hash = :hash WHERE name = :name",
            [{"name": name, "position": head.position, "hash": head.hash} for name, head in cut.heads.items()],
        )

    def _remove_before(self, first_id: int) -> int:
        with self._reader() as reader:
            oldest: int | None = reader.rows("SELECT MIN(id) FROM record")[0][0]
        if oldest is None:
            return 0
        stop = oldest
        while stop < first_id:
            stop = min(stop + _REMOVED_AT_ONCE, first_id)
            self._submit_job(partial(self._delete_before, stop)).result()
        return max(0, first_id - oldest)

    def _delete_before(self, stop: int) -> None:
        for table in ("record", "quarantine"):
            self._store.run(f"DELETE FROM {table} WHERE id < :stop", stop=stop)  # noqa: S608 - our own names
        self._store.forget_before(stop)
