"""How long a gateway takes to come back beside merely reading and decoding the same records.

First every table has a whole night behind it that no snapshot covers: all of it is read, folded, and its decisions
compared. Then the same with the snapshots that a gateway leaves when it is killed.
"""

import gc
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median

from sabot_gateway.app import COLLECT_AFTER
from sabot_gateway.journal.chain import EMPTY
from sabot_gateway.journal.port import Append, Journal
from sabot_gateway.journal.record import Entry, Head, Kind, Owner, Stream
from sabot_gateway.journal.snapshot import Snapshot
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.link.device import Device
from sabot_gateway.model.registers import Registers
from sabot_gateway.runtime.plan import Plan, TablePlan
from sabot_gateway.runtime.replay import start
from sabot_gateway.runtime.table_runner import decision_body, is_worth_keeping
from sabot_gateway.table.setup import TableSetup
from sabot_gateway.transcript.decision import decision_from_body
from sabot_gateway.transcript.fact import SetupRecord, body_from_batch, body_from_setup, read_fact
from sabot_gateway.transcript.fold import Fold, take
from sabot_gateway.transcript.fold_snapshot import bytes_from_fold
from sabot_gateway.transcript.house import bodies_from_registers, digest_of
from sabot_tools.bench.evening import FIRST_MS, badges_of, device_name, game_of, payloads
from sabot_tools.bench.night import opened
from sabot_tools.bench.row import Row

_OFFSET_MS = 1_700_000_000_000
_SITE = "bench"
_OWNER = Owner("bench")


def restarts(folder: Path, tables: int, records: int, rounds: int) -> list[Row]:
    with closing(open_sqlite_journal(folder / "restart.db")) as journal:
        plan = _plan(tables)
        _write(journal, plan, records)
        starts, reads = [], []
        gc.set_threshold(*COLLECT_AFTER)  # as a gateway does; for both
        for _ in range(rounds):
            reads.append(_seconds(lambda: _read(journal, plan)))
            starts.append(_seconds(lambda: _start(journal, plan)))
        _keep(journal, plan)
        killed = [_seconds(lambda: _start(journal, plan)) for _ in range(rounds)]
        count = sum(head.position for stream, head in journal.heads().items() if stream in plan.tables)
    ratio = median([read / took for read, took in zip(reads, starts, strict=True)])
    floor = f"reading and decoding {count / median(reads):,.0f}/s"
    name = f"restart, {tables:,} tables, {count:,} records"
    least = median([took / read for read, took in zip(reads, killed, strict=True)])
    return [
        Row(name, f"{count / median(starts):,.0f}", "records/s", floor, f"{ratio:.2f}"),
        Row("  with its snapshots", f"{median(killed):.2f}", "s", f"reading all {median(reads):.2f} s", f"{least:.2f}"),
    ]


class _Nobody:
    def find(self, device: str) -> Device | None:
        del device
        return None

    def devices(self) -> list[Device]:
        return []


def _plan(tables: int) -> Plan:
    setups = [opened(game_of(number)).setup for number in range(4)]
    badges = {
        bytes_tag.hex(): person
        for number in range(tables)
        for bytes_tag, person in zip(badges_of(number), setups[0].badges.values(), strict=True)
    }
    chips = {tag: chip for setup in setups for tag, chip in setup.chips.items()}
    registers = Registers(chips, setups[0].cards, setups[0].decks, badges)  # type: ignore[arg-type]  # tags as text
    plans = {}
    for number in range(tables):
        ruleset = setups[number % len(setups)].ruleset
        name = device_name(number)
        setup = TableSetup(name, ruleset, chips, registers.cards, registers.decks, registers.badges)
        plans[name] = TablePlan(setup)
    return Plan(_SITE, "bench", plans, _Nobody(), registers)


def _write(journal: Journal, plan: Plan, records: int) -> None:
    """Each table's setup and coups with their decisions; the tables' registers in the house."""
    bodies = bodies_from_registers(plan.registers)
    digest = digest_of(plan.registers)
    house = [Entry(Kind.FACT, body, _OFFSET_MS) for body in bodies]
    journal.append(Append(Stream("house/bench"), _OWNER, 1, house)).result()
    for number, (name, table) in enumerate(plan.tables.items()):
        entries = _stream(number, table.record(digest), records, lambda _: plan.registers)
        journal.append(Append(Stream(name), _OWNER, 1, entries)).result()


def _keep(journal: Journal, plan: Plan) -> None:
    """The last snapshot of each table that a gateway would have made before it was killed at its stream's end."""
    for name in plan.tables:
        fold = Fold(lambda _: plan.registers)
        head, kept = EMPTY, fold
        for record in journal.read(Stream(name)):
            fold = take(fold, record.kind, record.body, record.received_ms).fold
            # No fact before a snapshot waits for its decision behind it.
            if record.kind is Kind.DECISION and is_worth_keeping(record.position - head.position, fold.state):
                head, kept = Head(record.position, record.hash), fold
        if head.position:
            journal.save_snapshots([Snapshot(Stream(name), head, _OFFSET_MS, bytes_from_fold(kept))]).result()


def _stream(number: int, setup: SetupRecord, records: int, lookup: Callable[[str], Registers]) -> list[Entry]:
    fold = Fold(lookup)
    entries: list[Entry] = []
    device = device_name(number)
    bodies = [body_from_setup(setup)]
    bodies += [body_from_batch(device, 0, _OFFSET_MS, 50, payload) for payload in payloads(number, records, FIRST_MS)]
    for body in bodies:
        entry = Entry(Kind.FACT, body, _OFFSET_MS)
        taken = take(fold, entry.kind, body, entry.received_ms)
        entries.append(entry)
        fold = taken.fold
        decision = decision_body(len(entries), taken)
        if decision:
            entries.append(Entry(Kind.DECISION, decision, _OFFSET_MS))
            fold = take(fold, Kind.DECISION, decision, _OFFSET_MS).fold
        if len(entries) >= records:
            break
    return entries


def _start(journal: Journal, plan: Plan) -> None:
    started = start(journal, plan)
    assert not started.differences
    assert all(runner.fault is None for runner in started.tables.values())


def _read(journal: Journal, plan: Plan) -> None:
    for name in plan.tables:
        for record in journal.read(Stream(name)):
            if record.kind is Kind.DECISION:
                decision_from_body(record.body)
            else:
                read_fact(record.kind, record.body)


def _seconds(work: Callable[[], None]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin
