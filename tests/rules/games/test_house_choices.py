"""Coups that one choice of the house decides: laid out by hand from the article, both readings side by side."""

from fractions import Fraction

import pytest

from rules.games.bank_coups import coup_of, outcomes, refused, seat_of, settled
from sabot_gateway.model.coup import BankSeat
from sabot_gateway.model.game import Game


def paid(game: Game, dealer: str, seat: BankSeat, board: str = "", **config: object) -> str:
    return outcomes(settled(game, coup_of(dealer, seat, board=board), config).seats[0])


@pytest.mark.rules("TCF-46", "TCF-48", "TCF-54", "TCF-81")
def test_a_dealer_with_ace_three_two_holds_a_straight_or_a_bare_ace_and_qualifies_either_way() -> None:
    kings = seat_of("Kh Kd 2c", "ante 1000 play 1000")
    assert paid(Game.TCF, "As 3d 2h", kings) == "ante lose -1000 TCF-54; play lose -1000 TCF-54"
    won = "ante win +1000 TCF-59; play win +1000 TCF-62"
    assert paid(Game.TCF, "As 3d 2h", kings, ace_low_straight=False) == won
    # The jack below it does not: what qualifies is the ace, not the shape.
    assert paid(Game.TCF, "Js 3d 2h", kings, ace_low_straight=False).startswith("ante win +1000 TCF-48")


@pytest.mark.rules("TCF-70", "TCF-72", "TCF-75", "TCF-81")
def test_a_suited_ace_three_two_is_a_straight_flush_or_a_mere_flush() -> None:
    seat = seat_of("Ah 3h 2h", "ante 1000 play 1000 pair_plus 500 bonus 500")
    main = "ante win +{} {}; play win +1000 TCF-62; pair_plus win +{} TCF-74; "
    low = paid(Game.TCF, "Kd 9c 4s", seat)
    assert low == main.format(5000, "TCF-61", 20_000) + "bonus win +2500 TCF-66"
    high = paid(Game.TCF, "Kd 9c 4s", seat, ace_low_straight=False)
    assert high == main.format(1000, "TCF-59", 1500) + "bonus lose -500 TCF-72"


@pytest.mark.rules("TCF-28", "TCF-66", "TCF-67", "TCF-69")
@pytest.mark.parametrize(
    ("dealer", "cards", "main", "bonus"),
    [
        ("Th 9s 8h", "6s 5d 4h", "ante lose -2000 TCF-54; play lose -2000 TCF-54", "win +2000 TCF-69"),
        ("6c 5c 4s", "6s 5d 4h", "ante push 0 TCF-58; play push 0 TCF-58", "win +2000 TCF-66"),
        # Unqualified dealer: the brelan earns the bonus, never the fourfold ante.
        ("Jh 9s 2h", "8s 8d 8c", "ante win +2000 TCF-48; play push 0 TCF-49", "win +8000 TCF-67"),
        ("Qh 9s 2h", "8s 8d 8c", "ante win +8000 TCF-60; play win +2000 TCF-62", "win +8000 TCF-66"),
    ],
)
def test_the_bonus_on_the_ante_against_no_bonus_at_all(dealer: str, cards: str, main: str, bonus: str) -> None:
    seat = seat_of(cards, "ante 2000 play 2000")
    assert paid(Game.TCF, dealer, seat, bonus_mode="ante_bonus") == f"{main}; bonus {bonus}"
    assert paid(Game.TCF, dealer, seat, bonus_mode="none") == main


@pytest.mark.rules("TCF-71", "TCF-77", "TCF-78", "TCF-79")
def test_where_claims_are_required_a_fold_needs_none_and_one_claim_serves_one_bet() -> None:
    trips, stakes = "8s 8d 8c", "ante 1000 play 1000 pair_plus 500 bonus 500"
    half = seat_of(trips, stakes, claims=("pair_plus",))
    main = "ante win +1000 TCF-48; play push 0 TCF-49; pair_plus win +15000 TCF-74; "
    assert paid(Game.TCF, "Jh 9s 2h", half, claim_required=True) == main + "bonus lose -500 TCF-77"
    folded = seat_of(trips, "ante 1000 pair_plus 500 bonus 500", "fold")
    lost = "ante forfeit -1000 TCF-41; pair_plus {}; bonus forfeit -500 TCF-71"
    assert paid(Game.TCF, "Jh 9s 2h", folded, claim_required=True) == lost.format("win +15000 TCF-79")
    assert paid(Game.TCF, "Jh 9s 2h", folded, pair_plus_on_fold="forfeit") == lost.format("forfeit -500 TCF-79")


