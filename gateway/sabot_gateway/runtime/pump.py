"""The pump: what arrived is journaled, acknowledged, interpreted, journaled again, and only then performed (law 2).

One thread at a time owns all live state and calls `cycle` (turns.py); everybody puts items into the queue. One cycle
takes what is waiting, never more than MOST_ITEMS, and nothing in it waits:

    arrivals, timers, people -> facts behind each table's stream -> one request to the journal
    the journal's answer     -> PUBACK and one ack per device -> fold -> decisions behind the stream
    their answer             -> lamps, alerts, settlements

While the journal cannot write, nothing is acknowledged and nothing is interpreted; what came is kept (the broker
sends no more than it may), the lamps say so, and everything goes on where it was once the journal is well.
"""

from collections.abc import Callable
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import Final

from sabot_gateway.journal.port import Journal, Receipt
from sabot_gateway.journal.record import Entry, Kind, Owner
from sabot_gateway.model.event import AlertCleared, LinkEvent, LinkRestored, TimerFired
from sabot_gateway.model.review import AlertAcknowledged, AlertAssigned, AlertCommented, AlertEscalated
from sabot_gateway.mqtt.ingest import Ingest
from sabot_gateway.mqtt.ingested import Ingested
from sabot_gateway.mqtt.port import Arrival, Broker, Link
from sabot_gateway.runtime.alarm import device_trouble, twin_alarm
from sabot_gateway.runtime.clock import Clock
from sabot_gateway.runtime.consignment import Consignment
from sabot_gateway.runtime.desk import CommandSent, DeskErrorCode, TableFault, Watcher
from sabot_gateway.runtime.device_book import DeviceBook
from sabot_gateway.runtime.item import (
    Declared,
    Noted,
    Ordered,
    Quarantined,
    Released,
    Reloaded,
    Saved,
    Stopped,
    answer,
    refuse,
)
from sabot_gateway.runtime.outlet import News, Outlet, told
from sabot_gateway.runtime.perform import Performer, newest_lamps
from sabot_gateway.runtime.quarantining import Quarantining
from sabot_gateway.runtime.replay import Started
from sabot_gateway.runtime.scribe import Durable, Landed, Lost, Probed, Scribe
from sabot_gateway.runtime.stream_queue import Release, StreamQueue, Waiting
from sabot_gateway.runtime.table_runner import TableRunner
from sabot_gateway.runtime.tending import Tending
from sabot_gateway.runtime.timers import Timers
from sabot_gateway.transcript.fact import Batch, Said, Withheld, body_from_event

MOST_ITEMS: Final = 1_024  # of one cycle: enough to share every cost, few enough that no lamp waits long for its turn


