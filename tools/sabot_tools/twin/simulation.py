"""A simulated night from beginning to end: the tables are played, the gateway's decisions read, the books compared.

Owns what `sabot simulate` does once its words are understood; prints nothing.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from sabot_gateway.settings.shape import Settings, TableSettings
from sabot_tools.twin.book import Book, Line, alert_differences, differences
from sabot_tools.twin.catalogue import INCIDENTS
from sabot_tools.twin.chip import TrayEmptyError
from sabot_tools.twin.floor import Night, play_night
from sabot_tools.twin.floor_view import FloorView
from sabot_tools.twin.incident import Agenda, Incident
from sabot_tools.twin.ledger import Ledger
from sabot_tools.twin.overheard import Overheard
from sabot_tools.twin.rig import StuckError
from sabot_tools.twin.standing import Standings
from sabot_tools.twin.table import Mischief


@dataclass(frozen=True, slots=True)
class Planned:
    """An incident, the coup in which it is due, and the table; an empty name is every table that can have it."""

    incident: Incident
    coup: int
    table: str = ""


@dataclass(slots=True)
class Verdict:
    """How the night went; `faults` empty: every settlement to the cent, every alert for a reason, none missing."""

    coups: int = 0
    settlements: int = 0
    alerts: int = 0
    milliseconds: int = 0
    faults: list[str] = field(default_factory=list)


def simulate(
    settings: Settings,
    tables: Sequence[TableSettings],
    broker: tuple[str, int],
    night: Night,
    planned: Sequence[Planned] = (),
    errors_permille: int = 0,
    view: FloorView | None = None,
) -> Verdict:
    """Play the night against the gateway that runs by these settings."""
    book = Book()
    ledger = _ledger(settings, broker)
    agendas: dict[str, Agenda] = {}
    began = time.monotonic_ns()
    verdict = Verdict()

    def begin(table: str) -> None:
        book.begin(table)
        if ledger is not None:
            ledger.begin(table)

    # At a house where others play too, their tables are theirs.
    others = {each.name for each in settings.tables} - {each.name for each in tables}

    standings = Standings({each.name: str(each.game) for each in tables})

    def look() -> None:
        if view is not None and view.is_due:
            if ledger is not None:
                ledger.read()
            standings.update(book, ledger.settled if ledger is not None else {}, ledger.raised if ledger else [])
            view.show(standings)

    def is_written() -> bool:
        if ledger is None:
            return True
        ledger.read()
        return sum(map(len, _without(others, ledger.settled).values())) >= len(book.lines)

    try:
        if ledger is not None:
            ledger.skip()
        night = replace(night, taken_over=begin, opened=standings.open, is_written=is_written, look=look)
        mischief = _mischief(night.seed, planned, errors_permille, agendas)
        asyncio.run(play_night(settings, tables, broker, night, book, mischief))
    except* (StuckError, TrayEmptyError) as stuck:
        verdict.faults += [str(error) for error in stuck.exceptions]
    finally:
        if view is not None:
            view.close()
    verdict.milliseconds = (time.monotonic_ns() - began) // 1_000_000
    verdict.coups = len(book.lines)
    for table in (each for each in tables if each.name in agendas):
        verdict.faults += [
            f"{table.name}: {incident.name} found no occasion."
            for _, incident in agendas[table.name].planned
            if str(table.game) in incident.games and any(plan.incident is incident for plan in planned)
        ]
    if ledger is not None:
        ledger.close()
        settled = _without(others, ledger.settled)
        raised = [alert for alert in ledger.raised if alert.table not in others]
        verdict.settlements, verdict.alerts = sum(map(len, settled.values())), len(raised)
        verdict.faults += differences(book, settled) + alert_differences(book, raised)
    else:
        verdict.faults.append(
            "The books cannot be compared: the journal is no file on this machine, and the gateway"
            " tells nothing by MQTT ([outputs] mqtt = true)."
        )
    return verdict


def planned_from_text(text: str) -> Planned:
    """`late-bet@3` or `late-bet@3:table-2`; ValueError with one sentence."""
    name, _, where = text.partition("@")
    coup, _, table = where.partition(":")
    if name not in INCIDENTS:
        raise ValueError(f"there is no incident {name!r}; there are {', '.join(sorted(INCIDENTS))}.")
    if where and not (coup.isdecimal() and int(coup) > 0):
        raise ValueError(f"{text!r}: write INCIDENT@COUP, the first coup being 1.")
    return Planned(INCIDENTS[name], int(coup or 1), table)


def _mischief(
    seed: int, planned: Sequence[Planned], errors_permille: int, agendas: dict[str, Agenda]
) -> Callable[[str], Mischief]:
    def of(table: str) -> Mischief:
        own = [(each.coup, each.incident) for each in planned if each.table in ("", table)]
        chance = Random(f"{seed}/{table}/errors")  # noqa: S311 - a night must be repeatable, not secret
        agendas[table] = Agenda(own, errors_permille, INCIDENTS, chance)
        return agendas[table]

    return of


def _ledger(settings: Settings, broker: tuple[str, int]) -> Ledger | Overheard | None:
    """Where the gateway's decisions can be read: in its journal, or at the broker."""
    if settings.store.sqlite is not None:
        return Ledger(settings.store.sqlite)
    return Overheard(settings.site, broker) if settings.outputs_mqtt else None


def _without(others: set[str], settled: Mapping[str, list[Line]]) -> dict[str, list[Line]]:
    return {table: lines for table, lines in settled.items() if table not in others}
