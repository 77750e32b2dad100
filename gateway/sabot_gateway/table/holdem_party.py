"""The party around the coups of hold'em: caves, absence, the waiting list, seats and the button.

Facts of operators, taken in every phase; what they may not do at the time is an
alert and is recorded all the same. Seats themselves are kept by `registers`;
this file looks at what changed (`turn.before`).
"""

from typing import Final

from sabot_gateway.model.event import ButtonPlaced, KeyPressed, PlayerCalled, PlayerSeated, Recaved, TimerFired
from sabot_gateway.model.game import Game
from sabot_gateway.model.holdem import HoldemSettlement
from sabot_gateway.rules.blinds import next_button
from sabot_gateway.table.alerts import party as alerts
from sabot_gateway.table.alerts.blinds import BUTTON_NOT_PLACED
from sabot_gateway.table.change import replace
from sabot_gateway.table.holdem_seats import config_of, is_occupied, occupied
from sabot_gateway.table.holdem_state import Party
from sabot_gateway.table.state import CoupPhase, SeatState, Table
from sabot_gateway.table.turn import Turn

_VACANT: Final = SeatState()
_TIMER: Final = "absence/"
_DEALT: Final = frozenset({CoupPhase.DEALING, CoupPhase.DECIDING, CoupPhase.REVEALING, CoupPhase.PAYING})


def party_of(turn: Turn) -> Party:
    """The party of this séance: a new one begins without a button."""
    if turn.party.seance != turn.seance.number:
        # THE-15: players may sit down before the séance is open.
        sat = tuple((state.player, seat) for seat, state in turn.before.seats.items() if state.player)
        turn.party = Party(turn.seance.number, caved=turn.party.caved, sat=sat)
        turn.button = 0
    return turn.party


def is_button_placed(table: Table) -> bool:
    """THE-41: drawn or placed in this very séance, and before a player."""
    return table.party.seance == table.seance.number and is_occupied(table, table.button)


def set_button(turn: Turn, seat: int) -> None:
    turn.party = replace(party_of(turn), draw=None)
    turn.button = seat
    if is_button_placed(turn):
        turn.clear_code(BUTTON_NOT_PLACED.code)


def place_button(turn: Turn) -> None:
    """Somebody says where the button stands: after a draw that no reader saw, or to put it right."""
    event = turn.event
    assert isinstance(event, ButtonPlaced)
    if not 1 <= event.seat <= turn.setup.seats_total:
        return
    party_of(turn)
    if turn.coup.phase in _DEALT:
        if event.seat != turn.button:
            turn.alert(alerts.button_moved(event.seat, turn.button, "THE-41"))
        return
    if turn.button and event.seat != turn.button:
        turn.alert(alerts.button_moved(event.seat, turn.button))
    set_button(turn, event.seat)
    turn.note("button_placed", seat=event.seat)


def recave(turn: Turn) -> None:
    """THE-34 to THE-40: a cave, or a recave, which is never accepted during a coup."""
    event = turn.event
    assert isinstance(event, Recaved)
    seat, amount = event.seat, event.amount_cents
    if not 1 <= seat <= turn.setup.seats_total or amount <= 0:
        return
    config, party = config_of(turn), party_of(turn)
    if not is_occupied(turn, seat):
        turn.alert(alerts.cave_without_player(seat, amount))
    if seat not in party.caved:
        if config.cave_min is not None and amount < config.cave_min:
            turn.alert(alerts.cave_below_minimum(seat, amount, config.cave_min))
    elif config.recave_max is not None and amount > config.recave_max:
        turn.alert(alerts.recave_above_maximum(seat, amount, config.recave_max))
    if turn.coup.phase in _DEALT and seat in turn.coup.players:
        turn.alert(alerts.recave_during_coup(seat, amount))
    state = turn.seats.get(seat, _VACANT)
    turn.seats = {**turn.seats, seat: replace(state, stack_cents=max(0, state.stack_cents) + amount)}
    turn.party = replace(party, caved=party.caved | {seat})
    turn.note("cave", seat=seat, amount_cents=amount)


def rebuy_by_key(turn: Turn) -> None:
    """The dealer's key says that a player wants to recave; what he brings is told by the operator (THE-38, THE-39)."""
    event = turn.event
    assert isinstance(event, KeyPressed)
    if turn.coup.phase in _DEALT and event.seat in turn.coup.players:
        turn.alert(alerts.recave_during_coup(event.seat, 0))
    else:
        turn.note("recave_wanted", seat=event.seat)


