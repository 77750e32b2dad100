"""Chips that move once the bets of a bank game are closed: decisions, and everything that should not have moved.

Opening stakes are frozen at *rien ne va plus*, a raise when it is made. A frozen
spot that differs from its amount is an alert that goes when the amount is back.
A spot whose stake is already lost (a folded ante) may be emptied at any time.
"""

from typing import Final, Protocol

from sabot_gateway.model.coup import Decision
from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.game import Game
from sabot_gateway.rules.spot import RELATIONS, Laid, Relation, spots_of
from sabot_gateway.rules.window import windows_of
from sabot_gateway.table.alerts import stakes
from sabot_gateway.table.alerts.kind import text_from_cents
from sabot_gateway.table.change import replace
from sabot_gateway.table.doubt import cleared_doubts, is_doubted
from sabot_gateway.table.state import Coup, CoupPhase, Place, Table, amount_at
from sabot_gateway.table.turn import Turn


class RaiseNames(Protocol):
    def raise_decision(self, round_: int) -> Decision:
        """What a raise is called in this round."""


def buyers(coup: Coup) -> tuple[int, ...]:
    """STU-58: the seats that laid the price of a card."""
    return tuple(seat for seat in coup.players if coup.bets.get((seat, FeltSpot.BUY)))


def chips_moved(turn: Turn, place: Place, before: int, after: int, course: RaiseNames) -> None:
    """One spot changed between the closing of the bets and the settlement; what is in doubt waits until it is not."""
    for other in sorted(cleared_doubts(turn) - {place}):
        _judge_move(turn, other, 0, amount_at(turn, other), course)
    if not is_doubted(turn, place):
        _judge_move(turn, place, before, after, course)


def _judge_move(turn: Turn, place: Place, before: int, after: int, course: RaiseNames) -> None:
    seat, spot = place
    coup = turn.coup
    if seat == 0:
        return
    if seat not in coup.players:
        _without_hand(turn, place, before, after)
    elif spot in _after_deal(turn):
        if coup.phase is CoupPhase.DEALING and coup.round == 0:
            _too_early(turn, place, after)
        elif spot is FeltSpot.BUY:
            _judge_price(turn, seat)
        else:
            judge_raise(turn, seat, course)
    elif _is_open_late(turn, spot):
        turn.coup = replace(coup, bets=_with(coup, place, after))
    else:
        _frozen(turn, place, after)


def flag_early_raises(turn: Turn) -> None:
    """Chips that lie on a raise spot when the bets close: left from the last coup, or laid too early."""
    for seat in turn.coup.players:
        for spot in sorted(_after_deal(turn)):
            amount = amount_at(turn, (seat, spot))
            if amount:
                _too_early(turn, (seat, spot), amount)


def judge_raise(turn: Turn, seat: int, course: RaiseNames) -> None:
    """Chips on the raise spot are a decision when they are exactly the right multiple."""
    coup, game = turn.coup, turn.setup.game
    spot = RAISE_SPOTS[game]
    amount = amount_at(turn, (seat, spot))
    turn.clear_code(stakes.RAISE_TOO_EARLY.code, seat, spot)
    decided = coup.decisions.get(seat)
    if decided is Decision.FOLD:
        _after_fold(turn, (seat, spot), amount)
    elif decided is not None and (seat, spot) in coup.bets:
        _frozen_raise(turn, (seat, spot), amount)
    elif amount == 0 or seat in coup.looked:
        turn.clear_code(stakes.WRONG_RAISE.code, seat, spot)
    else:
        decision = decided or course.raise_decision(coup.round)
        relation = _relation(game, spot, decision)
        allowed = relation.allowed(coup.bets.get((seat, FeltSpot.ANTE), 0))
        if amount in allowed:
            turn.clear_code(stakes.WRONG_RAISE.code, seat, spot)
            turn.coup = replace(
                coup,
                decisions={**coup.decisions, seat: decision},
                checked=coup.checked - {seat},
                bets=_with(coup, (seat, spot), amount),
            )
            _decided(turn, seat)
        else:
            expected = "/".join(text_from_cents(each, ".") for each in allowed)
            turn.state_alert(stakes.wrong_raise(game, seat, spot, amount, expected, relation.rule))
    if game is Game.STU:
        _judge_price(turn, seat)


