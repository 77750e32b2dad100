"""A journal whose commits a test holds back, lets go, fails or loses: the port, over a real SQLite journal.

Everything that is written is written by the real adapter. What a test chooses is the moment, and what becomes of the
answer: a power cut may fall before the commit, or after it and before anybody heard of it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from sabot_gateway.journal.error import JournalError
from sabot_gateway.journal.port import Append, Journal, Receipt, Removal
from sabot_gateway.journal.quarantine import Quarantined, Refusal
from sabot_gateway.journal.record import Head, Owner, Record, Stream
from sabot_gateway.journal.snapshot import Snapshot
from sabot_gateway.journal.statement import Checkpoint

WAIT_S = 60

Job = Callable[[], "Future[Any]"]


class GatedJournal:
    """`is_open`: requests are carried out at once. Otherwise they wait for `release`, `fail` or `lose`."""

    def __init__(self, inner: Journal) -> None:
        self.inner = inner
        self.is_open = True
        self.trouble: JournalError | None = None  # every write fails with it
        self._held: list[tuple[Job, Future[Any]]] = []

    @property
    def held(self) -> int:
        return len(self._held)

    def release(self, count: int | None = None) -> None:
        """The oldest requests are carried out, and answered."""
        for job, future in self._taken(count):
            _answer(job, future)

    def fail(self, error: JournalError, *, written: int = 0) -> None:
        """All that is held is answered with `error`; the first `written` of it were committed all the same."""
        for number, (job, future) in enumerate(self._taken(None)):
            if number < written:
                job().exception(WAIT_S)
            future.set_exception(error)

    def lose(self, written: int = 0) -> None:
        """Power goes: nobody hears anything; the first `written` requests were committed."""
        for job, _ in self._taken(None)[:written]:
            job().exception(WAIT_S)

    @property
    def fault(self) -> JournalError | None:
        return self.trouble or self.inner.fault

    def probe(self) -> "Future[None]":
        return self._gate(self.inner.probe)

    def append(self, *appends: Append, flush: bool = True) -> "Future[tuple[Receipt, ...]]":
        return self._gate(lambda: self.inner.append(*appends, flush=flush))

    def quarantine(self, owner: Owner, fence: int, refusals: Sequence[Refusal]) -> "Future[Receipt]":
        return self._gate(lambda: self.inner.quarantine(owner, fence, refusals))

    def save_snapshots(self, snapshots: Sequence[Snapshot]) -> "Future[None]":
        return self._gate(lambda: self.inner.save_snapshots(snapshots))

    def sign_checkpoint(self, at_ms: int) -> "Future[Checkpoint]":
        return self._gate(lambda: self.inner.sign_checkpoint(at_ms))

    def retain(self, before_ms: int, at_ms: int) -> Removal:
        return self.inner.retain(before_ms, at_ms)

    def read(self, stream: Stream, after: int = 0) -> Iterator[Record]:
        return self.inner.read(stream, after)

    def tail(self, after_id: int | None = None) -> Iterator[Record]:
        return self.inner.tail(after_id)

    def heads(self) -> Mapping[Stream, Head]:
        return self.inner.heads()

    def snapshot(self, stream: Stream) -> Snapshot | None:
        return self.inner.snapshot(stream)

    def quarantined(
        self, reason: str | None = None, before_id: int | None = None, limit: int = 100
    ) -> Sequence[Quarantined]:
        return self.inner.quarantined(reason, before_id, limit)

    def quarantine_counts(self) -> Mapping[str, int]:
        return self.inner.quarantine_counts()

    def close(self) -> None:
        self.inner.close()

    def _gate(self, job: Job) -> "Future[Any]":
        future: Future[Any] = Future()
        if self.trouble is not None:
            future.set_exception(self.trouble)
        elif self.is_open and not self._held:
            _answer(job, future)
        else:
            self._held.append((job, future))
        return future

    def _taken(self, count: int | None) -> list[tuple[Job, "Future[Any]"]]:
        taken = self._held[:count]
        self._held = self._held[len(taken) :]
        return taken


def _answer(job: Job, future: "Future[Any]") -> None:
    done = job()
    error = done.exception(WAIT_S)
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(done.result())
