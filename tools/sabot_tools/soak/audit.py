"""What must hold of a journal after any night, asked of the file itself once the gateway has ended.

Owns two questions: does every event that a controller numbered stand there once and in its place, and do `verify` and
`replay` have nothing to say?
"""

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.record import Kind, Record, Stream
from sabot_gateway.projections.source import ReaderSource
from sabot_gateway.transcript.fact import Batch, read_fact

_MOST_NAMED: Final = 3  # differences of one kind


def numbers_found(records: Iterable[Record]) -> Iterator[tuple[str, int]]:
    """The controllers' events in the order in which a journal holds them: device and number."""
    for record in records:
        fact = None if record.kind is Kind.DECISION else read_fact(record.kind, record.body)
        if isinstance(fact, Batch):
            for at in range(fact.skip, len(fact.events)):
                yield fact.device, fact.first + at


def events_out_of_place(journal: Path, told: Mapping[str, tuple[int, int]]) -> tuple[int, list[str]]:
    """How many events the journal holds, and a sentence for each table whose numbers are not 1, 2, 3, ….

    `told` is by table: the number acknowledged last, and the one given last; what lies between may be in the journal.
    """
    count, findings = 0, []
    with reader_at(str(journal)) as reader:
        source = ReaderSource(reader)
        for table, (acknowledged, newest) in told.items():
            held, wrong = held_in_place(source.read(Stream(table)), acknowledged, newest)
            count += held
            if wrong:
                findings.append(f"{table}: {wrong}")
    return count, findings


def held_in_place(records: Iterable[Record], acknowledged: int, newest: int) -> tuple[int, str]:
    """How many events of one controller stand there once and in order, and what is wrong with the next (or nothing)."""
    seen = 0
    for device, number in numbers_found(records):
        if number != seen + 1:
            return seen, f"event {number} of {device} stands behind {seen}."
        seen = number
    if not acknowledged <= seen <= newest:
        return seen, f"{acknowledged} of {newest} events were acknowledged, {seen} are in the journal."
    return seen, ""


def complaints(journal: Path) -> list[str]:
    """What `sabot verify` and `sabot replay` find wrong, a sentence each."""
    found = []
    whole = _told_by("verify", journal)
    if not whole.get("whole"):
        found.append(f"verify: {_first(whole.get('findings'))}")
    same = _told_by("replay", journal)
    if not same.get("same"):
        found.append(f"replay: {_first(same.get('differences'))}")
    return found


def _told_by(command: str, journal: Path) -> dict[str, Any]:
    done = subprocess.run(  # noqa: S603  # our own command, and no shell
        [sys.executable, "-m", "sabot_tools.cli", command, "--json", str(journal)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1):
        return {"findings": [done.stderr.strip()], "differences": [done.stderr.strip()]}
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _first(found: Any) -> str:
    return "; ".join(map(str, (found or ["no reason given"])[:_MOST_NAMED]))