def fold(turn: Turn, seat: int) -> None:
    """TCF-40, STU-40, TCP-11, UTH-25: the hand is given up; chips that lie on its raise spot are an error."""
    coup = turn.coup
    spot = RAISE_SPOTS[turn.setup.game]
    turn.coup = replace(coup, decisions={**coup.decisions, seat: Decision.FOLD}, checked=coup.checked - {seat})
    turn.clear_code(stakes.WRONG_RAISE.code, seat, spot)
    _after_fold(turn, (seat, spot), amount_at(turn, (seat, spot)))
    if turn.setup.game is Game.STU:
        _judge_price(turn, seat)
    for place in turn.coup.bets:
        if place[0] == seat:
            _frozen(turn, place, amount_at(turn, place))  # a stake collected a moment too early is now in order
    _decided(turn, seat)


def confirm(turn: Turn, seat: int, decision: Decision, course: RaiseNames) -> None:
    """In review, the table head says what a seat decided; for a raise whose chips nobody read, he vouches.

    Where several stakes are right (UTH-20) and none was read, the chips have the word. A decision that this game does
    not know is none.
    """
    coup, game = turn.coup, turn.setup.game
    place = (seat, RAISE_SPOTS[game])
    if decision is Decision.FOLD:
        turn.coup = replace(coup, bets=_with(coup, place, 0))
        fold(turn, seat)
        return
    relation = next((each for each in RELATIONS[game] if each.spot == place[1] and decision in each.decisions), None)
    if relation is None:
        return
    allowed = relation.allowed(coup.bets.get((seat, FeltSpot.ANTE), 0))
    is_vouched = not amount_at(turn, place) and len(allowed) == 1
    turn.coup = replace(
        coup,
        decisions={**coup.decisions, seat: decision},
        checked=coup.checked - {seat},
        bets=_with(coup, place, allowed[0] if is_vouched else 0),
    )
    for kind in (stakes.RAISE_CHANGED, stakes.PLAY_AFTER_FOLD):
        turn.clear_code(kind.code, *place)
    if is_vouched:
        turn.clear_code(stakes.WRONG_RAISE.code, *place)
        _decided(turn, seat)
    else:
        judge_raise(turn, seat, course)


def is_lost(table: Table, place: Place) -> bool:
    """A stake that is lost whatever the cards: it may leave the felt before the settlement (TCF-41, STU-63)."""
    seat, spot = place
    coup = table.coup
    if seat in coup.bought and spot is FeltSpot.BONUS:
        return True
    if coup.decisions.get(seat) is not Decision.FOLD:
        return False
    key = _KEY_ON_FOLD.get(spot, "")
    return spot in _LOST_ON_FOLD or table.setup.ruleset.values.get(key) == "forfeit"


def _decided(turn: Turn, seat: int) -> None:
    turn.clear_code("DECISION_PENDING", seat)
    turn.clear_code("CARD_WHILE_PENDING", seat)
    turn.note("decision", seat=seat, decision=str(turn.coup.decisions[seat]))


def _frozen(turn: Turn, place: Place, after: int) -> None:
    """TCF-25, STU-25, TCP-08, UTH-18."""
    seat, spot = place
    due = turn.coup.bets.get(place, 0)
    for code in stakes.MOVED_CODES:
        turn.clear_code(code, seat, spot)
    if after == due or (after == 0 and is_lost(turn, place)):
        return
    turn.state_alert(stakes.moved_after_close(turn.setup.game, seat, spot, due, after))


def _frozen_raise(turn: Turn, place: Place, after: int) -> None:
    due = turn.coup.bets.get(place, 0)
    if after == due:
        turn.clear_code(stakes.RAISE_CHANGED.code, *place)
    else:
        turn.state_alert(stakes.raise_changed(turn.setup.game, *place, due, after))


