"""What waits for the end of one stream: at most one append under way, the rest in order behind it.

Owns the order within a stream and the answer to "was it written?" after a failure. An append always names the position
it belongs after, so the same append can be tried again after any failure without writing anything twice.

Decisions go before facts: a fact waits for nothing but its turn, while a decision has lamps waiting for it. Both keep
their own order, and a decision names its cause, so this changes nothing that a replay can see. Where a table's
decisions wait alone they need no flush: they follow from facts on stable storage, and a start makes them again.
"""

from collections.abc import Iterable
from concurrent.futures import Future
from typing import Any, Final, NamedTuple

from sabot_gateway.journal.port import Append, Receipt
from sabot_gateway.journal.record import Entry, Head, Kind, Owner, Record, Stream
from sabot_gateway.model.effect import Effect
from sabot_gateway.mqtt.ingested import Ack, Order
from sabot_gateway.runtime.consignment import Consignment
from sabot_gateway.transcript.fact import Fact

MOST_AT_ONCE: Final = 512  # entries of one table in one append; a table that floods must not hold up the others


class Release(NamedTuple):
    """Somebody has removed a controller's twin: what comes under its name is to be taken again."""

    device: str
    by: str


class Waiting(NamedTuple):
    """An entry, and who waits for it: a device that wants its ack, messages to settle, a person, lamps, a command."""

    entry: Entry
    device: str = ""
    ack: Ack | None = None  # what the device may hear once this is durable
    consignment: Consignment | None = None
    future: "Future[Any] | None" = None
    effects: tuple[Effect, ...] = ()  # of a decision, to be performed once it is durable
    fact: Fact | None = None  # what the entry says, where it is known without reading it again
    order: Order | Release | None = None  # what a person asked for, to be done once it is noted
    receipt: Receipt | None = None  # of the fact, where its decision is what somebody waits for


class StreamQueue:
    __slots__ = (
        "_decisions",
        "_facts",
        "_is_derived",
        "_under_way",
        "fence",
        "hash",
        "id",
        "must_flush",
        "owner",
        "position",
        "stream",
    )

    def __init__(self, stream: Stream, owner: Owner, fence: int, head: Head, *, is_derived: bool = False) -> None:
        """`is_derived`: every decision of this stream follows from its facts alone."""
        self.stream = stream
        self._is_derived = is_derived
        self.must_flush = True  # what is under way
        self.owner = owner
        self.fence = fence
        self.position = head.position
        self.hash = head.hash
        self.id = 0
        self._facts: list[Waiting] = []
        self._decisions: list[Waiting] = []
        self._under_way: list[Waiting] = []

    @property
    def is_under_way(self) -> bool:
        return bool(self._under_way)

    @property
    def has_decisions(self) -> bool:
        return bool(self._decisions)

    @property
    def is_idle(self) -> bool:
        """Nothing waits and nothing is under way: what is durable is all there is."""
        return not (self._facts or self._decisions or self._under_way)

    def __len__(self) -> int:
        return len(self._facts) + len(self._decisions) + len(self._under_way)

    def put(self, waiting: Waiting) -> None:
        if waiting.entry.kind is Kind.DECISION:
            self._decisions.append(waiting)
        else:
            self._facts.append(waiting)

    def launch(self, *, with_facts: bool = True) -> Append | None:
        """The next append, now under way; None when there is nothing to write or one is under way already."""
        if self._under_way:
            return None
        chosen = self._decisions
        self.must_flush = not self._is_derived
        if with_facts and self._facts:
            self.must_flush = True
            room = max(MOST_AT_ONCE - len(chosen), 1)
            chosen = chosen + self._facts[:room]
            self._facts = self._facts[room:]
        if not chosen:
            return None
        self._decisions = []
        self._under_way = chosen
        return self.append_under_way()

    def append_under_way(self) -> Append:
        """The append that is under way, once more: it cannot be written twice."""
        entries = [waiting.entry for waiting in self._under_way]
        return Append(self.stream, self.owner, self.fence, entries, self.position)

    def landed(self, receipt: Receipt) -> list[Waiting]:
        """What has become durable, in order; the last of it is at the receipt's position."""
        done, self._under_way = self._under_way, []
        self.position, self.id, self.hash = receipt.position, receipt.id, receipt.hash
        return done

    def receipt_from(self, records: Iterable[Record]) -> Receipt | None:
        """The receipt of the append under way if `records`, all that lie behind our position, are exactly it."""
        found = list(records)
        if len(found) != len(self._under_way):
            return None
        for record, waiting in zip(found, self._under_way, strict=True):
            entry = Entry(record.kind, record.body, record.received_ms, record.device_ms)
            if entry != waiting.entry or record.fence != self.fence:
                return None
        last = found[-1]
        return Receipt(self.stream, last.position, last.id, last.hash)

    def abandon(self) -> list[Waiting]:
        """Everything that waited: somebody else owns the stream now."""
        left = [*self._under_way, *self._decisions, *self._facts]
        self._under_way, self._decisions, self._facts = [], [], []
        return left
