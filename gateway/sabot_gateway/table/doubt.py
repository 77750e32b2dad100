"""Chips read in two places at once are a doubt, not a truth: a neighbour's antenna, or a pile on its way.

No action is taken down from such a spot, and neither closing nor settlement goes on. When the other spot has been read
again without the chips, the doubt is gone and the spot is judged after all. A pile that is pushed over the felt is such
a doubt for a moment wherever two controllers share a table, so nobody is alerted before the moment has passed, or the
dealer would go on: until then a timer stands for the doubt.
"""

from collections.abc import Mapping
from typing import Final

from sabot_gateway.model.alert import Alert
from sabot_gateway.model.event import TimerFired
from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.table.alerts.chips import CHIP_ON_TWO_SPOTS, chip_on_two_spots
from sabot_gateway.table.state import Place
from sabot_gateway.table.turn import Turn

# A controller tells a chip that came after some 0.5 s, one that left after 1.5 s of silence and 0.4 s of rest (firmware
# core/spots.py), with slow readers 2.5 s: two seconds lie between them at most. The third is for outbox and network.
OVERLAP_MS: Final = 3_000

_TIMER: Final = "two_spots:"


def judge_two_spots(turn: Turn, place: Place) -> None:
    """A spot was read: are its chips anywhere else, and is another spot rid of its doubt?"""
    other = _other(turn, place)
    if other is None:
        _dispel(turn, place)
    elif place in _doubts(turn.alerts, {}):
        _raise(turn, place, other)
    elif _name(place) not in turn.timers:
        turn.start_timer(_name(place), OVERLAP_MS)
    for doubted in _doubts(turn.alerts, turn.timers):
        if doubted != place and _other(turn, doubted) is None:
            _dispel(turn, doubted)


def wait_is_over(turn: Turn) -> None:
    """The chips are still in two places: no pile takes so long."""
    event = turn.event
    if isinstance(event, TimerFired) and event.timer.startswith(_TIMER):
        _tell(turn, _place(event.timer))


def tell_doubts(turn: Turn) -> None:
    """The dealer would go on: he is told at once what he has to wait for."""
    for name in turn.timers:
        if name.startswith(_TIMER):
            turn.cancel_timer(name)
            _tell(turn, _place(name))


def has_doubts(turn: Turn) -> bool:
    """Whether chips are in two places, alerted or not."""
    return bool(_doubts(turn.alerts, turn.timers))


def is_doubted(turn: Turn, place: Place) -> bool:
    """Whether chips on this spot were last seen on another one, and still are."""
    return place in _doubts(turn.alerts, turn.timers)


def cleared_doubts(turn: Turn) -> frozenset[Place]:
    """The spots that this very event freed from doubt."""
    before = turn.before
    if before.alerts is turn.alerts and before.timers is turn.timers:
        return frozenset()
    return _doubts(before.alerts, before.timers) - _doubts(turn.alerts, turn.timers)


def _doubts(alerts: Mapping[str, Alert], timers: Mapping[str, int]) -> frozenset[Place]:
    if not alerts and not timers:
        return _NOWHERE
    alerted = [
        (alert.seat, FeltSpot(alert.spot))
        for alert in alerts.values()
        if alert.code == CHIP_ON_TWO_SPOTS.code and alert.seat is not None and alert.spot is not None
    ]
    waiting = [_place(name) for name in timers if name.startswith(_TIMER)]
    return frozenset((*alerted, *waiting)) if alerted or waiting else _NOWHERE


def _other(turn: Turn, place: Place) -> Place | None:
    """A spot that was read with some of the same chips."""
    pile = turn.felt.get(place)
    if pile is None:
        return None
    tags = pile.tags
    for other, each in turn.felt.items():
        if not tags.isdisjoint(each.tags) and other != place:
            return other
    return None


def _tell(turn: Turn, place: Place) -> None:
    other = _other(turn, place)
    if other is not None:
        _raise(turn, place, other)


def _raise(turn: Turn, place: Place, other: Place) -> None:
    both = len(turn.felt[place].tags & turn.felt[other].tags)
    turn.state_alert(chip_on_two_spots(turn.setup.game, *place, both, *other))


def _dispel(turn: Turn, place: Place) -> None:
    turn.cancel_timer(_name(place))
    turn.clear_code(CHIP_ON_TWO_SPOTS.code, *place)


def _name(place: Place) -> str:
    return f"{_TIMER}{place[0]}:{place[1]}"


def _place(timer: str) -> Place:
    seat, spot = timer.removeprefix(_TIMER).split(":")
    return int(seat), FeltSpot(spot)


_NOWHERE: Final[frozenset[Place]] = frozenset()
