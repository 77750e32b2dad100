"""The pot of hold'em: what was gathered, what still lies before the players, and the pots as they form.

Stakes leave the bet spots when a round ends and must arrive in the pot to the
chip (THE-70). What nobody matched may go back to its player before (THE-114).
All amounts follow from the betting; the spots only confirm them.
"""

from typing import Final

from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.holdem import Pot, Street
from sabot_gateway.rules.betting_state import Betting
from sabot_gateway.rules.pots import Layers, split_pots
from sabot_gateway.table.alerts import holdem as alerts
from sabot_gateway.table.holdem_seats import config_of
from sabot_gateway.table.holdem_state import HoldemHand
from sabot_gateway.table.state import CoupPhase, Place, Table, amount_at
from sabot_gateway.table.turn import Turn

POT: Final[Place] = (0, FeltSpot.POT)
# THE-71, THE-85, THE-88: places of the board before each round, with the card burned before each street.
BOARD_PLACES: Final = (0, 4, 6, 8)


def layers_of(table: Table, hand: HoldemHand) -> Layers:
    """THE-93 to THE-100: main pot and side pots as they stand; chips are unmatched only once a round is over."""
    betting = hand.betting
    if _is_one_pot(betting):
        return Layers((Pot(betting.pot, tuple(sorted(each.seat for each in betting.live))),))
    if betting.turn is not None:
        return Layers(_forming(betting))
    stakes = {each.seat: each.total for each in betting.players}
    folded = frozenset(each.seat for each in betting.players if each.folded)
    return split_pots(stakes, folded, config_of(table).return_uncalled)


def amounts_of(table: Table, hand: HoldemHand) -> tuple[int, ...]:
    """The pots of `layers_of` by amount alone, for the display after every action."""
    if _is_one_pot(hand.betting):
        return (hand.betting.pot,)
    return tuple([pot.amount for pot in layers_of(table, hand).pots])


def _is_one_pot(betting: Betting) -> bool:
    """Nobody is all-in: one pot, for everybody still in, and nothing of it unmatched once the round is over."""
    live = 0
    for each in betting.players:
        if not each.folded:
            if not each.stack:
                return False
            live += 1
    return live > 1


def _forming(betting: Betting) -> tuple[Pot, ...]:
    """THE-94, THE-97: within a round only an all-in closes a pot; who can still match may win the rest."""
    live = sorted(betting.live, key=lambda each: each.seat)
    levels = sorted({each.total for each in live if not each.stack})
    pots = []
    floor = 0
    for level in (*levels, max(each.total for each in betting.players)):
        amount = sum(min(each.total, level) - min(each.total, floor) for each in betting.players)
        if level > floor and amount:
            able = tuple(each.seat for each in live if each.stack or each.total >= level)
            pots.append(Pot(amount, able))
        floor = max(floor, level)
    return tuple(pots)


def uncalled_of(table: Table, hand: HoldemHand) -> tuple[int, int]:
    """THE-114: seat and amount of what goes back unmatched; (0, 0) when nothing does."""
    uncalled = layers_of(table, hand).uncalled
    return (0, 0) if uncalled is None else (uncalled.seat, uncalled.amount)


def gathered(table: Table, hand: HoldemHand) -> int:
    """What the pot must hold, from what was staked and what still lies on the spots."""
    betting = hand.betting
    due = 0
    for each in betting.players:
        due += each.total - hand.left_on(each.seat)
        if betting.turn is not None:
            lying = amount_at(table, (each.seat, FeltSpot.BET)) - hand.left_on(each.seat)
            # A folded stake may be drawn in before the round is over.
            due -= min(each.street_bet, max(lying, 0)) if each.folded else each.street_bet
    return due


def judge_pot(turn: Turn, hand: HoldemHand) -> None:
    """Chips missing from the pot, or too many in it; nothing where the pot is not read."""
    if not turn.setup.fitted.pot:
        return
    due, amount = gathered(turn, hand), amount_at(turn, POT)
    least = due - uncalled_of(turn, hand)[1]
    is_right = amount in (due, least) or due < amount <= due + _on_its_way(turn, hand)
    if is_right or amount > due:
        turn.clear_code(alerts.POT_SHORT.code, *POT)
    if is_right or amount < due:
        turn.clear_code(alerts.POT_OVER.code, *POT)
    if not is_right:
        turn.state_alert(alerts.wrong_pot(amount, least if amount < due else due, rule_of(turn, hand)))


def judge_gathering(turn: Turn, hand: HoldemHand) -> None:
    """The next cards are out: the stakes of the round before must lie in the pot."""
    lying = [cents for _, cents in hand.residue if cents]
    if lying:
        turn.state_alert(alerts.stakes_not_gathered(sum(lying), len(lying), rule_of(turn, hand)))
    else:
        turn.clear_code(alerts.STAKES_NOT_GATHERED.code, None, FeltSpot.POT)
    judge_pot(turn, hand)


def settle_gathering(turn: Turn, hand: HoldemHand) -> None:
    """Chips are on their way to the pot: alerts that stand go when all is right, new ones wait for the next cards."""
    if not turn.alerts:
        return
    if not hand.residue:
        turn.clear_code(alerts.STAKES_NOT_GATHERED.code, None, FeltSpot.POT)
    if {alert.code for alert in turn.alerts.values()} & {alerts.POT_SHORT.code, alerts.POT_OVER.code}:
        judge_pot(turn, hand)


def _on_its_way(table: Table, hand: HoldemHand) -> int:
    """What may lie in the pot already while its old spot has not been read again."""
    folded = (each for each in hand.betting.players if each.folded and hand.betting.turn is not None)
    drawn_in = sum(min(each.street_bet, amount_at(table, (each.seat, FeltSpot.BET))) for each in folded)
    return drawn_in + sum(cents for _, cents in hand.residue)


def rule_of(table: Table, hand: HoldemHand) -> str:
    """The sentence by which the stakes of the round before were to be gathered."""
    return "THE-91" if table.coup.phase is CoupPhase.REVEALING else _GATHER[hand.betting.street]


_GATHER: Final = {Street.PREFLOP: "THE-70", Street.FLOP: "THE-70", Street.TURN: "THE-84", Street.RIVER: "THE-87"}
