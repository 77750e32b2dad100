"""The pump's pen: hands appends to the journal, hears what became of them, and tries again without doubling.

Owns what is under way and why nothing is being written. Appends of one cycle fly together as one request (those that
need no flush as another, which the journal answers sooner), because one future for a thousand tables costs a
thousandth; when a request is refused, its streams fly again one by one, so that the one that is to blame stands alone.
Every append names the position it follows, so flying again is always safe: if it had been written after all, the
journal says `moved`, and reading on shows that the records there are ours.

Used by whoever is the pump; only the journal's answers come from elsewhere, and they come as items in its queue.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Final, NamedTuple

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.port import Append, Journal, Receipt
from sabot_gateway.runtime.stream_queue import StreamQueue, Waiting

PROBE_EVERY_MS: Final = 500  # while the journal is not well; it recovers by itself, this only finds out
STUCK_MS: Final = 5_000  # a disk that has not answered for so long is as good as broken to the people at the table

Receipts = tuple[Receipt, ...]


class Flight:
    """Appends of distinct streams under way in one request: all of them will be durable, or none."""

    __slots__ = ("must_flush", "queues", "since_ms")

    def __init__(self, queues: list[StreamQueue], since_ms: int, *, must_flush: bool) -> None:
        self.queues = queues
        self.since_ms = since_ms
        self.must_flush = must_flush


class Landed(NamedTuple):
    """The journal has answered."""

    flight: Flight
    future: "Future[Receipts]"


class Probed(NamedTuple):
    future: "Future[None]"


class Durable(NamedTuple):
    """What has become durable at the end of one stream; the last of it has the receipt's position."""

    queue: StreamQueue
    receipt: Receipt
    entries: list[Waiting]


class Lost(NamedTuple):
    """A stream that this gateway may not write any more."""

    queue: StreamQueue
    error: JournalError


class Scribe:
    def __init__(self, journal: Journal, post: Callable[[object], None]) -> None:
        self._journal = journal
        self._post = post
        self._flights: dict[Flight, None] = {}  # under way, oldest first
        self._grounded: list[Flight] = []
        self._is_probing = False
        self._next_probe_ms = 0
        self.fault: JournalError | None = None
        self.written = 0

    @property
    def is_idle(self) -> bool:
        return not self._flights and not self._grounded

    @property
    def is_answered_soon(self) -> bool:
        """Something is under way that waits for no disk."""
        return any(not flight.must_flush for flight in self._flights)

    def write(self, queues: Iterable[StreamQueue], monotonic_ms: int, held: frozenset[str] = frozenset()) -> None:
        """Everything that waits and may fly, in one request; of `held` streams only the decisions."""
        if self.fault is not None:
            return
        flushed, others = Flight([], monotonic_ms, must_flush=True), Flight([], monotonic_ms, must_flush=False)
        appends: list[Append] = []
        quick: list[Append] = []
        for queue in queues:
            append = queue.launch(with_facts=queue.stream not in held)
            if append is None:
                continue
            if queue.must_flush:
                flushed.queues.append(queue)
                appends.append(append)
            else:
                others.queues.append(queue)
                quick.append(append)
        if quick:
            self._fly(others, quick)
        if appends:
            self._fly(flushed, appends)

    def answered(self, landed: Landed, monotonic_ms: int) -> tuple[list[Durable], list[Lost]]:
        """What the answer makes durable, and what it takes away from us."""
        flight = landed.flight
        self._flights.pop(flight, None)
        error = landed.future.exception()
        if error is None:
            if self.fault is not None and not self._grounded and not self._is_probing:
                self.fault = None  # it was only slow
            return [self._landed(*pair) for pair in zip(flight.queues, landed.future.result(), strict=True)], []
        if not isinstance(error, JournalError):
            raise error
        if not error.is_refusal or error.code is ErrorCode.BUSY:
            self._ground(flight, error, monotonic_ms)
        elif error.code is ErrorCode.CLOSED:
            pass  # we are stopping: nothing was acknowledged, and controllers send it again
        elif len(flight.queues) > 1:
            for queue in flight.queues:
                alone = Flight([queue], monotonic_ms, must_flush=flight.must_flush)
                self._fly(alone, [queue.append_under_way()])
        else:
            return self._explained(flight, error, monotonic_ms)
        return [], []

    def probed(self, probed: Probed, monotonic_ms: int) -> None:
        """The journal is well again, or still not; if it is, everything grounded flies as it was."""
        self._is_probing = False
        error = probed.future.exception()
        if error is None:
            grounded, self._grounded = self._grounded, []
            self.fault = None
            for flight in grounded:
                flight.since_ms = monotonic_ms
                self._fly(flight, [queue.append_under_way() for queue in flight.queues])
        elif isinstance(error, JournalError):
            self.fault = error
            self._next_probe_ms = monotonic_ms + PROBE_EVERY_MS
        else:
            raise error

    def tend(self, monotonic_ms: int) -> None:
        """Looks for a journal that hangs, and asks after one that failed."""
        oldest = next(iter(self._flights), None)
        if self.fault is None:
            if oldest is not None and monotonic_ms - oldest.since_ms >= STUCK_MS:
                self.fault = JournalError(ErrorCode.UNAVAILABLE, "It has not answered for seconds.")
        elif oldest is None and not self._is_probing and monotonic_ms >= self._next_probe_ms:
            self._is_probing = True
            self._journal.probe().add_done_callback(lambda future: self._post(Probed(future)))

    def _fly(self, flight: Flight, appends: Sequence[Append]) -> None:
        self._flights[flight] = None
        self._journal.append(*appends, flush=flight.must_flush).add_done_callback(partial(self._call, flight))

    def _call(self, flight: Flight, future: "Future[Receipts]") -> None:
        # On the journal's thread: hand over and return.
        self._post(Landed(flight, future))

    def _ground(self, flight: Flight, error: JournalError, monotonic_ms: int) -> None:
        if self.fault is None:
            self._next_probe_ms = monotonic_ms + PROBE_EVERY_MS
        self.fault = error
        self._grounded.append(flight)

    def _explained(self, flight: Flight, error: JournalError, monotonic_ms: int) -> tuple[list[Durable], list[Lost]]:
        """A refusal of one stream: it was written the first time, or it is not ours any more."""
        (queue,) = flight.queues
        if error.code is ErrorCode.MOVED:
            try:
                receipt = queue.receipt_from(self._journal.read(queue.stream, queue.position))
            except JournalError as unread:
                self._ground(flight, unread, monotonic_ms)
                return [], []
            if receipt is not None:
                return [self._landed(queue, receipt)], []
        return [], [Lost(queue, error)]

    def _landed(self, queue: StreamQueue, receipt: Receipt) -> Durable:
        entries = queue.landed(receipt)
        self.written += len(entries)
        return Durable(queue, receipt, entries)
