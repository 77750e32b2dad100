"""What the dealer declares at hold'em: checks, folds and all-ins; and hands given up that the rack sees.

A key without a seat speaks for the player in turn. A fold out of turn is an
alert, and counts when the word comes to him: the cards are gone for good.
"""

from sabot_gateway.model.felt import FeltSpot, Key
from sabot_gateway.model.holdem import Act, Action
from sabot_gateway.table.alerts import holdem as alerts
from sabot_gateway.table.change import replace
from sabot_gateway.table.holdem_betting import act, clear_spot, declare_all_in, turn_rule
from sabot_gateway.table.holdem_showdown import muck
from sabot_gateway.table.holdem_state import HoldemHand
from sabot_gateway.table.state import CoupPhase, amount_at
from sabot_gateway.table.turn import Turn


def decide(turn: Turn, key: Key, seat: int) -> bool:
    """A declared decision; False when the key has no meaning now."""
    hand = turn.coup.holdem
    if hand is None:
        return False
    seat = seat or hand.seat_in_turn
    better = hand.better(seat)
    if better is None or better.folded or hand.betting.turn is None:
        return False
    match key:
        case Key.FOLD:
            fold(turn, hand, seat)
        case Key.CHECK:
            _check(turn, hand, seat)
        case Key.ALL_IN:
            return declare_all_in(turn, seat)
        case Key.CALL | Key.RAISE:
            # THE-33: no stake by word of mouth; the chips will say it.
            turn.state_alert(alerts.verbal_bet(seat))
        case _:
            return False
    return True


def rack_changed(turn: Turn) -> None:
    """THE-58: both cards of a hand in the rack are a hand given up; at the showdown, one thrown away unseen."""
    hand = turn.coup.holdem
    if hand is None:
        return
    rack = turn.shoe.rack
    for better in hand.betting.players:
        cards = turn.coup.hands.get(better.seat, ())
        if better.folded or not cards or not all(card.has_tag(rack) for card in cards):
            continue
        standing = turn.coup.holdem
        if turn.coup.phase is CoupPhase.REVEALING:
            muck(turn, better.seat)
        elif turn.coup.phase is CoupPhase.DECIDING and standing is not None and standing.betting.turn is not None:
            fold(turn, standing, better.seat)


def fold(turn: Turn, hand: HoldemHand, seat: int) -> None:
    """THE-58: the cards are given up; what was staked stays."""
    better = hand.better(seat)
    if better is None or better.folded or seat in hand.early:
        return
    if hand.seat_in_turn != seat:
        turn.coup = replace(turn.coup, holdem=replace(hand, early=hand.early | {seat}))
        turn.state_alert(alerts.out_of_turn(seat, hand.seat_in_turn, turn_rule(hand)))
        return
    total = amount_at(turn, (seat, FeltSpot.BET)) - hand.left_on(seat)
    act(turn, Action(hand.betting.street, seat, Act.FOLD))
    if total > better.street_bet:
        turn.state_alert(alerts.bet_after_fold(seat, total - better.street_bet))


def confirm_fold(turn: Turn, seat: int) -> None:
    """In review: the table head says that this hand was given up; out of turn it counts when the word comes to him."""
    hand = turn.coup.holdem
    better = None if hand is None else hand.better(seat)
    if hand is None or better is None or better.folded:
        return
    if turn.coup.phase is CoupPhase.REVEALING:
        muck(turn, seat)
    elif hand.seat_in_turn == seat:
        act(turn, Action(hand.betting.street, seat, Act.FOLD))
    else:
        turn.coup = replace(turn.coup, holdem=replace(hand, early=hand.early | {seat}))


def _check(turn: Turn, hand: HoldemHand, seat: int) -> None:
    """THE-68, THE-74, THE-77."""
    if hand.seat_in_turn != seat:
        turn.state_alert(alerts.out_of_turn(seat, hand.seat_in_turn, turn_rule(hand)))
        return
    if act(turn, Action(hand.betting.street, seat, Act.CHECK)) is not None:
        turn.state_alert(alerts.check_facing_bet(seat, hand.betting.bet_to))
    elif hand.seat_in_turn != seat:
        clear_spot(turn, seat)
