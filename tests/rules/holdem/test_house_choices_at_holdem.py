"""Hold'em coups whose money hangs on one choice of the house: rake, odd chips, uncalled bets, blinds, the option."""

import pytest

from rules.holdem.holdem_script import BOARD, coup, nets, refused, settled, staked
from sabot_gateway.model.holdem import OptionPost

SPLIT = {1: "AsKd", 2: "AdKs", 3: "QhJh"}  # seats 1 and 2 share, seat 3 pays


@pytest.mark.rules("THE-107", "THE-115", "THE-124")
@pytest.mark.parametrize(
    ("rounding", "rake", "returned"),
    [
        # 4 % of 2100 are 84 cents: no chip, or one. Left of the button (3) sits seat 1.
        ("floor", 0, {1: 1100, 2: 1000, 3: 0}),
        ("ceil", 100, {1: 1000, 2: 1000, 3: 0}),
        ("half_up", 100, {1: 1000, 2: 1000, 3: 0}),
    ],
)
def test_the_odd_chip_is_what_the_rounded_rake_leaves(rounding: str, rake: int, returned: dict[int, int]) -> None:
    played = staked({1: 700, 2: 700, 3: 700}, button=3, hands=SPLIT)
    decided = settled(played, rake_bp=400, chip_unit=100, rounding=rounding)
    assert decided.rake_total == rake
    assert {seat.seat: seat.returned for seat in decided.seats} == returned


@pytest.mark.rules("THE-115")
@pytest.mark.parametrize(
    ("odd_chip", "shares"),
    [
        ("left_of_button", {1: 3400, 2: 3300, 3: 3400}),
        ("lowest_seat", {1: 3400, 2: 3400, 3: 3300}),
        ("all_to_first", {1: 3300, 2: 3300, 3: 3500}),
    ],
)
def test_two_odd_chips_of_a_pot_for_three(odd_chip: str, shares: dict[int, int]) -> None:
    # The button stands before seat 2, so seat 3 is first at its left, then the folded 4, then 1.
    hands = {1: "AsKd", 2: "AdKs", 3: "AhKc", 4: "QhJh"}
    played = staked({1: 3000, 2: 3000, 3: 3000, 4: 1100}, button=2, folded=(4,), hands=hands)
    decided = settled(played, chip_unit=100, odd_chip=odd_chip)
    assert {seat.seat: seat.returned for seat in decided.seats} == {**shares, 4: 0}


@pytest.mark.rules("THE-115", "THE-123")
def test_every_pot_has_its_own_odd_chip() -> None:
    # Main pot 3 x 500, side pot 2 x 600 and 300 of a fold: both odd in chips of 100.
    hands = {1: "AsKd", 2: "AdKs", 3: "AhKc", 4: "QhJh"}
    played = staked({1: 500, 2: 1100, 3: 1100, 4: 800}, button=4, folded=(4,), hands=hands)
    decided = settled(played, chip_unit=100)
    assert [(pot.pot.amount, pot.shares) for pot in decided.pots] == [(2000, (700, 700, 600)), (1500, (800, 700))]


@pytest.mark.rules("THE-109", "THE-124")
@pytest.mark.parametrize(
    ("basis", "cap", "rakes"),
    [
        ("each_pot", None, [750, 500]),
        ("each_pot", 900, [750, 150]),
        ("each_pot", 700, [700, 0]),
        ("each_pot", 0, [0, 0]),
        ("total", None, [1250, 0]),
        ("total", 900, [900, 0]),
    ],
)
def test_a_cap_is_reached_from_the_main_pot_on(basis: str, cap: int | None, rakes: list[int]) -> None:
    played = staked({1: 1000, 2: 2000, 3: 2000}, button=3)  # pots of 3000 and 2000
    decided = settled(played, rake_bp=2500, rake_basis=basis, rake_cap=cap)
    assert [pot.rake for pot in decided.pots] == rakes


@pytest.mark.rules("THE-124")
def test_a_rake_on_the_total_that_the_main_pot_cannot_bear_goes_on_to_the_next() -> None:
    played = staked({1: 100, 2: 2600, 3: 2600}, button=3)  # pots of 300 and 5000
    decided = settled(played, rake_bp=2500, rake_basis="total")
    assert [(pot.rake, pot.net) for pot in decided.pots] == [(300, 0), (1025, 3975)]
    assert nets(decided) == {1: -100, 2: 1375, 3: -2600}


@pytest.mark.rules("THE-109", "THE-127")
def test_no_flop_no_drop_looks_at_the_board_and_not_at_the_last_word() -> None:
    """All-in before the flop: nobody spoke after it, yet the flop was dealt and the pot is raked."""
    exempt = {"rake_bp": 1000, "no_flop_no_drop": True}
    all_in = coup("2 allin, 1 call", {1: 5000, 2: 5000}, button=1)
    assert settled(all_in, **exempt).rake_total == 1000
    assert settled(staked({1: 5000, 2: 5000}, button=1), **exempt).rake_total == 1000
    given_up = coup("2 allin, 1 fold", {1: 5000, 2: 5000}, button=1, board="")
    assert settled(given_up, **exempt).rake_total == 0
    assert settled(staked({1: 1000, 2: 5000}, button=1, folded=(1,), board=""), **exempt).rake_total == 0


