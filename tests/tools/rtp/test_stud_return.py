"""Casino stud: the published returns to the last unit, and look-ups held against plain dealing."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from sabot_gateway.model.card import DECK, Card, cards_from_text
from sabot_gateway.model.money import Odds
from sabot_gateway.rules.hand import CATS5, category_of, rank5
from sabot_tools.rtp import stud
from sabot_tools.rtp.deck_kernel import classes_of
from sabot_tools.rtp.rank_table import Array, rank_table

pytestmark = pytest.mark.slow  # compiles the kernels

TABLES = {
    "first": dict(zip(map(str, CATS5), map(Odds, [1, 1, 2, 3, 4, 5, 7, 20, 50, 100]), strict=True)),
    "second": dict(zip(map(str, CATS5), map(Odds, [1, 1, 2, 3, 5, 8, 10, 20, 50, 100]), strict=True)),
}
BONUS = dict(
    zip(
        ["flush", "full_house", "quads", "straight_flush", "royal_flush"],
        map(Odds, [100, 150, 1000, 2000, 5000]),
        strict=True,
    )
)
DEALS = 19_933_230_517_200
FOUR_OF_46: Array = np.array(list(combinations(range(46), 4)))


@pytest.fixture(scope="module")
def everything() -> stud.Tally:
    return stud.tally(TABLES["first"], *stud.all_hands(), with_buy=False)


@pytest.mark.parametrize(
    ("strategy", "net"),
    [
        ("optimal", -1_041_372_912_372),
        ("a-k-j-8-3", -1_059_715_400_580),
        ("any-pair", -1_090_272_101_460),
        ("ace-king", -1_132_600_203_540),
        ("always", -3_310_360_338_060),
    ],
)
def test_a_stu_01_ante_and_raise_by_the_first_table(everything: stud.Tally, strategy: str, net: int) -> None:
    found = stud.ante(everything, strategy)
    assert found.net == net
    assert found.deals == DEALS


def test_a_stu_01_ante_and_raise_by_the_second_table() -> None:
    found = stud.ante(stud.tally(TABLES["second"], *stud.all_hands(), with_buy=False))
    assert found.net == -722_873_086_812
    assert found.deals == DEALS


def test_stu_66_every_deal_is_paid_tied_or_beaten_once(everything: stud.Tally) -> None:
    assert sum(sum(numbers) for numbers in everything.bonus.values()) == DEALS
    by_category = {name: sum(numbers) * 2_598_960 // DEALS for name, numbers in everything.bonus.items()}
    assert by_category["flush"] == 5_108
    assert by_category["royal_flush"] == 4


def test_stu_76_a_tie_pushes_pays_or_loses_as_the_ruleset_says(everything: stud.Tally) -> None:
    nets = {on_tie: stud.bonus(everything, BONUS, on_tie).net for on_tie in ("push", "pay", "lose")}
    ties = {name: tied for name, (_, tied, _) in everything.bonus.items() if name in BONUS}
    assert nets["push"] - nets["lose"] == sum(ties.values())
    assert nets["pay"] - nets["push"] == sum(BONUS[name].win * tied for name, tied in ties.items())


# A pair with four to a flush; ace-king with four to a straight flush; a made flush; nothing at all.
@pytest.mark.parametrize("text", ["8h8cKh5h2h", "AcKdQdJdTd", "AsJs9s4s3s", "9c7d5h3s2c"])
def test_stu_58_folding_raising_and_buying_are_valued_as_plain_dealing_values_them(text: str) -> None:
    hand = sorted(cards_from_text(text))
    table = TABLES["first"]
    dealt = _plain(hand, table)
    found = stud.tally(table, np.array([hand], dtype=np.int64), np.ones(1, dtype=np.int64), with_buy=True)
    assert stud.ante(found).net / found.deals == dealt["optimal"]
    assert stud.ante(found, "always").net / found.deals == dealt["always"]
    bought = stud.ante_with_purchase(found)
    assert bought.net / bought.deals == dealt["purchase"]
    paid, tied, beaten = found.bonus[category_of(rank5(hand)).value]
    assert [paid, tied, beaten] == dealt["bonus"]


def _plain(hand: list[Card], table: dict[str, Odds]) -> dict[str, object]:
    """Deals every dealer hand for every card shown, and every card bought; knows nothing of the look-ups."""
    left = [card for card in DECK if card not in hand]
    without = [np.flatnonzero(np.not_equal(FOUR_OF_46, place).all(axis=1)) for place in range(46)]
    optimal = always = purchase = Fraction()
    bonus = [0, 0, 0]
    for shown in left:
        others = [card for card in left if card != shown]
        hidden = np.array(others)[FOUR_OF_46]
        dealer = classes_of(rank_table(), np.column_stack([hidden, np.full(len(hidden), shown)]))
        raised, outcomes = _settled(_below(dealer), hand, table)
        bonus = [total + more for total, more in zip(bonus, outcomes, strict=True)]
        bought = [0] * 5
        for place, drawn in enumerate(others):
            below = _below(dealer[without[place]])
            for discard in range(5):
                final = [card for card in hand if card != hand[discard]] + [drawn]
                bought[discard] += _settled(below, final, table)[0]
        plain = Fraction(raised, 163_185)
        always += plain
        optimal += max(plain, Fraction(-1))
        purchase += max([plain, Fraction(-1), *(Fraction(net, 46 * 148_995) - 1 for net in bought)])
    return {"optimal": optimal / 47, "always": always / 47, "purchase": purchase / 47, "bonus": bonus}


def _below(dealer: Array) -> list[int]:
    """How many of these hands lie below each class."""
    below: list[int] = [0, *np.bincount(dealer, minlength=7_462).cumsum().tolist()]
    return below


def _settled(below: list[int], hand: list[Card], table: dict[str, Odds]) -> tuple[int, list[int]]:
    """STU-48, STU-53, STU-54, STU-65, STU-77: the net in antes, and the deals not beaten, tied and beaten."""
    own = _class(hand)
    qualifier = _class(list(cards_from_text("AcKd4h3s2c")))
    unqualified = below[qualifier]
    won = below[own] - unqualified if own > qualifier else 0
    tied = below[own + 1] - below[own] if own >= qualifier else 0
    lost = below[-1] - unqualified - won - tied
    net = unqualified + won * (1 + 2 * table[category_of(rank5(hand))].win) - 3 * lost
    return net, [unqualified + won, tied, lost]


def _class(hand: list[Card]) -> int:
    return int(np.searchsorted(rank_table().strength, rank5(hand)))
