"""The `Desk` of a running pump: readings look at frozen states from any thread, all else is an item in its queue.

A reading may be a cycle old, never half a step: the pump replaces whole states, and a reference changes at once.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Final

from sabot_gateway.journal.port import Receipt
from sabot_gateway.model.alert import Severity
from sabot_gateway.model.event import OperatorEvent
from sabot_gateway.model.review import ReviewEvent
from sabot_gateway.runtime.desk import (
    CommandSent,
    DeskError,
    DeskErrorCode,
    DeviceStatus,
    Figure,
    Health,
    Plain,
    TableStatus,
    Watcher,
)
from sabot_gateway.runtime.item import Declared, Noted, Ordered, Released
from sabot_gateway.runtime.plan import TablePlan
from sabot_gateway.runtime.pump import Pump
from sabot_gateway.runtime.table_runner import TableRunner
from sabot_gateway.runtime.update_grant import SWITCH, may_switch
from sabot_gateway.table.state import TableState
from sabot_gateway.table.view import view_of
from sabot_protocol.codec import encode
from sabot_protocol.errors import WireError

Figures = Callable[[], Sequence[Figure]]

_GRAVEST: Final = (Severity.ALARM, Severity.WARNING, Severity.NOTICE)


class LiveDesk:
    def __init__(
        self,
        pump: Pump,
        is_connected: Callable[[], bool],
        more: Figures = tuple,
        put: Callable[[object], None] | None = None,
    ) -> None:
        """`more`: figures of those who hear of decisions; `put`: leaves an item for the pump and wakes it."""
        self._pump = pump
        self._put = put or pump.queue.put
        self._is_connected = is_connected
        self._more = more

    def tables(self) -> Sequence[TableStatus]:
        pump = self._pump
        found = ((plan, pump.tables.get(name)) for name, plan in pump.plan.tables.items())
        return [_status(plan, runner) for plan, runner in found if runner is not None]

    def view(self, table: str) -> Mapping[str, object]:
        runner = self._pump.tables.get(table)
        if runner is None:
            raise DeskError(DeskErrorCode.UNKNOWN_TABLE, table)
        state = runner.state
        view: dict[str, object] = {"table": table} if state is None else view_of(state)
        view["fault"] = None if runner.fault is None else {"code": str(runner.fault), "detail": runner.fault_detail}
        view["position"], view["id"] = runner.queue.position, runner.id
        return view

    def devices(self) -> Sequence[DeviceStatus]:
        pump = self._pump
        return [pump.devices.status(device, pump.ingest.line(device.id)) for device in pump.plan.devices.devices()]

    def submit(self, table: str, event: OperatorEvent | ReviewEvent, by: str) -> Future[Receipt]:
        if not by:
            raise DeskError(DeskErrorCode.INVALID, "What a person declares needs the person's name.")
        future: Future[Receipt] = Future()
        return self._ask(Declared(table, event, by, future), future)

    def note(self, action: str, detail: Mapping[str, Plain], by: str) -> Future[Receipt]:
        future: Future[Receipt] = Future()
        return self._ask(Noted(action, dict(detail), by, future), future)

    def command(self, device: str, name: str, values: Mapping[str, object], by: str) -> Future[CommandSent]:
        future: Future[CommandSent] = Future()
        try:
            encode("command", {"number": 1, "body": (name, dict(values))})
        except (WireError, KeyError, ValueError, TypeError) as error:
            raise DeskError(DeskErrorCode.INVALID, f"{name} is no command that a controller understands.") from error
        if name == SWITCH and not may_switch(self._pump, device):
            raise DeskError(DeskErrorCode.INVALID, "Software is switched between two coups only.")
        return self._ask(Ordered(device, name, dict(values), by, future), future)

    def release(self, device: str, by: str) -> Future[Receipt]:
        if not by:
            raise DeskError(DeskErrorCode.INVALID, "Who releases a controller's name must give his own.")
        future: Future[Receipt] = Future()
        return self._ask(Released(device, by, future), future)

    def watch(self, callback: Watcher) -> Callable[[], None]:
        key = object()
        self._pump.watchers = {**self._pump.watchers, key: callback}

        def end() -> None:
            self._pump.watchers = {each: kept for each, kept in self._pump.watchers.items() if each is not key}

        return end

    def health(self) -> Health:
        pump = self._pump
        fault = pump.scribe.fault
        faulted = tuple(name for name, runner in tuple(pump.tables.items()) if runner.fault is not None)
        is_connected = self._is_connected()
        reasons = [] if fault is None else [str(fault)]
        reasons += [] if is_connected else ["There is no connection to the broker."]
        reasons += [f"Table {name} is not followed." for name in faulted]
        reasons += ["The gateway is stopping."] if pump.is_stopping else []
        is_ready = fault is None and is_connected and not pump.is_stopping
        code = "" if fault is None else str(fault.code)
        return Health(is_ready, is_connected, code, faulted, self._waiting(), pump.last_id, tuple(reasons))

    def figures(self) -> Sequence[Figure]:
        pump = self._pump
        counted = [Figure(f"sabot_{name}_total", count) for name, count in tuple(pump.ingest.counts.items())]
        runners = tuple(pump.tables.values())
        return [
            *counted,
            Figure("sabot_records_written_total", pump.scribe.written),
            Figure("sabot_messages_sent_total", pump.performer.sent),
            Figure("sabot_lamps_resent_total", pump.performer.resent),
            Figure("sabot_lamps_unconfirmed", pump.performer.unconfirmed()),
            Figure("sabot_records_waiting", self._waiting()),
            Figure("sabot_tables", len(runners)),
            Figure("sabot_tables_not_followed", sum(runner.fault is not None for runner in runners)),
            Figure("sabot_alerts_open", len(pump.house.alarms) + sum(map(_open_alerts, runners))),
            Figure("sabot_journal_is_well", int(pump.scribe.fault is None)),
            Figure("sabot_broker_is_connected", int(self._is_connected())),
            Figure("sabot_journal_last_id", pump.last_id),
            *self._more(),
        ]

    def _waiting(self) -> int:
        return sum(len(runner.queue) for runner in tuple(self._pump.tables.values())) + self._pump.queue.qsize()

    def _ask(self, item: object, future: "Future[Any]") -> "Future[Any]":
        if self._pump.is_stopping:
            raise DeskError(DeskErrorCode.STOPPING)
        self._put(item)
        return future


def _status(plan: TablePlan, runner: TableRunner) -> TableStatus:
    state = runner.state
    coup = None if state is None else state.coup
    return TableStatus(
        name=runner.name,
        pit=plan.pit,
        game=str(plan.setup.game),
        ruleset=plan.setup.ruleset.id if state is None else state.setup.ruleset.id,
        seance="" if state is None else str(state.seance.phase),
        coup=0 if coup is None else coup.number,
        phase="" if coup is None else str(coup.phase),
        phase_ms=0 if coup is None else coup.phase_ms,
        in_review=state is not None and state.review is not None,
        alerts=0 if state is None else len(state.alerts),
        worst=_worst(state),
        lamps_revision=runner.revision,
        lamps_applied=0 if state is None else state.lamps.applied,
        position=runner.queue.position,
        id=runner.id,
        changed_ms=runner.changed_ms,
        fault=runner.fault,
        fault_detail=runner.fault_detail,
        cameras=plan.cameras,
    )


def _worst(state: TableState | None) -> str:
    found = set() if state is None else {alert.severity for alert in state.alerts.values()}
    return next((str(severity) for severity in _GRAVEST if severity in found), "")


def _open_alerts(runner: TableRunner) -> int:
    return 0 if runner.state is None else len(runner.state.alerts)
