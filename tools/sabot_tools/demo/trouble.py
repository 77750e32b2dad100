"""Something goes wrong every minute or so, at one table or another, so that there is something to see.

Owns the choice. What an incident does and how it is put right is the twin's; one that finds no occasion in this coup
leaves its turn to the next.
"""

from collections.abc import Callable
from random import Random
from typing import Final

from sabot_tools.twin.catalogue import INCIDENTS
from sabot_tools.twin.incident import CoupVoidedError, Incident
from sabot_tools.twin.table import Stage, Table

# Errors of dealers and players are what one watches for: a cut cable, a restart, or people who wait for minutes until
# the gateway complains (coup-stalled: three, pace-slow: ten) take a table out of the show.
_LEFT_OUT: Final = frozenset(
    {"controller-lost", "controller-rebooted", "coup-stalled", "pace-slow", "no-player", "deck-not-ready"}
)


class Trouble:
    """Mischief for every table of the floor: one incident at a time, `every_s` seconds apart."""

    def __init__(self, seed: int, every_s: int, now_s: Callable[[], float], tell: Callable[[str, str], None]) -> None:
        self._chance = Random(f"{seed}/trouble")  # noqa: S311 - repeatable, not secret
        self._every_s = every_s
        self._now_s = now_s
        self._tell = tell
        self._next_s = now_s() + every_s / 2
        self.happened: list[tuple[str, str]] = []

    async def __call__(self, table: Table, stage: Stage, coup: object) -> None:
        if not self._every_s or self._now_s() < self._next_s:
            return
        some = able(table.game, stage)
        if not some:
            return
        incident = self._chance.choice(some)
        due, self._next_s = self._next_s, self._now_s() + self._every_s
        try:
            if not await incident.act(table, coup):
                self._next_s = due  # no occasion: somebody else's turn
                return
        except CoupVoidedError:
            self._note(table, incident)
            raise
        self._note(table, incident)

    def _note(self, table: Table, incident: Incident) -> None:
        self.happened.append((table.name, incident.name))
        self._tell(table.name, incident.name)


def able(game: str, stage: Stage) -> list[Incident]:
    """What may happen at this moment of a coup."""
    return [
        each for each in INCIDENTS.values() if each.stage is stage and game in each.games and each.name not in _LEFT_OUT
    ]