def see_person(turn: Turn) -> None:
    """Somebody sat down, left, went away for a while or came back."""
    if turn.setup.game is not Game.THE:
        return
    event = turn.event
    seat = getattr(event, "seat", 0)
    if turn.seats is not turn.before.seats:
        _see_owner(turn, seat)
        _see_absence(turn, seat)
        _see_button(turn)
    if isinstance(event, PlayerSeated) and event.player:
        _see_seat(turn, event)


def see_call(turn: Turn) -> None:
    """THE-24: players are called in the order in which they registered."""
    event = turn.event
    assert isinstance(event, PlayerCalled)
    waiting = turn.before.seance.waiting
    if turn.setup.game is Game.THE and event.player in waiting[1:]:
        turn.alert(alerts.called_out_of_order(waiting.index(event.player) + 1))


def absence_over(turn: Turn) -> None:
    """THE-28, THE-29: the longest absence of the house has passed."""
    event = turn.event
    if not isinstance(event, TimerFired) or not event.timer.startswith(_TIMER):
        return
    seat = next((seat for seat in turn.seats if f"{_TIMER}{seat}" == event.timer), 0)
    if seat and turn.seats[seat].absent:
        turn.state_alert(alerts.absent_too_long(seat, _longest_s(turn)))


def is_late(table: Table, seat: int) -> bool:
    """Whether the longest absence of the house has passed for this player; where it has none, only people can say."""
    late = any(alert.code == alerts.ABSENT_TOO_LONG.code and alert.seat == seat for alert in table.alerts.values())
    return late or not _longest_s(table)


def leave_seat(turn: Turn, seat: int) -> None:
    """The seat is free, and everything that hung on its player goes with him."""
    turn.seats = {**turn.seats, seat: _VACANT}
    _see_owner(turn, seat)
    _see_absence(turn, seat)
    _see_button(turn)


def finish(turn: Turn) -> None:
    """The coup is over: stacks are what they became, and the button moves on (THE-117); a void coup moves nothing."""
    hand, settlement = turn.coup.holdem, turn.coup.settlement
    if hand is None or not isinstance(settlement, HoldemSettlement):
        return
    began = dict(hand.stacks)
    seats = dict(turn.seats)
    for result in settlement.seats:
        seat = result.seat
        state = seats.get(seat, _VACANT)
        if seat in hand.tapis and seat not in hand.unknown and is_occupied(turn, seat):
            seats[seat] = replace(state, stack_cents=began[seat] + result.net)
            turn.party = replace(turn.party, caved=turn.party.caved | {seat})
        elif seat in turn.party.caved and result.net:
            seats[seat] = replace(state, stack_cents=max(0, state.stack_cents + result.net))
    turn.seats = seats
    taken = occupied(turn)
    if turn.coup.void is None and taken:
        turn.button = next_button(turn.button, taken)


def _see_owner(turn: Turn, seat: int) -> None:
    """Chips go with their player: a seat that changes hands has no cave."""
    before, after = turn.before.seats.get(seat, _VACANT), turn.seats.get(seat, _VACANT)
    has_left = not is_occupied(turn, seat)
    is_other = bool(before.player) and bool(after.player) and before.player != after.player
    if (has_left or is_other) and seat in turn.party.caved:
        turn.party = replace(turn.party, caved=turn.party.caved - {seat})
        turn.seats = {**turn.seats, seat: replace(after, stack_cents=0)}


def _see_absence(turn: Turn, seat: int) -> None:
    was, now = turn.before.seats.get(seat, _VACANT).absent, turn.seats.get(seat, _VACANT).absent
    if now and not was and _longest_s(turn):
        turn.start_timer(f"{_TIMER}{seat}", _longest_s(turn) * 1000)
    elif was and not now:
        turn.cancel_timer(f"{_TIMER}{seat}")
        turn.clear_code(alerts.ABSENT_TOO_LONG.code, seat)


def _see_button(turn: Turn) -> None:
    """Between coups the button does not stay before an empty seat."""
    taken = occupied(turn)
    if turn.coup.phase not in _DEALT and turn.button and turn.button not in taken and taken:
        turn.button = next_button(turn.button, taken)


def _see_seat(turn: Turn, event: PlayerSeated) -> None:
    """THE-21: nobody changes seats during a game; who was called from the list takes the seat he is given."""
    party = party_of(turn)
    sat = dict(party.sat)
    before = sat.get(event.player)
    if turn.button and before not in (None, event.seat) and event.player not in turn.before.seance.waiting:
        turn.alert(alerts.seat_changed(event.seat, before or 0))
    if before != event.seat:
        turn.party = replace(party, sat=tuple({**sat, event.player: event.seat}.items()))


def _longest_s(table: Table) -> int:
    value = table.setup.ruleset.values.get("absence_max_s")
    return value if isinstance(value, int) else 0
