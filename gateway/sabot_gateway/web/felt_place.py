"""Where a seat stands on the drawn felt, and where its chair, cards, spots and labels lie. Pure, in whole numbers.

The dealer stands at the top and faces the reader; seat 1 is at his left hand, so on the reader's right.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 1200
HEIGHT: Final = 780

_EDGE: Final = 30
_WIDEST: Final = 190  # a column of a table with few seats
_SPOT_STEP: Final = 78
_ROW_STEP: Final = 92
_LOWEST: Final = 702
_ARC: Final = 190  # how much higher the outer chairs stand than the middle one


@dataclass(frozen=True, slots=True)
class Place:
    """`spots` are centres by their order; `stack`, `decision` and `button` are where those labels begin or stand."""

    x: int
    y: int
    cards: tuple[int, int]
    spots: tuple[tuple[int, int], ...]
    decision: tuple[int, int]
    stack: tuple[int, int]
    button: tuple[int, int]

    def spot(self, index: int) -> tuple[int, int]:
        """The centre of a spot; those that the game does not foresee go on above the others."""
        if index < len(self.spots):
            return self.spots[index]
        x, y = self.spots[0]
        return x + _SPOT_STEP * (index % 2 if len(self.spots) > 1 else 1), y - _ROW_STEP


def column_places(seats: int) -> Sequence[Place]:
    """Columns on a shallow arc: chair, cards and a square of four spots, from the rim to the dealer."""
    step = min((WIDTH - 2 * _EDGE) // seats, _WIDEST)
    places: list[Place] = []
    for index in range(seats):
        offset = (seats - 1 - 2 * index) * step // 2  # from the middle; seat 1 on the right
        x = WIDTH // 2 + offset
        y = _LOWEST - _ARC * offset * offset // (WIDTH // 2) ** 2
        low = y - 154
        places.append(
            Place(
                x,
                y,
                (x, y - 66),
                tuple(
                    (x + (2 * column - 1) * _SPOT_STEP // 2, low - _ROW_STEP * (1 - row))
                    for row in (0, 1)
                    for column in (0, 1)
                ),
                (x, y + 38),
                (x + 28, y + 6),
                (x - 44, y),
            )
        )
    return places


def oval_places(seats: int) -> Sequence[Place]:
    """Down the right side, along the bottom from right to left, up the left side."""
    side = min(3, seats // 3)
    bottom = seats - 2 * side
    heights = [190 + round(330 * (nth + 0.5) / side) - 55 for nth in range(side)]
    columns = [WIDTH // 2 + round(200 * ((bottom - 1) / 2 - nth)) for nth in range(bottom)]
    return [
        *(_beside(WIDTH - 70, y, -1) for y in heights),
        *(_below(x) for x in columns),
        *(_beside(70, y, 1) for y in reversed(heights)),
    ]


def _beside(x: int, y: int, inward: int) -> Place:
    return Place(
        x,
        y,
        (x + inward * 82, y),
        ((x + inward * 180, y),),
        (x, y - 30),
        (x, y + 40),
        (x + inward * 82, y + 46),
    )


def _below(x: int) -> Place:
    y = HEIGHT - 60
    return Place(x, y, (x, y - 64), ((x, y - 145),), (x - 62, y + 6), (x + 62, y + 6), (x + 62, y - 64))
