"""What a step of the live table costs, beside cbor2 decoding the very events that drive it.

A full table of each game, coup after coup (`night`): the median of single steps, its
ratio to decoding the same events in the same run, and the same late in the night, for
the cost must not grow with it.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

import cbor2

from sabot_gateway.model.event import CardScanned, ChipsRead, CutCardSeen, DiscardRead, Event, KeyPressed
from sabot_gateway.model.felt import FeltSpot, Key
from sabot_gateway.model.game import Game
from sabot_gateway.model.tag import Tag
from sabot_gateway.table.machine import step
from sabot_tools.bench.night import coup, opened
from sabot_tools.bench.row import Row

BUDGET_US: Final = 50  # one step, median
_COUPS: Final = 24
_PART: Final = _COUPS // 4  # so many coups are early, and so many late


@dataclass(slots=True)
class Night:
    """What was measured at one table, in nanoseconds: each step, each decoding, coup by coup."""

    steps: list[list[int]] = field(default_factory=list)
    decodings: list[list[int]] = field(default_factory=list)

    def step_us(self, coups: slice = slice(None)) -> float:
        return median(each for one in self.steps[coups] for each in one) / 1000

    def decoding_us(self, coups: slice = slice(None)) -> float:
        return median(each for one in self.decodings[coups] for each in one) / 1000

    def ratio(self, coups: slice = slice(None)) -> float:
        return self.step_us(coups) / self.decoding_us(coups)


def measure() -> list[Row]:
    """For each game: the median step against its budget, beside decoding, and late against early."""
    rows = []
    for game in Game:
        night = played(game, _COUPS)
        took = night.step_us()
        rows.append(
            Row(f"step of {game}, median", f"{took:.1f}", "µs", f"budget {BUDGET_US} µs", f"{took / BUDGET_US:.2f}")
        )
        against = f"cbor2 {night.decoding_us():.2f} µs"
        rows.append(Row("  beside its decoding", f"{took:.1f}", "µs", against, f"{night.ratio():.1f}"))
        early, late = night.ratio(slice(_PART)), night.ratio(slice(-_PART, None))
        name = f"  after {_COUPS} coups, by decodings"
        rows.append(Row(name, f"{late:.1f}", "×", f"at the start {early:.1f} ×", f"{late / early:.2f}"))
    return rows


def played(game: Game, coups: int) -> Night:
    """So many coups; step and decoding of an event are timed in turn, so that both feel the same machine."""
    state, night = opened(game), Night()
    for _ in range(coups):
        events = coup(state)
        wire = [cbor2.dumps(_plain(event)) for event in events]
        steps, decodings = [], []
        for event, data in zip(events, wire, strict=True):
            start = time.perf_counter_ns()
            state = step(state, event).state
            between = time.perf_counter_ns()
            cbor2.loads(data)
            steps.append(between - start)
            decodings.append(time.perf_counter_ns() - between)
        night.steps.append(steps)
        night.decodings.append(decodings)
    return night


def _plain(event: Event) -> Sequence[object]:
    """The event as it comes over the wire."""
    match event:
        case CardScanned(reader=reader, tag=tag):
            return [3, event.at_ms, reader, _uid(tag)]
        case ChipsRead(seat=seat, spot=spot, tags=tags):
            return [5, event.at_ms, seat, list(FeltSpot).index(spot), 1, 1, [_uid(tag) for tag in tags]]
        case DiscardRead(tags=tags):
            return [10, event.at_ms, 1, 1, [_uid(tag) for tag in tags]]
        case KeyPressed(key=key, seat=seat):
            return [7, event.at_ms, list(Key).index(key), seat]
        case CutCardSeen():
            return [9, event.at_ms]
        case _:
            raise AssertionError(f"the coup of the bench has no {type(event).__name__}")


def _uid(tag: Tag) -> bytes:
    return bytes.fromhex(tag)
