"""Errors with side bets that dealers are known for: unpaid because the hand lost, swept with a folded hand, underpaid.

They need cards that are rare, so whoever rehearses them puts the deck in order before the deal; everything after that
is played as it falls. The slip itself waits until the dealer pays.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from sabot_tools.twin.bank_coup import BankCoup, deal_order, lay, result_of, targets_of
from sabot_tools.twin.incident import Incident, see_alert
from sabot_tools.twin.layout import Place
from sabot_tools.twin.payment import bring_to, pay_the_others
from sabot_tools.twin.table import Stage, Table
from sabot_tools.twin.temperament import Temperament

SWEPT: Final = "swept"
UNPAID: Final = "unpaid"


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """An `Act`: `player` and `house` are the cards that both are dealt; `slip` is SWEPT, UNPAID or the line paid."""

    code: str
    spot: str
    player: tuple[str, ...]
    house: tuple[str, ...]
    slip: str

    async def __call__(self, table: Table, coup: BankCoup) -> bool:
        # A reckless player would not fold; nobody else raises on such cards as a folded bonus needs.
        player = next((each for each in table.players if each.temper is not Temperament.RECKLESS), None)
        if player is None:
            return False
        if self.spot not in coup.stakes[player.seat]:
            coup.stakes[player.seat][self.spot] = int(str(table.values["table_min"]))
            lay(table, player, self.spot, coup.stakes[player.seat][self.spot])
            await table.rig.settle()
        self._order_deck(table, sorted(coup.stakes), player.seat)
        coup.slip = partial(self._slip, table, coup, (player.seat, self.spot))
        return True

    def _order_deck(self, table: Table, seats: list[int], seat: int) -> None:
        given = {seat: list(self.player), 0: list(self.house)}
        others = [card.face for card in table.deck.stub if card.face not in self.player + self.house]
        table.deck.stack([given[to].pop(0) if to in given else others.pop(0) for to in deal_order(table, seats)])

    async def _slip(self, table: Table, coup: BankCoup, place: Place) -> None:
        targets = targets_of(coup, {seat: result_of(table, coup, seat) for seat in coup.stakes})
        table.expect(self.code, *place)
        await pay_the_others(table, targets, place)
        bring_to(table, place, self._laid(table, coup.stakes[place[0]][self.spot]))
        await table.rig.settle()
        if self.slip != SWEPT:
            await table.rig.press("paid")  # a stake that is gone before it was paid is seen at once
        await see_alert(table, self.code)
        bring_to(table, place, targets[place])
        await table.rig.settle()

    def _laid(self, table: Table, stake: int) -> int:
        if self.slip == SWEPT:
            return 0
        if self.slip == UNPAID:
            return stake
        paid = table.values[f"{self.spot}_table"]
        assert isinstance(paid, Mapping)
        return stake + stake * int(paid[self.slip])


def _of(name: str, games: tuple[str, ...], act: Rehearsed) -> Incident:
    return Incident(name, (act.code,), Stage.STAKED, games, act, is_by_dealer=True)


_BEATEN = (("2s", "2d", "7c"), ("As", "Ad", "5h"))
_TRIPS = (("2s", "4d", "7c"), ("7h", "7d", "Qs"))
_STRAIGHT = (("5s", "6d", "9c"), ("7h", "8d", "Kc"))

BONUS_INCIDENTS: Final = (
    _of("pair-plus-unpaid", ("TCF", "TCP"), Rehearsed("SIDE_BET_UNPAID", "pair_plus", *_BEATEN, UNPAID)),
    _of("folded-bonus-swept", ("TCP",), Rehearsed("UNDERPAID", "six_card", *_TRIPS, SWEPT)),
    _of("six-card-underpaid", ("TCP",), Rehearsed("SIDE_BET_UNPAID", "six_card", *_STRAIGHT, "trips")),
)
