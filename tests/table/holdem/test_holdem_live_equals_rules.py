"""Whatever legal coup is played at the sensors, the live table settles it as the rules settle its record."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.holdem.holdem_play import dealt, finished
from sabot_gateway.model.card import DECK, Card
from sabot_gateway.model.felt import Key
from sabot_gateway.model.holdem import HoldemCoup, HoldemSettlement
from sabot_gateway.rules.games.texas_holdem import HoldemConfig, settle
from sabot_gateway.table.setup import Fitted
from table.holdem.holdem_stage import play, seated, settled

UNIT = 50
fittings = st.tuples(st.booleans(), st.booleans())  # whether the pot, and stacks and slot, are read


@st.composite
def tables(draw: st.DrawFn) -> tuple[dict[int, int], int, dict[str, object]]:
    """Stacks from one chip to deep ones, a button, and a house's settings."""
    seats = draw(st.lists(st.integers(1, 10), min_size=2, max_size=6, unique=True))
    stacks = {seat: UNIT * draw(st.integers(1, 400)) for seat in sorted(seats)}
    house: dict[str, Any] = {
        "version": draw(st.sampled_from(("no_limit", "pot_limit", "limit"))),
        "heads_up": draw(st.sampled_from(("literal", "standard"))),
        "rake_bp": draw(st.sampled_from((0, 400, 1000))),
        "rake_basis": draw(st.sampled_from(("each_pot", "total"))),
        "no_flop_no_drop": draw(st.booleans()),
        "return_uncalled": draw(st.booleans()),
        "odd_chip": draw(st.sampled_from(("left_of_button", "lowest_seat", "all_to_first"))),
        "showdown_first": draw(st.sampled_from(("first_raiser", "first_aggressor", "last_aggressor"))),
        "min_raise": draw(st.sampled_from(("last_raise", "double"))),
        "short_allin_reopens": draw(st.booleans()),
    }
    return stacks, draw(st.sampled_from(sorted(seats))), house


@settings(max_examples=120, deadline=None)
@given(table=tables(), whims=st.lists(st.integers(0, 30), max_size=24), deck=st.permutations(DECK), fit=fittings)
def test_live_settlement_equals_the_rules_and_every_chip_is_accounted_for(
    table: tuple[dict[int, int], int, dict[str, object]], whims: list[int], deck: list[Card], fit: tuple[bool, bool]
) -> None:
    stacks, button, house = table
    pot, read = fit
    stage = seated(stacks, button, Fitted(pot=pot, stacks=read, slot=read), **house)
    config = HoldemConfig.from_ruleset(stage.state.setup.ruleset.values)
    coup, final = finished(dealt(stacks, button, deck), config, whims)
    play(stage, coup, config, with_stacks=read)
    if len(final.live) > 1:
        assert stage.phase == "revealing"
        stage.key(Key.REVEAL)
    expected = settle(coup, config)
    assert isinstance(expected, HoldemSettlement)
    assert stage.phase == "paying", stage.alerts()
    assert settled(stage) == expected
    told = stage.settlements()[-1].coup
    assert isinstance(told, HoldemCoup)
    assert settle(told, config) == expected
    stage.pay()
    stage.collect()
    assert stage.phase == "idle"
    assert stage.raised() <= {"PACE_FAST"}
    after = {seat: stage.state.seats[seat].stack_cents for seat in stacks}
    assert after == {result.seat: stacks[result.seat] + result.net for result in expected.seats}
    assert sum(after.values()) + expected.rake_total == sum(stacks.values())
