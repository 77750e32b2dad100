"""Mischief and misfortune: an incident gives cause for an alert, waits until the table has seen it, and puts it right.

Owns the catalogue and the agenda (which incident comes in which coup). An incident acts as people and things do,
through the rig and the felt; it writes the alert it gives cause for into the book first. One that finds no occasion
in this coup (nobody folded, nothing won) says so and tries again in the next.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from sabot_tools.twin.layout import Place
from sabot_tools.twin.rig import see
from sabot_tools.twin.sight import Sight
from sabot_tools.twin.table import Stage, Table
from sabot_tools.twin.temperament import Temperament

Act = Callable[[Table, Any], Awaitable[bool]]

BANK: Final = ("TCF", "STU", "TCP", "UTH")
ALL: Final = (*BANK, "THE")


# What a cheat does, once in so many coups.
CHEATS: Final = {Temperament.PAST_POSTER: "late-bet", Temperament.CHIP_CAPPER: "capped-bet"}
CHEAT_COUPS: Final = 8


class CoupVoidedError(Exception):
    """The table head has voided the coup: it ends here."""


@dataclass(frozen=True, slots=True)
class Incident:
    """`codes` are the alerts that it leads to; `act` returns False when there was no occasion for it."""

    name: str
    codes: tuple[str, ...]
    stage: Stage
    games: tuple[str, ...]
    act: Act
    is_by_dealer: bool = False  # an error of his, which a rate of errors may draw


@dataclass(slots=True)
class Agenda:
    """What is to happen at one table: incidents by coup, and errors of the dealer by rate (per thousand coups)."""

    planned: list[tuple[int, Incident]]
    errors_permille: int = 0
    catalogue: Mapping[str, Incident] = field(default_factory=dict)
    chance: Random = field(default_factory=lambda: Random(0))  # noqa: S311 - repeatable
    happened: list[str] = field(default_factory=list)
    _drawn_for: int = -1

    async def __call__(self, table: Table, stage: Stage, coup: object) -> None:
        self._draw(table)
        for plan in list(self.planned):
            number, incident = plan
            if incident.stage is stage and table.coups + 1 >= number and table.game in incident.games:
                # Out of the list before it acts: an incident that ends the coup does not come back.
                self.planned.remove(plan)
                try:
                    has_happened = await incident.act(table, coup)
                except CoupVoidedError:
                    self.happened.append(incident.name)
                    raise
                if has_happened:
                    self.happened.append(incident.name)
                else:
                    self.planned.append(plan)
                return  # one at a time

    def _draw(self, table: Table) -> None:
        """Once in a coup: does the dealer err, does a cheat see his moment?"""
        if self._drawn_for == table.coups or self.planned:
            return
        self._drawn_for = table.coups
        names = [CHEATS[player.temper] for player in table.players if player.temper in CHEATS]
        able = [self.catalogue[name] for name in names if table.game in self.catalogue[name].games]
        if able and self.chance.randrange(CHEAT_COUPS) == 0:
            self.planned.append((table.coups + 1, self.chance.choice(able)))
        elif self.chance.randrange(1000) < self.errors_permille:
            able = [each for each in self.catalogue.values() if each.is_by_dealer and table.game in each.games]
            if able:
                self.planned.append((table.coups + 1, self.chance.choice(able)))


async def see_alert(table: Table, code: str) -> Sight:
    """Wait until the table shows that something is wrong: the display names it, a lamp turns orange."""
    words = code.replace("_", " ").lower()
    return await see(
        table.rig,
        lambda sight: words[:12] in sight.text or bool(sight.lit("orange")) or "REVIEW" in sight.text,
        f"the alert {code}",
    )


async def see_quiet(table: Table) -> None:
    """Wait until nothing is wrong any more."""
    await see(table.rig, lambda sight: not sight.has_alert, "a table without alerts")


async def lay_and_take(table: Table, code: str, place: Place, cents: int, is_closing: bool = False) -> bool:
    """Chips of the bank where they should not be, until the table has seen them."""
    table.expect(code, *place)
    chips = table.bank.take(cents)
    table.felt.add(place, chips)
    await table.rig.settle()
    if is_closing:
        await table.rig.press("bets_closed")
    await see_alert(table, code)
    table.felt.take_off(place, chips)
    table.bank.put(chips)
    await table.rig.settle()
    await see_quiet(table)
    return True


async def with_head(table: Table, key: str, seat: int = 0) -> None:
    """The table head shows his badge, and the key counts as his word."""
    await table.rig.hold_badge(table.staff.head)
    await table.rig.press(key, seat)


async def void(table: Table) -> None:
    """The table head declares the coup void."""
    await with_head(table, "void")
    raise CoupVoidedError
