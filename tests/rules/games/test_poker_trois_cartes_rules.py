"""Article 55-21, rule by rule. Each row: dealer, player, stakes, decision, what becomes of each stake."""

from dataclasses import replace

import pytest

from rules.games.bank_coups import coup_of, outcomes, refused, seat_of, settled
from sabot_gateway.model.coup import Void
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import Comparison, Status

RAISED = "ante 1000 play 1000"
WITH_BONUS = "ante 1000 play 1000 bonus 600"
WITH_PAIR_PLUS = "ante 1000 play 1000 pair_plus 700"
WON = "ante win +1000 TCF-59; play win +1000 TCF-62"
BEATEN = "ante lose -1000 TCF-54; play lose -1000 TCF-54"
TIED = "ante push 0 TCF-58; play push 0 TCF-58"
UNQUALIFIED = "ante win +1000 TCF-48; play push 0 TCF-49"


@pytest.mark.parametrize(
    ("dealer", "player", "bets", "decision", "expected"),
    [
        # Qualification: a queen, or any combination.
        pytest.param("Jh Td 8c", "Js 9d 8h", RAISED, "raise", UNQUALIFIED, marks=pytest.mark.rules("TCF-46", "TCF-48")),
        pytest.param("Jh 9d 8c", "7s 5d 2h", RAISED, "raise", UNQUALIFIED, marks=pytest.mark.rules("TCF-46", "TCF-49")),
        pytest.param("Qh 3d 2c", "Js Td 8h", RAISED, "raise", BEATEN, marks=pytest.mark.rules("TCF-46", "TCF-54")),
        pytest.param("2h 2d 3c", "As Kd Jh", RAISED, "raise", BEATEN, marks=pytest.mark.rules("TCF-46", "TCF-55")),
        pytest.param("7h 5h 2h", "As Kd Jh", RAISED, "raise", BEATEN, marks=pytest.mark.rules("TCF-46", "TCF-55")),
        # An unqualified dealer pays even money, whatever the hand (A-TCF-04).
        pytest.param("Jh Td 8c", "8s 8d 8h", RAISED, "raise", UNQUALIFIED, marks=pytest.mark.rules("TCF-48")),
        pytest.param("Jh Td 8c", "5s 4s 3s", RAISED, "raise", UNQUALIFIED, marks=pytest.mark.rules("TCF-48")),
        # Comparison.
        pytest.param("Kh 7s 4c", "Kd 7c 4d", RAISED, "raise", TIED, marks=pytest.mark.rules("TCF-53", "TCF-58")),
        pytest.param("Ah 8s 4c", "As 9c 2d", RAISED, "raise", WON, marks=pytest.mark.rules("TCF-38", "TCF-57")),
        pytest.param("Ah 9s 4c", "As 9c 3d", RAISED, "raise", BEATEN, marks=pytest.mark.rules("TCF-57")),
        pytest.param("9h 9s Kc", "Tc Td 2h", RAISED, "raise", WON, marks=pytest.mark.rules("TCF-56", "TCF-59")),
        pytest.param("9h 9s Kc", "9c 9d Qh", RAISED, "raise", BEATEN, marks=pytest.mark.rules("TCF-57")),
        pytest.param("Kh 9h 4h", "Kc 9c 3c", RAISED, "raise", BEATEN, marks=pytest.mark.rules("TCF-56")),
        pytest.param("9h 8s 7c", "Td 9c 8h", RAISED, "raise", WON, marks=pytest.mark.rules("TCF-56", "TCF-62")),
        # Order of hands: straight flush, trips, straight, flush, pair, high card.
        pytest.param("Ah Qh 9h", "2s 3d 4c", RAISED, "raise", WON, marks=pytest.mark.rules("TCF-80")),
        pytest.param("Ah Ad Kc", "2s 5s 7s", RAISED, "raise", WON, marks=pytest.mark.rules("TCF-80")),
        pytest.param(
            "Ah Kd Qc",
            "2s 2d 2c",
            RAISED,
            "raise",
            "ante win +4000 TCF-60; play win +1000 TCF-62",
            marks=pytest.mark.rules("TCF-60", "TCF-80"),
        ),
        pytest.param(
            "Ah Ad Ac",
            "4s 3s 2s",
            RAISED,
            "raise",
            "ante win +5000 TCF-61; play win +1000 TCF-62",
            marks=pytest.mark.rules("TCF-61", "TCF-62", "TCF-80"),
        ),
        # The low ace.
        pytest.param("4h 3d 2c", "As 2d 3c", RAISED, "raise", BEATEN, marks=pytest.mark.rules("TCF-81")),
        pytest.param("Ah Ks Qc", "Kd Ac 2d", RAISED, "raise", BEATEN, marks=pytest.mark.rules("TCF-81")),
        pytest.param("Qh Qs 2c", "2d As 3h", RAISED, "raise", WON, marks=pytest.mark.rules("TCF-81")),
        # A fold.
        pytest.param(
            "Jh Td 8c", "As Ad Ac", "ante 1000", "fold", "ante forfeit -1000 TCF-41", marks=pytest.mark.rules("TCF-41")
        ),
        pytest.param(
            "Jh Td 8c",
            "8s 8d 8h",
            "ante 1000 bonus 600",
            "fold",
            "ante forfeit -1000 TCF-41; bonus forfeit -600 TCF-71",
            marks=pytest.mark.rules("TCF-71"),
        ),
        pytest.param(
            "Jh Td 8c",
            "8s 8d 2h",
            "ante 1000 pair_plus 700",
            "fold",
            "ante forfeit -1000 TCF-41; pair_plus win +700 TCF-79",
            marks=pytest.mark.rules("TCF-79"),
        ),
        pytest.param(
            "Jh Td 8c",
            "9s 6d 2h",
            "ante 1000 pair_plus 700",
            "fold",
            "ante forfeit -1000 TCF-41; pair_plus lose -700 TCF-73",
            marks=pytest.mark.rules("TCF-73", "TCF-79"),
        ),
    ],
)
def test_main_bets_and_folds(dealer: str, player: str, bets: str, decision: str, expected: str) -> None:
    result = settled(Game.TCF, coup_of(dealer, seat_of(player, bets, decision)))
    assert outcomes(result.seats[0]) == expected


