"""The end of a coup: cards back to the rack, the deck counted, the pace judged, the next coup free to begin."""

from sabot_gateway.model.alert import Clears, Holds
from sabot_gateway.table.alerts import house
from sabot_gateway.table.change import replace
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.registers import register_deferred
from sabot_gateway.table.review import end_review
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
        if alert.clears in (Clears.COUP_END, Clears.OVERRIDE) or alert.holds is not Holds.NOTHING:
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
        turn.shoe = replace(turn.shoe, phase=phase, cutter=0, cut_card=False)
    if turn.seance.phase is SeancePhase.LAST_HANDS:
        turn.seance = replace(turn.seance, hands_since=turn.seance.hands_since + 1)
    turn.note("coup_finished")
    turn.coup = Coup(number=coup.number, phase=coup.phase)
    register_deferred(turn)


def _judge_pace(turn: Turn) -> None:
    if turn.coup.void is not None:
        return
    took = turn.event.at_ms - turn.coup.started_ms
    timing, game = turn.setup.timing, turn.setup.game
    if took < timing.fastest_ms:
        turn.alert(house.pace_fast(game, took // 1000))
    elif took > timing.slowest_ms:
        turn.alert(house.pace_slow(game, took // 1000))
