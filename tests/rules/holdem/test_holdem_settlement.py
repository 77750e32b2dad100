"""Whole coups decided: hands, pots, rake, voids, and what cannot be a coup at all (THE-89 to THE-128)."""

from dataclasses import replace

import pytest

from rules.holdem.holdem_script import DEEP, coup, nets, refused, rules_by_seat, settled, staked
from sabot_gateway.model.card import cards_from_text
from sabot_gateway.model.coup import Void
from sabot_gateway.model.holdem import HoldemCoup, HoldemSeat
from sabot_gateway.model.settlement import Outcome, Status

FOUR = dict.fromkeys((1, 2, 3, 4), DEEP)
TWO = {1: 1000, 2: 1000}


def with_seat(played: HoldemCoup, number: int, **changes: object) -> HoldemCoup:
    seats = tuple(
        replace(seat, **changes) if seat.seat == number else seat  # type: ignore[arg-type]  # any field of a seat
        for seat in played.seats
    )
    return replace(played, seats=seats)


def winner(first: str, second: str, board: str, **settings: object) -> tuple[int, ...]:
    decided = settled(staked(TWO, button=1, board=board, hands={1: first, 2: second}), **settings)
    (pot,) = decided.pots
    return pot.winners


@pytest.mark.rules("THE-72", "THE-103", "THE-104", "THE-105", "THE-106", "THE-113")
@pytest.mark.parametrize(
    ("first", "second", "board", "winners"),
    [
        ("As9s", "7d6d", "5s8s9c2sKh", (1,)),  # flush over straight
        ("As9d", "Ad8s", "Ah9c8h3h2d", (1,)),  # second pair
        ("KsQd", "KhJd", "Kc9c5d3h2s", (1,)),  # kicker inside the best five
        ("KsQd", "KhJd", "KcAcTd9h8s", (1,)),
        ("2s3d", "QhJd", "AcAdKsKhQs", (1, 2)),  # the queen of the board plays for both
        ("2s3d", "4h6d", "TcJdQsKhAs", (1, 2)),  # the board plays
        ("AsKd", "AdKs", "2c5h8s9d3h", (1, 2)),
        ("Ah2d", "6s6h", "3c4d5s9hKc", (1,)),  # the wheel is a straight
        ("Ah2d", "6s7h", "3c4d5s9hKc", (2,)),  # and the lowest one
        ("As3s", "KsQs", "Ts9s4s2s8d", (1,)),
        ("9h9d", "AhAd", "9s9c2d5h7c", (1,)),
        ("KhKd", "7h7s", "Kc7c7d2s3s", (2,)),
    ],
)
def test_best_five_of_seven_wins(first: str, second: str, board: str, winners: tuple[int, ...]) -> None:
    assert winner(first, second, board) == winners


@pytest.mark.rules("THE-113")
def test_house_may_not_count_the_wheel() -> None:
    assert winner("Ah2d", "6s6h", "3c4d5s9hKc", wheel=False) == (2,)


@pytest.mark.rules("THE-107", "THE-108")
def test_equal_hands_share_the_pot() -> None:
    decided = settled(staked(TWO, button=1, hands={1: "AsKd", 2: "AdKs"}))
    assert nets(decided) == {1: 0, 2: 0}
    assert rules_by_seat(decided) == {1: "THE-107", 2: "THE-107"}
    assert [str(seat.comparison) for seat in decided.seats] == ["tie", "tie"]


@pytest.mark.rules("THE-92", "THE-94", "THE-96", "THE-98")
def test_short_stack_all_in_wins_the_main_pot_and_the_next_best_the_side_pot() -> None:
    script = "3 allin, 4 call, 1 fold, 2 raise 8000, 4 call / 2 bet 5000, 4 call / 2 check, 4 check / 2 check, 4 check"
    hands = {1: "QsQd", 2: "KsKd", 3: "AsAd", 4: "JsJd"}
    decided = settled(coup(script, {**FOUR, 3: 2500}, button=4, hands=hands))
    assert nets(decided) == {1: -500, 2: 8000, 3: 5500, 4: -13000}
    assert rules_by_seat(decided) == {1: "THE-58", 2: "THE-98", 3: "THE-96", 4: "THE-104"}
    assert decided.showdown.order == (2, 3, 4)
    assert decided.showdown.rule == "THE-102"


