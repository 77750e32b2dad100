"""The showdown of hold'em: who shows, in which order, and who throws his hand away (THE-101, THE-102, law 7).

Every player still in must show (A-THE-17). A hand is open from the moment it is
shown and not before; one that was mucked stays sealed and wins nothing.
"""

from sabot_gateway.model.event import KeyPressed
from sabot_gateway.model.holdem import Showdown
from sabot_gateway.rules.deal import seats_from_button
from sabot_gateway.rules.showdown import showdown_order
from sabot_gateway.table.alerts import holdem as alerts
from sabot_gateway.table.alerts.house import key_out_of_place
from sabot_gateway.table.change import replace
from sabot_gateway.table.holdem_pot import judge_gathering
from sabot_gateway.table.holdem_seats import config_of
from sabot_gateway.table.state import Table
from sabot_gateway.table.turn import Turn


def showdown_of(table: Table) -> Showdown:
    """Everybody who must show, first to last; empty where all but one folded (THE-122)."""
    hand = table.coup.holdem
    if hand is None or not hand.betting.is_over or hand.betting.is_uncontested:
        return Showdown()
    order = seats_from_button([each.seat for each in hand.betting.players], hand.button)
    live = [each.seat for each in hand.betting.live]
    return showdown_order(order, live, hand.betting.voice, config_of(table).showdown_first)


def still_to_show(table: Table) -> tuple[int, ...]:
    """Who has neither shown nor thrown away his hand, in order."""
    hand = table.coup.holdem
    if hand is None:
        return ()
    return tuple(seat for seat in showdown_of(table).order if seat not in hand.shown and seat not in hand.mucked)


def show_by_key(turn: Turn) -> None:
    """The REVEAL key: one player's hand, or with no seat every hand that is left."""
    event = turn.event
    assert isinstance(event, KeyPressed)
    left = still_to_show(turn)
    seats = left if event.seat == 0 else (event.seat,)
    if turn.coup.holdem is None:
        turn.coup = replace(turn.coup, is_revealed=True)
        return
    if event.seat and event.seat not in left:
        turn.state_alert(key_out_of_place(turn.setup.game, event.key, turn.coup.phase, event.seat))
        return
    if not turn.coup.holdem.shown:
        judge_gathering(turn, turn.coup.holdem)
    for seat in seats:
        _show(turn, seat)
    _close_if_done(turn)


def muck_by_key(turn: Turn) -> None:
    event = turn.event
    assert isinstance(event, KeyPressed)
    if event.seat in still_to_show(turn):
        muck(turn, event.seat)
    else:
        turn.state_alert(key_out_of_place(turn.setup.game, event.key, turn.coup.phase, event.seat))


def muck(turn: Turn, seat: int) -> None:
    """A hand thrown away at the showdown; the last one left is not asked any more."""
    hand = turn.coup.holdem
    if hand is None or seat not in still_to_show(turn):
        return
    if all(other in hand.mucked for other in showdown_of(turn).order if other != seat):
        return  # nobody is left to beat him
    turn.coup = replace(turn.coup, holdem=replace(hand, mucked=(*hand.mucked, seat)))
    turn.state_alert(alerts.hand_mucked(seat))
    turn.note("mucked", seat=seat)
    _close_if_done(turn)


def _show(turn: Turn, seat: int) -> None:
    hand = turn.coup.holdem
    assert hand is not None
    first = still_to_show(turn)[0]
    if seat != first:
        turn.state_alert(alerts.showdown_order(seat, first, showdown_of(turn).rule))
    turn.coup = replace(turn.coup, holdem=replace(hand, shown=(*hand.shown, seat)))
    turn.note("shown", seat=seat)


def _close_if_done(turn: Turn) -> None:
    """THE-122: when all others have thrown their hands away, the last one need not show."""
    hand = turn.coup.holdem
    left = still_to_show(turn)
    if hand is not None and (not left or (len(left) == 1 and not hand.shown)):
        turn.coup = replace(turn.coup, is_revealed=True)
