"""Where each card that leaves the shoe belongs: the deal plan of the five games.

The n-th card goes to the n-th place. A plan is made from the game, its ruleset
values and the seats that play; it serves the live table one card at a time
(`place_of`) and the check of a finished deal (`deal_check`). It knows no cards.

Invariant: learning more about a coup (who buys a card, that the board goes on)
only lengthens a plan; the places already served never move.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game

DEALER: Final = "D"
BOARD: Final = "B"
BURN: Final = "X"

DECK_SIZE: Final = 52

Recipient = int | str  # a seat, or one of DEALER, BOARD, BURN


class Face(StrEnum):
    DOWN = "down"
    UP = "up"


@dataclass(frozen=True, slots=True)
class Place:
    """The destination of one card: its recipient, which of his cards it is, and the face it shows (None: unstated)."""

    to: Recipient
    nth: int
    face: Face | None
    rule: str
    face_rule: str = ""  # where the face has a rule of its own


@dataclass(frozen=True, slots=True)
class DealPlan:
    game: Game
    places: tuple[Place, ...]


def plan_deal(
    game: Game,
    values: Mapping[str, object],
    seats: Iterable[int],
    *,
    button: int = 0,
    buyers: Iterable[int] = (),
    board: int = 5,
) -> DealPlan:
    """The places in order. `button` and `board` (cards exposed so far) matter to hold'em, `buyers` to stud."""
    playing = sorted(set(seats))
    match game:
        case Game.TCF:
            places = _rounds(playing, 3, _TCF)
        case Game.STU:
            places = _rounds(playing, 5, _STU) + _purchases(buyers)
        case Game.TCP:
            places = _hands(values, playing, 3, _TCP)
        case Game.UTH:
            places = _hands(values, playing, 2, _UTH) + _ultimate_board(values)
        case Game.THE:
            places = _hole_cards(seats_from_button(playing, button)) + _holdem_board(board)
    return DealPlan(game, tuple(places))


def place_of(plan: DealPlan, n: int) -> Place | None:
    """The place of the n-th card, counted from 0; None when the plan is served."""
    return plan.places[n] if 0 <= n < len(plan.places) else None


def stub_size(plan: DealPlan, burned: int = 0) -> int:
    """TCF-34, STU-32: cards left to burn when the plan is served and `burned` cards were lost on the way."""
    return DECK_SIZE - len(plan.places) - burned


def hand_size(game: Game) -> int:
    """Cards of one player's hand as dealt."""
    return _HAND_SIZE[game]


def seats_from_button(seats: Sequence[int], button: int) -> list[int]:
    """THE-51: clockwise from the first seat left of the button."""
    ordered = sorted(seats)
    return [seat for seat in ordered if seat > button] + [seat for seat in ordered if seat <= button]


@dataclass(frozen=True, slots=True)
class _Deal:
    """The rules behind a dealt hand: its first round, its further rounds, and who is dealt face down."""

    first: str
    further: str
    player_face: Face | None = Face.DOWN
    open_card: int = 0  # which of the dealer's cards is dealt face up
    open_rule: str = ""

    def place(self, to: Recipient, nth: int) -> Place:
        if to == DEALER and nth == self.open_card:
            return Place(to, nth, Face.UP, self.further, self.open_rule)
        face = Face.DOWN if to == DEALER else self.player_face
        return Place(to, nth, face, self.first if nth == 1 else self.further)


_TCF: Final = _Deal("TCF-29", "TCF-30")
_STU: Final = _Deal("STU-27", "STU-28", open_card=5, open_rule="STU-29")
# TCP-10 fixes the face of the house's cards only.
_TCP: Final = _Deal("TCP-55", "TCP-55", player_face=None)
_UTH: Final = _Deal("UTH-19", "UTH-19")

_HAND_SIZE: Final[Mapping[Game, int]] = MappingProxyType(
    {Game.TCF: 3, Game.STU: 5, Game.TCP: 3, Game.UTH: 2, Game.THE: 2}
)


def _hands(values: Mapping[str, object], seats: Sequence[int], cards: int, deal: _Deal) -> list[Place]:
    """A-UTH-08, A-TCP-07: the house says whether hands are dealt card by card or as packets."""
    packets = values["deal_mode"] == "packets"
    return _packets(seats, cards, deal) if packets else _rounds(seats, cards, deal)


def _rounds(seats: Sequence[int], cards: int, deal: _Deal) -> list[Place]:
    recipients: tuple[Recipient, ...] = (*seats, DEALER)
    return [deal.place(to, nth) for nth in range(1, cards + 1) for to in recipients]


def _packets(seats: Sequence[int], cards: int, deal: _Deal) -> list[Place]:
    recipients: tuple[Recipient, ...] = (*seats, DEALER)
    return [deal.place(to, nth) for to in recipients for nth in range(1, cards + 1)]


def _purchases(buyers: Iterable[int]) -> list[Place]:
    """STU-61: bought cards are served in dealing order, face up."""
    return [Place(seat, 6, Face.UP, "STU-61") for seat in sorted(set(buyers))]


def _ultimate_board(values: Mapping[str, object]) -> list[Place]:
    """UTH-21, UTH-23: three cards, then two; the text turns them later, so their face as dealt is unstated."""
    burns = bool(values["board_burns"])
    flop = [Place(BOARD, nth, None, "UTH-21") for nth in (1, 2, 3)]
    last = [Place(BOARD, nth, None, "UTH-23") for nth in (4, 5)]
    if not burns:
        return flop + last
    return [Place(BURN, 1, None, "UTH-48"), *flop, Place(BURN, 2, None, "UTH-48"), *last]


def _hole_cards(order: Sequence[int]) -> list[Place]:
    return [Place(seat, nth, Face.DOWN, "THE-51" if nth == 1 else "THE-52") for nth in (1, 2) for seat in order]


def _holdem_board(board: int) -> list[Place]:
    """THE-71, THE-85, THE-88: one card is burned before each street; only streets that were reached are planned."""
    places: list[Place] = []
    for burned, (rule, cards) in enumerate((("THE-71", (1, 2, 3)), ("THE-85", (4,)), ("THE-88", (5,))), start=1):
        if board < cards[-1]:
            break
        places.append(Place(BURN, burned, None, rule))
        places.extend(Place(BOARD, nth, Face.UP, rule) for nth in cards)
    return places
