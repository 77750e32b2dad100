"""A night at one table for the bench: full tables of each game, coup after coup, as their sensors would tell it.

Played by the state itself, so that every coup ends: who must decide raises or
calls, the dealer pays what is due. Nothing here is timed.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from sabot_gateway.model.card import DECK
from sabot_gateway.model.event import (
    BadgeRead,
    ButtonPlaced,
    CardScanned,
    ChipsRead,
    CutCardSeen,
    DiscardRead,
    Event,
    KeyPressed,
    PlayerSeated,
    Recaved,
)
from sabot_gateway.model.felt import FeltSpot, Key
from sabot_gateway.model.game import Game
from sabot_gateway.model.person import Person, Role
from sabot_gateway.model.tag import CardTag, Chip, Deck, Tag
from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.rules.cut import has_cut
from sabot_gateway.table.bank_opening import opening_spots
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.machine import new_table, step
from sabot_gateway.table.setup import Fitted, TableSetup
from sabot_gateway.table.state import CoupPhase, Place, TableState, amount_at

SEATS: Final = range(1, 8)
_VALUES: Final = (1_000_000, 100_000, 10_000, 1000, 100, 50, 10, 1)
_EACH: Final = 12
_CAVE: Final = 5_000_000
_ANTE: Final = 1000
_RAISED: Final = 3000
_PACE_MS: Final = 1000
_COUP_MS: Final = 600_000
_MOST_STEPS: Final = 400  # a coup that does not end is a fault of this file
_TIMES: Final = {Game.STU: 2, Game.UTH: 4}
_RAISE: Final = {Game.STU: FeltSpot.RAISE}
_POT: Final[Place] = (0, FeltSpot.POT)


def opened(game: Game) -> TableState:
    """A table with its séance open; at hold'em seven players with their caves."""
    chips = {
        _chip(seat, spot, value, n): Chip(value)
        for seat in (0, *SEATS)
        for spot in FeltSpot
        for value in _VALUES
        for n in range(_EACH)
    }
    cards = {_card(card): CardTag(card, "red") for card in DECK}
    badges = {Tag("b0"): Person("H1", Role.TABLE_HEAD), Tag("b1"): Person("D1", Role.DEALER)}
    decks = {"red": Deck("red", "red")}
    setup = TableSetup("bench", shipped_ruleset(game), chips, cards, decks, badges, fitted=Fitted(pot=True))
    state = new_table(setup)
    for event in opening(game):
        state = step(state, event).state
    return state


def coup(state: TableState) -> list[Event]:
    """The events of the next coup, from an idle table to an idle table."""
    events: list[Event] = []
    number = state.coup.number + 1
    at_ms = state.coup.number * _COUP_MS
    cards = iter([DECK[(17 * n + 5 + 7 * number) % 52] for n in range(52)])
    pending: Iterator[Event] = _prepared(state)
    for _ in range(_MOST_STEPS):
        event = next(pending, None)
        if event is None:
            if state.coup.phase is CoupPhase.IDLE and state.coup.number == number:
                return events
            pending = _next(state, cards)
            continue
        at_ms += _PACE_MS
        event = replace(event, at_ms=at_ms)
        events.append(event)
        state = step(state, event).state
    raise AssertionError(f"a coup of {state.setup.game} did not end; it is in {state.coup.phase}")


def opening(game: Game) -> list[Event]:
    """From a closed table to one that waits for its first coup."""
    return list(_opening(game))


def _opening(game: Game) -> Iterator[Event]:
    yield BadgeRead(Tag("b0"))
    yield KeyPressed(Key.OPEN_SESSION)
    yield BadgeRead(Tag("b1"))
    yield KeyPressed(Key.NEW_DECK)
    yield DiscardRead(tuple(map(_card, DECK)))
    yield KeyPressed(Key.ANNOUNCE)
    if game is Game.THE:
        for seat in SEATS:
            yield PlayerSeated(seat, f"p{seat}")
            yield Recaved(seat, _CAVE)
        yield ButtonPlaced(7)


def _prepared(state: TableState) -> Iterator[Event]:
    """The deck shuffled and cut, what was won taken away, the stakes laid."""
    game = state.setup.game
    yield DiscardRead(())
    yield KeyPressed(Key.SHUFFLE)
    if has_cut(game):
        yield KeyPressed(Key.CUT, 1)
        yield CutCardSeen()
    for place, pile in state.felt.items():
        if pile.cents:
            yield _read(place, 0)
    if game is Game.THE:
        small, big = (state.button % 7) + 1, (state.button + 1) % 7 + 1
        yield _read((small, FeltSpot.BET), 500)
        yield _read((big, FeltSpot.BET), 1000)
        return
    for seat in SEATS:
        for spot in opening_spots(state):
            yield _read((seat, spot), 100 if game is Game.STU and spot is FeltSpot.BONUS else _ANTE)
    yield KeyPressed(Key.BETS_CLOSED)


def _next(state: TableState, cards: Iterator[int]) -> Iterator[Event]:
    """What the state waits for now."""
    match state.coup.phase:
        case CoupPhase.IDLE | CoupPhase.BETTING | CoupPhase.DEALING:
            hand = state.coup.holdem
            if hand is not None and hand.residue:
                yield from _gathering(state)
            yield CardScanned(0, _card(next(cards)))
        case CoupPhase.DECIDING:
            yield from _deciding(state)
        case CoupPhase.REVEALING:
            hand = state.coup.holdem
            if hand is not None and hand.residue:
                yield from _gathering(state)
            yield KeyPressed(Key.REVEAL)
        case CoupPhase.PAYING:
            due = next(due for due in state.coup.dues if due.status == "pending")
            yield _read(due.place, due.target)
        case CoupPhase.CLEARING:
            yield DiscardRead(tuple(map(_card, DECK)))


def _deciding(state: TableState) -> Iterator[Event]:
    """Bank games: everybody raises. Hold'em: one raise before the flop and its calls, then checks."""
    seat, game = course_of(state).pending(state)[0], state.setup.game
    hand = state.coup.holdem
    if hand is None:
        yield _read((seat, _RAISE.get(game, FeltSpot.PLAY)), _TIMES.get(game, 1) * _ANTE)
    elif state.coup.round == 0:
        yield _read((seat, FeltSpot.BET), _RAISED)
    else:
        yield KeyPressed(Key.CHECK, seat)


def _gathering(state: TableState) -> Iterator[Event]:
    hand = state.coup.holdem
    assert hand is not None
    for seat, _ in hand.residue:
        yield _read((seat, FeltSpot.BET), 0)
    yield _read(_POT, amount_at(state, _POT) + sum(cents for _, cents in hand.residue))


def _read(place: Place, cents: int) -> ChipsRead:
    """A spot that holds exactly `cents`, in the fewest chips."""
    tags: list[Tag] = []
    for value in _VALUES:
        count, cents = divmod(cents, value)
        tags += [_chip(*place, value, n) for n in range(count)]
    assert not cents
    return ChipsRead(*place, tuple(tags))


def _chip(seat: int, spot: FeltSpot, value: int, number: int) -> Tag:
    return Tag(f"e004{seat:02x}{list(FeltSpot).index(spot):02x}{_VALUES.index(value):02x}{number:06x}")


def _card(card: int) -> Tag:
    return Tag(f"e0070000000000{card:02x}")
