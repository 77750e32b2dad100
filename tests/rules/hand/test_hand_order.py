"""Every hand of three and five cards, and the order of all classes, against evaluators written by others."""

from itertools import combinations, combinations_with_replacement, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phevaluator import evaluate_cards  # type: ignore[import-untyped]  # it ships no types

from sabot_gateway.model.card import DECK, Card
from sabot_gateway.rules.hand import best5, rank3, rank5
from sabot_gateway.rules.hand_table import COUNTS, RANK_KEYS, SUIT_KEYS

seven_cards = st.lists(st.sampled_from(DECK), min_size=7, max_size=7, unique=True)
three_cards = st.lists(st.sampled_from(DECK), min_size=3, max_size=3, unique=True)


@pytest.mark.slow
def test_stu_78_all_2598960_five_card_hands_fall_into_7462_classes_in_the_peers_order() -> None:
    peer_by_strength: dict[int, int] = {}
    hands = 0
    for cards in combinations(DECK, 5):
        strength = rank5(cards)
        # phevaluator numbers the classes from 1, the strongest.
        peer = evaluate_cards(*cards)
        assert peer_by_strength.setdefault(strength, peer) == peer, cards
        hands += 1
    assert hands == 2_598_960
    in_our_order = [peer for _, peer in sorted(peer_by_strength.items(), reverse=True)]
    assert in_our_order == list(range(1, 7_463))


def test_tcf_80_all_22100_three_card_hands_are_ordered_as_the_definitions_say() -> None:
    described = sorted((_described(cards), rank3(cards)) for cards in combinations(DECK, 3))
    assert len(described) == 22_100
    for (worse, weaker), (better, stronger) in pairwise(described):
        assert (worse == better) == (weaker == stronger)
        assert weaker <= stronger


def _described(cards: tuple[Card, ...]) -> tuple[int, list[int]]:
    """TCP-29 to TCP-34 and TCP-40, word for word and as slow as it likes."""
    ranks = sorted((card // 4 + 2 for card in cards), reverse=True)
    one_suit = len({card % 4 for card in cards}) == 1
    low_ace = [3, 2, 1] if ranks == [14, 3, 2] else ranks
    sequence = low_ace[0] == low_ace[1] + 1 == low_ace[2] + 2
    by_number = sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True)
    distinct = len(set(ranks))
    if sequence:
        return (5 if one_suit else 3), low_ace
    if one_suit:
        return 2, ranks
    return {1: 4, 2: 1, 3: 0}[distinct], by_number


def test_the_rank_keys_tell_every_set_of_ranks_apart() -> None:
    for count in COUNTS:
        sums = [
            sum(RANK_KEYS[rank] for rank in ranks)
            for ranks in combinations_with_replacement(range(13), count)
            if max(map(ranks.count, ranks)) <= 4
        ]
        assert len(set(sums)) == len(sums)


def test_the_suit_keys_tell_which_suit_makes_a_flush() -> None:
    for count in COUNTS:
        flush_by_sum: dict[int, set[int | None]] = {}
        for suits in combinations_with_replacement(range(4), count):
            flush = next((suit for suit in suits if suits.count(suit) >= 5), None)
            flush_by_sum.setdefault(sum(SUIT_KEYS[suit] for suit in suits), set()).add(flush)
        assert all(len(flushes) == 1 for flushes in flush_by_sum.values())


@settings(max_examples=2000, deadline=None)
@given(seven_cards, seven_cards)
def test_uth_38_two_hands_of_seven_compare_as_a_peer_compares_them(one: list[Card], other: list[Card]) -> None:
    ours = best5(one) - best5(other)
    peers = evaluate_cards(*other) - evaluate_cards(*one)  # there the strongest is the least
    assert (ours > 0) == (peers > 0)
    assert (ours < 0) == (peers < 0)


@settings(deadline=None)
@given(seven_cards, st.permutations(range(4)), st.booleans())
def test_relabelling_suits_changes_nothing(cards: list[Card], suits: list[int], wheel: bool) -> None:
    renamed = [Card(card // 4 * 4 + suits[card % 4]) for card in cards]
    for count in COUNTS:
        assert best5(renamed[:count], wheel) == best5(cards[:count], wheel)
    assert rank3(renamed[:3], wheel) == rank3(cards[:3], wheel)


@settings(deadline=None)
@given(seven_cards, st.booleans())
def test_more_cards_never_weaken_a_hand(cards: list[Card], wheel: bool) -> None:
    assert best5(cards[:5], wheel) <= best5(cards[:6], wheel) <= best5(cards, wheel)


@settings(deadline=None)
@given(seven_cards, st.sampled_from(COUNTS), st.booleans())
def test_the_best_five_are_some_five_of_the_cards(cards: list[Card], count: int, wheel: bool) -> None:
    assert best5(cards[:count], wheel) == max(rank5(five, wheel) for five in combinations(cards[:count], 5))


@settings(deadline=None)
@given(seven_cards, st.permutations(range(7)), st.booleans())
def test_the_order_of_the_cards_changes_nothing(cards: list[Card], order: list[int], wheel: bool) -> None:
    assert best5([cards[place] for place in order], wheel) == best5(cards, wheel)


@settings(deadline=None)
@given(three_cards, st.permutations(range(3)), st.booleans())
def test_the_order_of_three_cards_changes_nothing(cards: list[Card], order: list[int], ace_low: bool) -> None:
    assert rank3([cards[place] for place in order], ace_low) == rank3(cards, ace_low)
