"""The Québec help page, rule by rule. Each row: house, player, stakes, decision, what becomes of each stake."""

from dataclasses import replace

import pytest

from rules.games.bank_coups import coup_of, outcomes, refused, seat_of, settled
from sabot_gateway.model.coup import Void
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import Status

RAISED = "ante 1000 play 1000"
WON = "ante win +1000 TCP-17; play win +1000 TCP-17"
BEATEN = "ante lose -1000 TCP-16; play lose -1000 TCP-16"
TIED = "ante push 0 TCP-18; play push 0 TCP-18"
UNQUALIFIED = "ante win +1000 TCP-14; play push 0 TCP-13"


def bonus(times: int) -> str:
    return f"; ante_bonus win +{times}000 TCP-19"


@pytest.mark.parametrize(
    ("house", "player", "expected"),
    [
        pytest.param("Jh Td 8c", "7s 5d 2h", UNQUALIFIED, marks=pytest.mark.rules("TCP-13", "TCP-14")),
        pytest.param("Qh 3d 2c", "Js Td 8h", BEATEN, marks=pytest.mark.rules("TCP-15", "TCP-16")),
        pytest.param("2h 2d 3c", "As Kd Jh", BEATEN, marks=pytest.mark.rules("TCP-15", "TCP-33")),
        pytest.param("Qh 3d 2c", "Qs 4d 2h", WON, marks=pytest.mark.rules("TCP-03", "TCP-17", "TCP-54")),
        pytest.param("Qh 4d 3c", "Qs 4c 2h", BEATEN, marks=pytest.mark.rules("TCP-34", "TCP-54")),
        pytest.param("Qh 4d 3c", "Qs 4c 3h", TIED, marks=pytest.mark.rules("TCP-18", "TCP-54")),
        pytest.param("Th 9d 2c", "Ts 9c 3h", UNQUALIFIED, marks=pytest.mark.rules("TCP-13", "TCP-38")),
        pytest.param("Ah 9d 2c", "Ks Qc Jh", WON + bonus(1), marks=pytest.mark.rules("TCP-17", "TCP-31", "TCP-19")),
        pytest.param("Ah Kh 9h", "2s 3c 4h", WON + bonus(1), marks=pytest.mark.rules("TCP-28", "TCP-32")),
        pytest.param("Ah Kd Qc", "2s 2c 2h", WON + bonus(4), marks=pytest.mark.rules("TCP-28", "TCP-30", "TCP-50")),
        pytest.param("Ah Ad Ac", "4s 3s 2s", WON + bonus(5), marks=pytest.mark.rules("TCP-28", "TCP-29", "TCP-50")),
        pytest.param("4h 3d 2c", "As 2d 3c", BEATEN + bonus(1), marks=pytest.mark.rules("TCP-40", "TCP-19", "TCP-20")),
        pytest.param("Qh Qd 2c", "As 2d 3c", WON + bonus(1), marks=pytest.mark.rules("TCP-40")),
        pytest.param("Kh Kd 2c", "As Kc 2d", BEATEN, marks=pytest.mark.rules("TCP-40")),
        pytest.param("Jh 9d 2c", "Ts 9c 8h", UNQUALIFIED + bonus(1), marks=pytest.mark.rules("TCP-19")),
        # A mini royal is an ordinary straight flush here: one category, paid once.
        pytest.param("Jh 9d 2c", "As Ks Qs", UNQUALIFIED + bonus(5), marks=pytest.mark.rules("TCP-24", "TCP-39")),
    ],
)
def test_raised_hands(house: str, player: str, expected: str) -> None:
    assert outcomes(settled(Game.TCP, coup_of(house, seat_of(player, RAISED))).seats[0]) == expected


@pytest.mark.parametrize(
    ("player", "net"),
    [
        pytest.param("8h 8c 2d", 500, marks=pytest.mark.rules("TCP-05", "TCP-51")),
        pytest.param("Ah 8h 2h", 1500, marks=pytest.mark.rules("TCP-23", "TCP-42")),
        pytest.param("9h 8c 7d", 3000, marks=pytest.mark.rules("TCP-51")),
        pytest.param("9h 9c 9d", 15000, marks=pytest.mark.rules("TCP-51")),
        pytest.param("9h 8h 7h", 20000, marks=pytest.mark.rules("TCP-39", "TCP-51")),
        pytest.param("Ah 3h 2h", 20000, marks=pytest.mark.rules("TCP-24", "TCP-40")),
        pytest.param("Ah Kh Qh", 100000, marks=pytest.mark.rules("TCP-24", "TCP-51")),
        pytest.param("Ah Jh 9c", -500, marks=pytest.mark.rules("TCP-53")),
    ],
)
@pytest.mark.parametrize("house", ["Jd Td 4c", "As Qs 4c", "As Ks Qs"])
@pytest.mark.rules("TCP-21", "TCP-22", "TCP-41")
def test_paire_ou_plus_depends_on_the_starting_cards_alone(house: str, player: str, net: int) -> None:
    raised = settled(Game.TCP, coup_of(house, seat_of(player, RAISED + " pair_plus 500"))).seats[0]
    folded = settled(Game.TCP, coup_of(house, seat_of(player, "ante 1000 pair_plus 500", "fold"))).seats[0]
    paid = [("win", net, rule) if net > 0 else ("lose", net, "TCP-53") for rule in ("TCP-21", "TCP-22")]
    assert [(seat.bets[-1].outcome, seat.bets[-1].net, seat.bets[-1].rule) for seat in (raised, folded)] == paid
    assert outcomes(folded).startswith("ante forfeit -1000 TCP-11; ")