@pytest.mark.rules("THE-93")
def test_all_in_that_nobody_calls_takes_the_whole_pot() -> None:
    decided = settled(coup("3 allin, 4 fold, 1 fold, 2 fold", FOUR, button=4, board=""))
    assert nets(decided) == {1: -500, 2: -1000, 3: 1500, 4: 0}
    assert [pot.pot.amount for pot in decided.pots] == [2500]


@pytest.mark.rules("THE-99")
def test_best_hand_that_covers_everybody_receives_all_pots() -> None:
    decided = settled(staked({1: 3000, 2: 700, 3: 1500, 4: 3000}, button=4))
    assert [(pot.winners, pot.rule) for pot in decided.pots] == [((1,), "THE-99")] * 3
    assert nets(decided) == {1: 5200, 2: -700, 3: -1500, 4: -3000}


@pytest.mark.rules("THE-101")
def test_first_raiser_of_the_last_round_shows_first() -> None:
    checked = "1 check, 2 check, 3 check, 4 check"
    river = "1 bet 1000, 2 raise 2000, 3 raise 4000, 4 call, 1 call, 2 call"
    script = f"3 call, 4 call, 1 call, 2 check / {checked} / {checked} / {river}"
    played = coup(script, FOUR, button=4)
    assert settled(played).showdown.order == (2, 3, 4, 1)
    assert settled(played, showdown_first="first_aggressor").showdown.order == (1, 2, 3, 4)
    assert settled(played, showdown_first="last_aggressor").showdown.order == (3, 4, 1, 2)
    assert settled(played).showdown.rule == "THE-101"


@pytest.mark.rules("THE-127")
def test_all_in_before_the_river_the_last_round_is_the_last_in_which_somebody_spoke() -> None:
    stacks = {1: 5000, 2: 5000, 3: 5000}
    raised = settled(coup("3 call, 1 call, 2 check / 1 check, 2 bet 1000, 3 allin, 1 call, 2 call", stacks, button=3))
    assert raised.showdown.order == (3, 1, 2)
    silent = settled(coup("", {1: 300, 2: 700}, button=2))
    assert (silent.showdown.order, silent.showdown.rule) == ((1, 2), "THE-127")


@pytest.mark.rules("THE-109", "THE-111", "THE-124")
def test_rake_leaves_the_pot_before_the_winner_takes_it() -> None:
    decided = settled(staked({1: 300, 2: 700, 3: 1500, 4: 1500}, button=4), rake_bp=400)
    assert [pot.rake for pot in decided.pots] == [48, 48, 64]
    assert nets(decided) == {1: 852, 2: 452, 3: 36, 4: -1500}
    assert sum(seat.returned for seat in decided.seats) + decided.rake_total == 4000


@pytest.mark.rules("THE-124", "THE-122")
def test_uncontested_pots_are_raked_too_unless_the_house_exempts_them() -> None:
    played = coup("3 raise 3000, 4 fold, 1 fold, 2 fold", FOUR, button=4, board="")
    assert settled(played, rake_bp=400).rake_total == 100
    assert settled(played, rake_bp=400, no_flop_no_drop=True).rake_total == 0
    after_flop = coup("3 raise 3000, 4 fold, 1 fold, 2 call / 2 fold", FOUR, button=4, board="2c5h8s")
    assert settled(after_flop, rake_bp=400, no_flop_no_drop=True).rake_total == 260


@pytest.mark.rules("THE-114")
def test_uncalled_bet_is_not_raked_unless_the_house_keeps_it_in() -> None:
    played = staked({1: 5000, 2: 2000}, button=1, hands={1: "KsKd", 2: "AsAd"})
    assert settled(played, rake_bp=400).rake_total == 160
    kept = settled(played, rake_bp=400, return_uncalled=False)
    assert (kept.rake_total, nets(kept)) == (280, {1: -2120, 2: 1840})
    assert rules_by_seat(kept) == {1: "THE-97", 2: "THE-96"}


@pytest.mark.rules("THE-122")
def test_last_player_wins_without_showing() -> None:
    decided = settled(coup("3 raise 3000, 4 fold, 1 fold, 2 fold", FOUR, button=4, board=""))
    assert decided.showdown.order == ()
    assert all(seat.hand is None for seat in decided.seats)
    assert rules_by_seat(decided)[3] == "THE-122"


