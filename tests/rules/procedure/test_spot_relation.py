"""Bet relations and the order of payment, by rule."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot_gateway.model.game import Game
from sabot_gateway.rules.payment_order import (
    clearing_order,
    gathering_order,
    payment_order,
    settlement_order,
    spot_order,
)
from sabot_gateway.rules.spot import RELATIONS, Laid, broken_relations, spot_names, spots_of

LIMITS = {"table_min": 500}
Stakes = dict[str, int]


def codes(game: Game, decision: str | None, stakes: Stakes) -> list[tuple[str, str]]:
    return [(fault.code, fault.rule) for fault in broken_relations(game, decision, stakes, LIMITS, 1)]


@pytest.mark.rules("TCF-40", "TCF-42")
def test_jouer_equals_the_stake_and_is_absent_on_a_fold() -> None:
    assert codes(Game.TCF, "raise", {"ante": 1000, "play": 1000}) == []
    assert codes(Game.TCF, "raise", {"ante": 1000, "play": 999}) == [("PLAY_NOT_EQUAL_ANTE", "TCF-42")]
    assert codes(Game.TCF, "raise", {"ante": 1000}) == [("PLAY_NOT_EQUAL_ANTE", "TCF-42")]
    assert codes(Game.TCF, "fold", {"ante": 1000}) == []
    assert codes(Game.TCF, "fold", {"ante": 1000, "play": 1000}) == [("PLAY_AFTER_FOLD", "TCF-40")]


@pytest.mark.rules("STU-40", "STU-42", "STU-58", "STU-59", "STU-71")
def test_stud_doubles_the_ante_prices_a_card_at_it_and_fixes_the_bonus() -> None:
    assert codes(Game.STU, "raise", {"ante": 1000, "raise": 2000, "buy": 1000, "bonus": 100}) == []
    assert codes(Game.STU, "raise", {"ante": 1000, "raise": 1000}) == [("RAISE_NOT_DOUBLE_ANTE", "STU-42")]
    assert codes(Game.STU, "raise", {"ante": 1000, "raise": 2000, "buy": 500}) == [("BUY_PRICE_NOT_ANTE", "STU-58")]
    assert codes(Game.STU, "fold", {"ante": 1000, "bonus": 101}) == [("BONUS_NOT_ONE_FIFTH_OF_MIN", "STU-71")]
    assert codes(Game.STU, "fold", {"ante": 1000, "raise": 2000}) == [("RAISE_AFTER_FOLD", "STU-40")]
    assert codes(Game.STU, "fold", {"ante": 1000, "buy": 1000}) == [("BUY_WITHOUT_RAISE", "STU-59")]


@pytest.mark.rules("TCP-11", "TCP-12")
def test_quebec_raises_by_one_ante() -> None:
    assert codes(Game.TCP, "raise", {"ante": 700, "play": 1400}) == [("PLAY_NOT_EQUAL_ANTE", "TCP-12")]
    assert codes(Game.TCP, "fold", {"ante": 700, "play": 700}) == [("PLAY_AFTER_FOLD", "TCP-11")]


@pytest.mark.rules("UTH-16", "UTH-20", "UTH-22", "UTH-24", "UTH-26")
@pytest.mark.parametrize(
    ("decision", "legal", "rule"),
    [("play_preflop", {3, 4}, "UTH-20"), ("play_flop", {2}, "UTH-22"), ("play_river", {1}, "UTH-24")],
)
def test_play_is_a_multiple_of_the_ante_by_street(decision: str, legal: set[int], rule: str) -> None:
    for multiple in range(6):
        stakes = {"ante": 1000, "blind": 1000, "play": 1000 * multiple}
        expected = [] if multiple in legal else [("PLAY_MULTIPLE", rule)]
        assert codes(Game.UTH, decision, stakes) == expected
    assert codes(Game.UTH, "fold", {"ante": 1000, "blind": 1000, "play": 1000}) == [("PLAY_AND_FOLD", "UTH-26")]
    assert codes(Game.UTH, "fold", {"ante": 1000, "blind": 999}) == [("BLIND_NOT_EQUAL_ANTE", "UTH-16")]
    assert codes(Game.UTH, "fold", {"ante": 1000}) == [("BLIND_NOT_EQUAL_ANTE", "UTH-16")]


@settings(deadline=None)
@given(st.sampled_from([game for game in Game if RELATIONS[game]]), st.integers(1, 10**9))
def test_the_amounts_a_relation_allows_are_those_it_accepts(game: Game, reference: int) -> None:
    for relation in RELATIONS[game]:
        allowed = relation.allowed(reference)
        assert all(relation.holds(amount, reference) for amount in allowed)
        assert not any(relation.holds(amount + 1, reference) for amount in allowed if amount + 1 not in allowed)
        assert relation.holds(0, reference) == relation.optional


@pytest.mark.rules("STU-71")
def test_a_minimum_that_five_does_not_divide_allows_no_bonus() -> None:
    bonus = next(relation for relation in RELATIONS[Game.STU] if relation.spot == "bonus")
    assert bonus.allowed(501) == ()
    assert bonus.allowed(500) == (100,)


@pytest.mark.rules("TCF-28")
def test_the_bonus_spot_exists_only_as_a_separate_stake() -> None:
    def names(mode: str) -> set[str]:
        return {spot.name for spot in spots_of(Game.TCF, {"bonus_mode": mode})}

    assert "bonus" in names("separate_stake")
    assert names("ante_bonus") == names("none") == {"ante", "play", "pair_plus"}


@pytest.mark.rules("TCP-02", "TCP-04", "UTH-17")
def test_the_layouts_hold_these_spots() -> None:
    assert spot_names(Game.TCF) == {"ante", "play", "pair_plus", "bonus"}
    assert spot_names(Game.STU) == {"ante", "raise", "buy", "bonus"}
    assert spot_names(Game.TCP) == {"ante", "play", "pair_plus", "six_card"}
    assert spot_names(Game.UTH) == {"ante", "blind", "trips", "play"}
    required = {game: {spot.name for spot in spots_of(game) if spot.required} for game in Game}
    assert required[Game.UTH] == {"ante", "blind"}
    assert required[Game.TCF] == required[Game.STU] == required[Game.TCP] == {"ante"}
    after = {game: {spot.name for spot in spots_of(game) if spot.laid is Laid.AFTER_DEAL} for game in Game}
    assert after[Game.STU] == {"raise", "buy"}


@pytest.mark.rules("TCF-19", "TCF-51", "STU-18", "STU-51", "UTH-47")
def test_seats_are_settled_from_right_to_left() -> None:
    assert settlement_order([2, 7, 1, 4]) == (7, 4, 2, 1)


@pytest.mark.rules("TCF-64", "STU-56")
def test_the_dealers_cards_leave_last() -> None:
    assert clearing_order([1, 3, 2]) == (3, 2, 1, "D")


@pytest.mark.rules("THE-70", "THE-84", "THE-87", "THE-91")
def test_holdem_stakes_are_gathered_clockwise() -> None:
    assert gathering_order([9, 2, 5]) == (2, 5, 9)


@pytest.mark.rules("TCF-68", "TCF-76", "STU-68")
def test_the_bonus_is_paid_after_the_raise() -> None:
    assert spot_order(Game.TCF) == ("ante", "play", "pair_plus", "bonus")
    stud = spot_order(Game.STU)
    assert stud.index("ante") < stud.index("raise") < stud.index("bonus")


@pytest.mark.rules("TCF-51", "TCF-68")
def test_one_seat_is_finished_before_the_next() -> None:
    steps = payment_order(Game.TCF, {1: ["bonus", "ante", "play"], 5: ["pair_plus", "ante"]})
    assert [(step.seat, step.spot) for step in steps] == [
        (5, "ante"),
        (5, "pair_plus"),
        (1, "ante"),
        (1, "play"),
        (1, "bonus"),
    ]
    assert steps[-1].rule == "TCF-68"


@pytest.mark.parametrize("game", [Game.TCF, Game.STU, Game.TCP, Game.UTH])
def test_every_spot_has_its_turn(game: Game) -> None:
    assert spot_names(game) <= set(spot_order(game))
