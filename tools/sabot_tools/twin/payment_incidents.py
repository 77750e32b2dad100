"""Incidents while the dealer pays: too much, too little, not at all, a losing stake left, a void that comes too late.

Everything else is paid first; then the error shows alone, is named by the table, and is put right.
"""

from collections.abc import Callable, Mapping
from typing import Final

from sabot_tools.twin.bank_coup import BankCoup, house_plays, result_of, targets_of
from sabot_tools.twin.incident import BANK, Act, Incident, see_alert, with_head
from sabot_tools.twin.layout import Place
from sabot_tools.twin.payment import bring_to, pay_the_others
from sabot_tools.twin.table import Stage, Table

Fit = Callable[[BankCoup, Mapping[Place, int], Place, int], bool]
Cents = Callable[[BankCoup, Place, int], int]

SIDES: Final = ("pair_plus", "six_card", "trips", "bonus")


def _targets(table: Table, coup: BankCoup) -> dict[Place, int]:
    return targets_of(coup, {seat: result_of(table, coup, seat) for seat in coup.stakes})


def _is_won(coup: BankCoup, place: Place, due: int) -> bool:
    return due > coup.stakes[place[0]].get(place[1], 0)


def _is_beaten(targets: Mapping[Place, int], seat: int) -> bool:
    return targets[seat, "ante"] == 0


def _slip(code: str, is_fit: Fit, cents_of: Cents) -> Act:
    """An error on one spot: the dealer says that he has paid, the table names the spot, and he corrects it."""

    async def act(table: Table, coup: BankCoup) -> bool:
        targets = _targets(table, coup)
        place = next((each for each, due in targets.items() if is_fit(coup, targets, each, due)), None)
        if place is None or not house_plays(table, coup):
            return False
        table.expect(code, *place)
        await pay_the_others(table, targets, place)
        bring_to(table, place, cents_of(coup, place, targets[place]))
        await table.rig.settle()
        await table.rig.press("paid")
        await see_alert(table, code)
        bring_to(table, place, targets[place])
        await table.rig.settle()
        return True

    return act


async def _void_too_late(table: Table, coup: BankCoup) -> bool:
    """Payments have begun when the table head would void the coup."""
    targets = _targets(table, coup)
    moved = [place for place, due in targets.items() if due != coup.stakes[place[0]].get(place[1], 0)]
    if len(moved) < 2 or not house_plays(table, coup):
        return False
    table.expect("VOID_TOO_LATE")
    await pay_the_others(table, targets, moved[-1])
    await with_head(table, "void")
    return True


def _won_main(coup: BankCoup, _targets: Mapping[Place, int], place: Place, due: int) -> bool:
    return place[1] not in SIDES and _is_won(coup, place, due)


def _won_side(coup: BankCoup, targets: Mapping[Place, int], place: Place, due: int) -> bool:
    return place[1] in SIDES and _is_won(coup, place, due) and _is_beaten(targets, place[0])


def _lost(coup: BankCoup, _targets: Mapping[Place, int], place: Place, due: int) -> bool:
    return due == 0 and coup.stakes[place[0]].get(place[1], 0) > 0


def _stake(coup: BankCoup, place: Place, _due: int) -> int:
    return coup.stakes[place[0]].get(place[1], 0)


def _too_much(_coup: BankCoup, _place: Place, due: int) -> int:
    return due + 500


def _too_little(coup: BankCoup, place: Place, due: int) -> int:
    stake = _stake(coup, place, due)
    return stake + (due - stake) // 2


def _of(name: str, act: Act, games: tuple[str, ...] = BANK) -> Incident:
    return Incident(name, (name.replace("-", "_").upper(),), Stage.SHOWN, games, act, is_by_dealer=True)


PAYMENT_INCIDENTS: Final = (
    _of("overpaid", _slip("OVERPAID", _won_main, _too_much)),
    _of("underpaid", _slip("UNDERPAID", _won_main, _too_little)),
    Incident(
        "winner-unpaid", ("UNDERPAID",), Stage.SHOWN, BANK, _slip("UNDERPAID", _won_main, _stake), is_by_dealer=True
    ),
    _of("losing-stake-left", _slip("LOSING_STAKE_LEFT", _lost, _stake)),
    _of("side-bet-unpaid", _slip("SIDE_BET_UNPAID", _won_side, _stake), ("TCF", "TCP", "UTH")),
    _of("void-too-late", _void_too_late),
)