@pytest.mark.rules("STU-53", "STU-63", "STU-74", "STU-76")
@pytest.mark.parametrize(
    ("on_tie", "bonus"), [("push", "push 0 STU-76"), ("pay", "win +10000 STU-76"), ("lose", "lose -100 STU-76")]
)
def test_a_bonus_flush_that_ties_follows_the_house_and_less_than_a_flush_does_not(on_tie: str, bonus: str) -> None:
    stakes, even = "ante 1000 raise 2000 bonus 100", "ante push 0 STU-53; raise push 0 STU-53; bonus "
    flush = seat_of("Ah Kh Jh 9h 3h", stakes)
    assert paid(Game.STU, "As Ks Js 9s 3s", flush, bonus_on_tie=on_tie) == even + bonus
    straight = seat_of("Th 9d 8c 7h 6s", stakes)
    assert paid(Game.STU, "Td 9c 8s 7d 6h", straight, bonus_on_tie=on_tie) == even + "lose -100 STU-74"
    # The bought flush ties as well, but its bonus was gone with the purchase.
    bought = seat_of("Ah Kh Jh 9h 2c", f"{stakes} buy 1000", buy="2c 3h")
    assert paid(Game.STU, "As Ks Js 9s 3s", bought, bonus_on_tie=on_tie) == (
        f"buy forfeit -1000 STU-61; {even}forfeit -100 STU-63"
    )


@pytest.mark.rules("STU-65")
@pytest.mark.parametrize(
    ("cards", "first", "second"),
    [
        ("Ah Qd 9c 4s 4d", 1, 1),
        ("Th 9d 8c 7h 6s", 4, 5),
        ("Ad Jd 9d 4d 2d", 5, 8),
        ("Th Td Tc 7h 7s", 7, 10),
        ("7c 7d 7h 7s 2s", 20, 20),
    ],
)
def test_the_raise_is_paid_by_the_table_that_the_house_chose(cards: str, first: int, second: int) -> None:
    seat = seat_of(cards, "ante 1000 raise 2000")
    for table, odds in (("first", first), ("second", second)):
        won = f"ante win +1000 STU-77; raise win +{2000 * odds} STU-65"
        assert paid(Game.STU, "Ac Kc 8h 5h 3c", seat, raise_table=table) == won


@pytest.mark.rules("STU-35", "TCF-37")
def test_an_early_look_is_returned_or_forfeited_stake_by_stake() -> None:
    stud = seat_of("7c 7d 7h 7s 2s", "ante 1000 raise 2000 bonus 100 buy 1000", buy="2s 3d", early_look=True)
    spots = ("buy", "ante", "raise", "bonus")
    stakes = dict(zip(spots, (1000, 1000, 2000, 100), strict=True))
    for choice, expected in (("void", dict.fromkeys(spots, 0)), ("forfeit", {s: -stakes[s] for s in spots})):
        result = settled(Game.STU, coup_of("Ac Kc 8h 5h 3c", stud), {"early_look": choice}).seats[0]
        assert {str(bet.spot): bet.net for bet in result.bets} == expected
        assert {(str(bet.outcome), bet.rule) for bet in result.bets} == {(choice, "STU-35")}
    other = seat_of("Kh Kd 2c", "ante 1000 play 1000", seat=2)
    looked = seat_of("8s 8d 8c", "ante 1000 pair_plus 500", None, seat=5, early_look=True)
    both = settled(Game.TCF, coup_of("Qh 9s 2h", other, looked), {"early_look": "forfeit"})
    assert outcomes(both.seats[0]) == "ante forfeit -1000 TCF-37; pair_plus forfeit -500 TCF-37"
    assert outcomes(both.seats[1]) == "ante win +1000 TCF-59; play win +1000 TCF-62"
    assert both.bank_net == -500


@pytest.mark.rules("UTH-29", "UTH-37", "UTH-44")
@pytest.mark.parametrize(
    ("odds", "floor", "ceil", "half_up"),
    [((3, 2), 100, 200, 200), ((5, 4), 100, 200, 100), ((7, 4), 100, 200, 200), ((2, 1), 200, 200, 200)],
)
def test_a_stake_of_one_chip_is_rounded_down_up_or_to_the_nearest(
    odds: tuple[int, int], floor: int, ceil: int, half_up: int
) -> None:
    table = {"straight": 1, "flush": list(odds), "full_house": 3, "quads": 10, "straight_flush": 50, "royal_flush": 500}
    seat = seat_of("9s 8s", "ante 100 blind 100 play 400", "play_preflop")
    for rounding, net in (("floor", floor), ("ceil", ceil), ("half_up", half_up)):
        config = {"blind_table": table, "chip_unit": 100, "table_min": 100, "rounding": rounding}
        blind = settled(Game.UTH, coup_of("Kh Kd", seat, board="7s 6s 3c Jh 2s"), config).seats[0].bets[2]
        assert (blind.net, blind.breakage) == (net, Fraction(100 * odds[0], odds[1]) - net)


