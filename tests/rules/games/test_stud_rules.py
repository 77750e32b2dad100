"""Article 55-16, rule by rule. Each row: dealer, player, stakes, what becomes of each stake."""

from dataclasses import replace

import pytest

from rules.games.bank_coups import coup_of, outcomes, refused, seat_of, settled
from sabot_gateway.model.card import cards_from_text
from sabot_gateway.model.coup import Purchase, Void
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import Comparison, Status

RAISED = "ante 1000 raise 2000"
WITH_BONUS = "ante 1000 raise 2000 bonus 100"
BOUGHT = "ante 1000 raise 2000 buy 1000"
BEATEN = "ante lose -1000 STU-54; raise lose -2000 STU-54"
TIED = "ante push 0 STU-53; raise push 0 STU-53"
UNQUALIFIED = "ante win +1000 STU-48; raise push 0 STU-49"


def won(raise_net: int) -> str:
    return f"ante win +1000 STU-77; raise win +{raise_net} STU-65"


@pytest.mark.parametrize(
    ("dealer", "player", "expected"),
    [
        # Qualification: ace and king, or any combination.
        pytest.param("Ah Qd Jc Ts 9h", "7s 5d 4c 3h 2s", UNQUALIFIED, marks=pytest.mark.rules("STU-46", "STU-48")),
        pytest.param("Kh Qd Jc Ts 8h", "As Ad Ac Kd Kc", UNQUALIFIED, marks=pytest.mark.rules("STU-46", "STU-49")),
        pytest.param("Ah Kd 4c 3s 2h", "As Qd Jh Tc 8s", BEATEN, marks=pytest.mark.rules("STU-46", "STU-54")),
        pytest.param("2h 2d 3c 4s 6h", "As Kd Qc Jh 9s", BEATEN, marks=pytest.mark.rules("STU-46", "STU-54")),
        # A straight without an ace qualifies.
        pytest.param("6h 5d 4c 3s 2h", "As Ad Ac 7h 7s", won(14000), marks=pytest.mark.rules("STU-46", "STU-65")),
        # The raise pays by combination (first table).
        pytest.param("Ah Kc Jc 9s 8h", "As Kd Qc 7h 2s", won(2000), marks=pytest.mark.rules("STU-65", "STU-77")),
        pytest.param("Ah Kc Jc 9s 8h", "2s 2d Qc 7h 3s", won(2000), marks=pytest.mark.rules("STU-65")),
        pytest.param("Ah Kc Jc 9s 8h", "2s 2d 3c 3h Qs", won(4000), marks=pytest.mark.rules("STU-65")),
        pytest.param("Ah Kc Jc 9s 8h", "2s 2d 2c 3h Qs", won(6000), marks=pytest.mark.rules("STU-65")),
        pytest.param("Ah Kc Jc 9s 8h", "Ts 9d 8c 7h 6s", won(8000), marks=pytest.mark.rules("STU-65")),
        pytest.param("Ah Kc Jc 9s 8h", "Qd 9d 7d 4d 2d", won(10000), marks=pytest.mark.rules("STU-65")),
        pytest.param("Ah Kc Jc 9s 8h", "3s 3d 3c 2h 2s", won(14000), marks=pytest.mark.rules("STU-65")),
        pytest.param("Ah Kc Jc 9s 8h", "3s 3d 3c 3h 2s", won(40000), marks=pytest.mark.rules("STU-65")),
        pytest.param("Ah Kc Jc 9s 8h", "6d 5d 4d 3d 2d", won(100000), marks=pytest.mark.rules("STU-65")),
        pytest.param("Ah Kc Jc 9s 8h", "Ad Kd Qd Jd Td", won(200000), marks=pytest.mark.rules("STU-65")),
        # Order and ties.
        pytest.param("Ah Kc 4c 3s 2h", "As Kd 4h 3d 2s", TIED, marks=pytest.mark.rules("STU-53", "STU-78")),
        pytest.param("5h 4c 3s 2d Ah", "6s 5d 4h 3d 2s", won(8000), marks=pytest.mark.rules("STU-37", "STU-78")),
        pytest.param("Kh Kc Qs Qd 2h", "Qh Ac Ks 2d 3h", BEATEN, marks=pytest.mark.rules("STU-37")),
        pytest.param("Kh Kc 5s 4d 2h", "Ks Kd 5h 4c 3s", won(2000), marks=pytest.mark.rules("STU-78", "STU-36")),
        pytest.param("Kh Kc 5s 5d 2h", "Ks Kd 4h 4c As", BEATEN, marks=pytest.mark.rules("STU-78")),
        pytest.param("Th 8h 6h 4h 3h", "Ts 8s 6s 4s 2s", BEATEN, marks=pytest.mark.rules("STU-78")),
        pytest.param("Ah Ac Ad Ks Kh", "2s 2d 2c 2h 3s", won(40000), marks=pytest.mark.rules("STU-78")),
    ],
)
def test_ante_and_raise(dealer: str, player: str, expected: str) -> None:
    assert outcomes(settled(Game.STU, coup_of(dealer, seat_of(player, RAISED))).seats[0]) == expected


