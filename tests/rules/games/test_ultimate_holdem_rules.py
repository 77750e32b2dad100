"""Article 55-20, rule by rule. Each row: board, dealer, player, what becomes of each stake."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.games.bank_coups import coup_of, outcomes, refused, seat_of, settled
from sabot_gateway.model.coup import Void
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import Comparison, Status

STAKES = "ante 1000 blind 1000 play 4000"
WON = "ante win +1000 UTH-28; play win +4000 UTH-28; blind push 0 UTH-30"
BEATEN = "ante lose -1000 UTH-31; play lose -4000 UTH-31; blind lose -1000 UTH-31"
TIED = "ante push 0 UTH-32; play push 0 UTH-32; blind push 0 UTH-32"
UNQUALIFIED_WON = "ante push 0 UTH-34; play win +4000 UTH-35; blind push 0 UTH-30"
UNQUALIFIED_BEATEN = "ante push 0 UTH-34; play lose -4000 UTH-35; blind lose -1000 UTH-35"


def won_blind(net: int) -> str:
    return f"ante win +1000 UTH-28; play win +4000 UTH-28; blind win +{net} UTH-29"


@pytest.mark.parametrize(
    ("board", "dealer", "player", "expected"),
    [
        pytest.param(
            "As Kd 9c 5h 3s", "Qh 7d", "Jh 8d", UNQUALIFIED_BEATEN, marks=pytest.mark.rules("UTH-34", "UTH-35")
        ),
        pytest.param("As Kd 9c 5h 3s", "Jh 8d", "Qh 7d", UNQUALIFIED_WON, marks=pytest.mark.rules("UTH-33", "UTH-35")),
        pytest.param("As Kd 9c 5h 3s", "Qh 7d", "Qd 7c", TIED, marks=pytest.mark.rules("UTH-32")),
        # A pair on the board qualifies the dealer.
        pytest.param("As Ad 9c 5h 3s", "Jh 8d", "Qh 7d", WON, marks=pytest.mark.rules("UTH-33", "UTH-28", "UTH-38")),
        pytest.param("Ks Jd 9c 5h 2s", "2h 7d", "Ah Qd", BEATEN, marks=pytest.mark.rules("UTH-31", "UTH-33")),
        pytest.param("Ks Jd 9c 5h 2s", "Kh 7d", "Kd 7c", TIED, marks=pytest.mark.rules("UTH-32", "UTH-38")),
        # Blind: from a straight up, and only for a winner.
        pytest.param("7s 6d 5c Jh 2s", "Kh Kd", "Jc Jd", WON, marks=pytest.mark.rules("UTH-30")),
        pytest.param("7s 6d 5c Jh 2s", "Kh Kd", "9h 8d", won_blind(1000), marks=pytest.mark.rules("UTH-29", "UTH-37")),
        # The river completes it: two own cards and three of the board, the last among them.
        pytest.param(
            "7s 6s 3c Jh 2s",
            "Kh Kd",
            "9s 8s",
            won_blind(1500),
            marks=pytest.mark.rules("UTH-37", "UTH-38", "UTH-44"),
        ),
        pytest.param("7s 7d 5c Jh 2s", "Kh Kd", "7h 5d", won_blind(3000), marks=pytest.mark.rules("UTH-37")),
        pytest.param("7s 7d 5c Jh 2s", "Kh Kd", "7h 7c", won_blind(10000), marks=pytest.mark.rules("UTH-37")),
        pytest.param("7s 6s 5s Jh 2d", "Kh Kd", "9s 8s", won_blind(50000), marks=pytest.mark.rules("UTH-37")),
        pytest.param("As Ks Qs 2h 3d", "4h 4d", "Js Ts", won_blind(500000), marks=pytest.mark.rules("UTH-37")),
        pytest.param("Ts 9d 8c 7h 6s", "2h 2d", "3h 3d", TIED, marks=pytest.mark.rules("UTH-29", "UTH-32")),
        pytest.param("Ts 9d 8c 7h 2s", "Jh Qd", "6h 3d", BEATEN, marks=pytest.mark.rules("UTH-29", "UTH-31")),
        # A straight is not hidden by the low ace, nor does it wrap.
        pytest.param("2s 3s 4d 9h Kc", "Kh 8d", "Ah 5d", won_blind(1000), marks=pytest.mark.rules("UTH-39")),
        pytest.param("2s 3s Kd 8s 9c", "4c 4h", "Ah Qd", BEATEN, marks=pytest.mark.rules("UTH-39")),
    ],
)
def test_ante_play_and_blind(board: str, dealer: str, player: str, expected: str) -> None:
    coup = coup_of(dealer, seat_of(player, STAKES, "play_preflop"), board=board)
    assert outcomes(settled(Game.UTH, coup).seats[0]) == expected


@pytest.mark.parametrize(
    ("board", "player", "net"),
    [
        pytest.param("9c 6s 5c Jh 2s", "9s 9h", 2100, marks=pytest.mark.rules("UTH-36")),
        pytest.param("7s 6d 5c Jh 2s", "9h 8d", 2800, marks=pytest.mark.rules("UTH-36")),
        pytest.param("7s 6s 3c Jh 2s", "9s 8s", 4900, marks=pytest.mark.rules("UTH-36")),
        pytest.param("7s 7d 5c Jh 2s", "7h 5d", 5600, marks=pytest.mark.rules("UTH-36")),
        pytest.param("7s 7d 5c Jh 2s", "7h 7c", 21000, marks=pytest.mark.rules("UTH-36")),
        pytest.param("7s 6s 5s Jh 2d", "9s 8s", 28000, marks=pytest.mark.rules("UTH-36")),
        pytest.param("As Ks Qs 2h 3d", "Js Ts", 35000, marks=pytest.mark.rules("UTH-36")),
        pytest.param("9c 6s 5c Jh 2s", "9s Jd", -700, marks=pytest.mark.rules("UTH-40")),
    ],
)
@pytest.mark.rules("UTH-41", "UTH-43")
def test_trips_is_settled_on_the_players_hand_raised_or_folded(board: str, player: str, net: int) -> None:
    raised = coup_of("4c 4h", seat_of(player, STAKES + " trips 700", "play_preflop"), board=board)
    folded = coup_of("4c 4h", seat_of(player, "ante 1000 blind 1000 trips 700", "fold"), board=board)
    for coup, rule in ((raised, "UTH-41"), (folded, "UTH-43")):
        bet = settled(Game.UTH, coup).seats[0].bets[-1]
        assert (bet.net, bet.rule) == (net, rule if net > 0 else "UTH-40")


@pytest.mark.rules("UTH-41")
def test_trips_is_paid_to_a_beaten_hand() -> None:
    coup = coup_of("Jc Jd", seat_of("9s 9h", STAKES + " trips 700", "play_preflop"), board="9c 6s 5c Jh 2s")
    assert outcomes(settled(Game.UTH, coup).seats[0]) == f"{BEATEN}; trips win +2100 UTH-41"


@pytest.mark.rules("UTH-49")
def test_a_house_may_return_trips_on_a_tie() -> None:
    coup = coup_of("4c 4h", seat_of("3c 3h", STAKES + " trips 700", "play_preflop"), board="As Ks Qs Js Ts")
    assert outcomes(settled(Game.UTH, coup).seats[0]) == f"{TIED}; trips win +35000 UTH-41"
    assert outcomes(settled(Game.UTH, coup, {"trips_on_tie": "push"}).seats[0]) == f"{TIED}; trips push 0 UTH-49"


@pytest.mark.rules("UTH-42", "UTH-43")
def test_a_fold_loses_ante_and_blind_and_at_some_houses_trips() -> None:
    folded = seat_of("4h 2d", "ante 1000 blind 1000 trips 700", "fold")
    coup = coup_of("Ah Qd", folded, board="8s 8d 8c Kh Ks")
    lost = "ante forfeit -1000 UTH-42; blind forfeit -1000 UTH-42; "
    assert outcomes(settled(Game.UTH, coup).seats[0]) == lost + "trips win +5600 UTH-43"
    strict = settled(Game.UTH, coup, {"trips_on_fold": "forfeit"}).seats[0]
    assert outcomes(strict) == lost + "trips forfeit -700 UTH-43"
    assert strict.comparison is Comparison.FOLDED


@pytest.mark.rules("UTH-44")
@pytest.mark.parametrize(
    ("stake", "unit", "rounding", "net", "breakage"),
    [
        (1000, 1, "floor", 1500, "0"),
        (501, 1, "floor", 751, "1/2"),
        (501, 1, "ceil", 752, "-1/2"),
        (501, 1, "half_up", 752, "-1/2"),
        (500, 100, "floor", 700, "50"),
        (500, 100, "ceil", 800, "-50"),
        (500, 100, "half_up", 800, "-50"),
        (1500, 500, "floor", 2000, "250"),
        (1500, 500, "half_up", 2500, "-250"),
    ],
)
def test_a_flush_on_blind_is_rounded_to_chips_and_the_breakage_kept(
    stake: int, unit: int, rounding: str, net: int, breakage: str
) -> None:
    seat = seat_of("9s 8s", f"ante {stake} blind {stake} play {4 * stake}", "play_preflop")
    coup = coup_of("Kh Kd", seat, board="7s 6s 3c Jh 2s")
    blind = settled(Game.UTH, coup, {"chip_unit": unit, "rounding": rounding}).seats[0].bets[2]
    assert (blind.net, blind.breakage) == (net, Fraction(breakage))


@pytest.mark.rules("UTH-39")
def test_without_the_wheel_a2345_is_no_straight() -> None:
    coup = coup_of("Kh 8d", seat_of("Ah 5d", STAKES, "play_preflop"), board="2s 3s 4d 9h Kc")
    assert outcomes(settled(Game.UTH, coup, {"wheel": False}).seats[0]) == BEATEN


@pytest.mark.rules("UTH-47", "UTH-27")
def test_seats_are_settled_from_the_right_and_the_dealer_names_his_hand() -> None:
    seats = [seat_of(cards, STAKES, "play_preflop", seat=n) for n, cards in ((2, "Ah Qd"), (6, "3c 3h"), (4, "Tc 9h"))]
    result = settled(Game.UTH, coup_of("Kh 7d", *seats, board="Ks Jd 8c 5h 2s"))
    assert [seat.seat for seat in result.seats] == [6, 4, 2]
    assert [(words.say, words.rule) for words in result.announcements] == [("paire", "UTH-27")]


@pytest.mark.rules("UTH-46")
def test_a_void_coup_or_a_wrong_count_returns_all_stakes() -> None:
    coup = coup_of("Kh 7d", seat_of("Ah Qd", STAKES + " trips 700", "play_preflop"), board="Ks Jd 8c 5h 2s")
    for void in (
        replace(coup, void=Void.MALFUNCTION),
        replace(coup, board=coup.board[:4]),
        replace(coup, dealer=coup.dealer[:1]),
        replace(coup, seats=(replace(coup.seats[0], cards=coup.seats[0].cards[:1]),)),
    ):
        result = settled(Game.UTH, void)
        assert (result.status, result.rule, result.bank_net) == (Status.VOID, "UTH-46", 0)
        assert sum(bet.returned for bet in result.seats[0].bets) == 6700


@pytest.mark.rules("UTH-16", "UTH-20", "UTH-22", "UTH-24", "UTH-26", "UTH-45")
def test_stakes_that_the_article_does_not_allow() -> None:
    def faults(bets: str, decision: str | None) -> list[tuple[str, str]]:
        return refused(Game.UTH, coup_of("Kh 7d", seat_of("Ah Qd", bets, decision), board="Ks Jd 8c 5h 2s"))

    opening = "ante 1000 blind 1000"
    assert faults("blind 1000 play 4000", "play_preflop") == [("NO_ANTE", "UTH-16")]
    assert faults("ante 1000 blind 900 play 4000", "play_preflop") == [("BLIND_NOT_EQUAL_ANTE", "UTH-16")]
    assert faults("ante 1000 play 4000", "play_preflop") == [("BLIND_NOT_EQUAL_ANTE", "UTH-16")]
    assert faults(f"{opening} play 2000", "play_preflop") == [("PLAY_MULTIPLE", "UTH-20")]
    assert faults(f"{opening} play 3000", "play_flop") == [("PLAY_MULTIPLE", "UTH-22")]
    assert faults(f"{opening} play 2000", "play_river") == [("PLAY_MULTIPLE", "UTH-24")]
    assert faults(opening, "play_river") == [("PLAY_MULTIPLE", "UTH-24")]
    assert faults(f"{opening} play 1000", "fold") == [("PLAY_AND_FOLD", "UTH-26")]
    assert faults(opening, None) == [("NO_DECISION", "UTH-24")]
    assert faults(f"{opening} play 1000", "raise") == [("NO_DECISION", "UTH-24")]
    assert faults("ante 499 blind 499 play 1996", "play_preflop") == [("BELOW_MIN", "UTH-45")]
    assert faults("ante 50001 blind 50001 play 200004", "play_preflop") == [("ABOVE_MAX", "UTH-45")]
    assert faults(f"{opening} play 4000 trips 499", "play_preflop") == [("BELOW_MIN", "UTH-45")]
