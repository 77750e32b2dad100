"""A hold'em coup put to the rules, and what the answer means for the felt.

The rules decide on exactly the actions that the table took down. A hand thrown
away at the showdown is told to them as a coup of contributions and folds, the
unmatched part already gone back. A void coup is void whatever was read: every
chip that was staked goes back.
"""

from collections.abc import Iterator

from sabot_gateway.model.card import Card
from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.holdem import (
    HoldemCoup,
    HoldemSeat,
    HoldemSeatResult,
    HoldemSettlement,
)
from sabot_gateway.model.settlement import Outcome, Status
from sabot_gateway.rules.deal import seats_from_button
from sabot_gateway.rules.games.texas_holdem import settle as settle_holdem
from sabot_gateway.rules.rejection import Fault, Refusal
from sabot_gateway.table.holdem_pot import POT, uncalled_of
from sabot_gateway.table.holdem_seats import config_of
from sabot_gateway.table.holdem_state import HoldemHand
from sabot_gateway.table.sealed import unsealed_for_rules
from sabot_gateway.table.settled import Settled
from sabot_gateway.table.state import Due, Place, Table, amount_at

RAKE: Place = (0, FeltSpot.RAKE)


def settle(table: Table) -> Settled | Refusal:
    """The answer of the rules; a void coup is never refused."""
    hand, void = table.coup.holdem, table.coup.void
    if hand is None:
        empty = HoldemCoup(table.button, (), void=void)
        if void is None:
            return Refusal((Fault("TOO_FEW_PLAYERS", "THE-14", 0),))
        return Settled(empty, HoldemSettlement(Status.VOID, (), rule="THE-125"))
    coup = holdem_coup(table, hand)
    answer = settle_holdem(coup, config_of(table))
    if isinstance(answer, HoldemSettlement):
        return Settled(coup, answer)
    if void is None:
        return answer
    bare = holdem_coup(table, hand, with_cards=False)
    answer = settle_holdem(bare, config_of(table))
    return Settled(bare, answer if isinstance(answer, HoldemSettlement) else _all_back(hand))


def holdem_coup(table: Table, hand: HoldemHand, with_cards: bool = True) -> HoldemCoup:
    """The coup as the table saw it, in the form that `sabot settle` reads."""
    coup = table.coup
    absent = tuple(HoldemSeat(seat, absent=True) for seat in hand.absent)
    board = unsealed_for_rules(coup.board) if with_cards else ()
    burned = unsealed_for_rules(coup.burned) if with_cards else ()
    if hand.mucked and coup.void is None:
        seats = (*_contributions(table, hand), *absent)
        return HoldemCoup(hand.button, seats, board, burned=burned)
    seats = (*(HoldemSeat(seat, stack, _cards(table, seat, with_cards)) for seat, stack in hand.stacks), *absent)
    return HoldemCoup(hand.button, seats, board, hand.actions, hand.option, coup.void, burned)


def dues(table: Table, settled: Settled) -> tuple[Due, ...]:
    """THE-109 to THE-111: the rake first, then what each winner receives, and in the end nothing is left in the pot."""
    settlement, hand = settled.settlement, table.coup.holdem
    assert isinstance(settlement, HoldemSettlement)
    if hand is None:
        return ()
    found = [*_rake_due(table, settlement)]
    order = seats_from_button([seat.seat for seat in settlement.seats], hand.button)
    results = {seat.seat: seat for seat in settlement.seats}
    for seat in order:
        found.extend(_seat_dues(table, hand, results[seat]))
    if table.setup.fitted.pot:
        rule = settlement.rule or "THE-111"
        found.append(Due(POT, amount_at(table, POT), 0, Outcome.LOSE, rule))
    return tuple(found)


def _seat_dues(table: Table, hand: HoldemHand, result: HoldemSeatResult) -> Iterator[Due]:
    seat = result.seat
    better = hand.better(seat)
    assert better is not None
    spot: Place = (seat, FeltSpot.BET)
    lying = amount_at(table, spot)
    owed = result.returned
    unmatched_seat, unmatched = uncalled_of(table, hand)
    if seat != unmatched_seat:
        unmatched = 0
    if hand.mucked and table.coup.void is None:
        # The rules were told the contributions without it.
        owed += unmatched
    stray = max(0, lying - hand.left_on(seat) - (0 if hand.betting.turn is None else better.street_bet))
    if table.coup.void is not None:
        owed += stray  # chips that were never taken down as an action are his own
    if table.setup.fitted.stacks and seat not in hand.unknown:
        if owed:
            yield Due((seat, FeltSpot.STACK), 0, better.stack + owed, result.outcome, result.rule)
        yield Due(spot, lying, 0, Outcome.LOSE, result.rule)
        return
    if unmatched and _went_back(table, hand, seat, unmatched):
        owed -= unmatched
    if owed or lying:
        # What a winner has lying there may be gathered first: his stake is no floor.
        yield Due(spot, 0 if owed else lying, owed, result.outcome if owed else Outcome.LOSE, result.rule)


def _went_back(table: Table, hand: HoldemHand, seat: int, unmatched: int) -> bool:
    """THE-114: whether the unmatched chips have left the felt already, before the rake."""
    better = hand.better(seat)
    assert better is not None
    staked = sum(each.total for each in hand.betting.players)
    if table.setup.fitted.pot:
        spots = sum(amount_at(table, (each.seat, FeltSpot.BET)) for each in hand.betting.players)
        return spots + amount_at(table, POT) <= staked - unmatched
    return hand.left_on(seat) < unmatched


def _rake_due(table: Table, settlement: HoldemSettlement) -> Iterator[Due]:
    """THE-110: at once into the cagnotte, where its slot is read."""
    if table.setup.fitted.slot and settlement.status is Status.SETTLED:
        before = amount_at(table, RAKE)
        yield Due(RAKE, before, before + settlement.rake_total, Outcome.WIN, "THE-110")


def _contributions(table: Table, hand: HoldemHand) -> Iterator[HoldemSeat]:
    """THE-114 before THE-101: what was matched, with hands thrown away counted as folds."""
    seat, unmatched = uncalled_of(table, hand)
    for each in hand.betting.players:
        staked = each.total - (unmatched if each.seat == seat else 0)
        is_out = each.folded or each.seat in hand.mucked
        yield HoldemSeat(each.seat, None, _cards(table, each.seat), staked, is_out)


def _cards(table: Table, seat: int, with_cards: bool = True) -> tuple[Card, ...] | None:
    return unsealed_for_rules(table.coup.hands.get(seat, ())) if with_cards else None


def _all_back(hand: HoldemHand) -> HoldemSettlement:
    """THE-125, where the evidence is too broken even to be told: every stake taken down goes back."""
    players = sorted(hand.betting.players, key=lambda each: each.seat)
    seats = tuple(HoldemSeatResult(each.seat, Outcome.VOID, each.total, each.total, "THE-125") for each in players)
    return HoldemSettlement(Status.VOID, seats, rule="THE-125")
