"""What only the whole floor can see: one table head on more tables than his article allows.

A fold like the table's own: who heads each open table goes in, alerts come out.
Pure; it knows tables by name and people by id.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sabot_gateway.model.alert import Alert
from sabot_gateway.model.effect import ClearAlert, RaiseAlert
from sabot_gateway.model.game import Game
from sabot_gateway.rules.staff import Staffing, check_staff, most_tables
from sabot_gateway.table.alerts.house import head_too_many_tables
from sabot_gateway.table.state import SeancePhase, TableState


@dataclass(frozen=True, slots=True)
class Headed:
    """An open table and the person at its head; `most` is what this table's rules let him watch."""

    head: str
    game: Game
    most: int


@dataclass(frozen=True, slots=True)
class Floor:
    tables: Mapping[str, Headed] = field(default_factory=dict)
    alerts: Mapping[str, Alert] = field(default_factory=dict)  # by the head's id


@dataclass(frozen=True, slots=True)
class FloorStep:
    floor: Floor
    effects: tuple[RaiseAlert | ClearAlert, ...]


def watch(floor: Floor, state: TableState, at_ms: int) -> FloorStep:
    """The floor after one table's state; the same state again changes nothing."""
    name = state.setup.table
    headed = _headed(state)
    if floor.tables.get(name) == headed:
        return FloorStep(floor, ())
    tables = {table: known for table, known in floor.tables.items() if table != name}
    if headed is not None:
        tables[name] = headed
    return _judged(Floor(tables, floor.alerts), at_ms)


def _headed(state: TableState) -> Headed | None:
    if state.seance.phase is SeancePhase.CLOSED or not state.staff.head:
        return None
    return Headed(state.staff.head, state.setup.game, most_tables(state.setup.game, state.setup.ruleset.values))


def _judged(floor: Floor, at_ms: int) -> FloorStep:
    """TCF-12, STU-11, UTH-10, THE-10: the strictest of a head's tables decides how many he may have."""
    wrong: dict[str, Alert] = {}
    for head in sorted({headed.head for headed in floor.tables.values()}):
        own = {name: headed for name, headed in floor.tables.items() if headed.head == head}
        for headed in sorted(own.values(), key=lambda each: each.most):
            values: Mapping[str, object] = {"chef_max_tables": headed.most}
            if check_staff(headed.game, values, Staffing(chef_tables=len(own))):
                known = floor.alerts.get(head)
                alert = head_too_many_tables(headed.game, head, len(own), headed.most)
                first = known.first_ms if known is not None else at_ms
                wrong[head] = _timed(alert, first, at_ms, sorted(own))
                break
    effects: list[RaiseAlert | ClearAlert] = []
    for head, alert in wrong.items():
        known = floor.alerts.get(head)
        if known is None or known.evidence != alert.evidence:
            effects.append(RaiseAlert(alert))
    effects.extend(ClearAlert(alert.id, "corrected") for head, alert in floor.alerts.items() if head not in wrong)
    return FloorStep(Floor(floor.tables, wrong), tuple(effects))


def _timed(alert: Alert, first_ms: int, last_ms: int, tables: list[str]) -> Alert:
    return Alert(
        alert.code,
        alert.severity,
        alert.rule,
        alert.fr,
        alert.en,
        alert.clears,
        spot=alert.spot,
        evidence=(*alert.evidence, ("names", ", ".join(tables))),
        first_ms=first_ms,
        last_ms=last_ms,
    )
