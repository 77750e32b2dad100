"""The registers and the seats: what operators tell the table. Registers change between coups only."""

from typing import assert_never

from sabot_gateway.model.event import (
    BadgeRegistered,
    ChipsRegistered,
    DeckRegistered,
    KeyPressed,
    PlayerAbsent,
    PlayerCalled,
    PlayerLeft,
    PlayerReturned,
    PlayerSeated,
    PlayerWaiting,
    RegisterEvent,
    SeatSensed,
)
from sabot_gateway.model.felt import Key
from sabot_gateway.table.change import replace
from sabot_gateway.table.felt import recount
from sabot_gateway.table.state import CoupPhase, SeatState, ShoePhase
from sabot_gateway.table.turn import Turn


def is_between_coups(turn: Turn) -> bool:
    return turn.coup.phase in (CoupPhase.IDLE, CoupPhase.BETTING)


def register(turn: Turn) -> None:
    """A register of the house changed: at once between coups, else when the coup is over."""
    event = turn.event
    assert isinstance(event, DeckRegistered | ChipsRegistered | BadgeRegistered)
    if is_between_coups(turn):
        _register(turn, event)
    else:
        turn.deferred = (*turn.deferred, event)


def register_deferred(turn: Turn) -> None:
    """The coup is over: what waited for it takes effect."""
    for event in turn.deferred:
        _register(turn, event)
    turn.deferred = ()


def _register(turn: Turn, event: RegisterEvent) -> None:
    match event:
        case DeckRegistered():
            _register_deck(turn, event)
        case ChipsRegistered():
            _register_chips(turn, event)
        case BadgeRegistered():
            _register_badge(turn, event)
        case _:
            assert_never(event)


def _register_deck(turn: Turn, event: DeckRegistered) -> None:
    """The whole deck: tags that it had before are no cards any more; a deck in use that changed is counted again."""
    name, known = event.deck.name, turn.setup.cards
    before = {tag: card for tag, card in known.items() if card.deck == name}
    others = {tag: card for tag, card in known.items() if card.deck != name}
    turn.setup = replace(
        turn.setup,
        decks={**turn.setup.decks, name: event.deck},
        cards={**others, **event.cards},
    )
    if name == turn.shoe.deck and before != event.cards:
        turn.shoe = replace(turn.shoe, phase=ShoePhase.EMPTY, deck="", cutter=0, cut_card=False, refused=frozenset())


def _register_chips(turn: Turn, event: ChipsRegistered) -> None:
    """Chips that lie on the felt are counted anew."""
    turn.setup = replace(turn.setup, chips={**turn.setup.chips, **event.chips})
    recount(turn)


def _register_badge(turn: Turn, event: BadgeRegistered) -> None:
    badges = {tag: person for tag, person in turn.setup.badges.items() if tag != event.tag}
    if event.person is not None:
        badges[event.tag] = event.person
    turn.setup = replace(turn.setup, badges=badges)


def seat_changed(turn: Turn) -> None:
    """Somebody sat down, left, went away for a while or came back."""
    event = turn.event
    match event:
        case SeatSensed(seat=seat, occupied=occupied):
            _put(turn, seat, replace(_seat(turn, seat), taken=occupied))
        case PlayerSeated(seat=seat, player=player):
            waiting = tuple(name for name in turn.seance.waiting if name != player)
            turn.seance = replace(turn.seance, waiting=waiting)
            _put(turn, seat, replace(_seat(turn, seat), taken=True, player=player, absent=False))
        case PlayerLeft(seat=seat):
            _put(turn, seat, SeatState())
        case PlayerAbsent(seat=seat):
            _put(turn, seat, replace(_seat(turn, seat), absent=True, absent_ms=event.at_ms))
        case PlayerReturned(seat=seat):
            _put(turn, seat, replace(_seat(turn, seat), absent=False, absent_ms=0))
        case KeyPressed(key=Key.SEAT_TAKEN, seat=seat):
            _put(turn, seat, replace(_seat(turn, seat), taken=True, absent=False))
        case KeyPressed(key=Key.SEAT_LEFT, seat=seat):
            _put(turn, seat, SeatState())
        case KeyPressed(key=Key.ABSENT, seat=seat):
            absent = not _seat(turn, seat).absent
            _put(turn, seat, replace(_seat(turn, seat), absent=absent, absent_ms=event.at_ms if absent else 0))
        case _:
            pass


def waiting_list(turn: Turn) -> None:
    """THE-23 to THE-25: first come, first called; who does not answer loses his place on the list."""
    event = turn.event
    names = turn.seance.waiting
    if isinstance(event, PlayerWaiting) and event.player not in names:
        turn.seance = replace(turn.seance, waiting=(*names, event.player))
    elif isinstance(event, PlayerCalled):
        turn.seance = replace(turn.seance, waiting=tuple(name for name in names if name != event.player))


def _put(turn: Turn, seat: int, state: SeatState) -> None:
    if 1 <= seat <= turn.setup.seats_total and turn.seats.get(seat, SeatState()) != state:
        turn.seats = {**turn.seats, seat: state}


def _seat(turn: Turn, seat: int) -> SeatState:
    return turn.seats.get(seat, SeatState())