@pytest.mark.rules("STU-65")
def test_the_second_table_pays_straight_flush_and_full_more() -> None:
    for player, net in (("Ts 9d 8c 7h 6s", 10000), ("Qd 9d 7d 4d 2d", 16000), ("3s 3d 3c 2h 2s", 20000)):
        coup = coup_of("Ah Kc Jc 9s 8h", seat_of(player, RAISED))
        assert outcomes(settled(Game.STU, coup, {"raise_table": "second"}).seats[0]) == won(net)


@pytest.mark.parametrize(
    ("dealer", "player", "bonus"),
    [
        pytest.param(
            "Ah Kc Jc 9s 8h", "Qd 9d 7d 4d 2d", "win +10000 STU-66", marks=pytest.mark.rules("STU-66", "STU-72")
        ),
        pytest.param("Ah Kc Jc 9s 8h", "3s 3d 3c 2h 2s", "win +15000 STU-66", marks=pytest.mark.rules("STU-72")),
        pytest.param("Ah Kc Jc 9s 8h", "3s 3d 3c 3h 2s", "win +100000 STU-66", marks=pytest.mark.rules("STU-72")),
        pytest.param("Ah Kc Jc 9s 8h", "6d 5d 4d 3d 2d", "win +200000 STU-66", marks=pytest.mark.rules("STU-72")),
        pytest.param("Ah Kc Jc 9s 8h", "Ad Kd Qd Jd Td", "win +500000 STU-66", marks=pytest.mark.rules("STU-72")),
        pytest.param("Ah Qc Jc 9s 8h", "Qd 9d 7d 4d 2d", "win +10000 STU-67", marks=pytest.mark.rules("STU-67")),
        pytest.param("Ah Kh Jh 9h 8h", "Qd 9d 7d 4d 2d", "lose -100 STU-69", marks=pytest.mark.rules("STU-69")),
        pytest.param("Ah Kc Jc 9s 8h", "Ts 9d 8c 7h 6s", "lose -100 STU-74", marks=pytest.mark.rules("STU-74")),
        pytest.param("Ah Qc Jc 9s 8h", "Ts 9d 8c 7h 6s", "lose -100 STU-74", marks=pytest.mark.rules("STU-74")),
        pytest.param("Qh 9h 7h 4h 2h", "Qd 9d 7d 4d 2d", "push 0 STU-76", marks=pytest.mark.rules("STU-76")),
    ],
)
def test_bonus(dealer: str, player: str, bonus: str) -> None:
    result = settled(Game.STU, coup_of(dealer, seat_of(player, WITH_BONUS)))
    assert outcomes(result.seats[0]).split("; ")[-1] == f"bonus {bonus}"


@pytest.mark.rules("STU-76")
@pytest.mark.parametrize(("choice", "bonus"), [("pay", "win +10000"), ("lose", "lose -100"), ("push", "push 0")])
def test_a_house_says_what_a_tied_bonus_is_worth(choice: str, bonus: str) -> None:
    coup = coup_of("Qh 9h 7h 4h 2h", seat_of("Qd 9d 7d 4d 2d", WITH_BONUS))
    result = settled(Game.STU, coup, {"bonus_on_tie": choice})
    assert outcomes(result.seats[0]) == f"{TIED}; bonus {bonus} STU-76"