@pytest.mark.parametrize(
    ("player", "house", "net"),
    [
        pytest.param("9h 9c 4d", "9s 5h Kc", 2500, marks=pytest.mark.rules("TCP-06", "TCP-52")),
        pytest.param("9h 8c 7d", "6s 5h Kc", 5000, marks=pytest.mark.rules("TCP-52")),
        pytest.param("Ah 2c 3d", "4s 5h Kc", 5000, marks=pytest.mark.rules("TCP-57")),
        pytest.param("9h 8h 2h", "Ah 4h Kc", 10000, marks=pytest.mark.rules("TCP-52")),
        pytest.param("9h 9c 9d", "5s 5h Kc", 12500, marks=pytest.mark.rules("TCP-37", "TCP-52")),
        pytest.param("9h 9c 9d", "5s 5h 5c", 12500, marks=pytest.mark.rules("TCP-25", "TCP-37")),
        pytest.param("9h 9c 2d", "9s 9d Kc", 25000, marks=pytest.mark.rules("TCP-36", "TCP-52")),
        pytest.param("9h 8h 7h", "6h 5h Kc", 100000, marks=pytest.mark.rules("TCP-52")),
        pytest.param("Ah Kh Qh", "Jh Th 9h", 500000, marks=pytest.mark.rules("TCP-35", "TCP-52")),
        pytest.param("9h 9c 4d", "4s 5h Kc", -500, marks=pytest.mark.rules("TCP-53")),
    ],
)
@pytest.mark.rules("TCP-25", "TCP-26", "TCP-27")
def test_boni_six_cartes_is_the_best_five_of_six_on_a_fold_too(player: str, house: str, net: int) -> None:
    raised = settled(Game.TCP, coup_of(house, seat_of(player, RAISED + " six_card 500"))).seats[0].bets[-1]
    folded = settled(Game.TCP, coup_of(house, seat_of(player, "ante 1000 six_card 500", "fold"))).seats[0].bets[-1]
    assert (raised.net, folded.net) == (net, net)
    assert (raised.rule, folded.rule) == (("TCP-25", "TCP-26") if net > 0 else ("TCP-53", "TCP-53"))


@pytest.mark.rules("TCP-57")
def test_without_the_wheel_a2345_earns_no_six_card_bonus() -> None:
    coup = coup_of("4s 5h Kc", seat_of("Ah 2c 3d", RAISED + " six_card 500"))
    bet = settled(Game.TCP, coup, {"six_card_wheel": False}).seats[0].bets[-1]
    assert (bet.spot, bet.net, bet.rule) == ("six_card", -500, "TCP-53")


@pytest.mark.rules("TCP-11")
def test_a_fold_gives_up_the_ante_and_any_ante_bonus() -> None:
    coup = coup_of("Jh 9d 2c", seat_of("As Ks Qs", "ante 1000", "fold"))
    assert outcomes(settled(Game.TCP, coup).seats[0]) == "ante forfeit -1000 TCP-11"


@pytest.mark.rules("TCP-48")
def test_any_malfunction_or_wrong_count_voids_the_coup() -> None:
    coup = coup_of("Jh 9d 2c", seat_of("As Ks Qs", RAISED + " pair_plus 500 six_card 500"))
    for void in (replace(coup, void=Void.MALFUNCTION), replace(coup, dealer=coup.dealer[:2])):
        result = settled(Game.TCP, void)
        assert (result.status, result.rule, result.bank_net) == (Status.VOID, "TCP-48", 0)
        assert sum(bet.returned for bet in result.seats[0].bets) == 3000


@pytest.mark.rules("TCP-02", "TCP-08", "TCP-12", "TCP-55", "TCP-56")
def test_stakes_that_the_page_does_not_allow() -> None:
    def faults(bets: str, decision: str | None = "raise", seat: int = 1, **config: object) -> list[tuple[str, str]]:
        return refused(Game.TCP, coup_of("Jh 9d 2c", seat_of("As Ks Qs", bets, decision, seat=seat)), config)

    assert faults("pair_plus 500", "fold") == [("NO_ANTE", "TCP-08")]
    assert faults("ante 1000 play 2000") == [("PLAY_NOT_EQUAL_ANTE", "TCP-12")]
    assert faults("ante 1000 play 1000", "fold") == [("PLAY_AFTER_FOLD", "TCP-11")]
    assert faults("ante 1000", None) == [("NO_DECISION", "TCP-11")]
    assert faults("ante 1000 play 1000", "play_flop") == [("NO_DECISION", "TCP-11")]
    assert faults("ante 400 play 400") == [("BELOW_MIN", "TCP-56")]
    assert faults("ante 1000 play 1000 six_card 2600", side_max=2500) == [("ABOVE_MAX", "TCP-56")]
    assert faults("ante 1000 play 1000 trips 500") == [("UNKNOWN_SPOT", "TCP-56")]
    assert faults(RAISED, seat=8) == [("SEAT_NUMBER", "TCP-55")]


@pytest.mark.rules("TCP-01", "TCP-03")
def test_each_player_meets_the_house_and_never_his_neighbour() -> None:
    house, pair, king = "Kh 9d 4c", seat_of("8h 8c 2d", RAISED), seat_of("Ks 9c 3h", RAISED)
    assert outcomes(settled(Game.TCP, coup_of(house, pair)).seats[0]) == WON
    assert outcomes(settled(Game.TCP, coup_of(house, king)).seats[0]) == BEATEN
    together = settled(Game.TCP, coup_of(house, replace(pair, seat=2), replace(king, seat=5)))
    assert [outcomes(seat) for seat in together.seats] == [BEATEN, WON]
    assert together.bank_net == 0
