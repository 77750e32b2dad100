"""The draw for the button: one club face up to each player, the highest takes it (THE-41 to THE-44).

The clubs are open, so nothing here is sealed. After the draw the deck must be
shuffled again before it may be dealt.
"""

from sabot_gateway.model.card import Card
from sabot_gateway.model.event import CardDoubted, CardScanned
from sabot_gateway.model.game import Game
from sabot_gateway.rules.button_draw import Drawn, button_of, check_draw
from sabot_gateway.rules.rejection import Fault
from sabot_gateway.table.alerts.cards import unknown_card
from sabot_gateway.table.alerts.party import BUTTON_DRAW_WRONG, button_draw_wrong, misread
from sabot_gateway.table.change import replace
from sabot_gateway.table.holdem_party import party_of, set_button
from sabot_gateway.table.holdem_seats import occupied
from sabot_gateway.table.holdem_state import Draw
from sabot_gateway.table.state import SeatState, ShoePhase
from sabot_gateway.table.turn import Turn


def may_draw(turn: Turn) -> bool:
    return turn.setup.game is Game.THE


def is_drawing(turn: Turn) -> bool:
    """A card out of the shoe while the button is being drawn."""
    event = turn.event
    return turn.party.draw is not None and isinstance(event, CardScanned) and event.reader == 0


def doubts_draw(turn: Turn) -> bool:
    return turn.party.draw is not None


def break_off(turn: Turn) -> None:
    """Nobody knows who got this club, so the next ones would go to the wrong players: the draw is made again."""
    event = turn.event
    assert isinstance(event, CardDoubted)
    turn.alert(button_draw_wrong(Fault(misread(event.reason), "THE-42")))
    turn.party = replace(turn.party, draw=None)


def begin_draw(turn: Turn) -> None:
    """The dealer takes the clubs; pressed again, the draw starts anew."""
    present = tuple(seat for seat in occupied(turn) if not turn.seats.get(seat, SeatState()).absent)
    _forget_faults(turn)
    if len(present) < 2:
        turn.alert(button_draw_wrong(Fault("TOO_FEW_PLAYERS", "THE-14", len(present))))
        return
    turn.party = replace(party_of(turn), draw=Draw(present))


def draw_card(turn: Turn) -> None:
    """The next player's club; the last one decides."""
    event = turn.event
    assert isinstance(event, CardScanned)
    draw = turn.party.draw
    assert draw is not None
    known = turn.setup.cards.get(event.tag)
    if known is None:
        turn.alert(unknown_card(turn.setup.game, len(draw.drawn) + 1))
        return
    drawn = (*draw.drawn, (draw.waiting[0], known.card))
    waiting = draw.waiting[1:]
    turn.party = replace(turn.party, draw=Draw(waiting, drawn) if waiting else None)
    if not waiting:
        _decide(turn, drawn)


def _decide(turn: Turn, drawn: tuple[tuple[int, Card], ...]) -> None:
    draw = tuple(Drawn(seat, card) for seat, card in drawn)
    faults = check_draw(draw, turn.setup.seats_total)
    for fault in faults:
        turn.alert(button_draw_wrong(fault))
    if turn.shoe.phase is not ShoePhase.EMPTY:
        # THE-44: the clubs join the rest, and the whole deck is shuffled.
        turn.shoe = replace(turn.shoe, phase=ShoePhase.COUNTED, cutter=0, cut_card=False, refused=frozenset())
    if not faults:
        set_button(turn, button_of(draw))
        turn.note("button_drawn", seat=turn.button)


def _forget_faults(turn: Turn) -> None:
    for key, alert in turn.alerts.items():
        if alert.code == BUTTON_DRAW_WRONG.code:
            turn.clear(key)
