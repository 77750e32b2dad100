"""The one thread that writes: it commits together whatever is waiting, and waits for nothing more.

Owns the queue and the thread. Knows no database: it hands groups of requests to a `commit` function that resolves
their futures. Bounded: beyond MAX_WAITING requests nothing is taken, so a stuck disk costs acks, not memory.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, Final

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.port import Append

MAX_WAITING: Final = 10_000  # requests; some seconds of the busiest casino
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

    @property
    def streams(self) -> Sequence[str]:
        """The streams that it will append to."""
        return [append.stream for append in self.appends] if self.job is None else self.job_streams


class GroupWriter:
    """Runs `commit` on its own thread with one group after the other."""

    def __init__(self, commit: Callable[[list[Request]], None]) -> None:
        self._commit = commit
        self._queue: SimpleQueue[Request | None] = SimpleQueue()
        self._closing = threading.Lock()
        self._is_closed = False
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
        while (first := self._queue.get()) is not None:
            group, is_last = self._gather(first)
            try:
                self._commit(group)
            except BaseException as bug:
                # Whoever waits must hear of a bug, or would wait for ever; the thread then ends with it.
                self._abandon(group, bug)
                raise
            if is_last:
                return

    def _gather(self, first: Request) -> tuple[list[Request], bool]:
        group = [first]
        while len(group) < MAX_GROUP:
            try:
                request = self._queue.get_nowait()
            except Empty:
                break
            if request is None:
                return group, True
            group.append(request)
        return group, False

    def _abandon(self, group: list[Request], bug: BaseException) -> None:
        with self._closing:
            self._is_closed = True
        while True:
            for request in group:
                if not request.future.done():
                    request.future.set_exception(bug)
            try:
                waiting = self._queue.get_nowait()
            except Empty:
                return
            group = [waiting] if waiting else []
