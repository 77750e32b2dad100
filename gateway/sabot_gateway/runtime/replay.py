"""The start: every table's state out of its stream, and what the last life of the gateway left undone.

    snapshot -> the rest of the stream, folded -> each decision compared with the one that was journaled

A decision that differs is told and never overwritten; one that is missing (the power went between fact and decision)
is made now, once. A stream that cannot be folded costs its own table: its numbers are still read, so that its
controllers are heard and acknowledged without loss or doubling. A record that breaks the chain is no such case: its
bytes are damaged, its numbers may be too, and nothing is acknowledged on them. Nothing is performed here and nothing
is written.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sabot_gateway.errors import StartError
from sabot_gateway.journal.chain import EMPTY, checked, link
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.port import Journal
from sabot_gateway.journal.record import Entry, Head, Kind, Owner, Record, Stream
from sabot_gateway.model.alert import Alert
from sabot_gateway.model.registers import Registers
from sabot_gateway.runtime.desk import TableFault
from sabot_gateway.runtime.house_runner import HouseRunner, after_record, house_stream
from sabot_gateway.runtime.lease import next_fence
from sabot_gateway.runtime.perform import newest_lamps
from sabot_gateway.runtime.plan import Plan
from sabot_gateway.runtime.stream_queue import StreamQueue, Waiting
from sabot_gateway.runtime.table_runner import TableRunner, decision_body, lasting_effects
from sabot_gateway.transcript.decision import decision_from_body
from sabot_gateway.transcript.error import FactError
from sabot_gateway.transcript.fact import Configured, read_fact
from sabot_gateway.transcript.fold import Fold, Lookup, Taken, skip_decision, take, take_fact
from sabot_gateway.transcript.fold_snapshot import fold_from_bytes
from sabot_gateway.transcript.house import House, alarms_from_bytes, house_from_bytes
from sabot_gateway.transcript.wire_events import Report


class Difference(NamedTuple):
    """A journaled decision that the fold does not come to."""

    table: str
    position: int  # of the fact


@dataclass(slots=True)
class Folded:
    """A table's stream read to its end; `undecided` are facts whose decision is missing, by position."""

    fold: Fold
    saved_position: int = 0
    undecided: dict[int, tuple[bytes, Taken, int]] = field(default_factory=dict)
    differences: list[int] = field(default_factory=list)
    reports: list[Report] = field(default_factory=list)
    defect: str = ""
    shown: int = 0  # the newest lamp picture that was decided behind a defect
    is_complete: bool = True  # False: a part of the past was not there to be folded
    head: Head = EMPTY  # where the stream ended when it was read
    last: Record | None = None


@dataclass(slots=True)
class Started:
    """Everything a pump begins with."""

    plan: Plan
    fence: int
    tables: dict[str, TableRunner]
    house: HouseRunner
    complete: dict[str, bool]
    differences: list[Difference]
    reports: list[Report]
    last_id: int


def start(journal: Journal, plan: Plan) -> Started:
    """Reads what the journal says about the tables of `plan` and the house."""
    heads = journal.heads()
    own = house_stream(plan.gateway)
    fence = next_fence(journal, heads, [own, *map(Stream, plan.tables)], plan.gateway)
    house, alarms, saved = _read_house(journal, own)
    queue = StreamQueue(own, Owner(plan.gateway), fence, heads.get(own, EMPTY))
    runner = HouseRunner(queue, house, alarms, saved, _registers_of_others(journal, heads, own))
    started = Started(plan, fence, {}, runner, {}, [], [], 0)
    for name in plan.tables:
        open_table(journal, started, name)
    return started


def open_table(journal: Journal, started: Started, name: str) -> None:
    """One table out of its stream, beside those that are started."""
    folded = fold_stream(journal, Stream(name), started.house.lookup)
    started.tables[name] = _runner(name, folded, Owner(started.plan.gateway), started.fence)
    started.complete[name] = folded.is_complete
    started.differences += [Difference(name, position) for position in folded.differences]
    started.reports += folded.reports
    if folded.last is not None:
        started.last_id = max(started.last_id, folded.last.id)


def fold_stream(journal: Journal, stream: Stream, lookup: Lookup) -> Folded:
    """A table from its snapshot and everything behind it."""
    folded = Folded(Fold(lookup))
    snapshot = journal.snapshot(stream)
    if snapshot is not None:
        try:
            folded.fold = fold_from_bytes(snapshot.body, lookup)
            folded.saved_position, folded.head = snapshot.head.position, snapshot.head
            folded.reports += [each.hello for each in folded.fold.controllers.values() if each.hello is not None]
        except FactError:
            pass  # of another release: the stream itself is folded instead, as far back as it is kept
    for record in _kept(journal, stream, folded.fold.position):
        if record.position != folded.head.position + 1:
            # Retention removed what an unreadable snapshot stood for.
            folded.is_complete = False
            folded.fold = Fold(lookup, position=record.position - 1)
        elif link(folded.head.hash, record) != record.hash:
            raise JournalError(ErrorCode.CORRUPT, f"Record {record.position} of {stream} breaks the chain.")
        fold_record(folded, record)
    return folded


