"""The chi-square watch: exact, corrected for cards drawn without replacement, and silent about single coups."""

import random
import sqlite3
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot_gateway.model.card import DECK, Card, cards_from_text
from sabot_gateway.model.coup import BankCoup, BankSeat, Purchase
from sabot_gateway.model.holdem import HoldemCoup, HoldemSeat
from sabot_gateway.projections.cards import BLOCK, card_watch, cards_of, chance_of, chi_square, count_cards
from sabot_gateway.projections.schema import TABLES


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.executescript(TABLES)
    yield connection
    connection.close()


# Printed critical values of the chi-square law (upper tail), three decimals.
@pytest.mark.parametrize(
    ("degrees", "value", "chance"),
    [(1, "3.841", 0.05), (1, "10.828", 0.001), (5, "11.070", 0.05), (51, "68.669", 0.05), (51, "77.386", 0.01)],
)
def test_the_tail_of_the_law_is_the_printed_one(degrees: int, value: str, chance: float) -> None:
    assert chance_of(Fraction(value), degrees) == pytest.approx(chance, rel=2e-3)


def test_cards_without_replacement_average_to_the_degrees_of_freedom() -> None:
    """The expected statistic is 51 whatever the number of cards of a coup: over all coups of a tiny world, exactly."""
    # One coup of n cards: every count is 0 or 1, so the statistic is the same for every draw, and must be 51.
    for dealt in (1, 6, 21, 51):
        counts = [1] * dealt + [0] * (52 - dealt)
        assert chi_square(counts, dealt * (52 - dealt)) == 51


@settings(deadline=None)
@given(st.lists(st.integers(0, 500), min_size=52, max_size=52), st.integers(1, 10**6))
def test_an_even_deal_is_never_odd_and_order_does_not_matter(counts: list[int], spread: int) -> None:
    assert chi_square([7] * 52, spread) == 0
    assert chi_square(counts, spread) == chi_square(sorted(counts), spread)
    assert 0 <= chance_of(chi_square(counts, spread)) <= 1


def test_no_total_moves_by_a_single_coup(db: sqlite3.Connection) -> None:
    """Law 7: who looks before and after a coup must not learn its cards."""
    hand = cards_from_text("As Ks Qs")
    for _ in range(BLOCK - 1):
        count_cards(db, "T1", "TCF", hand)
    assert card_watch(db).coups == 0
    assert sum(card_watch(db).counts) == 0
    count_cards(db, "T1", "TCF", hand)
    watch = card_watch(db, "T1")
    assert (watch.coups, watch.dealt) == (BLOCK, 3 * BLOCK)
    assert watch.is_odd
    assert card_watch(db, "T2").coups == 0


def test_fair_cards_are_left_alone_and_a_marked_ace_is_seen(db: sqlite3.Connection) -> None:
    shoe = random.Random(20261118)
    for nth in range(10 * BLOCK):
        count_cards(db, "fair", "TCF", shoe.sample(DECK, 18))
        # Every second deal misses an ace of spades that was palmed.
        held = [card for card in shoe.sample(DECK, 18) if card != Card(51) or nth % 2]
        count_cards(db, "short", "TCF", held)
    assert not card_watch(db, "fair").is_odd
    assert card_watch(db, "short").is_odd


@settings(max_examples=20, deadline=None)
@given(st.permutations(list(DECK)))
def test_every_card_of_the_evidence_counts_once(deck: list[Card]) -> None:
    seats = (
        BankSeat(1, tuple(deck[:5]), purchase=Purchase((deck[0],), (deck[5],))),
        BankSeat(2, tuple(deck[6:11])),
    )
    bank = BankCoup(seats, tuple(deck[11:16]), tuple(deck[16:19]), tuple(deck[19:20]))
    assert sorted(cards_of(bank)) == sorted(deck[:20])
    players = (HoldemSeat(1, cards=(deck[0], deck[1])), HoldemSeat(2))
    assert sorted(cards_of(HoldemCoup(1, players, tuple(deck[2:7])))) == sorted(deck[:7])
