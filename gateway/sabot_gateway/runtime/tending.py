"""What the pump must look after beside its stream of facts: a bad journal, tables not followed, snapshots, a reload,
new software that waits for the end of a coup.

Owns the transitions: from well to fault and back, from one plan to the next, from running to stopping. Each runs on
the pump's thread; nothing here waits. The fault lamps carry the revision after the table's own, which can never be
journaled; the table's next picture, after the fact `ServiceResumed`, is two further on.
"""

from collections.abc import Sequence
from concurrent.futures import Future
from itertools import islice
from typing import TYPE_CHECKING, Final

from sabot_gateway.journal.error import JournalError
from sabot_gateway.journal.record import Entry, Kind
from sabot_gateway.journal.snapshot import Snapshot
from sabot_gateway.link.clock import UNSET, Clock, resumed
from sabot_gateway.model.effect import Line, SetLamps
from sabot_gateway.model.event import ServiceResumed
from sabot_gateway.runtime.alarm import (
    PICTURE_NOT_CONFIRMED,
    TABLE_NOT_FOLLOWED,
    decision_differs,
    journal_fault,
    picture_alarm,
    picture_not_confirmed,
    table_not_followed,
)
from sabot_gateway.runtime.desk import TableFault
from sabot_gateway.runtime.item import Reloaded, Saved, answer, fail
from sabot_gateway.runtime.lamp_message import STOP_JOURNAL, STOP_TABLE, fault_lamps
from sabot_gateway.runtime.replay import Started, open_table
from sabot_gateway.runtime.stream_queue import Waiting
from sabot_gateway.runtime.table_runner import TableRunner
from sabot_gateway.runtime.update_grant import Granting
from sabot_gateway.table.configuration import is_between_coups
from sabot_gateway.table.state import LinkPhase
from sabot_gateway.transcript.fact import Configured, SetupRecord, body_from_setup
from sabot_gateway.transcript.fold import Fold

if TYPE_CHECKING:
    from sabot_gateway.runtime.pump import Pump

TEND_EVERY_MS: Final = 100  # silence, resends, probes: nobody sees a tenth of a second
BACKLOG_MS: Final = 2_000  # events that come so late are a backlog; the longest that an untroubled message takes
SNAPSHOTS_AT_ONCE: Final = 1  # tables in one cycle: up to a millisecond each, for which a lamp may have to wait
SNAPSHOTS_AT_THE_END: Final = 16  # where no lamp waits any more
SNAPSHOT_ALL_MS: Final = 10 * 60_000  # quiet tables too, so that retention can pass by them