class Pump:
    """Built from what the start found; `cycle` is called by one thread at a time, or by a test."""

    def __init__(
        self,
        started: Started,
        journal: Journal,
        broker: Broker,
        clock: Clock,
        outlets: tuple[Outlet, ...] = (),
        post: Callable[[object], None] | None = None,
    ) -> None:
        """`post` takes the journal's answers, on the journal's thread, and sees to it that they come into the queue."""
        plan = started.plan
        self.journal = journal
        self.clock = clock
        self.plan = plan
        self.fence = started.fence
        self.tables = started.tables
        self.house = started.house
        self.queue: SimpleQueue[object] = SimpleQueue()
        self.post = post or self.queue.put
        self.scribe = Scribe(journal, self.post)
        self.performer = Performer(plan.site, plan.devices, broker)
        self.ingest = Ingest(plan.site, plan.devices, plan.digests)
        self.devices = DeviceBook(started.reports)
        self.timers = Timers()
        self.watchers: dict[object, Watcher] = {}
        self.is_stopping = False
        self.last_id = started.last_id
        self.quarantining = Quarantining(Owner(plan.gateway), self.fence, journal, self.house, self.post)
        self._broker = broker
        self._outlets = outlets
        self._ready: dict[StreamQueue, None] = {}  # streams with something to write, in the order it came
        self._changed: set[str] = set()
        self._safe: list[object] = []  # tokens of messages that may be settled when this cycle ends
        self._unsafe: dict[str, int] = {}  # by device: facts with an ack that are not durable yet
        self._is_letting_lamps_pass = False
        self._tending = Tending(self, started)

    def cycle(self) -> None:
        """Takes what waits in the queue and does what follows; never blocks."""
        self._broker.hold()  # the network thread is woken once, when the journal has its work
        now_ms, monotonic_ms = self.clock.now_ms(), self.clock.monotonic_ms()
        arrivals: list[Arrival] = []
        get = self.queue.get_nowait
        for _ in range(MOST_ITEMS):
            try:
                item = get()
            except Empty:
                break
            if type(item) is Arrival:
                arrivals.append(item)
            else:
                self._take(item, now_ms, monotonic_ms)
        if arrivals:
            self.taken_in(self.ingest.take(arrivals), [arrival.token for arrival in arrivals], now_ms)
        if self.is_stopping:
            self.quarantining.count(self.ingest.unkept(now_ms), now_ms)
        for due in self.timers.due(monotonic_ms):
            self.say(self.tables[due.table], TimerFired(due.timer, due.token, at_ms=now_ms), now_ms)
        self._tending.look(now_ms, monotonic_ms)
        if not self.house.queue.is_idle:
            self._ready[self.house.queue] = None
        ready, self._ready = self._ready, {}
        if self.scribe.fault is None:
            self.scribe.write(ready, monotonic_ms, self._tending.held)
        else:
            self._ready = ready
        # Lamps that come in a moment go first, for nobody waits for an ack; it waits one cycle at most.
        self._is_letting_lamps_pass = self.scribe.is_answered_soon and not self._is_letting_lamps_pass
        if not self._is_letting_lamps_pass:
            if self._safe:
                tokens, self._safe = self._safe, []
                self._broker.settle(tokens)
            self.performer.flush_acks()
            self._broker.release()
        self._tell_watchers()

    def next_ms(self) -> int:
        """When, on the monotonic clock, the next cycle is due even if nothing happens."""
        timer = self.timers.next_ms()
        tend = self._tending.next_ms
        return tend if timer is None else min(timer, tend)

    @property
    def is_drained(self) -> bool:
        """Everything that was taken is durable, decided and performed, and the snapshots are written."""
        return (
            self.queue.empty()
            and self.scribe.is_idle
            and self._tending.is_idle
            and all(runner.queue.is_idle and not runner.early for runner in self.tables.values())
            and self.house.queue.is_idle
        )

    def ready(self, queue: StreamQueue) -> None:
        """There is something to write at the end of this stream."""
        self._ready[queue] = None

    def say(self, runner: TableRunner, event: LinkEvent, now_ms: int) -> None:
        """A fact of the gateway itself."""
        self.put(runner, Waiting(Entry(Kind.FACT, body_from_event(event), now_ms), fact=Said(event)))

    def put(self, runner: TableRunner, waiting: Waiting) -> None:
        if runner.fault is TableFault.FENCED:
            self.abandon(waiting)
        elif runner.early is not None:
            runner.early.append(waiting)
        else:
            runner.queue.put(waiting)
            self._ready[runner.queue] = None

    def abandon(self, waiting: Waiting) -> None:
        """Another gateway looks after this table: nothing is lost there, and nobody here is told that it is safe."""
        refuse(waiting.future, DeskErrorCode.NOT_OWNED)
        if waiting.ack is not None:
            self._unsafe[waiting.device] -= 1
        if waiting.consignment is not None:
            self._safe += waiting.consignment.arrived()

    def retry_quarantine(self) -> None:
        """The journal is well: what it could not take before is offered again."""
        if self.quarantining.has_waiting:
            self._safe += self.quarantining.retry()

    # What came in.

    def _take(self, item: object, now_ms: int, monotonic_ms: int) -> None:
        match item:
            case Landed():
                durable, lost = self.scribe.answered(item, monotonic_ms)
                self._durable(durable, now_ms, monotonic_ms)
                for each in lost:
                    self._lose(each)
            case Probed():
                self.scribe.probed(item, monotonic_ms)
            case Quarantined():
                self._safe += self.quarantining.answered(item)
            case Link(is_up):
                self.ingest.hears(is_up, now_ms)
                if is_up:
                    self.performer.show_all_again()
            case Declared():
                self._declare(item, now_ms)
            case Noted(action, detail, by, future):
                self.house.note(action, detail, by, now_ms, future)
            case Ordered():
                self._order(item, now_ms)
            case Released():
                self._release(item, now_ms)
            case Reloaded():
                self._tending.reload(item, now_ms)
            case Saved():
                self._tending.saved(item)
            case Stopped():
                self.is_stopping = True
                self._tending.finish()
            case _:
                raise AssertionError(f"{type(item).__name__} is no item of the pump")

    def taken_in(self, taken: Ingested, tokens: list[object], now_ms: int) -> None:
        """Facts go behind their streams, refusals to quarantine; acks wait for what they promise."""
        facts = [fact for fact in taken.facts if fact.table in self.tables]
        consignment = Consignment(tokens, len(facts) + bool(taken.refusals))
        if taken.refusals:
            self.quarantining.write(taken.refusals, consignment)
            self.quarantining.tell(taken.refusals, self.ingest.sender, now_ms)
        last = {}  # by device: its last fact of this cycle, which carries the ack
        for number, (_, _, fact) in enumerate(facts):
            if isinstance(fact, _NUMBERED):
                last[fact.device] = number
        unsafe = self._unsafe
        for number, (table, entry, fact) in enumerate(facts):
            device, ack = "", None
            if isinstance(fact, _NUMBERED) and last[fact.device] == number:
                device, ack = fact.device, taken.acks.pop(fact.device, None)
                if ack is not None:
                    unsafe[device] = unsafe.get(device, 0) + 1
            elif isinstance(fact, Said) and isinstance(fact.event, LinkRestored):
                self.performer.show_again(table)
            self.put(self.tables[table], Waiting(entry, device, ack, consignment, fact=fact))
        for device, again in taken.acks.items():
            # Numbers that were seen before: safe already, unless the first copy is still on its way to the disk.
            if not unsafe.get(device):
                self.performer.note_ack(device, again)
        for order in taken.orders:
            self.performer.command(order)
        for trouble in taken.troubles:
            self.house.raise_alarm(device_trouble(trouble), now_ms)
        self.quarantining.count(taken.unkept, now_ms)
        if not consignment.left:
            self._safe += tokens

    def _declare(self, item: Declared, now_ms: int) -> None:
        event = replace(item.event, at_ms=now_ms)
        if item.table == self.house.queue.stream and isinstance(event, _ABOUT_ALARMS):
            self.house.declare(event, item.by, now_ms, item.future)
            return
        runner = self.tables.get(item.table)
        if runner is None:
            refuse(item.future, DeskErrorCode.UNKNOWN_TABLE, item.table)
            return
        entry = Entry(Kind.OPERATOR, body_from_event(event, item.by), now_ms)
        self.put(runner, Waiting(entry, future=item.future, fact=Said(event, item.by)))

    def _order(self, item: Ordered, now_ms: int) -> None:
        if self.plan.devices.find(item.device) is None:
            refuse(item.future, DeskErrorCode.UNKNOWN_DEVICE, item.device)
            return
        order = self.ingest.order(item.device, item.name, item.values, now_ms)
        self.house.order(order, item.by, now_ms, item.future)

    def _release(self, item: Released, now_ms: int) -> None:
        line = self.ingest.line(item.device)
        if self.plan.devices.find(item.device) is None:
            refuse(item.future, DeskErrorCode.UNKNOWN_DEVICE, item.device)
        elif line is None or not line.is_twin:
            refuse(item.future, DeskErrorCode.INVALID, f"{item.device} is not held for a twin.")
        else:
            self.house.release(item.device, item.by, now_ms, item.future)

    # What became durable.

    def _durable(self, durable: list[Durable], now_ms: int, monotonic_ms: int) -> None:
        """Noted for everybody who waits to hear that it is safe; then interpreted."""
        for _, receipt, entries in durable:
            self.last_id = max(self.last_id, receipt.id)
            for waiting in entries:
                if waiting.ack is not None:
                    self._unsafe[waiting.device] -= 1
                    self.performer.note_ack(waiting.device, waiting.ack)
                if waiting.consignment is not None:
                    self._safe += waiting.consignment.arrived()
        for queue, receipt, entries in durable:
            runner = self.tables.get(queue.stream)
            if runner is not None:
                self._table_durable(runner, receipt, entries, now_ms, monotonic_ms)
            else:
                self._house_durable(receipt, entries)
            if not queue.is_idle:
                self._ready[queue] = None

    def _table_durable(
        self, runner: TableRunner, receipt: Receipt, entries: list[Waiting], now_ms: int, monotonic_ms: int
    ) -> None:
        before, lamps = runner.fold, None
        stream, position, number, digest = receipt
        position, number = position - len(entries), number - len(entries)
        for waiting in entries:
            position, number = position + 1, number + 1
            if waiting.entry.kind is Kind.DECISION:
                runner.skip()
                lamps = newest_lamps(waiting.effects) or lamps
                self._tell(Receipt(stream, position, number, digest), waiting)
                continue
            own = None if waiting.future is None else Receipt(stream, position, number, digest)
            taken = runner.interpret(waiting, position, own, now_ms)
            if taken is not None and taken.reports:
                self.devices.heard(taken.reports)
        runner.id = receipt.id
        self._changed.add(runner.name)
        if lamps is not None and runner.fault is None:
            self.performer.show(runner.name, lamps, monotonic_ms)
        self._tending.moved(runner, before, now_ms, monotonic_ms)

    def _house_durable(self, receipt: Receipt, entries: list[Waiting]) -> None:
        position, number = receipt.position - len(entries), receipt.id - len(entries)
        for waiting in entries:
            position, number = position + 1, number + 1
            own = receipt._replace(position=position, id=number)
            self.house.durable(waiting.entry)
            if isinstance(waiting.order, Release):
                self.ingest.release(waiting.order.device)
                self.house.dismiss(twin_alarm(waiting.order.device), waiting.order.by, self.clock.now_ms())
                answer(waiting.future, own)
            elif waiting.order is not None:
                self.performer.command(waiting.order)
                answer(waiting.future, CommandSent(waiting.order.device, waiting.order.number))
            elif waiting.effects:
                self._tell(own, waiting)
            else:
                if isinstance(waiting.fact, Said) and isinstance(waiting.fact.event, AlertCleared):
                    cleared = waiting.fact.event
                    self.house.dismiss(cleared.alert, waiting.fact.by, self.clock.now_ms(), cleared.reason)
                answer(waiting.future, own)
        self._changed.add("")
        self._tending.house_moved()

    def _tell(self, receipt: Receipt, waiting: Waiting) -> None:
        answer(waiting.future, waiting.receipt or receipt)
        effects = told(waiting.effects)
        if effects:
            news = News(receipt.stream, receipt.id, receipt.position, waiting.entry.received_ms, effects)
            for outlet in self._outlets:
                outlet.said(news)

    def _lose(self, lost: Lost) -> None:
        """The journal takes nothing more from us for this stream."""
        runner = self.tables.get(lost.queue.stream)
        if runner is None:
            raise lost.error  # our own house stream: another gateway runs under our name
        runner.fault, runner.fault_detail = TableFault.FENCED, lost.error.detail
        self.performer.forget(runner.name)
        self.timers.forget(runner.name)
        self._changed.add(runner.name)
        for waiting in runner.queue.abandon():
            self.abandon(waiting)

    def _tell_watchers(self) -> None:
        if self._changed:
            changed, self._changed = frozenset(self._changed), set()
            for watcher in tuple(self.watchers.values()):
                watcher(changed, self.last_id)


# What a person may do about an alarm of the house.
_ABOUT_ALARMS: Final = (AlertCleared, AlertAssigned, AlertCommented, AlertAcknowledged, AlertEscalated)
_NUMBERED: Final = (Batch, Withheld)  # facts with a controller's numbers, which it wants acknowledged