@pytest.mark.parametrize(
    ("dealer", "player", "bonus"),
    [
        pytest.param("Ks Kd 2c", "9h 8c 7d", "bonus win +600 TCF-66", marks=pytest.mark.rules("TCF-66", "TCF-70")),
        pytest.param("Ks Kd 2c", "9h 9c 9d", "bonus win +2400 TCF-66", marks=pytest.mark.rules("TCF-66", "TCF-70")),
        pytest.param("Ks Kd 2c", "9h 8h 7h", "bonus win +3000 TCF-66", marks=pytest.mark.rules("TCF-66", "TCF-70")),
        pytest.param("Js 9d 2c", "9h 8c 7d", "bonus win +600 TCF-67", marks=pytest.mark.rules("TCF-67")),
        pytest.param("Js 9d 2c", "9h 8h 7h", "bonus win +3000 TCF-67", marks=pytest.mark.rules("TCF-67", "TCF-70")),
        pytest.param("Ts 9d 8c", "9h 8h 7c", "bonus win +600 TCF-69", marks=pytest.mark.rules("TCF-69")),
        pytest.param("As Ad Ac", "9h 9c 9d", "bonus win +2400 TCF-69", marks=pytest.mark.rules("TCF-69")),
        pytest.param("9s 8d 7c", "9h 8c 7d", "bonus win +600 TCF-66", marks=pytest.mark.rules("TCF-66", "TCF-58")),
        pytest.param("Ks Kd 2c", "Ah Th 7h", "bonus lose -600 TCF-72", marks=pytest.mark.rules("TCF-72")),
        pytest.param("Js 9d 2c", "Ah Ad 7h", "bonus lose -600 TCF-72", marks=pytest.mark.rules("TCF-72")),
    ],
)
def test_bonus_as_a_stake_of_its_own(dealer: str, player: str, bonus: str) -> None:
    result = settled(Game.TCF, coup_of(dealer, seat_of(player, WITH_BONUS)))
    assert outcomes(result.seats[0]).split("; ")[-1] == bonus


