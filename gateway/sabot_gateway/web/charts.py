"""Charts as plain geometry: where bars, dots and ticks stand in a drawing; templates write them down as SVG.

Pure. Floats are good enough for a picture; figures beside it are exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10, sqrt
from typing import Final, NamedTuple

WIDTH: Final = 960
_LABEL: Final = 170  # room for the name of a row
_RIGHT: Final = 30
_ROW: Final = 30
_TOP: Final = 34
_PACE_HEIGHT: Final = 240
_PACE_LEFT: Final = 50
_PACE_BOTTOM: Final = 34
_LEAST_SPAN: Final = 1e-6  # less is no difference that a figure on these pages can show
_MOST_TICKS: Final = 8
_MOST_LABELS: Final = 12
_RANK_WIDTH: Final = 400
_RANK_LABEL: Final = 110
_RANK_FIGURE: Final = 70  # room for a figure behind the longest bar
_RANK_ROW: Final = 24


class Tick(NamedTuple):
    at: int
    value: float


class HoldPoint(NamedTuple):
    """What one row of the hold chart shows; shares of the drop."""

    label: str
    hold: float
    theory: float | None
    bounds: tuple[float, float] | None
    is_odd: bool


@dataclass(frozen=True, slots=True)
class HoldRow:
    label: str
    y: int
    hold: int
    theory: int | None
    low: int | None
    high: int | None
    is_odd: bool


@dataclass(frozen=True, slots=True)
class HoldChart:
    width: int
    height: int
    left: int
    right: int
    ticks: tuple[Tick, ...]
    rows: tuple[HoldRow, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    x: int
    y: int
    width: int
    height: int
    label: str
    value: float
    is_labelled: bool


@dataclass(frozen=True, slots=True)
class PaceChart:
    width: int
    height: int
    left: int
    base: int
    ticks: tuple[Tick, ...]
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class RankRow:
    label: str
    y: int
    width: int
    value: float


@dataclass(frozen=True, slots=True)
class RankChart:
    width: int
    height: int
    left: int
    rows: tuple[RankRow, ...]
    left_out: int


def rank_chart(points: Sequence[tuple[str, float]], most: int) -> RankChart:
    """One bar per row, the longest first, no more than `most`: those that deserve a look stand at the top."""
    ranked = sorted(points, key=lambda point: -point[1])
    room, longest = _RANK_WIDTH - _RANK_LABEL - _RANK_FIGURE, max((value for _, value in points), default=0.0)
    rows = tuple(
        RankRow(label, _RANK_ROW * nth, round(max(value, 0.0) / longest * room) if longest > 0 else 0, value)
        for nth, (label, value) in enumerate(ranked[:most])
    )
    return RankChart(_RANK_WIDTH, _RANK_ROW * len(rows), _RANK_LABEL, rows, len(ranked) - len(rows))


def deviation(count: int, total: int, kinds: int) -> int:
    """By how many whole standard deviations one of `kinds` equally likely things strays from its share of `total`."""
    share = total / kinds
    return 0 if total == 0 else int((count - share) / sqrt(share * (1 - 1 / kinds)))


def hold_chart(points: Sequence[HoldPoint]) -> HoldChart:
    """One row per point: the bounds as a line, hold as a dot, theory as a stroke across it."""
    values = [0.0]
    # A row of few coups has no bounds and may stand anywhere: it does not set the scale if others can.
    for point in [each for each in points if each.bounds is not None] or points:
        values += [point.hold, *(point.bounds or ()), *(() if point.theory is None else (point.theory,))]
    # A few coups can lose several times their drop: beyond this the picture would say nothing of the others.
    least, most = max(min(values), -1.0), min(max(values), 1.0)
    ticks = ticks_between(least, most)
    low, high = min(least, ticks[0]), max(most, ticks[-1])
    left, right = _LABEL, WIDTH - _RIGHT

    def x(value: float) -> int:
        share = (min(max(value, low), high) - low) / (high - low)
        return round(left + share * (right - left))

    rows = tuple(
        HoldRow(
            point.label,
            _TOP + _ROW * nth + _ROW // 2,
            x(point.hold),
            None if point.theory is None else x(point.theory),
            None if point.bounds is None else x(point.bounds[0]),
            None if point.bounds is None else x(point.bounds[1]),
            point.is_odd,
        )
        for nth, point in enumerate(points)
    )
    height = _TOP + _ROW * len(points) + 10
    return HoldChart(WIDTH, height, left, right, tuple(Tick(x(value), value) for value in ticks), rows)


def pace_chart(hours: Sequence[tuple[str, float]]) -> PaceChart:
    """One bar per hour, oldest first; as many labels as have room."""
    most = max((value for _, value in hours), default=1.0) or 1.0
    ticks = ticks_between(0.0, most)
    high = max(most, ticks[-1])
    base, left = _PACE_HEIGHT - _PACE_BOTTOM, _PACE_LEFT
    step = (WIDTH - _RIGHT - left) / max(len(hours), 1)
    every = -(-len(hours) // _MOST_LABELS) or 1

    def height(value: float) -> int:
        return round(value / high * (base - 16))

    bars = tuple(
        Bar(
            round(left + nth * step + step * 0.1),
            base - height(value),
            max(1, min(round(step * 0.8), 60)),
            height(value),
            label,
            value,
            nth % every == 0,
        )
        for nth, (label, value) in enumerate(hours)
    )
    return PaceChart(WIDTH, _PACE_HEIGHT, left, base, tuple(Tick(base - height(each), each) for each in ticks), bars)


def ticks_between(least: float, most: float) -> tuple[float, ...]:
    """Round values that enclose the range, at most a handful."""
    span = most - least
    if span < _LEAST_SPAN:
        most, span = least + 1.0, 1.0
    rough = span / _MOST_TICKS
    scale = 10.0 ** floor(log10(rough))
    step = next(scale * each for each in (1, 2, 5, 10) if scale * each >= rough)
    first, last = floor(least / step + 1e-9), ceil(most / step - 1e-9)
    return tuple(round(each * step, 10) for each in range(first, last + 1))
