"""The gateway's own stream `house/<gateway>`: registers, what people did beside the tables, the service's alarms.

Owns which alarms are open and what the whole floor looks like. Alarms are decisions of this stream (their cause is
position 0: no single fact of it); they are raised once and cleared once, however often the cause repeats.
"""

from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from sabot_gateway.journal.record import Entry, Head, Kind, Stream
from sabot_gateway.journal.snapshot import Snapshot
from sabot_gateway.model.alert import Alert
from sabot_gateway.model.effect import ClearAlert, Effect, RaiseAlert
from sabot_gateway.model.event import OperatorEvent
from sabot_gateway.model.registers import Registers
from sabot_gateway.model.review import ReviewEvent
from sabot_gateway.mqtt.ingested import Order
from sabot_gateway.runtime.desk import Plain
from sabot_gateway.runtime.stream_queue import Release, StreamQueue, Waiting
from sabot_gateway.table.floor import Floor, watch
from sabot_gateway.table.state import TableState
from sabot_gateway.transcript.decision import body_from_decision, decision_from_body
from sabot_gateway.transcript.fact import Said, body_from_event
from sabot_gateway.transcript.house import (
    Action,
    House,
    bodies_from_registers,
    body_from_action,
    bytes_from_house,
    digest_of,
    take_house,
)


def house_stream(gateway: str) -> Stream:
    return Stream(f"house/{gateway}")


def after_record(house: House, alarms: Mapping[str, Alert], kind: Kind, body: bytes) -> tuple[House, dict[str, Alert]]:
    """The house and its open alarms after the next record of its stream; the same live and at the start."""
    if kind is not Kind.DECISION:
        return take_house(house, body).house, dict(alarms)
    open_now = dict(alarms)
    for step in decision_from_body(body).steps:
        for effect in step.effects:
            if isinstance(effect, RaiseAlert):
                open_now[effect.alert.id] = effect.alert
            elif isinstance(effect, ClearAlert):
                open_now.pop(effect.alert, None)
    return replace(house, position=house.position + 1), open_now


