"""The felt as a drawing: where seats, spots, chips, cards and lamps lie, from a table's view alone.

Pure geometry in integers of a 1200 by 780 field; the template only writes it down. Bank games stand in columns, one
per seat, so that nothing of a seat can cover another's; hold'em stands around an oval. It knows no card that the view
does not show (law 7), and no words: labels are keys.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sabot_gateway.model.game import Game
from sabot_gateway.table.view import FACE_DOWN
from sabot_gateway.web.felt_place import HEIGHT, WIDTH, Place, column_places, oval_places

CARD_WIDTH: Final = 40
CARD_HEIGHT: Final = 56
_MIDDLE: Final = WIDTH // 2

# By place in a seat's column, nearest the dealer first, left to right; a question mark is drawn only when in use.
_SPOTS: Final[Mapping[str, tuple[str, ...]]] = {
    Game.TCF: ("pair_plus", "?bonus", "ante", "play"),
    Game.STU: ("bonus", "?buy", "ante", "raise"),
    Game.TCP: ("six_card", "pair_plus", "ante", "play"),
    Game.UTH: ("trips", "play", "ante", "blind"),
    Game.THE: ("bet",),
}
_HAND_WIDTH: Final = 152  # of a column
_POTS_IN_ROW: Final = 4
_POT_STEP: Final = 150


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """`rank` and `suit` are empty for a card that lies face down."""

    x: int
    y: int
    rank: str = ""
    suit: str = ""
    is_red: bool = False


@dataclass(frozen=True, slots=True)
class SpotDrawn:
    """`chips` counts the discs drawn for the amount; `lamp` is a pair of CSS classes, empty when dark."""

    x: int
    y: int
    name: str
    cents: int
    chips: int
    lamp: str = ""
    due_cents: int | None = None


@dataclass(frozen=True, slots=True)
class SeatDrawn:
    number: int
    place: Place
    is_taken: bool
    is_absent: bool
    is_playing: bool
    is_in_turn: bool
    has_button: bool
    decision: str
    stack_cents: int | None
    is_all_in: bool
    spots: tuple[SpotDrawn, ...]
    cards: tuple[CardDrawn, ...]


@dataclass(frozen=True, slots=True)
class PotDrawn:
    x: int
    y: int
    number: int
    cents: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Felt:
    width: int
    height: int
    is_oval: bool
    seats: tuple[SeatDrawn, ...]
    dealer: tuple[CardDrawn, ...]
    board: tuple[CardDrawn, ...]
    pots: tuple[PotDrawn, ...]
    spots: tuple[SpotDrawn, ...]  # of the table itself


_Lamps = Mapping[tuple[int, str], Mapping[str, Any]]


def felt_of(view: Mapping[str, Any]) -> Felt:
    """The drawing of a table as `table.view` shows it."""
    is_oval = view["game"] == Game.THE
    facts, coup = view["game_facts"], view["coup"]
    lamps = {(lamp["seat"], lamp["spot"]): lamp for lamp in view["lamps"]["picture"]}
    places = (oval_places if is_oval else column_places)(len(view["seats"]))
    players = {each["seat"]: each for each in facts.get("players", ())}
    return Felt(
        WIDTH,
        HEIGHT,
        is_oval,
        tuple(
            _seat(view, seat, place, lamps, players.get(seat["seat"]))
            for seat, place in zip(view["seats"], places, strict=True)
        ),
        _hand(coup["dealer"], _MIDDLE, 125),
        _hand(coup["board"], _MIDDLE, 235 if is_oval else 225),
        tuple(_pots(facts.get("pots", ()))),
        tuple(_table_spots(lamps)),
    )


def _seat(
    view: Mapping[str, Any],
    seat: Mapping[str, Any],
    place: Place,
    lamps: _Lamps,
    player: Mapping[str, Any] | None,
) -> SeatDrawn:
    number = seat["seat"]
    facts = view["game_facts"]
    is_hinted = any(key[0] == number and lamp["colour"] == "white" for key, lamp in lamps.items())
    return SeatDrawn(
        number,
        place,
        bool(seat["taken"]),
        bool(seat["absent"]),
        number in view["coup"]["players"],
        facts.get("turn") == number or ("turn" not in facts and is_hinted),
        facts.get("button") == number,
        seat["decision"] or ("fold" if player is not None and player["folded"] else ""),
        seat["chips"].get("stack") if player is None else player["stack"],
        player is not None and bool(player["all_in"]),
        tuple(_seat_spots(_SPOTS[view["game"]], seat, place, lamps)),
        _hand([*seat["cards"], *seat["bought"]], *place.cards),
    )


def _seat_spots(names: Sequence[str], seat: Mapping[str, Any], place: Place, lamps: _Lamps) -> Sequence[SpotDrawn]:
    """The game's own spots in their places, then whatever else holds chips or is lit."""
    number, chips = seat["seat"], seat["chips"]
    used = {name for name, cents in chips.items() if cents} | {spot for at, spot in lamps if at == number}
    order = [name.removeprefix("?") for name in names]
    shown = [name for name in order if name in used or f"?{name}" not in names]
    order += sorted(used - {*order, "stack"})
    return [
        _spot(*place.spot(index), name, chips.get(name, 0), lamps.get((number, name)))
        for index, name in enumerate(order)
        if name in shown or index >= len(names)
    ]


