"""Deal plans and the check of a finished deal, by rule; and the law that any swap is found."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot_gateway.model.game import Game
from sabot_gateway.rules.deal import DealPlan, Face, Recipient, hand_size, place_of, plan_deal, stub_size
from sabot_gateway.rules.deal_check import Dealt, check_deal

ROUNDS = {"deal_mode": "rounds", "board_burns": False}
PACKETS = {"deal_mode": "packets", "board_burns": False}
BURNS = {"deal_mode": "packets", "board_burns": True}

Finding = tuple[int, str, str]


def order(plan: DealPlan) -> list[Recipient]:
    return [place.to for place in plan.places]


def served(plan: DealPlan) -> list[Dealt]:
    return [Dealt(place.to, place.face or Face.DOWN) for place in plan.places]


def violations(plan: DealPlan, dealt: Sequence[Dealt]) -> list[Finding]:
    found = check_deal(plan, dealt).violations
    return [(int(str(dict(fault.extra)["index"])), fault.code, fault.rule) for fault in found]


@st.composite
def plans(draw: st.DrawFn) -> DealPlan:
    game = draw(st.sampled_from(list(Game)))
    seats = draw(st.sets(st.integers(1, 10 if game is Game.THE else 7), min_size=2))
    values = {"deal_mode": draw(st.sampled_from(["rounds", "packets"])), "board_burns": draw(st.booleans())}
    buyers = draw(st.sets(st.sampled_from(sorted(seats))))
    board = draw(st.sampled_from([0, 3, 4, 5]))
    return plan_deal(game, values, seats, button=draw(st.integers(1, 10)), buyers=buyers, board=board)


@pytest.mark.rules("TCF-29", "TCF-30", "TCF-31")
def test_three_rounds_clockwise_the_dealer_last_all_face_down() -> None:
    plan = plan_deal(Game.TCF, {}, [5, 2])
    assert order(plan) == [2, 5, "D"] * 3
    assert {place.face for place in plan.places} == {Face.DOWN}


@pytest.mark.rules("STU-27", "STU-28", "STU-29")
def test_stud_deals_five_rounds_and_shows_the_dealers_fifth_card() -> None:
    plan = plan_deal(Game.STU, {}, [1, 4])
    assert order(plan) == [1, 4, "D"] * 5
    assert [n for n, place in enumerate(plan.places) if place.face is Face.UP] == [14]


@pytest.mark.rules("STU-61")
def test_bought_cards_are_served_in_dealing_order_and_open() -> None:
    plan = plan_deal(Game.STU, {}, [1, 4, 6], buyers=[6, 1])
    assert [(place.to, place.face, place.rule) for place in plan.places[20:]] == [
        (1, Face.UP, "STU-61"),
        (6, Face.UP, "STU-61"),
    ]


@pytest.mark.rules("TCP-55", "TCP-09", "TCP-10")
def test_quebec_deals_rounds_unless_the_house_says_packets() -> None:
    assert order(plan_deal(Game.TCP, ROUNDS, [1, 2])) == [1, 2, "D"] * 3
    assert order(plan_deal(Game.TCP, PACKETS, [1, 2])) == [1, 1, 1, 2, 2, 2, "D", "D", "D"]
    faces = {place.to: place.face for place in plan_deal(Game.TCP, ROUNDS, [1]).places}
    assert faces == {1: None, "D": Face.DOWN}


@pytest.mark.rules("UTH-19", "UTH-21", "UTH-23")
def test_ultimate_deals_packets_of_two_then_the_board() -> None:
    plan = plan_deal(Game.UTH, PACKETS, [3, 1])
    assert order(plan) == [1, 1, 3, 3, "D", "D", "B", "B", "B", "B", "B"]
    assert [place.rule for place in plan.places[6:]] == ["UTH-21"] * 3 + ["UTH-23"] * 2


@pytest.mark.rules("UTH-48")
def test_ultimate_burns_only_where_the_house_says_so() -> None:
    assert order(plan_deal(Game.UTH, BURNS, [1]))[4:] == ["X", "B", "B", "B", "X", "B", "B"]


@pytest.mark.rules("THE-51", "THE-52")
def test_holdem_deals_from_the_left_of_the_button() -> None:
    assert order(plan_deal(Game.THE, {}, [1, 4, 9], button=4, board=0)) == [9, 1, 4] * 2


@pytest.mark.rules("THE-51", "THE-117")
def test_the_deal_starts_left_of_a_button_that_stands_at_an_absent_seat() -> None:
    assert order(plan_deal(Game.THE, {}, [2, 6], button=3, board=0)) == [6, 2] * 2


@pytest.mark.rules("THE-71", "THE-85", "THE-88", "THE-89")
def test_holdem_burns_before_each_street_it_reaches() -> None:
    def board(cards: int) -> str:
        return "".join(str(to) for to in order(plan_deal(Game.THE, {}, [1, 2], button=1, board=cards))[4:])

    assert [board(cards) for cards in (0, 3, 4, 5)] == ["", "XBBB", "XBBBXB", "XBBBXBXB"]


@pytest.mark.rules("STU-81", "TCF-34", "STU-32")
def test_a_full_stud_table_with_seven_purchases_needs_47_cards() -> None:
    plan = plan_deal(Game.STU, {}, range(1, 8), buyers=range(1, 8))
    assert len(plan.places) == 47
    assert stub_size(plan) == 5
    assert stub_size(plan_deal(Game.TCF, {}, [2, 5]), burned=1) == 52 - 9 - 1


@pytest.mark.rules("TCF-33", "STU-31")
def test_an_exposed_card_is_an_observation_and_no_misdeal() -> None:
    for game, rule in ((Game.TCF, "TCF-33"), (Game.STU, "STU-31")):
        plan = plan_deal(game, {}, [2, 5])
        dealt = served(plan)
        dealt[1] = Dealt(5, Face.UP)
        found = check_deal(plan, dealt)
        assert found.ok
        assert [(fault.code, fault.rule, dict(fault.extra)["index"]) for fault in found.observations] == [
            ("EXPOSED_CARD", rule, 1)
        ]


@pytest.mark.rules("TCF-09", "STU-09")
def test_a_card_uncovered_before_it_reached_a_hand_is_burned_and_the_deal_goes_on() -> None:
    for game, rule in ((Game.TCF, "TCF-09"), (Game.STU, "STU-09")):
        plan = plan_deal(game, {}, [2, 5])
        dealt = served(plan)
        dealt.insert(2, Dealt("X", Face.UP))
        found = check_deal(plan, dealt)
        assert found.ok
        assert [fault.rule for fault in found.observations] == [rule]


@pytest.mark.rules("TCF-09")
def test_a_hidden_card_is_not_burned_in_the_middle_of_a_deal() -> None:
    plan = plan_deal(Game.TCF, {}, [1])
    dealt = served(plan)
    dealt.insert(1, Dealt("X", Face.DOWN))
    assert (1, "WRONG_RECIPIENT", "TCF-29") in violations(plan, dealt)


@pytest.mark.rules("STU-29")
def test_a_hidden_fifth_card_of_the_stud_dealer_is_found() -> None:
    plan = plan_deal(Game.STU, {}, [3])
    dealt = served(plan)
    dealt[9] = Dealt("D", Face.DOWN)
    assert violations(plan, dealt) == [(9, "WRONG_FACE", "STU-29")]


@pytest.mark.rules("TCF-30", "TCF-34")
def test_missing_and_extra_cards_are_named_and_a_burned_stub_is_not() -> None:
    plan = plan_deal(Game.TCF, {}, [1, 2])
    dealt = served(plan)
    assert violations(plan, dealt[:-1]) == [(8, "MISSING_CARD", "TCF-30")]
    assert violations(plan, [*dealt, Dealt(2)]) == [(9, "EXTRA_CARD", "TCF-30")]
    assert check_deal(plan, [*dealt, *[Dealt("X")] * stub_size(plan)]).ok


@pytest.mark.rules("THE-71")
def test_a_forgotten_burn_before_the_flop_is_found() -> None:
    plan = plan_deal(Game.THE, {}, [1, 2], button=1, board=3)
    dealt = [card for card in served(plan) if card.to != "X"]
    assert violations(plan, dealt)[0] == (4, "WRONG_RECIPIENT", "THE-71")


@settings(deadline=None)
@given(plans())
def test_a_deal_made_from_its_plan_checks_clean(plan: DealPlan) -> None:
    found = check_deal(plan, served(plan))
    assert found.violations == found.observations == ()


@settings(deadline=None)
@given(plans(), st.data())
def test_any_swap_of_two_different_places_is_found(plan: DealPlan, data: st.DataObject) -> None:
    dealt = served(plan)
    first, second = (data.draw(st.integers(0, len(dealt) - 1)) for _ in range(2))
    different = dealt[first] != dealt[second]
    dealt[first], dealt[second] = dealt[second], dealt[first]
    assert check_deal(plan, dealt).ok != different


@settings(deadline=None)
@given(plans())
def test_place_by_place_the_plan_is_the_whole_plan(plan: DealPlan) -> None:
    assert tuple(place_of(plan, n) for n in range(len(plan.places))) == plan.places
    assert place_of(plan, len(plan.places)) is None
    assert place_of(plan, -1) is None


@settings(deadline=None)
@given(st.sets(st.integers(1, 7), min_size=1), st.data())
def test_learning_who_buys_or_that_the_board_goes_on_only_lengthens_a_plan(
    seats: set[int], data: st.DataObject
) -> None:
    buyers = data.draw(st.sets(st.sampled_from(sorted(seats))))
    before, after = plan_deal(Game.STU, {}, seats), plan_deal(Game.STU, {}, seats, buyers=buyers)
    assert after.places[: len(before.places)] == before.places
    streets = [plan_deal(Game.THE, {}, seats, button=1, board=cards).places for cards in (0, 3, 4, 5)]
    for shorter, longer in pairwise(streets):
        assert longer[: len(shorter)] == shorter


@settings(deadline=None)
@given(plans())
def test_every_hand_gets_its_number_of_cards(plan: DealPlan) -> None:
    dealt = order(plan)
    for seat in {to for to in dealt if isinstance(to, int)}:
        bought = sum(place.to == seat and place.rule == "STU-61" for place in plan.places)
        assert dealt.count(seat) == hand_size(plan.game) + bought
