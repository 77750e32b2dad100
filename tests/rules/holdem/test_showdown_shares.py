"""Who shows first, who wins which pot by which sentence, and who gets the odd chips (THE-96 to THE-108, THE-115)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot_gateway.model.holdem import OddChip, Pot, ShowdownFirst, Street
from sabot_gateway.rules.betting_state import Voice
from sabot_gateway.rules.showdown import award, share_out, showdown_order

ORDER = (5, 8, 1, 3)  # button on seat 3


@pytest.mark.rules("THE-101")
@pytest.mark.parametrize(
    ("first", "order"),
    [
        (ShowdownFirst.FIRST_RAISER, (1, 3, 5, 8)),
        (ShowdownFirst.FIRST_AGGRESSOR, (8, 1, 3, 5)),
        (ShowdownFirst.LAST_AGGRESSOR, (5, 8, 1, 3)),
    ],
)
def test_first_to_show_after_a_raise(first: ShowdownFirst, order: tuple[int, ...]) -> None:
    voice = Voice(Street.RIVER, first=3, raisers=(1, 5), aggressors=(8, 1, 5))
    shown = showdown_order(ORDER, (1, 3, 5, 8), voice, first)
    assert (shown.order, shown.rule) == (order, "THE-101")


@pytest.mark.rules("THE-102")
def test_opening_is_not_raising_so_the_first_speaker_shows() -> None:
    voice = Voice(Street.RIVER, first=8, aggressors=(1,))
    shown = showdown_order(ORDER, (1, 3, 8), voice, ShowdownFirst.FIRST_RAISER)
    assert (shown.order, shown.rule) == ((8, 1, 3), "THE-102")


@pytest.mark.rules("THE-101", "THE-102")
def test_players_who_folded_show_nothing() -> None:
    voice = Voice(Street.RIVER, first=5, raisers=(8, 3), aggressors=(5, 8, 3))
    assert showdown_order(ORDER, (1, 3), voice, ShowdownFirst.FIRST_RAISER).order == (3, 1)
    quiet = Voice(Street.RIVER, first=5)
    assert showdown_order(ORDER, (1, 3), quiet, ShowdownFirst.FIRST_RAISER).order == (1, 3)


@pytest.mark.rules("THE-127")
def test_nobody_spoke_at_all() -> None:
    shown = showdown_order(ORDER, (1, 3, 5), None, ShowdownFirst.FIRST_RAISER)
    assert (shown.order, shown.rule) == ((5, 1, 3), "THE-127")


def rules_of(pots: list[Pot], strengths: dict[int, int]) -> list[tuple[tuple[int, ...], str]]:
    rakes = [0] * len(pots)
    return [(won.winners, won.rule) for won in award(pots, rakes, strengths, ORDER, OddChip.LEFT_OF_BUTTON, 1)]


THREE_POTS = [Pot(1200, (1, 3, 5, 8)), Pot(1200, (3, 5, 8)), Pot(1600, (5, 8))]


@pytest.mark.rules("THE-96", "THE-98")
def test_all_in_player_with_the_best_hand_gets_the_main_pot_only() -> None:
    found = rules_of(THREE_POTS, {1: 9, 3: 8, 5: 7, 8: 6})
    assert found == [((1,), "THE-96"), ((3,), "THE-98"), ((5,), "THE-98")]


@pytest.mark.rules("THE-99")
def test_best_hand_takes_every_pot_it_is_entitled_to() -> None:
    assert rules_of(THREE_POTS, {1: 5, 3: 6, 5: 7, 8: 9}) == [((8,), "THE-99")] * 3
    found = rules_of(THREE_POTS, {1: 5, 3: 9, 5: 7, 8: 6})
    assert found == [((3,), "THE-99"), ((3,), "THE-99"), ((5,), "THE-98")]


@pytest.mark.rules("THE-97")
def test_side_pot_with_one_claimant() -> None:
    pots = [Pot(4000, (1, 3)), Pot(3000, (3,))]
    assert rules_of(pots, {1: 9, 3: 8}) == [((1,), "THE-96"), ((3,), "THE-97")]


@pytest.mark.rules("THE-104", "THE-107", "THE-122")
def test_single_pot() -> None:
    assert rules_of([Pot(10, (1, 3))], {1: 4, 3: 5}) == [((3,), "THE-104")]
    assert rules_of([Pot(10, (1, 3))], {1: 5, 3: 5}) == [((1, 3), "THE-107")]
    assert rules_of([Pot(10, (3,))], {}) == [((3,), "THE-122")]


@pytest.mark.rules("THE-115")
@pytest.mark.parametrize(
    ("rule", "shares"),
    [
        (OddChip.LEFT_OF_BUTTON, {1: 300, 5: 400, 8: 400}),
        (OddChip.LOWEST_SEAT, {1: 400, 5: 400, 8: 300}),
        (OddChip.ALL_TO_FIRST, {1: 300, 5: 500, 8: 300}),
    ],
)
def test_odd_chips(rule: OddChip, shares: dict[int, int]) -> None:
    assert share_out(1100, (1, 5, 8), ORDER, rule, 100) == tuple(shares.values())


@pytest.mark.rules("THE-107", "THE-115")
@given(
    st.integers(0, 10**6), st.integers(1, 10), st.integers(1, 10), st.sampled_from(OddChip), st.sampled_from([1, 25])
)
def test_shares_are_whole_and_differ_by_the_odd_chips_alone(
    chips: int, players: int, button: int, rule: OddChip, unit: int
) -> None:
    seats = tuple(range(1, players + 1))
    order = (*seats[button % players :], *seats[: button % players])
    shares = share_out(chips * unit, seats, order, rule, unit)
    assert sum(shares) == chips * unit
    assert all(share % unit == 0 for share in shares)
    spread = (max(shares) - min(shares)) // unit
    assert spread <= (players - 1 if rule is OddChip.ALL_TO_FIRST else 1)
