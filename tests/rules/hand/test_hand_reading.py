"""How hands of three, five, six and seven cards are read, named and ordered (TCF-80, TCP-28, STU-78, UTH-38)."""

import itertools

import pytest

from sabot_gateway.model.card import cards_from_text
from sabot_gateway.rules.hand import Category, best5, category_of, is_mini_royal, rank3, rank5, reaches, tiebreak_of

# From the strongest to the weakest, as the rule books list them, with neighbours that differ in one thing only.
FIVE_IN_ORDER = [
    ("AsKsQsJsTs", Category.ROYAL_FLUSH, (14,)),
    ("KhQhJhTh9h", Category.STRAIGHT_FLUSH, (13,)),
    ("5d4d3d2dAd", Category.STRAIGHT_FLUSH, (5,)),
    ("AcAdAhAs2c", Category.QUADS, (14, 14, 14, 14, 2)),
    ("2c2d2h2sAc", Category.QUADS, (2, 2, 2, 2, 14)),
    ("2c2d2h2sKc", Category.QUADS, (2, 2, 2, 2, 13)),
    ("AcAdAh2s2c", Category.FULL_HOUSE, (14, 14, 14, 2, 2)),
    ("9s9d9c4h4s", Category.FULL_HOUSE, (9, 9, 9, 4, 4)),
    ("9s9d9c3h3s", Category.FULL_HOUSE, (9, 9, 9, 3, 3)),
    ("AhKhQhJh9h", Category.FLUSH, (14, 13, 12, 11, 9)),
    ("7h5h4h3h2h", Category.FLUSH, (7, 5, 4, 3, 2)),
    ("AhKdQhJhTh", Category.STRAIGHT, (14,)),
    ("6h5d4h3h2h", Category.STRAIGHT, (6,)),
    ("Ah5d4h3h2h", Category.STRAIGHT, (5,)),
    ("KhKdKcAh2h", Category.TRIPS, (13, 13, 13, 14, 2)),
    ("KhKdKcQhJh", Category.TRIPS, (13, 13, 13, 12, 11)),
    ("QsQdKhKd2c", Category.TWO_PAIR, (13, 13, 12, 12, 2)),
    ("JsJdKhKdAc", Category.TWO_PAIR, (13, 13, 11, 11, 14)),
    ("2s2dAhKdQc", Category.PAIR, (2, 2, 14, 13, 12)),
    ("2s2dAhKdJc", Category.PAIR, (2, 2, 14, 13, 11)),
    ("AhKdQhJc9h", Category.HIGH_CARD, (14, 13, 12, 11, 9)),
    ("Ah2dKhQcJh", Category.HIGH_CARD, (14, 13, 12, 11, 2)),  # Q-K-A-2 does not go round the corner
    ("7h5d4h3h2h", Category.HIGH_CARD, (7, 5, 4, 3, 2)),
]
THREE_IN_ORDER = [
    ("AsKsQs", Category.STRAIGHT_FLUSH, (14,)),
    ("4s3s2s", Category.STRAIGHT_FLUSH, (4,)),
    ("As2s3s", Category.STRAIGHT_FLUSH, (3,)),
    ("AsAdAc", Category.TRIPS, (14,)),
    ("7s7c7d", Category.TRIPS, (7,)),
    ("AsKdQs", Category.STRAIGHT, (14,)),
    ("As2d3s", Category.STRAIGHT, (3,)),
    ("AsKsJs", Category.FLUSH, (14, 13, 11)),
    ("AsKs2s", Category.FLUSH, (14, 13, 2)),
    ("5s3s2s", Category.FLUSH, (5, 3, 2)),
    ("AsAdKs", Category.PAIR, (14, 13)),
    ("2s2dAs", Category.PAIR, (2, 14)),
    ("2s2d3s", Category.PAIR, (2, 3)),
    ("AsKdJs", Category.HIGH_CARD, (14, 13, 11)),
    ("KsAd2s", Category.HIGH_CARD, (14, 13, 2)),  # TCF-81: K-A-2 never wraps
    ("Qs3d2s", Category.HIGH_CARD, (12, 3, 2)),
]


@pytest.mark.parametrize(("text", "category", "tiebreak"), FIVE_IN_ORDER)
def test_stu_78_five_cards_have_their_category_and_tie_break(
    text: str, category: Category, tiebreak: tuple[int, ...]
) -> None:
    strength = rank5(cards_from_text(text))
    assert (category_of(strength), tiebreak_of(strength)) == (category, tiebreak)


@pytest.mark.parametrize(("text", "category", "tiebreak"), THREE_IN_ORDER)
def test_tcf_80_three_cards_have_their_category_and_tie_break(
    text: str, category: Category, tiebreak: tuple[int, ...]
) -> None:
    strength = rank3(cards_from_text(text))
    assert (category_of(strength), tiebreak_of(strength)) == (category, tiebreak)