@pytest.mark.rules("THE-122")
def test_somebody_always_stays_in() -> None:
    assert refused(staked(TWO, button=1, folded=(1, 2))) == [("EVERYBODY_FOLDED", "THE-122", None, None)]


@pytest.mark.rules("THE-71", "THE-85", "THE-88", "THE-89")
@pytest.mark.parametrize("board", ["", "2c5h8s", "2c5h8s9d", "2c", "2c5h8s9d3hTc"])
def test_showdown_needs_the_five_cards_of_the_board(board: str) -> None:
    count = len(cards_from_text(board))
    assert refused(staked(TWO, button=1, board=board)) == [("BOARD_COUNT", "THE-89", count, None)]


@pytest.mark.rules("THE-89", "THE-71", "THE-85")
@pytest.mark.parametrize(
    ("script", "board", "is_proper"),
    [
        ("3 raise 3000, 4 fold, 1 fold, 2 fold", "", True),
        ("3 raise 3000, 4 fold, 1 fold, 2 fold", "2c", False),
        ("3 call, 4 fold, 1 fold, 2 check / 2 fold", "2c5h8s", True),
        ("3 call, 4 fold, 1 fold, 2 check / 2 fold", "", False),
        ("3 call, 4 fold, 1 fold, 2 check / 2 check, 3 check / 2 fold", "2c5h8s9d", True),
        ("3 call, 4 fold, 1 fold, 2 check / 2 check, 3 check / 2 fold", "2c5h8s", False),
    ],
)
def test_coup_that_ended_early_has_the_cards_of_the_rounds_played(script: str, board: str, is_proper: bool) -> None:
    played = coup(script, FOUR, button=4, board=board)
    if is_proper:
        assert settled(played).status is Status.SETTLED
    else:
        assert [fault[:2] for fault in refused(played)] == [("BOARD_COUNT", "THE-89")]


@pytest.mark.rules("THE-52", "THE-125")
@pytest.mark.parametrize("cards", ["", "As", "AsAdAh"])
def test_wrong_number_of_hole_cards_returns_everything_unraked(cards: str) -> None:
    played = with_seat(coup("3 raise 3000", FOUR, button=4, board=""), 1, cards=cards_from_text(cards))
    decided = settled(played, rake_bp=400)
    assert decided.status is Status.VOID
    assert {seat.seat: (seat.stake, seat.returned) for seat in decided.seats} == {
        1: (500, 500),
        2: (1000, 1000),
        3: (3000, 3000),
        4: (0, 0),
    }
    assert {seat.outcome for seat in decided.seats} == {Outcome.VOID}
    assert decided.rake_total == 0


@pytest.mark.rules("THE-125")
@pytest.mark.parametrize("cause", Void)
def test_declared_void_returns_everything(cause: Void) -> None:
    decided = settled(replace(staked({1: 500, 2: 1000}, button=1, folded=(1,)), void=cause), rake_bp=400)
    assert decided.status is Status.VOID
    assert (nets(decided), decided.rule, decided.rake_total) == ({1: 0, 2: 0}, "THE-125", 0)


@pytest.mark.rules("THE-01")
def test_card_seen_twice() -> None:
    assert refused(staked(TWO, button=1, hands={1: "AsAd", 2: "AsKd"})) == [("DUPLICATE_CARD", "THE-01", "As", 2)]
    assert refused(staked(TWO, button=1, hands={1: "AsAd", 2: "2cKd"})) == [("DUPLICATE_CARD", "THE-01", "2c", None)]
    burned = replace(staked(TWO, button=1), burned=cards_from_text("As"))
    assert refused(burned) == [("DUPLICATE_CARD", "THE-01", "As", None)]


@pytest.mark.rules("THE-14", "THE-17", "THE-27")
def test_game_needs_two_players_present() -> None:
    assert refused(staked({1: 1000}, button=1)) == [("TOO_FEW_PLAYERS", "THE-14", 1, None)]
    alone = with_seat(staked(TWO, button=1), 2, absent=True, contributed=None)
    assert refused(alone) == [("TOO_FEW_PLAYERS", "THE-14", 1, None)]


