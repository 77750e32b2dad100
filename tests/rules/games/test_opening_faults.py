"""What no bank game settles: impossible seats, players, cards, amounts and limits, each with its own article."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from rules.games.bank_coups import BANK_GAMES, coup_of, refused, seat_of, settled, settler
from sabot_gateway.model.card import cards_from_text
from sabot_gateway.model.coup import BankCoup, BankSeat, Decision, Void
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import Status
from sabot_gateway.rules.rejection import Refusal

CARD_RULES = [(Game.TCF, "TCF-01"), (Game.STU, "STU-01"), (Game.TCP, "TCP-07"), (Game.UTH, "UTH-01")]

# One regular coup per game with two seats, 3 and 5.
REGULAR: Mapping[Game, BankCoup] = {
    Game.TCF: coup_of(
        "As 9d 4c",
        seat_of("8h 8c 2d", "ante 1000 play 1000", seat=3),
        seat_of("Kh Kc 3d", "ante 1000 play 1000", seat=5),
    ),
    Game.STU: coup_of(
        "As 9d 4c 4d 7h",
        seat_of("8h 8c 2d 3c 5c", "ante 1000 raise 2000", seat=3),
        seat_of("Kh Kc 3d 6c 6s", "ante 1000 raise 2000", seat=5),
    ),
    Game.TCP: coup_of(
        "As 9d 4c",
        seat_of("8h 8c 2d", "ante 1000 play 1000", seat=3),
        seat_of("Kh Kc 3d", "ante 1000 play 1000", seat=5),
    ),
    Game.UTH: coup_of(
        "As 9d",
        seat_of("8h 8c", "ante 1000 blind 1000 play 4000", "play_preflop", seat=3),
        seat_of("Kh Kc", "ante 1000 blind 1000 play 4000", "play_preflop", seat=5),
        board="2s 3s 7d Jc Qd",
    ),
}


def changed(game: Game, **change: object) -> BankCoup:
    """The regular coup with the second seat changed."""
    coup = REGULAR[game]
    return replace(coup, seats=(coup.seats[0], replace(coup.seats[1], **change)))  # type: ignore[arg-type]  # fields by name


def with_bet(game: Game, spot: str, amount: int) -> BankCoup:
    return changed(game, bets={**REGULAR[game].seats[1].bets, spot: amount})


@pytest.mark.parametrize("game", BANK_GAMES)
def test_the_regular_coups_are_settled(game: Game) -> None:
    assert settled(game, REGULAR[game]).status is Status.SETTLED


@pytest.mark.rules("TCF-01", "STU-01", "TCP-07", "UTH-01")
@pytest.mark.parametrize(("game", "rule"), CARD_RULES)
def test_no_card_is_seen_twice(game: Game, rule: str) -> None:
    twice = REGULAR[game].seats[0].cards[:1]
    regular = REGULAR[game]
    for coup in (
        changed(game, cards=twice + regular.seats[1].cards[1:]),
        replace(regular, dealer=twice + regular.dealer[1:]),
        replace(regular, burned=twice),
        replace(regular, burned=cards_from_text("Ts Ts")),
    ):
        assert refused(game, coup) == [("DUPLICATE_CARD", rule)]
    if game is Game.UTH:
        assert refused(game, replace(regular, board=twice + regular.board[1:])) == [("DUPLICATE_CARD", rule)]


@pytest.mark.rules("TCF-18", "TCF-21", "STU-17", "STU-20", "UTH-13", "UTH-14", "TCP-55")
@pytest.mark.parametrize(
    ("game", "seats", "one_hand"),
    [
        (Game.TCF, "TCF-18", "TCF-21"),
        (Game.STU, "STU-17", "STU-20"),
        (Game.TCP, "TCP-55", "TCP-55"),
        (Game.UTH, "UTH-13", "UTH-14"),
    ],
)
def test_seats_exist_and_hold_one_hand_each(game: Game, seats: str, one_hand: str) -> None:
    for number in (0, -1, 8):
        assert refused(game, changed(game, seat=number)) == [("SEAT_NUMBER", seats)]
    assert refused(game, changed(game, seat=3)) == [("SEAT_TWICE", one_hand)]
    coup = REGULAR[game]
    same = replace(coup, seats=tuple(replace(seat, player="P") for seat in coup.seats))
    assert refused(game, same) == [("PLAYER_TWO_HANDS", one_hand)]
    assert settled(game, coup, {"seats_total": 5}).status is Status.SETTLED


@pytest.mark.rules("TCF-16", "TCF-20", "STU-15", "STU-19", "STU-21", "UTH-11", "UTH-12", "UTH-15")
@pytest.mark.parametrize(
    ("game", "players", "seated", "vacant"),
    [
        (Game.TCF, "TCF-16", "TCF-20", "TCF-20"),
        (Game.STU, "STU-15", "STU-19", "STU-21"),
        (Game.TCP, "TCP-08", "TCP-55", "TCP-55"),
        (Game.UTH, "UTH-11", "UTH-12", "UTH-15"),
    ],
)
def test_only_seated_players_have_a_hand(game: Game, players: str, seated: str, vacant: str) -> None:
    regular = REGULAR[game]
    assert refused(game, changed(game, standing=True)) == [("STANDING_PLAYER", seated)]
    assert refused(game, changed(game, vacant=True)) == [("BET_ON_VACANT_SPOT", vacant)]
    # Nor may a hand be dealt there: a vacant seat with cards and without a stake tells two stories.
    assert ("BET_ON_VACANT_SPOT", vacant) in refused(game, changed(game, vacant=True, bets={}))
    assert refused(game, replace(regular, seats=())) == [("NO_PLAYER", players)]
    empty = BankSeat(6, vacant=True)
    assert refused(game, replace(regular, seats=(empty,))) == [("NO_PLAYER", players)]
    beside = settled(game, replace(regular, seats=(*regular.seats, empty)))
    assert [seat.seat for seat in beside.seats] == [5, 3]
    alone = settled(game, replace(regular, seats=regular.seats[:1]))
    assert alone.status is Status.SETTLED


@pytest.mark.rules("TCF-23", "TCF-24", "STU-23", "STU-24", "TCP-56", "UTH-45")
@pytest.mark.parametrize(
    ("game", "limits", "amounts"),
    [
        (Game.TCF, "TCF-23", "TCF-24"),
        (Game.STU, "STU-23", "STU-24"),
        (Game.TCP, "TCP-56", "TCP-56"),
        (Game.UTH, "UTH-45", "UTH-45"),
    ],
)
def test_amounts_are_whole_chips_within_the_limits(game: Game, limits: str, amounts: str) -> None:
    def codes(spot: str, amount: int, **config: object) -> list[tuple[str, str]]:
        return [
            fault
            for fault in refused(game, with_bet(game, spot, amount), config)
            if not fault[0].startswith(("PLAY_", "RAISE_", "BLIND_"))
        ]

    assert codes("ante", 499) == [("BELOW_MIN", limits)]
    assert codes("ante", 50001) == [("ABOVE_MAX", limits)]
    assert codes("ante", 10**18) == [("BAD_AMOUNT", amounts), ("ABOVE_MAX", limits)]
    assert ("BAD_AMOUNT", amounts) in codes("ante", -1000)
    assert codes("side", 1000) == [("UNKNOWN_SPOT", limits)]
    regular = REGULAR[game]
    assert ("NOT_CHIP_MULTIPLE", amounts) in refused(game, with_bet(game, "ante", 1050), {"chip_unit": 100})
    settled(game, regular, {"table_min": 1000, "table_max": 1000})


@pytest.mark.rules("TCF-23")
def test_side_limits_are_the_tables_unless_the_house_sets_its_own() -> None:
    below = with_bet(Game.TCF, "pair_plus", 100)
    assert refused(Game.TCF, below) == [("BELOW_MIN", "TCF-23")]
    assert settled(Game.TCF, below, {"side_min": 100}).status is Status.SETTLED
    assert refused(Game.TCF, with_bet(Game.TCF, "bonus", 2600), {"side_max": 2500}) == [("ABOVE_MAX", "TCF-23")]


@pytest.mark.rules("TCF-23")
def test_limits_per_player_bind_the_sum_of_the_opening_stakes() -> None:
    scope = {"limit_scope": "per_player_total", "table_max": 2000}
    both = changed(Game.TCF, bets={"ante": 400, "play": 400, "pair_plus": 100})
    assert settled(Game.TCF, both, scope).status is Status.SETTLED
    low = changed(Game.TCF, bets={"ante": 300, "play": 300, "pair_plus": 100})
    assert refused(Game.TCF, low, scope) == [("BELOW_MIN", "TCF-23")]
    high = changed(Game.TCF, bets={"ante": 1500, "play": 1500, "bonus": 600})
    assert refused(Game.TCF, high, scope) == [("ABOVE_MAX", "TCF-23")]


@pytest.mark.rules("TCF-39", "TCF-40", "TCF-42", "STU-38", "STU-40", "STU-42")
@pytest.mark.parametrize(
    ("game", "spot", "decide", "after_fold", "multiple"),
    [
        (Game.TCF, "play", "TCF-39", ("PLAY_AFTER_FOLD", "TCF-40"), ("PLAY_NOT_EQUAL_ANTE", "TCF-42")),
        (Game.STU, "raise", "STU-38", ("RAISE_AFTER_FOLD", "STU-40"), ("RAISE_NOT_DOUBLE_ANTE", "STU-42")),
    ],
)
def test_a_decision_and_its_stake_go_together(
    game: Game, spot: str, decide: str, after_fold: tuple[str, str], multiple: tuple[str, str]
) -> None:
    assert refused(game, changed(game, decision=None)) == [("NO_DECISION", decide)]
    assert refused(game, changed(game, decision=Decision.FOLD)) == [after_fold]
    for amount in (0, 999, 1001, 4000):
        assert refused(game, with_bet(game, spot, amount)) == [multiple]


@pytest.mark.rules("TCF-23", "TCF-27", "STU-23", "TCP-08", "UTH-16")
@pytest.mark.parametrize(
    ("game", "bets", "rule"),
    [
        (Game.TCF, {"pair_plus": 500}, "TCF-23"),
        (Game.STU, {"bonus": 100}, "STU-23"),
        (Game.TCP, {"six_card": 500}, "TCP-08"),
        (Game.UTH, {"trips": 500}, "UTH-16"),
    ],
)
def test_no_side_bet_stands_without_an_ante(game: Game, bets: dict[str, int], rule: str) -> None:
    assert refused(game, changed(game, bets=bets, decision=Decision.FOLD)) == [("NO_ANTE", rule)]


@pytest.mark.parametrize("game", BANK_GAMES)
def test_a_void_coup_needs_no_decisions_but_still_true_cards_and_seats(game: Game) -> None:
    early = replace(changed(game, decision=None), void=Void.CARD_COUNT)
    assert settled(game, early).status is Status.VOID
    impossible = replace(changed(game, seat=9), void=Void.CARD_COUNT)
    result = settler(game)(impossible)
    assert isinstance(result, Refusal)
    assert [fault.code for fault in result.faults] == ["SEAT_NUMBER"]
