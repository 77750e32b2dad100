"""The betting of hold'em as the spots tell it: each reading of a bet spot is a player's total, and totals are actions.

The player in turn acts when his total is a call, a bet, a raise or his whole
stack, as the rules' own betting machine sees it; anything else on his spot is an
alert and no action. A total that grows when it is not his turn, or a second time
in one turn, is out of turn or a string bet. Checks, folds and declared all-ins
come by key (`holdem_keys`). When a round is over, falling totals are the gathering.

Invariant: `betting` is always `actions` followed by the rules from the posts.
"""

from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.holdem import Act, Action, Street
from sabot_gateway.rules.betting import apply, next_street
from sabot_gateway.rules.betting_state import STREETS, Better, Betting
from sabot_gateway.rules.rejection import Fault
from sabot_gateway.table.alerts import blinds
from sabot_gateway.table.alerts import holdem as alerts
from sabot_gateway.table.alerts.stakes import BET_BEFORE_NO_HAND, bet_before_no_hand
from sabot_gateway.table.change import replace
from sabot_gateway.table.doubt import cleared_doubts, is_doubted
from sabot_gateway.table.holdem_opening import betting_of
from sabot_gateway.table.holdem_pot import judge_gathering, judge_pot, settle_gathering, uncalled_of
from sabot_gateway.table.holdem_seats import config_of
from sabot_gateway.table.holdem_state import HoldemHand
from sabot_gateway.table.state import CoupPhase, Place, amount_at
from sabot_gateway.table.turn import Turn


def chips_moved(turn: Turn, place: Place, before: int, after: int) -> None:
    """One spot changed between the deal and the settlement."""
    hand = turn.coup.holdem
    if hand is None:
        return
    for other in sorted(cleared_doubts(turn) - {place}):
        judge_place(turn, other)
    seat, spot = place
    if spot is FeltSpot.STACK:
        better = hand.better(seat)
        if better is not None and turn.setup.fitted.stacks:
            _judge_stack(turn, hand, better, before, after)
    else:
        judge_place(turn, place)


def judge_place(turn: Turn, place: Place) -> None:
    """What lies on a bet spot or in the pot, unless it is in doubt."""
    hand = turn.coup.holdem
    if hand is None or is_doubted(turn, place):
        return
    seat, spot = place
    if spot is FeltSpot.POT:
        if hand.betting.turn is not None and turn.coup.phase is CoupPhase.DECIDING:
            judge_pot(turn, hand)
        else:
            settle_gathering(turn, hand)
    elif spot is FeltSpot.BET and hand.better(seat) is not None:
        judge_spot(turn, seat)
    elif spot is FeltSpot.BET and seat:
        turn.clear_code(BET_BEFORE_NO_HAND.code, seat, spot)
        if amount := amount_at(turn, place):
            turn.state_alert(bet_before_no_hand(turn.setup.game, seat, spot, amount))


def begin_round(turn: Turn) -> None:
    """The cards of a round are out: what was staked before lies in the pot, and the first player has the word."""
    hand = turn.coup.holdem
    if hand is None:
        return
    turn.coup = replace(turn.coup, holdem=_caught_up(hand, turn.coup.round))
    if turn.coup.round:
        judge_gathering(turn, turn.coup.holdem or hand)
    judge_turn(turn)


def judge_turn(turn: Turn) -> None:
    """The word came to a player: chips that lie before him already, or a hand he gave up early, now count."""
    hand = turn.coup.holdem
    if hand is None:
        return
    seat = hand.seat_in_turn
    if not seat:
        return
    if seat in hand.early:
        act(turn, Action(hand.betting.street, seat, Act.FOLD))
    else:
        judge_spot(turn, seat, moved=False)


def judge_spot(turn: Turn, seat: int, moved: bool = True) -> None:
    """What the chips on a player's spot mean now; `moved` when it is they that changed and not the word."""
    hand = turn.coup.holdem
    better = None if hand is None else hand.better(seat)
    if hand is None or better is None or is_doubted(turn, (seat, FeltSpot.BET)):
        return
    lying = amount_at(turn, (seat, FeltSpot.BET))
    if lying < hand.left_on(seat):
        hand = _with_residue(turn, hand, seat, lying)
        settle_gathering(turn, hand)
    total = lying - hand.left_on(seat)
    if turn.coup.phase is CoupPhase.DEALING and turn.coup.round == 0:
        _judge_post(turn, better, total)
    elif hand.betting.turn is None:
        _judge_late(turn, seat, total)
    elif hand.seat_in_turn == seat:
        _read(turn, hand, better, total, moved)
    else:
        _judge_idle(turn, hand, better, total)


