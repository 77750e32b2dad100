"""What lies on the felt: each reading replaces the content of its spot, and chips that are not right are alerts.

A level, kept in every phase. What a change means is for the coup. Chips that the
register does not know, or that are not in play, are worth nothing here.
"""

from sabot_gateway.model.event import ChipsDoubted, ChipsRead
from sabot_gateway.model.tag import ChipState, Tag
from sabot_gateway.table.alerts import chips
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.doubt import has_doubts, judge_two_spots
from sabot_gateway.table.state import EMPTY, Pile, Place
from sabot_gateway.table.turn import Turn


def read_chips(turn: Turn) -> None:
    """A spot was read."""
    event = turn.event
    assert isinstance(event, ChipsRead)
    place = (event.seat, event.spot)
    before = turn.felt.get(place, EMPTY)
    tags = frozenset(event.tags)
    turn.clear_code(chips.CHIPS_DOUBTFUL.code, *place)
    _judge_twice(turn, place, event.tags, tags)
    if tags == before.tags:
        return
    turn.felt = {**turn.felt, place: Pile(tags, _count(turn, place, tags))}
    if tags - before.tags or has_doubts(turn):
        judge_two_spots(turn, place)


def recount(turn: Turn) -> None:
    """The registers changed: what lies on the felt is counted anew, and its alerts with it."""
    turn.felt = {place: Pile(pile.tags, _count(turn, place, pile.tags)) for place, pile in turn.felt.items()}


def doubt_chips(turn: Turn) -> None:
    """A spot could not be read with certainty: what was read before stands until it can, and no bets close over it."""
    event = turn.event
    assert isinstance(event, ChipsDoubted)
    is_stake = course_of(turn).is_opening_place(turn, (event.seat, event.spot))
    turn.state_alert(chips.chips_doubtful(turn.setup.game, event.seat, event.spot, event.reason, is_stake))


def _count(turn: Turn, place: Place, tags: frozenset[Tag]) -> int:
    """The worth of the chips in play; every other kind is an alert of its own."""
    register = turn.setup.chips
    cents = unknown = foreign = withdrawn = 0
    for tag in tags:
        chip = register.get(tag)
        if chip is None:
            # A tag of the house that is no chip (a card, a badge) is foreign to the spot.
            if tag in turn.setup.cards or tag in turn.setup.badges:
                foreign += 1
            else:
                unknown += 1
        elif chip.state is ChipState.IN_PLAY:
            cents += chip.value_cents
        elif chip.state is ChipState.FOREIGN:
            foreign += 1
        else:
            withdrawn += 1
    game = turn.setup.game
    for count, kind, raised in (
        (unknown, chips.UNKNOWN_CHIP, chips.unknown_chip),
        (foreign, chips.FOREIGN_CHIP, chips.foreign_chip),
        (withdrawn, chips.WITHDRAWN_CHIP, chips.withdrawn_chip),
    ):
        if count:
            turn.state_alert(raised(game, *place, count))
        elif turn.alerts:
            turn.clear_code(kind.code, *place)
    return cents


def _judge_twice(turn: Turn, place: Place, read: tuple[Tag, ...], tags: frozenset[Tag]) -> None:
    if len(read) != len(tags):
        turn.state_alert(chips.duplicate_chip(turn.setup.game, *place, len(read) - len(tags)))
    elif turn.alerts:
        turn.clear_code(chips.DUPLICATE_CHIP.code, *place)