def _pots(pots: Sequence[Mapping[str, Any]]) -> Sequence[PotDrawn]:
    drawn: list[PotDrawn] = []
    for index, pot in enumerate(pots):
        row, column = divmod(index, _POTS_IN_ROW)
        in_row = min(len(pots) - row * _POTS_IN_ROW, _POTS_IN_ROW)
        x = _MIDDLE + _POT_STEP * (2 * column + 1 - in_row) // 2
        drawn.append(PotDrawn(x, 330 + 60 * row, index + 1, pot["amount"], tuple(pot["eligible"])))
    return drawn


def _table_spots(lamps: _Lamps) -> Sequence[SpotDrawn]:
    """Spots of the table itself, drawn only where a lamp is lit: their amounts are told elsewhere."""
    lit = dict.fromkeys(spot for seat, spot in lamps if seat == 0)
    return [_spot(_MIDDLE + 160 + 90 * nth, 110, name, 0, lamps[0, name]) for nth, name in enumerate(lit)]


def _spot(x: int, y: int, name: str, cents: int, lamp: Mapping[str, Any] | None) -> SpotDrawn:
    chips = min(len(str(cents)), 6) if cents else 0  # a taller stack for a larger amount, by its digits
    if lamp is None:
        return SpotDrawn(x, y, name, cents, chips)
    return SpotDrawn(x, y, name, cents, chips, f"{lamp['colour']} {lamp['pattern']}", lamp["amount"])


def _hand(cards: Sequence[str], middle: int, height: int) -> tuple[CardDrawn, ...]:
    """Side by side while they fit into a column, else overlapping so that every rank stays in sight."""
    step = min(CARD_WIDTH + 4, (_HAND_WIDTH - CARD_WIDTH) // max(len(cards) - 1, 1))
    if middle == _MIDDLE and height < HEIGHT // 2:
        step = CARD_WIDTH + 6  # the dealer and the board have room
    left = middle - (step * (len(cards) - 1) + CARD_WIDTH) // 2
    return tuple(_card(text, left + index * step, height - CARD_HEIGHT // 2) for index, text in enumerate(cards))


def _card(text: str, x: int, y: int) -> CardDrawn:
    if text == FACE_DOWN:
        return CardDrawn(x, y)
    rank, suit = text[0], text[1]
    return CardDrawn(x, y, "10" if rank == "T" else rank, _SUIT[suit], suit in "dh")


_SUIT: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
