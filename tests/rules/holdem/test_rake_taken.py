"""The house's levy: basis, cap, exemption and rounding (THE-109, THE-124)."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot_gateway.model.holdem import RakeBasis
from sabot_gateway.model.money import Rounding
from sabot_gateway.rules.rake import RakeTerms, take_rake

FOUR_PERCENT = RakeTerms(400, None, RakeBasis.EACH_POT, False, Rounding.FLOOR, 1)


@pytest.mark.rules("THE-109", "THE-124")
@pytest.mark.parametrize(
    ("amounts", "changes", "rakes"),
    [
        ((1200, 1200, 1600), {}, (48, 48, 64)),
        ((1249,), {}, (49,)),  # 49.96
        ((1249,), {"rounding": Rounding.CEIL}, (50,)),
        ((1249,), {"rounding": Rounding.HALF_UP}, (50,)),
        ((3300,), {"chip_unit": 100}, (100,)),  # 132
        ((3300,), {"chip_unit": 100, "rounding": Rounding.CEIL}, (200,)),
        ((1200, 1200, 1600), {"cap": 80}, (48, 32, 0)),
        ((1200, 1200, 1600), {"cap": 0}, (0, 0, 0)),
        ((9000,), {"cap": 250, "chip_unit": 100}, (200,)),  # no chips make 250
        ((30, 30, 30), {}, (1, 1, 1)),
        ((30, 30, 30), {"basis": RakeBasis.TOTAL}, (3, 0, 0)),  # 3.6 of 90, from the main pot
        ((2, 5000), {"basis": RakeBasis.TOTAL}, (2, 198)),  # 200.08: more than the main pot holds
        ((100,), {"bp": 10_000}, (100,)),
        ((50,), {"bp": 10, "chip_unit": 50, "rounding": Rounding.CEIL}, (50,)),
        ((5000,), {"bp": 0}, (0,)),
    ],
)
def test_rake_of_each_pot(amounts: tuple[int, ...], changes: dict[str, object], rakes: tuple[int, ...]) -> None:
    terms = replace(FOUR_PERCENT, **changes)  # type: ignore[arg-type]  # the table above mixes the field types
    assert take_rake(amounts, terms, flop_seen=True) == rakes


@pytest.mark.rules("THE-124")
def test_coup_without_a_flop_is_free_only_where_the_house_says_so() -> None:
    assert take_rake((2500,), FOUR_PERCENT, flop_seen=False) == (100,)
    free = replace(FOUR_PERCENT, no_flop_no_drop=True)
    assert take_rake((2500,), free, flop_seen=False) == (0,)
    assert take_rake((2500,), free, flop_seen=True) == (100,)


@pytest.mark.rules("THE-124")
@given(
    st.lists(st.integers(1, 10**6), min_size=1, max_size=9),
    st.integers(0, 10_000),
    st.none() | st.integers(0, 10**5),
    st.sampled_from(RakeBasis),
    st.sampled_from(Rounding),
    st.sampled_from([1, 5, 100]),
)
def test_rake_is_whole_chips_within_pot_and_cap_and_true_to_its_rate(
    counts: list[int], bp: int, cap: int | None, basis: RakeBasis, rounding: Rounding, unit: int
) -> None:
    amounts = [count * unit for count in counts]
    terms = RakeTerms(bp, cap, basis, False, rounding, unit)
    rakes = take_rake(amounts, terms, flop_seen=True)
    assert all(0 <= rake <= amount and rake % unit == 0 for rake, amount in zip(rakes, amounts, strict=True))
    assert cap is None or sum(rakes) <= cap
    exact = Fraction(sum(amounts) * bp, 10_000)
    pots = len(amounts) if basis is RakeBasis.EACH_POT else 1
    if rounding is Rounding.FLOOR:
        assert sum(rakes) <= exact
    if cap is None:
        assert abs(sum(rakes) - exact) < pots * unit or sum(rakes) == sum(amounts)
