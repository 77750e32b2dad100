"""The one thread that writes: it commits together whatever is waiting, and waits for nothing more.

Owns the queue and the thread. Knows no database: it hands groups of requests to a `commit` function that resolves
their futures. Bounded: beyond MAX_WAITING requests nothing is taken, so a stuck disk costs acks, not memory.
A group is flushed or not as a whole. What need not be flushed goes first: lamps wait for it, and it takes a fraction of
the time that the disk takes for the others.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, Final

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.port import Append

MAX_WAITING: Final = 10_000  # requests; some seconds of the busiest casino
_MOMENT_S: Final = 0.002  # without a request: what follows from the last facts has come by then
MAX_GROUP: Final = 1_000  # requests in one commit; more gains nothing (a commit's cost is long since shared)


@dataclass(slots=True, eq=False)
class Request:
    """Appends, or a job to run inside the transaction; `result` is what its future gets after the commit."""

    appends: Sequence[Append]
    job: Callable[[], object] | None = None
    job_streams: Sequence[str] = ()
    future: "Future[Any]" = field(default_factory=Future)
    result: object = None
    refusal: JournalError | None = None
    flush: bool = True  # its commit is to reach stable storage before its future is done

    @property
    def streams(self) -> Sequence[str]:
        """The streams that it will append to."""
        return [append.stream for append in self.appends] if self.job is None else self.job_streams


class GroupWriter:
    """Runs `commit` on its own thread with one group after the other."""

    def __init__(self, commit: Callable[[list[Request]], None], rest: Callable[[], None] = lambda: None) -> None:
        """`rest` is called once whenever nothing came for a moment."""
        self._commit = commit
        self._rest = rest
        self._queue: SimpleQueue[Request | None] = SimpleQueue()
        self._closing = threading.Lock()
        self._is_closed = False
        # The writer thread's own.
        self._flushed: list[Request] = []  # taken from the queue, and overtaken by what need not be flushed
        self._is_ending = False
        self._thread = threading.Thread(target=self._run, name="journal-writer", daemon=True)
        self._thread.start()

    def submit(self, request: Request) -> "Future[Any]":
        """Queues a request; one that is not taken fails at once, through its future like any other."""
        with self._closing:
            if self._is_closed:
                request.future.set_exception(JournalError(ErrorCode.CLOSED))
            elif self._queue.qsize() >= MAX_WAITING:
                request.future.set_exception(JournalError(ErrorCode.BUSY))
            else:
                self._queue.put(request)
        return request.future

    def close(self) -> None:
        """Commits what is waiting, then ends the thread."""
        with self._closing:
            if not self._is_closed:
                self._is_closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while group := self._next_group():
            try:
                self._commit(group)
            except BaseException as bug:
                # Whoever waits must hear of a bug, or would wait for ever; the thread then ends with it.
                self._abandon(group, bug)
                raise

    def _next_group(self) -> list[Request]:
        """What is to be committed next, all of it flushed or none; empty when the writer is to end."""
        flushed, others = self._flushed, list[Request]()
        while len(flushed) + len(others) < MAX_GROUP:
            try:
                is_due = bool(flushed or others or self._is_ending)
                request = self._queue.get_nowait() if is_due else self._first()
            except Empty:
                break
            if request is None:
                self._is_ending = True
            elif request.flush:
                flushed.append(request)
            else:
                others.append(request)
        if others:
            return others
        self._flushed = []
        return flushed

    def _first(self) -> Request | None:
        with suppress(Empty):
            return self._queue.get(timeout=_MOMENT_S)
        self._rest()
        return self._queue.get()

    def _abandon(self, group: list[Request], bug: BaseException) -> None:
        with self._closing:
            self._is_closed = True
        group = [*group, *self._flushed]
        while True:
            for request in group:
                if not request.future.done():
                    request.future.set_exception(bug)
            try:
                waiting = self._queue.get_nowait()
            except Empty:
                return
            group = [waiting] if waiting else []
