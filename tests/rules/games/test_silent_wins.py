"""A bonus won without a word is paid by default, and flagged to the table head."""

import pytest

from rules.games.bank_coups import coup_of, seat_of, settled
from sabot_gateway.model.game import Game
from sabot_gateway.rules.claim import SilentWin, silent_wins


@pytest.mark.rules("TCF-77", "TCF-78")
def test_only_unannounced_wins_against_an_unqualified_dealer_are_flagged() -> None:
    bets = "ante 1000 play 1000 bonus 600 pair_plus 700"
    silent, half = seat_of("7h 6c 5d", bets, seat=2), seat_of("Ts 9s 8s", bets, seat=4, claims=("bonus",))
    loser = seat_of("Kh Tc 4d", bets, seat=6)
    for dealer, expected in (
        (
            "Js 9d 2c",
            (SilentWin(4, "pair_plus", "TCF-78"), SilentWin(2, "pair_plus", "TCF-78"), SilentWin(2, "bonus", "TCF-77")),
        ),
        ("Qs 9d 2c", ()),
    ):
        coup = coup_of(dealer, silent, half, loser)
        assert silent_wins(Game.TCF, coup, settled(Game.TCF, coup)) == expected


@pytest.mark.rules("STU-73")
def test_stud_flags_its_bonus_and_other_games_have_nothing_to_announce() -> None:
    coup = coup_of("Ah Qc Jc 9s 8h", seat_of("Qd 9d 7d 4d 2d", "ante 1000 raise 2000 bonus 100"))
    assert silent_wins(Game.STU, coup, settled(Game.STU, coup)) == (SilentWin(1, "bonus", "STU-73"),)
    assert silent_wins(Game.STU, coup, settled(Game.STU, coup, {"claim_required": True})) == ()
    quebec = coup_of("Jh 9d 2c", seat_of("As Ks Qs", "ante 1000 play 1000 pair_plus 500"))
    assert silent_wins(Game.TCP, quebec, settled(Game.TCP, quebec)) == ()