@pytest.mark.parametrize(
    ("player", "net"),
    [("8h 8c 2d", 700), ("Ah 8h 2h", 2100), ("9h 8c 7d", 4200), ("9h 9c 9d", 21000), ("9h 8h 7h", 28000)],
)
@pytest.mark.parametrize("dealer", ["Js Td 4c", "As Qs 4c", "As Ks Qs"])
@pytest.mark.rules("TCF-73", "TCF-74", "TCF-75")
def test_paire_plus_depends_on_the_player_alone(dealer: str, player: str, net: int) -> None:
    result = settled(Game.TCF, coup_of(dealer, seat_of(player, WITH_PAIR_PLUS)))
    assert f"pair_plus win +{net} TCF-74" in outcomes(result.seats[0])


@pytest.mark.rules("TCF-28", "TCF-66", "TCF-67", "TCF-69")
def test_ante_bonus_is_paid_on_the_ante_without_a_stake() -> None:
    config = {"bonus_mode": "ante_bonus"}
    for dealer, rule in (("Ks Kd 2c", "TCF-66"), ("Js 9d 2c", "TCF-67"), ("As Kd Qc", "TCF-69")):
        bonus = settled(Game.TCF, coup_of(dealer, seat_of("7h 6c 5d", RAISED)), config).seats[0].bets[-1]
        assert (bonus.spot, bonus.stake, bonus.net, bonus.returned, bonus.rule) == ("bonus", 0, 1000, 1000, rule)
    for player, decision, bets in (("Ah Th 7h", "raise", RAISED), ("7h 6c 5d", "fold", "ante 1000")):
        seat = settled(Game.TCF, coup_of("Ks Kd 2c", seat_of(player, bets, decision)), config).seats[0]
        assert "bonus" not in outcomes(seat)


@pytest.mark.rules("TCF-28")
@pytest.mark.parametrize("mode", ["ante_bonus", "none"])
def test_a_layout_without_a_bonus_spot_takes_no_bonus_stake(mode: str) -> None:
    coup = coup_of("Ks Kd 2c", seat_of("7h 6c 5d", WITH_BONUS))
    assert refused(Game.TCF, coup, {"bonus_mode": mode}) == [("UNKNOWN_SPOT", "TCF-23")]
    without = settled(Game.TCF, coup_of("Ks Kd 2c", seat_of("7h 6c 5d", RAISED)), {"bonus_mode": "none"})
    assert outcomes(without.seats[0]) == WON


@pytest.mark.rules("TCF-77", "TCF-78")
def test_unclaimed_bonuses_are_collected_only_where_the_house_asks_for_claims() -> None:
    bets = WITH_BONUS + " pair_plus 700"
    silent, loud = seat_of("7h 6c 5d", bets), seat_of("7h 6c 5d", bets, claims=("bonus", "pair_plus"))
    strict = {"claim_required": True}
    paid = f"{UNQUALIFIED}; pair_plus win +4200 TCF-74; bonus win +600 TCF-67"
    assert outcomes(settled(Game.TCF, coup_of("Js 9d 2c", silent)).seats[0]) == paid
    assert outcomes(settled(Game.TCF, coup_of("Js 9d 2c", loud), strict).seats[0]) == paid
    unclaimed = settled(Game.TCF, coup_of("Js 9d 2c", silent), strict).seats[0]
    assert outcomes(unclaimed) == f"{UNQUALIFIED}; pair_plus lose -700 TCF-78; bonus lose -600 TCF-77"
    qualified = settled(Game.TCF, coup_of("Ks Qd 2c", silent), strict).seats[0]
    assert outcomes(qualified) == f"{WON}; pair_plus win +4200 TCF-74; bonus win +600 TCF-66"
    on_the_ante = settled(
        Game.TCF, coup_of("Js 9d 2c", seat_of("7h 6c 5d", RAISED)), strict | {"bonus_mode": "ante_bonus"}
    )
    assert outcomes(on_the_ante.seats[0]) == f"{UNQUALIFIED}; bonus lose 0 TCF-77"


@pytest.mark.rules("TCF-79")
def test_a_house_may_keep_paire_plus_of_a_folded_hand() -> None:
    coup = coup_of("Js 9d 2c", seat_of("8h 8c 2d", "ante 1000 pair_plus 700", "fold"))
    seat = settled(Game.TCF, coup, {"pair_plus_on_fold": "forfeit"}).seats[0]
    assert outcomes(seat) == "ante forfeit -1000 TCF-41; pair_plus forfeit -700 TCF-79"