def test_stu_78_the_listed_hands_fall_strictly() -> None:
    strengths = [rank5(cards_from_text(text)) for text, _, _ in FIVE_IN_ORDER]
    assert all(better > worse for better, worse in itertools.pairwise(strengths))


def test_tcf_80_the_listed_three_card_hands_fall_strictly() -> None:
    strengths = [rank3(cards_from_text(text)) for text, _, _ in THREE_IN_ORDER]
    assert all(better > worse for better, worse in itertools.pairwise(strengths))


@pytest.mark.parametrize(
    ("text", "category", "tiebreak"),
    [
        ("AsKsQsJsTs9s8s", Category.ROYAL_FLUSH, (14,)),
        ("AsKsQsJs9s8s7s", Category.FLUSH, (14, 13, 12, 11, 9)),
        ("6s5s4s3s2sAs7d", Category.STRAIGHT_FLUSH, (6,)),
        ("2c2d2h3c3d3h4s", Category.FULL_HOUSE, (3, 3, 3, 2, 2)),
        ("2c2d2h3c3d4h4s", Category.FULL_HOUSE, (2, 2, 2, 4, 4)),
        ("2c2d2h2s3d3h3s", Category.QUADS, (2, 2, 2, 2, 3)),
        ("2c2d3c3d4c4d5s", Category.TWO_PAIR, (4, 4, 3, 3, 5)),
        ("2c2d3c3d4c4d", Category.TWO_PAIR, (4, 4, 3, 3, 2)),
        ("2c2d3c3dAc4d", Category.TWO_PAIR, (3, 3, 2, 2, 14)),
        ("5h5d4h3h2c6s7d", Category.STRAIGHT, (7,)),
        ("AhKhQh2c2d2s3c", Category.TRIPS, (2, 2, 2, 14, 13)),
    ],
)
def test_uth_38_the_best_five_of_six_and_seven_are_found(
    text: str, category: Category, tiebreak: tuple[int, ...]
) -> None:
    strength = best5(cards_from_text(text))
    assert (category_of(strength), tiebreak_of(strength)) == (category, tiebreak)


def test_tcf_81_without_the_low_ace_three_two_ace_is_ace_high() -> None:
    assert tiebreak_of(rank3(cards_from_text("As2d3c"), ace_low=False)) == (14, 3, 2)
    assert category_of(rank3(cards_from_text("As2s3s"), ace_low=False)) is Category.FLUSH
    assert category_of(rank3(cards_from_text("4s2s3s"), ace_low=False)) is Category.STRAIGHT_FLUSH


@pytest.mark.parametrize("rest", ["", "9h", "9hJd"])
def test_tcp_57_without_the_wheel_five_to_ace_is_no_straight(rest: str) -> None:
    assert category_of(best5(cards_from_text("As2d3c4h5s" + rest), wheel=False)) is Category.HIGH_CARD
    assert category_of(best5(cards_from_text("As2s3s4s5s" + rest), wheel=False)) is Category.FLUSH
    assert category_of(best5(cards_from_text("6s2d3c4h5s" + rest), wheel=False)) is Category.STRAIGHT


def test_tcp_24_only_ace_king_queen_of_one_suit_is_a_mini_royal() -> None:
    assert is_mini_royal(cards_from_text("QhAhKh"))
    assert not is_mini_royal(cards_from_text("QhAhKd"))
    assert not is_mini_royal(cards_from_text("QhJhKh"))
    assert not is_mini_royal(cards_from_text("Ah2h3h"))
    assert not is_mini_royal(cards_from_text("QhQdQs"))


def test_reaching_a_category_follows_the_order_of_the_number_of_cards() -> None:
    assert not reaches(rank3(cards_from_text("AsKs2s")), Category.STRAIGHT)
    assert reaches(rank5(cards_from_text("AsKs2s3s4s")), Category.STRAIGHT)
    assert reaches(rank3(cards_from_text("7s7c7d")), Category.STRAIGHT)
    assert not reaches(rank5(cards_from_text("7s7c7d2s3s")), Category.STRAIGHT)
    assert reaches(rank5(cards_from_text("AsKsQsJsTs")), Category.STRAIGHT_FLUSH)


def test_categories_refuse_an_order_that_would_hold_for_one_game_only() -> None:
    with pytest.raises(TypeError):
        assert Category.FLUSH > Category.STRAIGHT


@pytest.mark.parametrize("text", ["", "As2d3c4h", "As2d3c4h5s6s7s8s"])
def test_another_number_of_cards_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        best5(cards_from_text(text))
    with pytest.raises(ValueError):
        rank5(cards_from_text(text))
    with pytest.raises(ValueError):
        rank3(cards_from_text(text))