class Tending:
    def __init__(self, pump: "Pump", started: Started) -> None:
        self._pump = pump
        self._started = started
        self._shown_fault = ""  # the code of the journal's fault while the lamps show it
        self._due: dict[str, bool] = {}  # tables whose snapshot is due, in turn; whether in any case
        self._saving = 0
        self._setups: dict[str, bytes] = {}  # the last one handed to each table's stream
        self._leaving: set[str] = set()
        self._waiting_reloads: list[Reloaded] = []
        self._granting = Granting(pump)
        self.next_ms = 0
        now_ms, monotonic_ms = pump.clock.now_ms(), pump.clock.monotonic_ms()
        self._all_ms = monotonic_ms + SNAPSHOT_ALL_MS
        self._digest = pump.house.register(pump.plan.registers, now_ms)
        for name in tuple(pump.tables):
            self._begin(name, now_ms, monotonic_ms)
        for table, position in reversed(started.differences):
            pump.house.raise_alarm(decision_differs(table, position, now_ms), now_ms)
        states = [runner.state for runner in pump.tables.values() if runner.state is not None and not runner.fault]
        pump.house.resume_floor(states, now_ms)
        late = [alarm.spot for alarm in pump.house.alarms.values() if alarm.code == PICTURE_NOT_CONFIRMED.code]
        pump.performer.laggards.resume([device for device in late if device])
        self._set_up(now_ms)

    @property
    def held(self) -> frozenset[str]:
        """Streams that take no facts until their snapshot is made: those whose turn it is."""
        return frozenset(islice(self._due, self._at_once)) if self._due else _NOTHING

    @property
    def _at_once(self) -> int:
        return SNAPSHOTS_AT_THE_END if self._pump.is_stopping else SNAPSHOTS_AT_ONCE

    @property
    def is_idle(self) -> bool:
        return not self._due and not self._saving

    def look(self, now_ms: int, monotonic_ms: int) -> None:
        """Once per cycle; most of it only ten times a second."""
        pump = self._pump
        if monotonic_ms >= self.next_ms:
            self.next_ms = monotonic_ms + TEND_EVERY_MS
            pump.scribe.tend(monotonic_ms)
            pump.performer.resend(monotonic_ms)
            self._mind_laggards(now_ms, monotonic_ms)
            pump.taken_in(pump.ingest.tend(now_ms), [], now_ms)
            if pump.scribe.fault is None:
                pump.retry_quarantine()
            if self._leaving:
                self._leave()
            self._granting.look(now_ms, monotonic_ms)
            if monotonic_ms >= self._all_ms:
                self._all_ms = monotonic_ms + SNAPSHOT_ALL_MS
                self.finish()
        self._mind_journal(now_ms, monotonic_ms)
        if self._due and pump.scribe.fault is None:
            self._save(now_ms)

    def moved(self, runner: TableRunner, before: Fold, now_ms: int, monotonic_ms: int) -> None:
        """A table has taken facts, or failed to."""
        pump, fold = self._pump, runner.fold
        if runner.fault is TableFault.STEP and runner.name not in self._faulted():
            self._show_fault(runner, STOP_TABLE, monotonic_ms)
            pump.house.raise_alarm(table_not_followed(runner.name, runner.fault_detail, now_ms), now_ms)
        if fold.timers is not before.timers:
            pump.timers.follow(runner.name, fold.timers, now_ms, monotonic_ms)
        state, old = fold.state, before.state
        if state is not None and state is not old:
            if old is None or state.lamps is not old.lamps:
                pump.performer.confirm(runner.name, state.lamps.applied)
            if old is None or state.staff is not old.staff or state.seance is not old.seance:
                pump.house.watch(state, now_ms)
        if runner.is_snapshot_due:
            self._due.setdefault(runner.name, False)

    def house_moved(self) -> None:
        """Registers that setups waited for may be durable now."""
        self._set_up(self._pump.clock.now_ms())

    def reload(self, item: Reloaded, now_ms: int) -> None:
        """Another plan: each table takes its new setup when its coup is over. As a whole, or not at all."""
        pump = self._pump
        added = item.plan.tables.keys() - pump.tables.keys()
        try:
            for name in added:
                open_table(pump.journal, self._started, name)
        except JournalError as error:
            for name in added:
                pump.tables.pop(name, None)
            fail(item.future, error)
            return
        pump.plan = self._started.plan = item.plan
        pump.performer.use_registry(item.plan.devices)
        pump.ingest.register(item.plan.devices, item.plan.digests)
        self._digest = pump.house.register(item.plan.registers, now_ms)
        self._leaving = pump.tables.keys() - item.plan.tables.keys()
        for name in added:
            self._begin(name, now_ms, pump.clock.monotonic_ms())
        self._waiting_reloads.append(item)
        self._set_up(now_ms)

    def finish(self) -> None:
        """A snapshot of everything that moved since its last one."""
        for name, runner in self._pump.tables.items():
            queue = runner.queue
            # One without a record has nothing to keep, and held for it would never get its first.
            if runner.fault is None and queue.position and queue.position + len(queue) > runner.saved_position:
                self._due[name] = True

    def saved(self, item: Saved) -> None:
        self._saving -= 1
        if item.future.exception() is not None:
            # Nothing is lost by a snapshot that was not kept; a stopping gateway does not wait for another.
            for name in item.tables:
                runner = self._pump.tables.get(name)
                if runner is not None:
                    runner.saved_position = 0

    def _begin(self, name: str, now_ms: int, monotonic_ms: int) -> None:
        pump = self._pump
        runner = pump.tables[name]
        state = runner.state
        for device, sequence in runner.fold.sequences.items():
            link = None if state is None else state.links.get(device)
            is_lost = link is not None and link.phase is LinkPhase.LOST
            pump.ingest.resume(device, sequence, is_lost, now_ms, _clock(runner.fold, device, now_ms))
        if runner.fault is not None:
            runner.early = None
            self._show_fault(runner, STOP_TABLE, monotonic_ms)
            pump.house.raise_alarm(table_not_followed(name, runner.fault_detail, now_ms), now_ms)
            return
        pump.house.clear_alarm(f"0/{TABLE_NOT_FOLLOWED.code}/{name}", now_ms)
        pump.timers.follow(name, runner.fold.timers, now_ms, monotonic_ms)
        if state is not None:
            if not runner.queue.has_decisions:
                lamps = state.lamps
                pump.performer.show(name, SetLamps(lamps.revision, lamps.picture, lamps.display), monotonic_ms)
                pump.performer.confirm(name, lamps.applied)
            pump.say(runner, ServiceResumed(self._started.complete[name], at_ms=now_ms), now_ms)

    def _set_up(self, now_ms: int) -> None:
        """Hands each table the setup that the plan wants for it, once the registers it names are durable."""
        pump = self._pump
        if not pump.house.is_kept(self._digest):
            pump.ready(pump.house.queue)
            return
        for name, table in pump.plan.tables.items():
            runner = pump.tables[name]
            record = table.record(self._digest)
            body = body_from_setup(record)
            if self._setups.get(name, _body(runner.fold.waiting or runner.fold.setup)) != body and not runner.fault:
                early, runner.early = runner.early or [], None
                for waiting in (Waiting(Entry(Kind.FACT, body, now_ms), fact=Configured(record)), *early):
                    pump.put(runner, waiting)
            self._setups[name] = body
        for item in self._waiting_reloads:
            answer(item.future, None)
        self._waiting_reloads.clear()

    def _leave(self) -> None:
        """Tables that the plan does not name any more are left when nobody plays there."""
        pump = self._pump
        for name in tuple(self._leaving):
            runner = pump.tables[name]
            if runner.queue.is_idle and (runner.state is None or is_between_coups(runner.state)):
                self._leaving.discard(name)
                self._due.pop(name, None)
                del pump.tables[name]
                pump.timers.forget(name)
                pump.performer.forget(name)

    def _mind_laggards(self, now_ms: int, monotonic_ms: int) -> None:
        pump = self._pump
        looked = pump.performer.mind_laggards(self._applied, monotonic_ms)
        for table, device in looked.late:
            pump.house.raise_alarm(picture_not_confirmed(device, table, now_ms), now_ms)
        for device in looked.back:
            pump.house.clear_alarm(picture_alarm(device), now_ms)

    def _applied(self, device: str) -> int | None:
        """What a controller confirmed; None while it is away, while its word would not get through to us, or while
        what it says is old: after an outage it tells what happened meanwhile before it comes to the lamps of now."""
        pump = self._pump
        line = pump.ingest.line(device)
        if line is None or line.state != "online" or line.behind_ms > BACKLOG_MS:
            return None
        return None if pump.ingest.is_deaf or pump.scribe.fault is not None else line.applied

    def _mind_journal(self, now_ms: int, monotonic_ms: int) -> None:
        pump, fault = self._pump, self._pump.scribe.fault
        if fault is not None and not self._shown_fault:
            self._shown_fault = fault.code
            for runner in pump.tables.values():
                if runner.fault is not TableFault.FENCED:
                    self._show_fault(runner, STOP_JOURNAL, monotonic_ms)
        elif fault is None and self._shown_fault:
            alarm = journal_fault(self._shown_fault, now_ms)
            self._shown_fault = ""
            pump.house.raise_alarm(alarm, now_ms)
            pump.house.clear_alarm(alarm.id, now_ms)
            for runner in pump.tables.values():
                if runner.fault is None:
                    pump.say(runner, ServiceResumed(True, at_ms=now_ms), now_ms)

    def _show_fault(self, runner: TableRunner, lines: tuple[Line, ...], monotonic_ms: int) -> None:
        table = self._pump.plan.tables.get(runner.name)
        if table is not None:
            lamps = fault_lamps(table.setup, runner.revision + 1, lines)
            self._pump.performer.show(runner.name, lamps, monotonic_ms)

    def _save(self, now_ms: int) -> None:
        pump = self._pump
        found: list[Snapshot] = []
        names = []
        for name in tuple(islice(self._due, self._at_once)):
            runner = pump.tables[name]
            is_past = not self._due[name] and not runner.is_snapshot_due  # while it waited the next coup began
            snapshot = None if is_past else runner.snapshot(now_ms)
            if snapshot is not None or is_past or runner.fault is not None:
                del self._due[name]
                pump.ready(runner.queue)
            if snapshot is not None:
                found.append(snapshot)
                names.append(name)
        house = pump.house.snapshot(self._used(), now_ms) if not self._due else None
        if house is not None:
            found.append(house)
        if found:
            self._keep(found, tuple(names))

    def _keep(self, snapshots: Sequence[Snapshot], names: tuple[str, ...]) -> None:
        self._saving += 1
        put = self._pump.post

        def done(future: "Future[None]") -> None:
            put(Saved(names, future))

        self._pump.journal.save_snapshots(snapshots).add_done_callback(done)

    def _used(self) -> frozenset[str]:
        """The registers that a table's stream may still name behind its snapshot."""
        folds = [runner.fold for runner in self._pump.tables.values()]
        return frozenset(record.registers for fold in folds for record in (fold.setup, fold.waiting) if record)

    def _faulted(self) -> frozenset[str]:
        return frozenset(alert.spot or "" for alert in self._pump.house.alarms.values() if alert.code == _CODE)


def _clock(fold: Fold, device: str, now_ms: int) -> Clock:
    """How the controller's clock was mapped before the restart: its backlog must not be timed by how late it comes."""
    heard = fold.controllers.get(device)
    if heard is None:
        return UNSET
    sure_ms = min(now_ms, fold.sequences[device].last_ms + heard.offset_ms)
    return resumed(heard.boot, heard.offset_ms, heard.spread_ms, sure_ms, now_ms)


def _body(setup: SetupRecord | None) -> bytes:
    """Setups are compared as they are written: a ruleset that was read back is another object."""
    return b"" if setup is None else body_from_setup(setup)


_CODE: Final = TABLE_NOT_FOLLOWED.code
_NOTHING: Final[frozenset[str]] = frozenset()