@pytest.mark.rules("THE-18", "THE-19", "THE-16", "THE-20")
def test_seats_and_players_must_be_proper() -> None:
    base = staked({1: 1000, 2: 1000, 3: 1000}, button=1)
    assert refused(with_seat(base, 3, seat=11)) == [("SEAT_NUMBER", "THE-18", 11, 11)]
    assert refused(with_seat(base, 3, seat=2)) == [("SEAT_TWICE", "THE-19", 2, 2)]
    assert refused(with_seat(with_seat(base, 1, player="X"), 3, player="X")) == [("PLAYER_TWO_HANDS", "THE-19", "X", 3)]
    assert refused(with_seat(base, 3, standing=True)) == [("STANDING_PLAYER", "THE-16", None, 3)]
    assert refused(with_seat(base, 3, vacant=True)) == [("BET_ON_VACANT_SPOT", "THE-20", None, 3)]
    assert refused(base, seats_total=2) == [("SEAT_NUMBER", "THE-18", 3, 3)]


@pytest.mark.rules("THE-20", "THE-41")
def test_empty_vacant_seat_is_no_part_of_the_coup_and_carries_no_button() -> None:
    played = staked(TWO, button=1)
    with_gap = replace(played, seats=(*played.seats, HoldemSeat(5, vacant=True)))
    assert nets(settled(with_gap)) == {1: 1000, 2: -1000}
    assert refused(replace(with_gap, button=5)) == [("BUTTON_SEAT", "THE-41", 5, None)]
    assert refused(replace(with_gap, button=7)) == [("BUTTON_SEAT", "THE-41", 7, None)]


@pytest.mark.rules("THE-27")
def test_absent_player_gets_no_hand_and_the_blinds_fall_on_the_next() -> None:
    script = (
        "4 call, 1 call, 3 check / 1 check, 3 check, 4 check / 1 check, 3 check, 4 check / 1 check, 3 check, 4 check"
    )
    decided = settled(with_seat(coup(script, FOUR, button=4), 2, absent=True, cards=None))
    assert nets(decided) == {1: 2000, 3: -1000, 4: -1000}
    paid = with_seat(staked({1: 1000, 2: 1000, 3: 1000}, button=1), 2, absent=True)
    assert refused(paid) == [("BAD_CONTRIBUTION", "THE-27", 1000, 2)]


@pytest.mark.rules("THE-35")
def test_new_player_brings_the_minimum_cave() -> None:
    played = with_seat(coup("", {1: 300, 2: 700}, button=2), 1, new=True)
    assert refused(played, cave_min=301) == [("CAVE_BELOW_MIN", "THE-35", 301, 1)]
    assert settled(played, cave_min=300).status is Status.SETTLED
    assert settled(with_seat(played, 1, new=False), cave_min=301).status is Status.SETTLED


@pytest.mark.rules("THE-37", "THE-32")
@pytest.mark.parametrize("amount", [-1, 0, 10**18, None])
def test_impossible_stacks_and_contributions(amount: int | None) -> None:
    shown = amount if amount is not None and amount < 10**12 else None
    stack = with_seat(coup("", {1: 300, 2: 700}, button=2), 1, stack=amount)
    assert refused(stack) == [("BAD_STACK", "THE-37", shown, 1)]
    assert refused(with_seat(staked(TWO, button=1), 1, contributed=amount)) == [
        ("BAD_CONTRIBUTION", "THE-37", shown, 1)
    ]


@pytest.mark.rules("THE-37", "THE-32")
def test_contribution_stays_within_the_stack_and_whole_chips() -> None:
    assert refused(with_seat(staked(TWO, button=1), 1, stack=999)) == [("BAD_CONTRIBUTION", "THE-37", 1000, 1)]
    assert refused(staked({1: 1050, 2: 1050}, button=1), chip_unit=100) == [
        ("NOT_CHIP_MULTIPLE", "THE-32", 1050, 1),
        ("NOT_CHIP_MULTIPLE", "THE-32", 1050, 2),
    ]
    both = with_seat(coup("", {1: 300, 2: 700}, button=2), 1, contributed=300)
    assert refused(both) == [("BAD_CONTRIBUTION", "THE-37", "actions", 1)]


@pytest.mark.rules("THE-52")
def test_hand_that_must_be_shown_has_to_be_recorded() -> None:
    assert refused(with_seat(staked(TWO, button=1), 2, cards=None)) == [("MISSING_KEY", "THE-52", "cards", 2)]
    folded = with_seat(staked({1: 1000, 2: 1000, 3: 500}, button=1, folded=(3,)), 3, cards=None)
    assert nets(settled(folded)) == {1: 1500, 2: -1000, 3: -500}