@pytest.mark.rules("TCF-81")
def test_without_the_low_ace_a23_is_ace_high() -> None:
    coup = coup_of("Kh Qs 9c", seat_of("As 2d 3c", WITH_PAIR_PLUS))
    seat = settled(Game.TCF, coup, {"ace_low_straight": False}).seats[0]
    assert seat.hand is not None
    assert seat.hand.category == "high_card"
    assert outcomes(seat) == f"{WON}; pair_plus lose -700 TCF-73"


@pytest.mark.rules("TCF-37")
def test_an_early_look_voids_one_hand_and_the_others_stand() -> None:
    looked = seat_of("8h 8c 2d", "ante 1000 pair_plus 500 bonus 600", None, seat=2, early_look=True)
    stands = seat_of("Ac Kh Jd", RAISED, seat=5)
    result = settled(Game.TCF, coup_of("As 9d 4c", looked, stands))
    assert [seat.comparison for seat in result.seats] == [Comparison.WIN, Comparison.VOID_HAND]
    assert outcomes(result.seats[1]) == "ante void 0 TCF-37; pair_plus void 0 TCF-37; bonus void 0 TCF-37"
    strict = settled(Game.TCF, coup_of("As 9d 4c", looked), {"early_look": "forfeit"})
    assert strict.bank_net == 2100
    assert strict.announcements == ()


@pytest.mark.rules("TCF-35", "TCF-36")
def test_a_void_coup_returns_every_stake() -> None:
    whole = coup_of("As 9d 4c", seat_of("8h 8c 2d", WITH_BONUS), seat_of("Ac Kh Jd", "ante 700", None, seat=3))
    short = coup_of("As 9d", *whole.seats)
    long = coup_of("As 9d 4c", *whole.seats, seat_of("7h 7c 6d 5s", RAISED, seat=4))
    for coup, rule in (
        (short, "TCF-35"),
        (long, "TCF-35"),
        (replace(whole, void=Void.CARD_COUNT), "TCF-35"),
        (replace(whole, void=Void.COLLUSION), "TCF-36"),
        (replace(whole, void=Void.MALFUNCTION), "TCF-35"),
    ):
        result = settled(Game.TCF, coup)
        assert (result.status, result.rule, result.bank_net) == (Status.VOID, rule, 0)
        assert {(bet.outcome, bet.net, bet.rule) for seat in result.seats for bet in seat.bets} == {("void", 0, rule)}
        assert sum(bet.returned for bet in result.seats[-1].bets) == 2600


@pytest.mark.rules("TCF-19", "TCF-51")
def test_the_dealer_settles_from_the_highest_seat_down() -> None:
    hands = {3: "8h 8c 2d", 1: "Ah Kc Jd", 7: "Qh Qc 3d", 5: "Th Tc 6d"}
    result = settled(Game.TCF, coup_of("As 9d 4c", *(seat_of(cards, RAISED, seat=n) for n, cards in hands.items())))
    assert [seat.seat for seat in result.seats] == [7, 5, 3, 1]


@pytest.mark.rules("TCF-47", "TCF-63", "TCF-68")
def test_what_the_dealer_says() -> None:
    def said(
        dealer: str, *hands: str, decision: str = "raise", bets: str = RAISED
    ) -> list[tuple[str, str, int | None]]:
        seats = [seat_of(cards, bets, decision, seat=n) for n, cards in enumerate(hands, start=1)]
        words = settled(Game.TCF, coup_of(dealer, *seats)).announcements
        return [(each.say, each.rule, each.seat) for each in words]

    assert said("Jh Td 8c", "7s 5d 2h") == [("pas de jeu", "TCF-47", None)]
    assert said("Ah Ad 8c", "7s 5d 2h", "9s 9d Th") == [("banque gagne", "TCF-63", None)]
    assert said("Ah Ad 8c", "7s 5d 2h", "As Ac 8h") == []  # a tie is not beaten
    assert said("Ah Ad 8c", "7s 5d 2h", decision="fold", bets="ante 500") == []
    assert said("Jh Td 8c", "7s 5d 2h", decision="fold", bets="ante 500") == []
    assert said("Jh Td 8c", "9s 8d 7h", "6s 6d 6h", bets=WITH_BONUS) == [
        ("pas de jeu", "TCF-47", None),
        ("bonus payé", "TCF-68", 2),
        ("bonus payé", "TCF-68", 1),
    ]