class HouseRunner:
    def __init__(
        self,
        queue: StreamQueue,
        house: House,
        alarms: Mapping[str, Alert],
        saved_position: int = 0,
        others: Mapping[str, Registers] = MappingProxyType({}),
    ) -> None:
        self.queue = queue
        self._others = others  # registers in the houses of other gateways, for tables taken over from them
        self.house = house
        self.saved_position = saved_position
        self.floor = Floor()
        self.alarms = dict(alarms)  # open, as far as was asked of the journal; a little ahead of what is durable

    def register(self, registers: Registers, now_ms: int) -> str:
        """Has the stream keep registers that it does not hold yet; the digest by which a setup names them.

        A setup may name it only once the house holds it (`is_kept`): a crash between the two must leave no setup
        whose registers nobody wrote.
        """
        digest = digest_of(registers)
        if digest not in self.house.registers:
            for body in bodies_from_registers(registers):
                self.queue.put(Waiting(Entry(Kind.FACT, body, now_ms)))
        return digest

    def lookup(self, digest: str) -> Registers:
        """For the folds of the tables; KeyError when nobody ever wrote such registers."""
        known = self.house.registers.get(digest)
        return self._others[digest] if known is None else known

    def is_kept(self, digest: str) -> bool:
        return digest in self.house.registers

    def note(
        self, name: str, detail: Mapping[str, Plain], by: str, now_ms: int, future: "Future[Any] | None" = None
    ) -> None:
        """Something that a person did, or the gateway itself where `by` is empty."""
        body = body_from_action(Action(name, now_ms, by, detail))
        kind = Kind.OPERATOR if by else Kind.FACT
        self.queue.put(Waiting(Entry(kind, body, now_ms), future=future))

    def order(self, order: Order, by: str, now_ms: int, future: "Future[Any]") -> None:
        """A command that a person gave; it is sent when this is durable."""
        detail: dict[str, Plain] = {"device": order.device, "number": order.number, "command": order.name}
        detail |= {f"value.{key}": _plain(value) for key, value in order.values.items()}
        body = body_from_action(Action("command", now_ms, by, detail))
        self.queue.put(Waiting(Entry(Kind.OPERATOR, body, now_ms), future=future, order=order))

    def release(self, device: str, by: str, now_ms: int, future: "Future[Any]") -> None:
        """A person says that a controller's twin is gone; it is believed when this is durable."""
        body = body_from_action(Action("release", now_ms, by, {"device": device}))
        self.queue.put(Waiting(Entry(Kind.OPERATOR, body, now_ms), future=future, order=Release(device, by)))

    def raise_alarm(self, alert: Alert, now_ms: int) -> None:
        if alert.id not in self.alarms:
            self._decide((RaiseAlert(alert),), now_ms)

    def clear_alarm(self, alert: str, now_ms: int) -> None:
        if alert in self.alarms:
            self._decide((ClearAlert(alert, "corrected"),), now_ms)

    def declare(self, event: OperatorEvent | ReviewEvent, by: str, now_ms: int, future: "Future[Any]") -> None:
        """What a person does about an alarm of the house: nobody else's facts belong into this stream."""
        entry = Entry(Kind.OPERATOR, body_from_event(event, by), now_ms)
        self.queue.put(Waiting(entry, future=future, fact=Said(event, by)))

    def dismiss(self, alert: str, by: str, now_ms: int, reason: str = "") -> None:
        """A person has dealt with the cause of an alarm; it may be older than what this life knows of."""
        self._decide((ClearAlert(alert, "cleared", by, reason),), now_ms)

    def watch(self, state: TableState, at_ms: int) -> None:
        """What only the whole floor can see, after one table's state."""
        seen = watch(self.floor, state, at_ms)
        self.floor = seen.floor
        if seen.effects:
            self._decide(seen.effects, at_ms)

    def resume_floor(self, states: Iterable[TableState], at_ms: int) -> None:
        """At the start: the floor as it stands, saying only what the journal does not say already."""
        for state in states:
            self.floor = watch(self.floor, state, at_ms).floor
        wrong = {alert.id: alert for alert in self.floor.alerts.values()}
        for alert in wrong.values():
            self.raise_alarm(alert, at_ms)
        for known in [alert for alert in self.alarms.values() if alert.code in _FLOOR_CODES]:
            if known.id not in wrong:
                self.clear_alarm(known.id, at_ms)

    def durable(self, entry: Entry) -> None:
        """This record is in the stream now."""
        if entry.kind is Kind.DECISION:
            self.house = replace(self.house, position=self.house.position + 1)
        else:
            self.house = take_house(self.house, entry.body).house

    def snapshot(self, used: frozenset[str], now_ms: int) -> Snapshot | None:
        """The house where its stream ends, with its open alarms: however long one stands, retention can pass it by."""
        queue = self.queue
        if not queue.is_idle or not queue.position or queue.position == self.saved_position:
            return None
        self.saved_position = queue.position
        body = bytes_from_house(self.house, used, self.alarms.values())
        return Snapshot(queue.stream, Head(queue.position, queue.hash), now_ms, body)

    def _decide(self, effects: tuple[Effect, ...], now_ms: int) -> None:
        for effect in effects:
            if isinstance(effect, RaiseAlert):
                self.alarms[effect.alert.id] = effect.alert
            elif isinstance(effect, ClearAlert):
                self.alarms.pop(effect.alert, None)
        body = body_from_decision(0, ((0, effects),))
        self.queue.put(Waiting(Entry(Kind.DECISION, body, now_ms), effects=effects))


def _plain(value: object) -> Plain:
    return value if isinstance(value, int | str | bool | None) else repr(value)


_FLOOR_CODES = frozenset({"HEAD_TOO_MANY_TABLES"})
