"""What must hold of a journal, however rough its night was; asked of the file or database itself, not of the gateway.

Each event that a controller numbered, once, in order and as it was told; each coup settled once and as the rig settled
it; decisions as one uninterrupted fold makes them; nothing acknowledged that is not there; `verify` and `replay` green.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from app.gateway_process import SOURCES
from gateway_proof.proof_controller import Controller
from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.record import Kind, Record, Stream
from sabot_gateway.model.alert import Alert
from sabot_gateway.model.effect import Effect, RaiseAlert, RecordSettlement
from sabot_gateway.projections.shelf import Shelf
from sabot_gateway.projections.source import ReaderSource
from sabot_gateway.transcript.decision import decision_from_body
from sabot_gateway.transcript.fact import Batch, Configured, Said, read_fact
from sabot_gateway.transcript.fold import Fold, skip_decision, take, take_fact

# Said by the controller about itself: how often depends on restarts, and no decision on it.
ASIDE = frozenset({"lamps_applied", "command_finished"})
# Raised by the length and the roughness of the night, not by play.
ROUGH = frozenset({"LAMPS_NOT_CONFIRMED", "CLOCK_OFF"})


class Ledger:
    """What the journal holds, read on where the last look ended; for looks between a kill and the next start."""

    def __init__(self, path: Path | str, tables: Iterable[str]) -> None:
        self._path = path
        self._positions = dict.fromkeys(tables, 0)
        self.numbers = dict.fromkeys(tables, 0)
        self.records: dict[str, list[Record]] = {table: [] for table in self.numbers}  # also those removed since

    def holds(self, acked: dict[str, int]) -> None:
        """Fails if something was acknowledged that the file does not hold."""
        if any(acked[table] > number for table, number in self.numbers.items()):
            self.read_on()
        for table, number in self.numbers.items():
            assert acked[table] <= number, f"{table}: {acked[table]} acknowledged, {number} durable"

    def read_on(self) -> None:
        """Fails if an event stands out of its place."""
        with reader_at(str(self._path)) as reader:
            source = ReaderSource(reader)
            for table, after in self._positions.items():
                for record in source.read(Stream(table), after):
                    self._positions[table] = record.position
                    self.records[table].append(record)
                    for number, _ in _numbered([record]):
                        assert number == self.numbers[table] + 1, f"{table}: {number} after {self.numbers[table]}"
                        self.numbers[table] = number


def audit(path: Path | str, controllers: Sequence[Controller], ledger: Ledger | None = None) -> dict[str, int]:
    """Everything at the end of a night; the counts. With a ledger, also of records that retention has removed."""
    counts = Counter[str]()
    with reader_at(str(path)) as reader:
        source = ReaderSource(reader)
        shelf = Shelf(source)
        for controller in controllers:
            table = controller.table
            records = list(source.read(Stream(table))) if ledger is None else ledger.records[table]
            _holds_each_event_once(controller, records)
            decided = [effect for record in records for effect in _decided(record)]
            _settles_each_coup_once(controller, decided)
            _decides_like_one_fold(controller, records, decided, shelf)
            counts["records"] += len(records)
            counts["events"] += controller.acked
            counts["coups"] += sum(isinstance(effect, RecordSettlement) for effect in decided)
    verdict = told_by("verify", path)
    assert verdict["whole"], verdict
    again = told_by("replay", path)
    assert again["same"], again["differences"][:3]
    counts["decisions"] = again["decisions"]
    return dict(counts)


def folded_whole(ledger: Ledger, table: str, shelf: Shelf) -> Fold:
    """A table from its first record to its last, without a snapshot."""
    fold = Fold(shelf)
    for record in ledger.records[table]:
        is_decision = record.kind is Kind.DECISION
        fold = skip_decision(fold) if is_decision else take(fold, record.kind, record.body, record.received_ms).fold
    return fold


def house_alarms(path: Path) -> list[str]:
    """The codes of what the gateway raised about itself."""
    return alarms(path, "house/pit-1")


def alarms(path: Path, stream: str) -> list[str]:
    """The codes of what was raised in a stream."""
    return [alert.code for alert in raised(path, stream)]


def raised(path: Path, stream: str) -> list[Alert]:
    """What was raised in a stream."""
    with reader_at(str(path)) as reader:
        records = list(ReaderSource(reader).read(Stream(stream)))
    effects = [effect for record in records for effect in _decided(record)]
    return [effect.alert for effect in effects if isinstance(effect, RaiseAlert)]


def told_by(command: str, path: Path | str) -> dict[str, Any]:
    """What `sabot verify` or `sabot replay` says of the journal, as a program reads it."""
    done = subprocess.run(
        [sys.executable, "-m", "sabot_tools.cli", command, "--json", str(path)],
        env={**os.environ, "PYTHONPATH": SOURCES},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _holds_each_event_once(controller: Controller, records: list[Record]) -> None:
    found = list(_numbered(records))
    for place, (number, _) in enumerate(found, start=1):
        assert number == place, f"{controller.table}: {number} stands in the place of {place}"
    # A lamp picture that was confirmed while the gateway stopped is with the controller, not acknowledged.
    assert controller.acked <= len(found) <= controller.newest, f"{controller.table}: {len(found)} are durable"
    assert controller.newest - len(found) <= 2, f"{controller.table}: {controller.newest} were told"
    for number, event in found:
        assert _plain(event) == _plain(controller.told[number - 1]), f"{controller.table} event {number}"


def _settles_each_coup_once(controller: Controller, decided: list[Effect]) -> None:
    settled = [effect for effect in decided if isinstance(effect, RecordSettlement)]
    numbers = [effect.number for effect in settled]
    assert len(set(numbers)) == len(numbers), f"{controller.table}: a coup was settled twice"
    night = controller.night
    assert len(settled) == night.coups * (1 + controller.rings), controller.table
    for effect, expected in zip(settled, night.settlements * (1 + controller.rings), strict=True):
        assert effect.settlement == expected, f"{controller.table} coup {effect.number}"


def _decides_like_one_fold(controller: Controller, records: list[Record], decided: list[Effect], shelf: Shelf) -> None:
    quiet = list(_uninterrupted(records, shelf))
    assert _settled(decided) == _settled(quiet), controller.table
    assert _alerted(decided) == _alerted(quiet), controller.table


def _uninterrupted(records: list[Record], shelf: Shelf) -> Iterator[Effect]:
    """The decisions on what controllers and people said, as if the gateway had never been away."""
    fold, numbers = Fold(shelf), Counter[str]()
    for record in records:
        fact = None if record.kind is Kind.DECISION else read_fact(record.kind, record.body)
        match fact:
            case Batch():
                events = [event for event in fact.events[fact.skip :] if event[0] not in ASIDE]
                first = numbers[fact.device] + 1
                numbers[fact.device] += len(events)
                if not events:
                    continue
                fact = fact._replace(skip=0, first=first, events=events)
            case Configured():
                pass
            case Said(by=by) if by:
                pass
            case _:
                continue
        taken = take_fact(fold, fact, record.received_ms)
        fold = taken.fold
        for step in taken.steps:
            yield from step.effects


def _numbered(records: Iterable[Record]) -> Iterator[tuple[int, Any]]:
    """The controller's events in the order in which the journal holds them."""
    for record in records:
        fact = None if record.kind is Kind.DECISION else read_fact(record.kind, record.body)
        if isinstance(fact, Batch):
            for at in range(fact.skip, len(fact.events)):
                yield fact.first + at, fact.events[at]


def _decided(record: Record) -> Iterator[Effect]:
    if record.kind is Kind.DECISION:
        for step in decision_from_body(record.body).steps:
            yield from step.effects


def _settled(effects: list[Effect]) -> list[RecordSettlement]:
    return [effect for effect in effects if isinstance(effect, RecordSettlement)]


def _alerted(effects: list[Effect]) -> list[tuple[object, ...]]:
    alerts = [effect.alert for effect in effects if isinstance(effect, RaiseAlert)]
    return [(each.id, each.rule, each.count, each.evidence) for each in alerts if each.code not in ROUGH]


def _plain(value: Any) -> Any:
    """Lists and tuples alike; the codec reads one and the sensors give the other."""
    match value:
        case dict():
            return {key: _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case _:
            return value