def _after_fold(turn: Turn, place: Place, amount: int) -> None:
    if amount == 0:
        turn.clear_code(stakes.PLAY_AFTER_FOLD.code, *place)
    else:
        turn.state_alert(stakes.play_after_fold(turn.setup.game, *place, amount))


def _without_hand(turn: Turn, place: Place, before: int, after: int) -> None:
    turn.clear_code(stakes.BET_BEFORE_NO_HAND.code, *place)
    if after > before:
        turn.state_alert(stakes.bet_before_no_hand(turn.setup.game, *place, after))


def _too_early(turn: Turn, place: Place, amount: int) -> None:
    seat, spot = place
    if amount == 0:
        turn.clear_code(stakes.RAISE_TOO_EARLY.code, seat, spot)
        return
    window = windows_of(turn.setup.game, turn.setup.ruleset.values)[spot]
    turn.state_alert(stakes.raise_too_early(turn.setup.game, seat, spot, amount, window.early))


def _judge_price(turn: Turn, seat: int) -> None:
    """STU-58: the price of a card is exactly the ante, nothing where none is sold, and stands once it is served."""
    coup = turn.coup
    place = (seat, FeltSpot.BUY)
    amount = amount_at(turn, place)
    price = coup.bets.get((seat, FeltSpot.ANTE), 0) if turn.setup.ruleset.values["buy_allowed"] else 0
    turn.clear_code(stakes.RAISE_TOO_EARLY.code, *place)
    if coup.decisions.get(seat) is Decision.FOLD:
        turn.clear_code(stakes.WRONG_RAISE.code, *place)
        turn.coup = replace(coup, bets=_with(coup, place, 0))  # no card is sold to a hand that is given up
        _after_fold(turn, place, amount)
    elif seat in coup.bought:
        # STU-61: the price is collected when the card is served.
        if amount:
            _frozen_raise(turn, place, amount)
    elif amount in (0, price):
        turn.clear_code(stakes.WRONG_RAISE.code, *place)
        if coup.bets.get(place, 0) != amount:
            turn.coup = replace(coup, bets=_with(coup, place, amount))
    else:
        relation = _relation(Game.STU, FeltSpot.BUY, Decision.RAISE)
        turn.state_alert(stakes.wrong_raise(Game.STU, *place, amount, text_from_cents(price, "."), relation.rule))


def _is_open_late(turn: Turn, spot: FeltSpot) -> bool:
    """A-STU-04: a house may leave the stud bonus open until the end of the deal."""
    if spot is not FeltSpot.BONUS or turn.coup.phase is not CoupPhase.DEALING or turn.coup.round:
        return False
    return turn.setup.ruleset.values.get("bonus_window") == "end_of_deal"


def _after_deal(table: Table) -> frozenset[FeltSpot]:
    return _AFTER_DEAL[table.setup.game]


def _relation(game: Game, spot: FeltSpot, decision: Decision) -> Relation:
    return next(each for each in RELATIONS[game] if each.spot == spot and decision in each.decisions)


def _with(coup: Coup, place: Place, amount: int) -> dict[Place, int]:
    bets = dict(coup.bets)
    if amount:
        bets[place] = amount
    else:
        bets.pop(place, None)
    return bets


_AFTER_DEAL: Final = {
    game: frozenset(FeltSpot(spot.name) for spot in spots_of(game) if spot.laid is Laid.AFTER_DEAL)
    for game in (Game.TCF, Game.STU, Game.TCP, Game.UTH)
}
RAISE_SPOTS: Final = {
    Game.TCF: FeltSpot.PLAY,
    Game.STU: FeltSpot.RAISE,
    Game.TCP: FeltSpot.PLAY,
    Game.UTH: FeltSpot.PLAY,
}
# TCF-41, TCF-71, STU-41, STU-75, TCP-11, UTH-42; a side bet lives on where the rules settle it on the cards.
_LOST_ON_FOLD: Final = frozenset({FeltSpot.ANTE, FeltSpot.BLIND, FeltSpot.BONUS})
_KEY_ON_FOLD: Final = {FeltSpot.PAIR_PLUS: "pair_plus_on_fold", FeltSpot.TRIPS: "trips_on_fold"}