@pytest.mark.rules("THE-96", "THE-97", "THE-114")
def test_an_uncalled_bet_kept_in_is_a_raked_pot_of_one() -> None:
    played = coup("2 allin, 1 call", {1: 1500, 2: 3000}, button=1)  # seat 1 holds the aces
    back = settled(played, rake_bp=1000)
    assert (back.rake_total, nets(back)) == (300, {1: 1200, 2: -1500})
    assert back.uncalled is not None
    assert (back.uncalled.seat, back.uncalled.amount) == (2, 1500)
    kept = settled(played, rake_bp=1000, return_uncalled=False)
    assert kept.uncalled is None
    assert (kept.rake_total, nets(kept)) == (450, {1: 1200, 2: -1650})
    # All others folded: the whole of it is one raked pot.
    alone = coup("2 raise 3000, 1 fold", {1: 5000, 2: 5000}, button=1, board="")
    assert (settled(alone, rake_bp=1000).rake_total, nets(settled(alone))) == (200, {1: -1000, 2: 1000})
    raked = settled(alone, rake_bp=1000, return_uncalled=False)
    assert (raked.rake_total, nets(raked)) == (400, {1: -1000, 2: 600})


@pytest.mark.rules("THE-45", "THE-46", "THE-116")
def test_two_players_by_the_letter_and_by_common_practice() -> None:
    stacks = {1: 5000, 2: 5000}
    # By the letter seat 2, left of the button, is the small blind and speaks first on every street.
    letter = coup("2 fold", stacks, button=1, board="")
    assert nets(settled(letter)) == {1: 500, 2: -500}
    assert refused(letter, heads_up="standard") == [("OUT_OF_TURN", "THE-57", 1, 2)]
    # By common practice the button is the small blind, first before the flop and last after it.
    practice = coup("1 call, 2 check / 2 bet 1000, 1 fold", stacks, button=1, board="2c5h8s")
    assert nets(settled(practice, heads_up="standard")) == {1: -1000, 2: 1000}
    assert refused(practice) == [("OUT_OF_TURN", "THE-57", 2, 1)]


@pytest.mark.rules("THE-48", "THE-49", "THE-126")
def test_an_option_that_nobody_calls_comes_back_above_the_big_blind() -> None:
    stacks, option = dict.fromkeys((1, 2, 3, 4), 20_000), OptionPost(3)
    folded = coup("4 fold, 1 fold, 2 fold", stacks, button=4, board="", option=option)
    decided = settled(folded, option_allowed=True, rake_bp=1000)
    assert decided.uncalled is not None
    assert (decided.uncalled.seat, decided.uncalled.amount) == (3, 1000)
    assert (decided.rake_total, nets(decided)) == (250, {1: -500, 2: -1000, 3: 1250, 4: 0})
    # He speaks last and may raise by twice the big blind again; less is no raise.
    raised = "4 call, 1 fold, 2 fold, 3 raise {}, 4 fold"
    won = coup(raised.format(4000), stacks, button=4, board="", option=option)
    assert nets(settled(won, option_allowed=True)) == {1: -500, 2: -1000, 3: 3500, 4: -2000}
    low = coup(raised.format(3999), stacks, button=4, board="", option=option)
    assert refused(low, option_allowed=True) == [("BELOW_MINIMUM", "THE-118", 4000, 3)]


@pytest.mark.rules("THE-94", "THE-128")
def test_a_blind_posted_short_makes_a_main_pot_of_its_size() -> None:
    played = coup("3 call, 1 call / 1 check, 3 check / 1 check, 3 check / 1 check, 3 check", {1: 9000, 2: 300, 3: 9000},
                  button=3, hands={1: "KsKd", 2: "AsAd", 3: "QsQd"})  # fmt: skip
    decided = settled(played)
    assert [(pot.pot.amount, pot.winners) for pot in decided.pots] == [(900, (2,)), (1400, (1,))]
    assert nets(decided) == {1: 400, 2: 600, 3: -1000}


@pytest.mark.rules("THE-107", "THE-113")
def test_without_the_wheel_the_aces_on_the_board_decide() -> None:
    hands, board = {1: "5h 9d", 2: "Kh 9c"}, "As 2d 3h 4c Td"
    played = staked({1: 1000, 2: 1000}, button=1, hands=hands, board=board)
    assert nets(settled(played)) == {1: 1000, 2: -1000}
    assert nets(settled(played, wheel=False)) == {1: -1000, 2: 1000}


@pytest.mark.rules("THE-48", "THE-49")
def test_an_option_is_held_against_the_house_also_where_no_actions_were_kept() -> None:
    played = staked({1: 2000, 2: 2000, 3: 2000, 4: 2000}, button=4, board=BOARD)
    posted = type(played)(played.button, played.seats, played.board, option=OptionPost(3))
    assert refused(posted) == [("OPTION_NOT_AUTHORISED", "THE-48", None, 3)]
    assert settled(posted, option_allowed=True).rake_total == 0
    wrong = type(played)(played.button, played.seats, played.board, option=OptionPost(2))
    assert refused(wrong, option_allowed=True) == [("OPTION_WRONG_SEAT", "THE-49", 3, 2)]
