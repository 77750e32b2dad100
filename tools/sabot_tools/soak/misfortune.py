"""When something goes wrong at a table: drawn from the seed, coup by coup; incidents of the catalogue and faults.

Owns the draw. At most one thing is drawn for a coup, and the same thing is left alone for a while: its alert would be
counted up instead of raised anew. Faults come one at a time on the whole floor, so that each one's consequences are
its own.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from sabot_tools.soak.fault import Fault, suffer
from sabot_tools.twin.catalogue import INCIDENTS
from sabot_tools.twin.incident import Agenda, Incident
from sabot_tools.twin.table import Stage, Table

PEACE: Final = 3  # coups before the same thing, or one with the same alert, may happen again at a table
# What they do is among the faults, with more care for the rest of the floor; and a house that is never in a hurry
# does not complain of slowness.
_LEFT_OUT: Final = frozenset({"CONTROLLER_LOST", "CONTROLLER_REBOOTED", "COUP_STALLED", "PACE_SLOW"})


@dataclass(slots=True)
class Misfortune:
    """Mischief for one table; rates are per thousand coups."""

    chance: Random
    faults: Sequence[Fault]
    calm: asyncio.Lock  # held while a fault runs its course
    happened: Counter[str]
    incidents_permille: int
    faults_permille: int
    agenda: Agenda = field(default_factory=lambda: Agenda([]))
    _next: tuple[Fault, Stage] | None = None
    _last: dict[str, int] = field(default_factory=dict)

    async def __call__(self, table: Table, stage: Stage, coup: object) -> None:
        if stage is Stage.IDLE:
            self._draw(table)
        if self._next is not None and self._next[1] is stage:
            fault, self._next = self._next[0], None
            async with self.calm:
                self.happened[fault.name] += 1
                await suffer(fault, table)
            return
        before = len(self.agenda.happened)
        try:
            await self.agenda(table, stage, coup)
        finally:
            self.happened.update(self.agenda.happened[before:])

    def _draw(self, table: Table) -> None:
        if self._next is not None or self.agenda.planned:
            return
        drawn = self.chance.randrange(1000)
        if drawn < self.faults_permille:
            able = [each for each in self.faults if table.game in each.games and self._is_due(each, table)]
            if able:
                fault = self.chance.choice(able)
                self._note(fault, table)
                self._next = (fault, self.chance.choice(fault.stages))
        elif drawn < self.faults_permille + self.incidents_permille:
            some = [
                each
                for each in INCIDENTS.values()
                if table.game in each.games and not _LEFT_OUT & set(each.codes) and self._is_due(each, table)
            ]
            if some:
                incident = self.chance.choice(some)
                self._note(incident, table)
                self.agenda.planned.append((table.coups + 1, incident))

    def _is_due(self, what: Fault | Incident, table: Table) -> bool:
        return all(table.coups - self._last.get(name, -PEACE - 1) > PEACE for name in (what.name, *what.codes))

    def _note(self, what: Fault | Incident, table: Table) -> None:
        self._last.update(dict.fromkeys((what.name, *what.codes), table.coups))
