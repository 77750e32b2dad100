"""Main and side pots, uncalled bets and folded chips, held against a chip-by-chip count (THE-93 to THE-123)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot_gateway.model.holdem import Pot, Uncalled
from sabot_gateway.rules.pots import Layers, split_pots


def counted_by_chip(stakes: dict[int, int], folded: set[int]) -> dict[frozenset[int], int]:
    """Every chip by itself: the n-th chip of a player can be won by those still in who also staked n chips.

    Chips above what anybody still in has staked belong with the highest that somebody reached.
    """
    live = set(stakes) - folded
    top = max(stakes[seat] for seat in live)
    pots: dict[frozenset[int], int] = {}
    for stake in stakes.values():
        for chip in range(1, stake + 1):
            claim = frozenset(seat for seat in live if stakes[seat] >= min(chip, top))
            pots[claim] = pots.get(claim, 0) + 1
    return pots


@st.composite
def staked_coups(draw: st.DrawFn) -> tuple[dict[int, int], set[int]]:
    """Small stakes on few levels, so that ties, all-ins and folds meet often; at least two stay in."""
    seats = draw(st.lists(st.integers(1, 10), min_size=2, max_size=10, unique=True))
    stakes = {seat: draw(st.integers(1, 12)) for seat in seats}
    folded = set(draw(st.lists(st.sampled_from(seats), max_size=len(seats) - 2, unique=True)))
    return stakes, folded


@pytest.mark.rules("THE-94", "THE-95", "THE-97", "THE-123")
@given(staked_coups())
def test_pots_are_those_of_a_count_chip_by_chip(coup: tuple[dict[int, int], set[int]]) -> None:
    stakes, folded = coup
    layers = split_pots(stakes, folded, return_uncalled=False)
    assert {frozenset(pot.eligible): pot.amount for pot in layers.pots} == counted_by_chip(stakes, folded)


@pytest.mark.rules("THE-114")
@given(staked_coups())
def test_uncalled_part_is_what_only_one_player_could_win_with_his_own_chips(
    coup: tuple[dict[int, int], set[int]],
) -> None:
    stakes, folded = coup
    layers = split_pots(stakes, folded)
    ranked = sorted(stakes.values())
    alone = [seat for seat, stake in stakes.items() if stake == ranked[-1] and seat not in folded]
    excess = ranked[-1] - ranked[-2]
    expected = Uncalled(alone[0], excess) if excess and alone else None
    assert layers.uncalled == expected


@pytest.mark.rules("THE-100", "THE-111")
@given(staked_coups(), st.booleans())
def test_pots_hold_every_chip_and_their_players_are_nested(
    coup: tuple[dict[int, int], set[int]], return_uncalled: bool
) -> None:
    stakes, folded = coup
    layers = split_pots(stakes, folded, return_uncalled)
    back = layers.uncalled.amount if layers.uncalled else 0
    assert sum(pot.amount for pot in layers.pots) + back == sum(stakes.values())
    assert all(pot.amount > 0 and pot.eligible for pot in layers.pots)
    for outer, inner in zip(layers.pots, layers.pots[1:], strict=False):
        assert set(inner.eligible) < set(outer.eligible)


@pytest.mark.rules("THE-94", "THE-95", "THE-97")
def test_one_all_in_makes_two_pots() -> None:
    assert split_pots({1: 2500, 2: 13000, 3: 13000, 4: 500}, {4}).pots == (
        Pot(8000, (1, 2, 3)),
        Pot(21000, (2, 3)),
    )


@pytest.mark.rules("THE-123")
def test_folded_chips_stay_in_the_layers_they_reached() -> None:
    assert split_pots({1: 300, 2: 700, 3: 700, 4: 500}, {4}).pots == (Pot(1200, (1, 2, 3)), Pot(1000, (2, 3)))


@pytest.mark.rules("THE-93", "THE-122")
def test_last_player_in_faces_one_pot_whatever_the_levels() -> None:
    assert split_pots({1: 500, 2: 1000, 3: 3000}, {1, 2}) == Layers((Pot(2500, (3,)),), Uncalled(3, 2000))
    assert split_pots({1: 500, 2: 1000, 3: 3000}, {1, 2}, return_uncalled=False) == Layers((Pot(4500, (3,)),))


@pytest.mark.rules("THE-114")
def test_bet_called_by_a_player_who_folds_later_is_called() -> None:
    assert split_pots({1: 1000, 2: 500, 3: 800}, {3}) == Layers(
        (Pot(1500, (1, 2)), Pot(600, (1,))),
        Uncalled(1, 200),
    )
