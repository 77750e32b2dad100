"""What lies on the felt: each reading replaces the content of its spot, and chips that are not right are alerts.

A level, kept in every phase. What a change means is for the coup. Chips that the
register does not know, or that are not in play, are worth nothing here.
"""

from collections.abc import Iterable, Mapping

from sabot_gateway.model.event import ChipsDoubted, ChipsRead
from sabot_gateway.model.tag import Chip, ChipState, Tag
from sabot_gateway.table.alerts import chips
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
    if tags - before.tags or turn.alerts:
        _judge_two_spots(turn, place, tags)


def doubt_chips(turn: Turn) -> None:
    """A spot could not be read with certainty: what was read before stands until it can."""
    event = turn.event
    assert isinstance(event, ChipsDoubted)
    turn.state_alert(chips.chips_doubtful(turn.setup.game, event.seat, event.spot, event.reason))


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


def _judge_two_spots(turn: Turn, place: Place, tags: frozenset[Tag]) -> None:
    """One number in two places is a doubt, not a truth: it holds the closing until one of them is empty of it."""
    for other, pile in turn.felt.items():
        if other == place:
            continue
        both = tags & pile.tags
        if both:
            turn.state_alert(chips.chip_on_two_spots(turn.setup.game, *place, len(both), *other))
            return
    turn.clear_code(chips.CHIP_ON_TWO_SPOTS.code, *place)
    for alert in turn.alerts.values():
        if alert.code == chips.CHIP_ON_TWO_SPOTS.code and alert.seat is not None:
            _clear_if_single(turn, (alert.seat, place[1]), alert.spot)


def _clear_if_single(turn: Turn, near: Place, spot: str | None) -> None:
    """The other spot's alert goes when its chips are nowhere else any more."""
    place = next((each for each in turn.felt if each[0] == near[0] and each[1] == spot), None)
    if place is None:
        return
    tags = turn.felt[place].tags
    if not any(tags & pile.tags for other, pile in turn.felt.items() if other != place):
        turn.clear_code(chips.CHIP_ON_TWO_SPOTS.code, *place)


def worth(register: Mapping[Tag, Chip], tags: Iterable[Tag]) -> int:
    """The chips in play among `tags`, in cents."""
    known = (register.get(tag) for tag in tags)
    return sum(chip.value_cents for chip in known if chip is not None and chip.state is ChipState.IN_PLAY)
