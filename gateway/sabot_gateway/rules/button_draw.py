"""The draw for the button at hold'em: one club face up to each player, the highest takes the button.

One suit only, so no two cards are equal and no tie can arise (THE-43).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sabot_gateway.model.card import SUITS, Card, rank_of, suit_of, text_from_card
from sabot_gateway.rules.rejection import Fault

CLUBS = SUITS.index("c")
DRAWN_RULE = "THE-43"


@dataclass(frozen=True, slots=True)
class Drawn:
    seat: int
    card: Card


def button_of(draw: Sequence[Drawn]) -> int:
    """THE-43: the seat with the highest card of a draw that `check_draw` found in order."""
    return max(draw, key=lambda drawn: rank_of(drawn.card)).seat


def check_draw(draw: Sequence[Drawn], seats_total: int) -> tuple[Fault, ...]:
    """What is wrong with the draw; empty when the button may be placed by it."""
    faults: list[Fault] = []
    seats = list(dict.fromkeys(drawn.seat for drawn in draw))
    if len(seats) < 2:
        faults.append(Fault("TOO_FEW_PLAYERS", "THE-14", detail=len(seats)))
    faults += [Fault("SEAT_NUMBER", "THE-18", seat=seat) for seat in seats if not 1 <= seat <= seats_total]
    faults += [
        Fault("NOT_A_CLUB", "THE-42", detail=text_from_card(drawn.card), seat=drawn.seat)
        for drawn in draw
        if suit_of(drawn.card) != CLUBS
    ]
    faults += [Fault("TWO_CARDS", "THE-42", seat=seat) for seat in seats if _cards_of(draw, seat) > 1]
    faults += [Fault("DUPLICATE_CARD", "THE-01", detail=text_from_card(card)) for card in _repeated(draw)]
    if seats != sorted(seats):
        faults.append(Fault("DRAW_ORDER", "THE-42"))
    return tuple(faults)


def _cards_of(draw: Sequence[Drawn], seat: int) -> int:
    return sum(drawn.seat == seat for drawn in draw)


def _repeated(draw: Sequence[Drawn]) -> list[Card]:
    cards = [drawn.card for drawn in draw]
    return sorted({card for card in cards if cards.count(card) > 1})