@pytest.mark.rules("UTH-33", "UTH-34", "UTH-35", "UTH-39")
def test_a_dealer_whose_only_hand_is_the_wheel_qualifies_where_it_counts() -> None:
    queens, board = seat_of("Qh Qd", "ante 500 blind 500 play 1000", "play_flop"), "2s 3d 4h Kc 9d"
    beaten = "ante lose -500 UTH-31; play lose -1000 UTH-31; blind lose -500 UTH-31"
    assert paid(Game.UTH, "As 5c", queens, board) == beaten
    won = "ante push 0 UTH-34; play win +1000 UTH-35; blind push 0 UTH-30"
    assert paid(Game.UTH, "As 5c", queens, board, wheel=False) == won


@pytest.mark.rules("UTH-41", "UTH-49")
def test_trips_pushed_on_ties_is_still_settled_on_wins_and_losses() -> None:
    board, push = "9c 9d 9h 5s 2c", {"trips_on_tie": "push"}
    stakes = "ante 500 blind 500 play 500 trips 500"
    for cards, expected in (("Ah 3d", "win +1500 UTH-41"), ("Kh 7d", "push 0 UTH-49"), ("Jh 3s", "win +1500 UTH-41")):
        seat = seat_of(cards, stakes, "play_river")
        assert paid(Game.UTH, "Ks 7c", seat, board, **push).rpartition("trips ")[2] == expected


@pytest.mark.rules("TCP-19", "TCP-24", "TCP-25", "TCP-51", "TCP-52", "TCP-57")
def test_six_cards_with_the_wheel_and_without_and_the_mini_royal() -> None:
    stakes = "ante 1000 play 1000 six_card 500"
    wheel = seat_of("Ad 3s 2h", stakes)
    assert paid(Game.TCP, "5c 4d Ks", wheel).endswith("six_card win +5000 TCP-25")
    assert paid(Game.TCP, "5c 4d Ks", wheel, six_card_wheel=False).endswith("six_card lose -500 TCP-53")
    # Three cards keep their low ace: it is the ante bonus of a straight all the same.
    assert "ante_bonus win +1000 TCP-19" in paid(Game.TCP, "5c 4d Ks", wheel, six_card_wheel=False)
    royal = seat_of("As Ks Qs", "ante 1000 play 1000 pair_plus 500 six_card 500")
    assert paid(Game.TCP, "Js Ts 2d", royal) == (
        "ante win +1000 TCP-14; play push 0 TCP-13; ante_bonus win +5000 TCP-19; "
        "pair_plus win +100000 TCP-21; six_card win +500000 TCP-25"
    )


TOTAL = {"limit_scope": "per_player_total", "table_min": 1000, "table_max": 5000}


@pytest.mark.rules("TCF-23", "STU-23", "UTH-45", "A-TCF-12")
@pytest.mark.parametrize(
    ("game", "dealer", "board", "seat", "faults"),
    [
        # Each below the minimum, together on it.
        (Game.TCF, "Qh 9s 2h", "", seat_of("Kh Kd 2c", "ante 500 play 500 pair_plus 500"), []),
        (
            Game.TCF,
            "Qh 9s 2h",
            "",
            seat_of("Kh Kd 2c", "ante 500 play 500 pair_plus 499"),
            [("BELOW_MIN", "TCF-23")],
        ),
        # JOUER is mandated and counts for nothing, the bonus stake counts.
        (Game.TCF, "Qh 9s 2h", "", seat_of("Kh Kd 2c", "ante 4000 play 4000 pair_plus 500 bonus 500"), []),
        (
            Game.TCF,
            "Qh 9s 2h",
            "",
            seat_of("Kh Kd 2c", "ante 4000 play 4000 pair_plus 500 bonus 501"),
            [("ABOVE_MAX", "TCF-23")],
        ),
        # One fifth of the minimum rides with the ante; relance and price do not.
        (Game.STU, "Ac Kc 8h 5h 3c", "", seat_of("Th 9d 8c 7h 6s", "ante 800 raise 1600 bonus 200"), []),
        (
            Game.STU,
            "Ac Kc 8h 5h 3c",
            "",
            seat_of("Th 9d 8c 7h 6s", "ante 5000 raise 10000 bonus 200"),
            [("ABOVE_MAX", "STU-23")],
        ),
        # Ante, blind and trips together; Play at four times the ante is free.
        (
            Game.UTH,
            "Kh Kd",
            "7s 6s 3c Jh 2s",
            seat_of("9s 8s", "ante 2000 blind 2000 trips 1000 play 8000", "play_preflop"),
            [],
        ),
        (
            Game.UTH,
            "Kh Kd",
            "7s 6s 3c Jh 2s",
            seat_of("9s 8s", "ante 2000 blind 2000 trips 1001 play 8000", "play_preflop"),
            [("ABOVE_MAX", "UTH-45")],
        ),
    ],
)
def test_a_limit_per_player_binds_the_sum_of_his_opening_stakes(
    game: Game, dealer: str, board: str, seat: BankSeat, faults: list[tuple[str, str]]
) -> None:
    coup = coup_of(dealer, seat, board=board)
    if faults:
        assert refused(game, coup, TOTAL) == faults
    else:
        assert settled(game, coup, TOTAL).seats[0].stake == sum(seat.bets.values())