def act(turn: Turn, action: Action) -> Fault | None:
    """Take an action down if the rules allow it; the word then goes on, or the round is over."""
    hand = turn.coup.holdem
    assert hand is not None
    after = apply(hand.betting, action)
    if isinstance(after, Fault):
        return after
    seat = action.seat
    hand = replace(hand, betting=after, actions=(*hand.actions, action), partial=0)
    acted = hand.better(seat)
    staked = 0 if acted is None else acted.street_bet
    if after.turn is None:
        hand = _caught_up(replace(hand, residue=_lying(turn, hand)), turn.coup.round)
    turn.coup = replace(turn.coup, holdem=hand, is_revealed=turn.coup.is_revealed or after.is_uncontested)
    if turn.alerts:
        clear_spot(turn, seat)
        for code in (alerts.CHECK_FACING_BET.code, "DECISION_PENDING", "CARD_WHILE_PENDING"):
            turn.clear_code(code, seat)
    turn.note("action", seat=seat, act=str(action.act), to=staked)
    judge_turn(turn)
    return None


def clear_spot(turn: Turn, seat: int) -> None:
    """The chips before this seat are as they must be."""
    for key, alert in turn.alerts.items():
        if alert.seat == seat and alert.code in alerts.SPOT_CODES and alert.spot == FeltSpot.BET:
            turn.clear(key)


def let_stand(turn: Turn, seat: int) -> None:
    """The table head lets a string bet stand: the first motion is taken off the record, the total is the action."""
    hand = turn.coup.holdem
    if hand is None or hand.better(seat) is None:
        return
    if hand.seat_in_turn != seat:
        # A round that is over stays over.
        if hand.betting.turn is None or not _spoke_last(hand, seat):
            return
        rewound = _followed(turn, hand, hand.stacks, hand.actions[:-1])
        if rewound is None or rewound.seat_in_turn != seat:
            return
        hand = rewound
    total = amount_at(turn, (seat, FeltSpot.BET)) - hand.left_on(seat)
    better = hand.better(seat)
    if better is None or isinstance(apply(hand.betting, _action(hand.betting, better, total)), Fault):
        return
    turn.coup = replace(turn.coup, holdem=hand)
    act(turn, _action(hand.betting, better, total))


def declare_all_in(turn: Turn, seat: int) -> bool:
    """The dealer says that a player's chips are all before him: they are his stack, whatever was known of it."""
    hand = turn.coup.holdem
    better = None if hand is None else hand.better(seat)
    if hand is None or better is None or better.folded:
        return False
    hand = replace(hand, tapis=hand.tapis | {seat})
    turn.coup = replace(turn.coup, holdem=hand)
    if hand.seat_in_turn == seat:
        judge_spot(turn, seat)
    elif better.acted and better.stack and _spoke_last(hand, seat):
        _restack(turn, hand, better, better.street_bet)
        judge_turn(turn)
    return True


def _read(turn: Turn, hand: HoldemHand, better: Better, total: int, moved: bool) -> None:
    """The chips of the player in turn: an action, nothing yet, or an alert."""
    seat = better.seat
    clear_spot(turn, seat)
    if total < better.street_bet:
        turn.state_alert(alerts.stake_taken_back(seat, better.street_bet, total))
        return
    if total == better.street_bet:
        _remember_motion(turn, hand, 0)
        return
    if seat in hand.tapis and total != better.reach:
        hand = _restack(turn, hand, better, total)
        better = hand.better(seat) or better
    betting = hand.betting
    if total < min(betting.bet_to, better.reach):
        # THE-59: less than the amount to match is no call unless it is the whole stack.
        if moved:
            _remember_motion(turn, hand, total)
        turn.state_alert(alerts.incomplete_call(seat, total, min(betting.bet_to, better.reach)))
    elif total > betting.bet_to and hand.partial:
        turn.state_alert(alerts.string_bet(seat, total, hand.partial))
    else:
        fault = act(turn, _action(betting, better, total))
        if fault is not None:
            turn.state_alert(alerts.refused_bet(seat, total, fault))


def _action(betting: Betting, better: Better, total: int) -> Action:
    """What a player does who has `total` on his spot."""
    if total == better.reach:
        name = Act.ALLIN
    elif total <= betting.bet_to:
        name = Act.CALL
    else:
        name = Act.RAISE if betting.bet_to else Act.BET
    return Action(betting.street, better.seat, name, total)


def _judge_idle(turn: Turn, hand: HoldemHand, better: Better, total: int) -> None:
    """Chips moved before a player who does not have the word."""
    seat, staked = better.seat, better.street_bet
    clear_spot(turn, seat)
    if total == staked or (better.folded and total == 0):
        return
    if total < staked:
        turn.state_alert(alerts.stake_taken_back(seat, staked, total))
    elif better.folded:
        turn.state_alert(alerts.bet_after_fold(seat, total - staked))
    elif _spoke_last(hand, seat):
        turn.state_alert(alerts.string_bet(seat, total, staked))
    else:
        turn.state_alert(alerts.out_of_turn(seat, hand.seat_in_turn, turn_rule(hand)))


