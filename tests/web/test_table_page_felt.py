"""The drawn felt: nothing covers anything else, sealed cards are backs, and the view is shown whole."""

from itertools import combinations

import pytest

from sabot_gateway.table.view import view_of
from sabot_gateway.web.felt import CARD_HEIGHT, CARD_WIDTH, CardDrawn, Felt, SpotDrawn, felt_of
from sabot_gateway.web.felt_place import column_places, oval_places
from web.web_stage import played

Box = tuple[str, int, int, int, int]
SCRIPTS = [
    *(("tcf-seven-players", left) for left in (3, 8, 14)),
    *(("stu-wheel", left) for left in (2, 6)),
    *(("tcp-six-card-royal", left) for left in (1, 5)),
    *(("uth-full-table", left) for left in (2, 8, 14)),
    *(("the-two-side-pots", left) for left in (1, 6, 12)),
]


def boxes(felt: Felt) -> list[Box]:
    """Everything that is drawn, as the room it takes, with its labels where they hang on it."""
    found = [*_hand("dealer", felt.dealer), *_hand("board", felt.board)]
    found += [(f"pot {pot.number}", pot.x - 70, pot.y - 25, pot.x + 70, pot.y + 25) for pot in felt.pots]
    found += [_spot("table", spot) for spot in felt.spots]
    for seat in felt.seats:
        name, at = f"seat {seat.number}", seat.place
        found.append((f"{name} chair", at.x - 21, at.y - 21, at.x + 21, at.y + 21))
        found += _hand(name, seat.cards)
        found += [_spot(name, spot) for spot in seat.spots]
        if seat.has_button:
            x, y = at.button
            found.append((f"{name} button", x - 12, y - 12, x + 12, y + 12))
    return found


def _spot(owner: str, spot: SpotDrawn) -> Box:
    """With its due amount above and its name below."""
    top = spot.y - (46 if spot.due_cents is not None else 29)
    return f"{owner} {spot.name}", spot.x - 38, top, spot.x + 38, spot.y + 46


def _hand(owner: str, cards: tuple[CardDrawn, ...]) -> list[Box]:
    if not cards:
        return []
    first, last = cards[0], cards[-1]
    return [(f"{owner} cards", first.x, first.y, last.x + CARD_WIDTH, last.y + CARD_HEIGHT)]


def overlaps(one: Box, other: Box) -> bool:
    return one[1] < other[3] and other[1] < one[3] and one[2] < other[4] and other[2] < one[4]


@pytest.mark.parametrize(("script", "left"), SCRIPTS)
def test_nothing_on_the_felt_covers_anything_else(script: str, left: int) -> None:
    felt = felt_of(view_of(played(script, left)))
    drawn = boxes(felt)
    assert [(one[0], other[0]) for one, other in combinations(drawn, 2) if overlaps(one, other)] == []
    assert [each for each in drawn if each[1] < 0 or each[2] < 0 or each[3] > felt.width or each[4] > felt.height] == []


@pytest.mark.parametrize("seats", range(2, 11))
def test_seat_one_is_on_the_readers_right_at_any_number_of_seats(seats: int) -> None:
    for places in (column_places(seats), oval_places(seats)):
        assert len(places) == seats
        assert places[0].x > places[-1].x
        chairs = [(place.x, place.y) for place in places]
        assert all(max(abs(a - c), abs(b - d)) > 42 for (a, b), (c, d) in combinations(chairs, 2))


def test_a_sealed_hand_is_drawn_as_backs_and_a_shown_one_by_its_faces() -> None:
    early, late = (felt_of(view_of(played("tcf-seven-players", left))) for left in (8, 3))
    assert [card.rank for seat in early.seats for card in seat.cards] == [""] * 21
    assert [card.rank + card.suit for card in late.dealer] == ["Q♥", "10♦", "3♦"]
    folded = next(seat for seat in late.seats if seat.decision == "fold")
    assert [card.rank for card in folded.cards] == ["", "", ""]


def test_side_pots_the_button_and_whose_turn_it_is_are_drawn() -> None:
    felt = felt_of(view_of(played("the-two-side-pots", 6)))
    assert [(pot.cents, pot.seats) for pot in felt.pots] == [
        (12000, (1, 2, 3, 4)), (9000, (2, 3, 4)), (8000, (3, 4)),
    ]  # fmt: skip
    assert [seat.number for seat in felt.seats if seat.has_button] == [4]
    assert [seat.number for seat in felt.seats if seat.is_in_turn] == [4]
    assert [seat.number for seat in felt.seats if seat.is_all_in] == [1, 2]


def test_an_optional_spot_is_drawn_only_where_something_lies_or_a_lamp_is_lit() -> None:
    view = view_of(played("tcf-seven-players", 8))
    assert all(spot.name != "bonus" for seat in felt_of(view).seats for spot in seat.spots)
    seats = view["seats"]
    assert isinstance(seats, list)
    seats[2]["chips"]["bonus"] = 500
    drawn = [(seat.number, spot.cents) for seat in felt_of(view).seats for spot in seat.spots if spot.name == "bonus"]
    assert drawn == [(3, 500)]