def _kept(journal: Journal, stream: Stream, after: int) -> Iterator[Record]:
    """The records of a stream behind `after`; where retention removed the first of them, those that are kept."""
    try:
        yield from journal.read(stream, after)
    except JournalError as error:
        if error.code is not ErrorCode.REMOVED:
            raise
        yield from (record for record in journal.tail() if record.stream == stream)


def fold_record(folded: Folded, record: Record) -> None:
    """One record more, its decision compared."""
    folded.last = record
    folded.head = Head(record.position, record.hash)
    if folded.defect:
        _count(folded, record)
        return
    try:
        if record.kind is Kind.DECISION:
            _compare(folded, record)
            return
        taken = take(folded.fold, record.kind, record.body, record.received_ms)
        body = decision_body(record.position, taken)
    except Exception as defect:  # noqa: BLE001 - a table that cannot be folded must not keep the others from starting
        folded.defect = f"{type(defect).__name__} at record {record.position}"
        _count(folded, record)
        return
    folded.fold = taken.fold
    folded.reports += taken.reports
    if body:
        folded.undecided[record.position] = (body, taken, record.received_ms)


def _compare(folded: Folded, record: Record) -> None:
    undecided = folded.undecided
    oldest = next(iter(undecided), None)
    if oldest is not None and undecided[oldest][0] == record.body:
        # Nearly always: decisions stand in the order of their causes, and equal bytes name the same one.
        del undecided[oldest]
    else:
        cause = decision_from_body(record.body, with_lamps=False).cause
        expected = undecided.pop(cause, None)
        if expected is None or expected[0] != record.body:
            folded.differences.append(cause)
    folded.fold = skip_decision(folded.fold)


def _count(folded: Folded, record: Record) -> None:
    """Behind a defect only numbers are read, of controllers and of lamp pictures: they do not depend on the rules."""
    fold = folded.fold
    position = fold.position
    numbers = Fold(fold.lookup, None, fold.sequences, position=record.position - 1, controllers=fold.controllers)
    try:
        fact = None
        if record.kind is Kind.DECISION:
            folded.shown = max(folded.shown, _revision(record.body))
        else:
            fact = read_fact(record.kind, record.body)
        if fact is not None and not isinstance(fact, Configured):
            numbers = take_fact(numbers, fact, record.received_ms).fold
    except FactError:
        pass  # a body of an unknown form has no numbers that this release could read
    folded.fold = Fold(
        fold.lookup,
        fold.state,
        numbers.sequences,
        fold.parts,
        fold.timers,
        fold.setup,
        fold.waiting,
        position,
        numbers.controllers,
    )


def _revision(body: bytes) -> int:
    """Of the newest picture in a decision; 0 where it has none."""
    effects = [effect for step in decision_from_body(body).steps for effect in step.effects]
    lamps = newest_lamps(tuple(effects))
    return 0 if lamps is None else lamps.revision


def _runner(name: str, folded: Folded, owner: Owner, fence: int) -> TableRunner:
    # Where it was read to, not where it may end now: what somebody wrote since makes our first append `moved`.
    queue = StreamQueue(Stream(name), owner, fence, folded.head, is_derived=True)
    queue.id = 0 if folded.last is None else folded.last.id
    runner = TableRunner(name, queue, folded.fold, folded.saved_position)
    if folded.defect:
        runner.fault, runner.fault_detail = TableFault.UNREADABLE, folded.defect
        runner.shown = folded.shown
        return runner
    for body, taken, received_ms in folded.undecided.values():
        queue.put(Waiting(Entry(Kind.DECISION, body, received_ms), effects=lasting_effects(taken)))
    return runner


def _read_house(journal: Journal, stream: Stream) -> tuple[House, dict[str, Alert], int]:
    house, alarms, head = House(), dict[str, Alert](), EMPTY
    snapshot = journal.snapshot(stream)
    if snapshot is not None:
        try:
            house = house_from_bytes(snapshot.body)
            alarms = {alert.id: alert for alert in alarms_from_bytes(snapshot.body)}
            head = snapshot.head
        except FactError:
            house = House()  # of another release: the stream itself is read instead
    saved = head.position
    for record in checked(journal.read(stream, head.position), head):
        try:
            house, alarms = after_record(house, alarms, record.kind, record.body)
        except FactError as error:
            raise StartError(f"Record {record.position} of {stream} cannot be read by this release.") from error
    return house, alarms, saved


def _registers_of_others(journal: Journal, heads: Mapping[Stream, Head], own: Stream) -> Mapping[str, Registers]:
    """A table taken over from another gateway names registers that stand in that gateway's house."""
    found: dict[str, Registers] = {}
    for stream in _houses(heads, own):
        found |= _read_house(journal, stream)[0].registers
    return found


def _houses(heads: Mapping[Stream, Head], own: Stream) -> Iterable[Stream]:
    return [stream for stream in heads if stream.startswith("house/") and stream != own]
