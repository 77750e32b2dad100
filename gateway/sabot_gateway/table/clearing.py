"""The end of a coup: cards back to the rack, the deck counted, the pace judged, the next coup free to begin."""

from sabot_gateway.model.alert import Clears, Holds
from sabot_gateway.model.tag import Tag
from sabot_gateway.rules.deal import DEALER
from sabot_gateway.table.alerts import chips, house, procedure
from sabot_gateway.table.change import replace
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.registers import register_deferred
from sabot_gateway.table.review import end_review
from sabot_gateway.table.sealed import Hand
from sabot_gateway.table.shoe import count_back, is_rack_whole
from sabot_gateway.table.state import Coup, SeancePhase, ShoePhase
from sabot_gateway.table.turn import Turn


def is_cleared(turn: Turn) -> bool:
    """All cards are back; without a rack reader nobody can say otherwise."""
    return not turn.setup.fitted.rack or is_rack_whole(turn)


def finish_coup(turn: Turn) -> None:
    """The coup is over, with its cards back or not."""
    coup = turn.coup
    end_review(turn)
    for alert in turn.alerts.values():
        # A chip that is not right lies there in the next coup as in this one: its alert goes when the chip goes.
        if alert.code not in chips.CODES and (
            alert.clears in (Clears.COUP_END, Clears.OVERRIDE) or alert.holds is not Holds.NOTHING
        ):
            turn.clear(alert.id, "coup_end")
    # What waits for a person waits in the queue of alerts, not in the table's state.
    turn.alerts = {key: alert for key, alert in turn.alerts.items() if alert.clears is not Clears.OPERATOR}
    _judge_pace(turn)
    course_of(turn).finish(turn)
    whole = is_cleared(turn)
    if not whole:
        count_back(turn)
    if turn.shoe.phase is not ShoePhase.EMPTY:
        phase = ShoePhase.COUNTED if whole else ShoePhase.EMPTY
        turn.shoe = replace(turn.shoe, phase=phase, cutter=0, cut_card=False, refused=frozenset())
    if turn.seance.phase is SeancePhase.LAST_HANDS:
        turn.seance = replace(turn.seance, hands_since=turn.seance.hands_since + 1)
    turn.note("coup_finished")
    turn.coup = Coup(number=coup.number, phase=coup.phase)
    register_deferred(turn)


def watch_order(turn: Turn) -> None:
    """TCF-64, STU-56: hand by hand from right to left, the dealer's last; hands that came together have no order."""
    game, coup = turn.setup.game, turn.coup
    if game not in procedure.COLLECTED_OUT_OF_ORDER.rules or coup.void is not None:
        return
    rack, before = turn.shoe.rack, turn.before.shoe.rack
    hands: dict[int, Hand] = {seat: hand + coup.bought.get(seat, ()) for seat, hand in coup.hands.items()}
    if coup.dealer:
        hands[0] = coup.dealer  # seat 0, so that it is the last from right to left
    came = [seat for seat, hand in hands.items() if _is_in(hand, rack) and not _is_in(hand, before)]
    left = [seat for seat, hand in hands.items() if _is_untouched(hand, rack, seat in coup.bought)]
    if came and left and min(came) < max(left):
        turn.state_alert(procedure.collected_out_of_order(game, _name(min(came)), _name(max(left))))


def _is_in(hand: Hand, rack: frozenset[Tag]) -> bool:
    return bool(hand) and all(card.has_tag(rack) for card in hand)


def _is_untouched(hand: Hand, rack: frozenset[Tag], has_bought: bool) -> bool:
    """None of it has been collected; a hand with a card on the floor has been. STU-59: one discard went before."""
    return sum(card.has_tag(rack) for card in hand) <= has_bought


def _name(seat: int) -> str:
    return str(seat) if seat else DEALER


def _judge_pace(turn: Turn) -> None:
    """From the closing of the bets to the last payment: what the dealer can hurry, and nobody else."""
    if turn.coup.void is not None:
        return
    took = turn.coup.phase_ms - turn.coup.closed_ms
    timing, game = turn.setup.timing, turn.setup.game
    # A clock that was set right in between says nothing about the pace.
    if 0 <= took < timing.fastest_ms:
        turn.alert(house.pace_fast(game, took // 1000))
    elif took > timing.slowest_ms:
        turn.alert(house.pace_slow(game, took // 1000))
