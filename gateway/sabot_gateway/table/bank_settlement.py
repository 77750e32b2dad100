"""A bank coup put to the rules, and what the answer means for every spot of the felt.

The rules decide; this file only tells them what was seen, and turns each bet's
result into the amount that must lie on its spot. A bonus without a stake of its
own (TCP-19) is paid on the ante.
"""

from collections.abc import Iterator
from typing import Final

from sabot_gateway.model.card import Card
from sabot_gateway.model.coup import BankCoup, BankSeat, Decision, Purchase
from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import BetResult, Outcome, Settlement, Status
from sabot_gateway.rules.bank_settler import bank_settler
from sabot_gateway.rules.payment_order import payment_order
from sabot_gateway.rules.rejection import Refusal
from sabot_gateway.rules.spot import spots_of
from sabot_gateway.table.sealed import unsealed_for_rules
from sabot_gateway.table.settled import Settled
from sabot_gateway.table.state import Due, Place, Table


def settle(table: Table) -> Settled | Refusal:
    """The answer of the rules; a void coup is void whatever was read of its cards."""
    ask = bank_settler(table.setup.ruleset)
    coup = bank_coup(table)
    answer = ask(coup)
    if isinstance(answer, Refusal) and table.coup.void is not None:
        # A card read twice would make the rules refuse even a void coup: the stakes go back without its cards.
        coup = bank_coup(table, with_cards=False)
        answer = ask(coup)
    return answer if isinstance(answer, Refusal) else Settled(coup, answer)


def bank_coup(table: Table, with_cards: bool = True) -> BankCoup:
    """The coup as the table saw it."""
    coup = table.coup
    if not with_cards:
        return BankCoup(tuple(_seat(table, seat, ()) for seat in coup.players), (), void=coup.void)
    return BankCoup(
        seats=tuple(_seat(table, seat, unsealed_for_rules(coup.hands.get(seat, ()))) for seat in coup.players),
        dealer=unsealed_for_rules(coup.dealer),
        board=unsealed_for_rules(coup.board),
        burned=unsealed_for_rules(coup.burned),
        void=coup.void,
    )


def discards(table: Table, seat: int) -> tuple[Card, ...]:
    """STU-59: the cards of a buyer's hand that lie in the rack, or that the table head said were laid aside."""
    hand, told = table.coup.hands.get(seat, ()), table.coup.discarded
    return unsealed_for_rules(card for card in hand if card in told or card.has_tag(table.shoe.rack))


def dues(table: Table, settled: Settled) -> tuple[Due, ...]:
    """One due per spot, in the order of the rule book."""
    settlement = settled.settlement
    assert isinstance(settlement, Settlement)
    game = table.setup.game
    layout = {spot.name for spot in spots_of(game, table.setup.ruleset.values)}
    by_place: dict[Place, list[BetResult]] = {}
    for seat in settlement.seats:
        for bet in seat.bets:
            spot = FeltSpot(bet.spot) if bet.spot in layout else FeltSpot.ANTE
            by_place.setdefault((seat.seat, spot), []).append(bet)
    steps = payment_order(game, {seat.seat: [s for n, s in by_place if n == seat.seat] for seat in settlement.seats})
    quiet = set(_quiet(table, settlement))
    return tuple(
        _due((step.seat, FeltSpot(step.spot)), by_place[step.seat, FeltSpot(step.spot)], quiet) for step in steps
    )


def shows_hand(table: Table, seat: int) -> bool:
    """Whether the rules turned this hand: compared with the dealer's, or claimed when he did not qualify."""
    settlement = table.coup.settlement
    if not isinstance(settlement, Settlement) or settlement.status is not Status.SETTLED:
        return False
    if table.coup.decisions.get(seat) in (None, Decision.FOLD) or seat in table.coup.looked:
        return False  # law 7: folded hands stay sealed
    if table.setup.game not in _CLAIMED or (settlement.dealer is not None and settlement.dealer.qualified):
        return True
    # TCF-50, STU-50: cards are not turned, except those of a claim (TCF-77, STU-73).
    return any(place[0] == seat for place in table.coup.claims)


def _seat(table: Table, seat: int, cards: tuple[Card, ...]) -> BankSeat:
    coup = table.coup
    bought = coup.bought.get(seat)
    purchase = None if bought is None else Purchase(discards(table, seat), unsealed_for_rules(bought))
    return BankSeat(
        seat=seat,
        cards=cards,
        bets={str(spot): amount for (number, spot), amount in coup.bets.items() if number == seat},
        decision=coup.decisions.get(seat),
        early_look=seat in coup.looked,
        claims=frozenset(str(spot) for number, spot in coup.claims if number == seat),
        purchase=purchase,
    )


def _due(place: Place, bets: list[BetResult], quiet: set[Place]) -> Due:
    first = bets[0]
    return Due(
        place,
        stake=sum(bet.stake for bet in bets),
        target=sum(bet.returned for bet in bets),
        outcome=first.outcome if len(bets) == 1 else Outcome.WIN,
        rule=first.rule if len(bets) == 1 else bets[-1].rule,
        is_quiet=place in quiet,
        is_shared=len(bets) > 1,
    )


def _quiet(table: Table, settlement: Settlement) -> Iterator[Place]:
    """A-TCF-09, A-GEN-02: unclaimed bonuses when the dealer does not qualify; winning or not, they look alike."""
    if table.setup.game not in _CLAIMED or settlement.dealer is None or settlement.dealer.qualified:
        return
    for seat in settlement.seats:
        if table.coup.decisions.get(seat.seat) is Decision.FOLD or seat.seat in table.coup.looked:
            continue
        for bet in seat.bets:
            place = (seat.seat, FeltSpot(bet.spot))
            if bet.spot in _CLAIMED[table.setup.game] and bet.stake and place not in table.coup.claims:
                yield place


_CLAIMED: Final = {Game.TCF: (FeltSpot.BONUS, FeltSpot.PAIR_PLUS), Game.STU: (FeltSpot.BONUS,)}