def _judge_late(turn: Turn, seat: int, total: int) -> None:
    """The round is over: chips go to the pot, and none come."""
    if total <= 0:
        clear_spot(turn, seat)
    elif not any(each.code in alerts.SPOT_CODES and each.seat == seat for each in turn.alerts.values()):
        turn.state_alert(alerts.bet_after_round(seat, total))


def _judge_post(turn: Turn, better: Better, total: int) -> None:
    """While hole cards are dealt the posts stand as they are."""
    clear_spot(turn, better.seat)
    if total != better.street_bet:
        turn.state_alert(blinds.dealt_on_wrong_blind(better.seat, total, better.street_bet))


def _judge_stack(turn: Turn, hand: HoldemHand, better: Better, before: int, after: int) -> None:
    """THE-39: chips that come to a stack during a coup; what nobody matched may go back to it."""
    seat, amount = uncalled_of(turn, hand)
    most = better.stack + (amount if seat == better.seat else 0)
    if after > before and after > most:
        turn.state_alert(alerts.stack_grew(better.seat, most, after))


def _lying(turn: Turn, hand: HoldemHand) -> tuple[tuple[int, int], ...]:
    """Everybody has spoken: what lies on the spots of this round and earlier ones is to be gathered."""
    return tuple(
        (each.seat, cents)
        for each in hand.betting.players
        if (cents := min(amount_at(turn, (each.seat, FeltSpot.BET)), each.street_bet + hand.left_on(each.seat)))
    )


def _caught_up(hand: HoldemHand, round_: int) -> HoldemHand:
    """The betting of the street whose cards are out, as soon as nobody owes a decision before it."""
    betting = hand.betting
    while STREETS.index(betting.street) < round_ and betting.turn is None and not betting.is_over:
        betting = next_street(betting)
    return hand if betting is hand.betting else replace(hand, betting=betting)


def _restack(turn: Turn, hand: HoldemHand, better: Better, total: int) -> HoldemHand:
    """The same actions with another stack for one player: all he has is `total` on this street and what he staked."""
    seat = better.seat
    stack = better.total - better.street_bet + total
    if stack % config_of(turn).chip_unit or stack <= 0:
        return hand
    stacks = tuple((number, stack if number == seat else chips) for number, chips in hand.stacks)
    followed = _followed(turn, hand, stacks, hand.actions)
    if followed is None:
        return hand
    if seat not in hand.unknown:
        turn.state_alert(alerts.stack_differs(seat, stack, dict(hand.stacks)[seat]))
    followed = replace(followed, unknown=hand.unknown - {seat})
    turn.coup = replace(turn.coup, holdem=followed)
    return followed


def _followed(
    turn: Turn, hand: HoldemHand, stacks: tuple[tuple[int, int], ...], actions: tuple[Action, ...]
) -> HoldemHand | None:
    """The hand as these stacks and actions make it, on the street it has reached; None where the rules refuse."""
    betting = betting_of(hand.button, stacks, hand.absent, hand.option, config_of(turn))
    if betting is None:
        return None
    for action in actions:
        while betting.street is not action.street and betting.turn is None and not betting.is_over:
            betting = next_street(betting)
        after = apply(betting, action)
        if isinstance(after, Fault):
            return None
        betting = after
    followed = replace(hand, stacks=stacks, actions=actions, betting=betting)
    return _caught_up(followed, STREETS.index(hand.betting.street))


def _remember_motion(turn: Turn, hand: HoldemHand, total: int) -> None:
    if hand.partial != total and (total == 0 or not hand.partial):
        turn.coup = replace(turn.coup, holdem=replace(hand, partial=total))


def _with_residue(turn: Turn, hand: HoldemHand, seat: int, cents: int) -> HoldemHand:
    rest = tuple(each for each in hand.residue if each[0] != seat)
    hand = replace(hand, residue=(*rest, (seat, cents)) if cents else rest)
    turn.coup = replace(turn.coup, holdem=hand)
    return hand


def _spoke_last(hand: HoldemHand, seat: int) -> bool:
    """Whether the last word of this round was this player's."""
    last = hand.actions[-1] if hand.actions else None
    return last is not None and last.seat == seat and last.street is hand.betting.street


def turn_rule(hand: HoldemHand) -> str:
    """The sentence that gives the word, by round."""
    return "THE-57" if hand.betting.street is Street.PREFLOP else "THE-73"