@pytest.mark.rules("STU-41", "STU-75")
def test_a_fold_loses_ante_and_bonus() -> None:
    coup = coup_of("Ah Qc Jc 9s 8h", seat_of("Qd 9d 7d 4d 2d", "ante 1000 bonus 100", "fold"))
    result = settled(Game.STU, coup)
    assert outcomes(result.seats[0]) == "ante forfeit -1000 STU-41; bonus forfeit -100 STU-75"
    assert result.seats[0].comparison is Comparison.FOLDED


@pytest.mark.rules("STU-73", "STU-67")
def test_an_unclaimed_bonus_is_collected_only_where_the_house_asks_for_claims() -> None:
    silent = seat_of("Qd 9d 7d 4d 2d", WITH_BONUS)
    loud = seat_of("Qd 9d 7d 4d 2d", WITH_BONUS, claims=("bonus",))
    for seat, config, bonus in (
        (silent, {}, "win +10000 STU-67"),
        (loud, {"claim_required": True}, "win +10000 STU-67"),
        (silent, {"claim_required": True}, "lose -100 STU-73"),
    ):
        result = settled(Game.STU, coup_of("Ah Qc Jc 9s 8h", seat), config)
        assert outcomes(result.seats[0]) == f"{UNQUALIFIED}; bonus {bonus}"
    qualified = settled(Game.STU, coup_of("Ah Kc Jc 9s 8h", silent), {"claim_required": True})
    assert outcomes(qualified.seats[0]).endswith("bonus win +10000 STU-66")


@pytest.mark.rules("STU-61", "STU-63", "STU-64")
def test_a_bought_card_costs_price_and_bonus_and_decides_the_hand() -> None:
    seat = seat_of("Qd 9d 7d 4d 2c", BOUGHT + " bonus 100", buy="2c 2d")
    result = settled(Game.STU, coup_of("Ah Kc Jc 9s 8h", seat))
    assert outcomes(result.seats[0]) == f"buy forfeit -1000 STU-61; {won(10000)}; bonus forfeit -100 STU-63"
    assert result.seats[0].hand is not None
    assert result.seats[0].hand.category == "flush"
    worse = seat_of("2d 2s 7d 4d 9c", BOUGHT, buy="2s Td")
    assert outcomes(settled(Game.STU, coup_of("Ah Kc Jc 9s 8h", worse)).seats[0]) == (
        f"buy forfeit -1000 STU-61; {BEATEN}"
    )


@pytest.mark.rules("STU-58", "STU-59", "STU-80")
def test_a_purchase_needs_its_price_its_discard_and_a_raise() -> None:
    def faults(bets: str, decision: str = "raise", buy: str = "2c 2d", **config: object) -> list[tuple[str, str]]:
        return refused(Game.STU, coup_of("Ah Kc Jc 9s 8h", seat_of("Qd 9d 7d 4d 2c", bets, decision, buy=buy)), config)

    assert faults(BOUGHT, buy="") == [("BUY_STAKE_WITHOUT_DISCARD", "STU-59")]
    assert faults("ante 1000 raise 2000 buy 900") == [("BUY_PRICE_NOT_ANTE", "STU-58")]
    assert faults(RAISED) == [("BUY_PRICE_NOT_ANTE", "STU-58")]
    assert faults("ante 1000 buy 1000", "fold") == [("BUY_WITHOUT_RAISE", "STU-59")]
    assert faults("ante 1000 buy 1000", "fold", buy="") == [("BUY_WITHOUT_RAISE", "STU-59")]
    assert faults("ante 1000", "fold") == [("BUY_WITHOUT_RAISE", "STU-59")]
    assert faults(BOUGHT, buy="3s 2d") == [("DISCARD_NOT_IN_HAND", "STU-59")]
    assert faults(BOUGHT, buy="2c 2d 3d") == [("MORE_THAN_ONE_CARD", "STU-80")]
    assert faults(BOUGHT, buy_allowed=False) == [("BUY_NOT_OFFERED", "STU-58")]
    assert faults(BOUGHT, buy="2c 9d") == [("DUPLICATE_CARD", "STU-01")]


@pytest.mark.rules("STU-71")
def test_the_bonus_is_a_fifth_of_the_minimum_in_whole_chips() -> None:
    coup = coup_of("Ah Kc Jc 9s 8h", seat_of("Qd 9d 7d 4d 2d", WITH_BONUS))
    assert refused(Game.STU, coup, {"table_min": 1000}) == [("BONUS_NOT_ONE_FIFTH_OF_MIN", "STU-71")]
    assert refused(Game.STU, coup, {"table_min": 501}) == [("BONUS_UNIT_NOT_WHOLE", "STU-71")]
    assert refused(Game.STU, coup, {"table_min": 700, "chip_unit": 50}) == [("BONUS_UNIT_NOT_WHOLE", "STU-71")]


@pytest.mark.rules("STU-35")
def test_an_early_look_voids_the_hand_with_all_its_stakes() -> None:
    coup = coup_of("Ah Kc Jc 9s 8h", seat_of("Qd 9d 7d 4d 2c", BOUGHT, buy="2c 2d", early_look=True))
    assert outcomes(settled(Game.STU, coup).seats[0]) == "buy void 0 STU-35; ante void 0 STU-35; raise void 0 STU-35"
    assert settled(Game.STU, coup, {"early_look": "forfeit"}).bank_net == 4000


@pytest.mark.rules("STU-33", "STU-34", "STU-79")
def test_a_void_coup_returns_price_and_bonus_too() -> None:
    seat = seat_of("Qd 9d 7d 4d 2c", BOUGHT + " bonus 100", buy="2c 2d")
    coup = coup_of("Ah Kc Jc 9s 8h", seat)
    for void, rule in ((Void.CARD_COUNT, "STU-33"), (Void.COLLUSION, "STU-34"), (Void.MALFUNCTION, "STU-79")):
        result = settled(Game.STU, replace(coup, void=void))
        assert (result.status, result.rule, result.seats[0].net) == (Status.VOID, rule, 0)
        assert sum(bet.returned for bet in result.seats[0].bets) == 4100
    for short in (replace(coup, dealer=coup.dealer[:4]), replace(coup, seats=(replace(seat, cards=seat.cards[1:]),))):
        assert settled(Game.STU, short).rule == "STU-33"


@pytest.mark.rules("STU-18", "STU-51", "STU-81")
def test_seven_buyers_fit_in_one_deck_and_are_settled_from_the_right() -> None:
    deck = cards_from_text("".join(rank + suit for suit in "cdhs" for rank in "23456789TJQKA"))
    seats = []
    for number in range(1, 8):
        hand, drawn = deck[5 * number : 5 * number + 5], deck[40 + number]
        seat = seat_of("", BOUGHT, seat=number)
        seats.append(replace(seat, cards=hand, purchase=Purchase(hand[:1], (drawn,))))
    result = settled(Game.STU, replace(coup_of("", *seats), dealer=deck[:5]))
    assert [seat.seat for seat in result.seats] == [7, 6, 5, 4, 3, 2, 1]


@pytest.mark.rules("STU-47", "STU-55", "STU-68")
def test_what_the_dealer_says() -> None:
    def said(dealer: str, player: str) -> list[tuple[str, str]]:
        words = settled(Game.STU, coup_of(dealer, seat_of(player, WITH_BONUS, seat=3))).announcements
        return [(each.say, each.rule) for each in words]

    assert said("Ah Qc Jc 9s 8h", "7d 5d 4c 3h 2s") == [("pas de jeu", "STU-47")]
    assert said("Ah Kc Jc 9s 8h", "7d 5d 4c 3h 2s") == [("banque gagne", "STU-55")]
    assert said("Ah Qc Jc 9s 8h", "Qd 9d 7d 4d 2d") == [("pas de jeu", "STU-47"), ("bonus payé", "STU-68")]
