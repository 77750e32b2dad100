"""The twin's book against two other opinions: the literal reading of the tests, and PokerKit for hold'em's pots."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import StandardHighHand

from rules.games import literal_book
from rules.games.random_coups import Table, tables
from sabot_gateway.model.card import text_from_card
from sabot_gateway.model.coup import BankSeat, Decision
from sabot_gateway.model.game import Game
from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.rules.ruleset import Ruleset, overridden
from sabot_tools.twin.bank_book import Player, gains
from sabot_tools.twin.card import FACES
from sabot_tools.twin.hand import best
from sabot_tools.twin.pot_book import PotPlayer, share_out

HOLDEM = shipped_ruleset(Game.THE).values


def final_faces(seat: BankSeat) -> tuple[str, ...]:
    cards = list(seat.cards)
    if seat.purchase is not None:
        cards = [card for card in cards if card not in seat.purchase.discards] + list(seat.purchase.drawn)
    return tuple(map(text_from_card, cards))


@pytest.mark.parametrize("game", [Game.TCF, Game.STU, Game.TCP, Game.UTH])
def test_every_stake_against_the_bank_is_booked_as_the_rule_book_reads(game: Game) -> None:
    @settings(max_examples=60, deadline=None)
    @given(tables(game))
    def holds(table: Table) -> None:
        ruleset = overridden(shipped_ruleset(game), table.config)
        assert isinstance(ruleset, Ruleset)
        house, board = (tuple(map(text_from_card, cards)) for cards in (table.coup.dealer, table.coup.board))
        for seat in table.coup.seats:
            bets = {spot: cents for spot, cents in seat.bets.items() if cents}
            faces, claims = final_faces(seat), sorted(seat.claims)
            folds = seat.decision is Decision.FOLD
            player = Player(faces, bets, folds, seat.purchase is not None and not folds, frozenset(seat.claims))
            found = gains(str(game), player, house, board, ruleset.values)
            read = getattr(literal_book, _READERS[game])
            extra = board if game is Game.UTH else claims
            expected = read(faces, bets, str(seat.decision), extra, house, ruleset.values)
            assert {s: n for s, n in found.items() if n} == {s: n for s, n in expected.items() if n}

    holds()


_READERS = {
    Game.TCF: "poker_trois_cartes",
    Game.STU: "stud",
    Game.TCP: "three_card_poker",
    Game.UTH: "ultimate_holdem",
}


@settings(max_examples=100, deadline=None)
@given(st.permutations(FACES).map(lambda faces: faces[:9]))
def test_the_better_of_two_hands_of_seven_is_pokerkits(faces: list[str]) -> None:
    board, first, second = faces[:5], faces[5:7], faces[7:]
    peer = [StandardHighHand.from_game("".join(hole), "".join(board)) for hole in (first, second)]
    mine = [best((*hole, *board))[:2] for hole in (first, second)]
    assert (mine[0] > mine[1], mine[0] == mine[1]) == (peer[0] > peer[1], peer[0] == peer[1])


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**9))
def test_pots_give_back_every_chip_that_was_staked(seed: int) -> None:
    chance = Random(seed)
    faces = chance.sample(FACES, 17)
    seats = chance.sample(range(1, 11), chance.randint(2, 6))
    staked = {seat: chance.randint(1, 6) * 500 + chance.randrange(3) for seat in seats}
    live = set(chance.sample(seats, chance.randint(1, len(seats))))
    # Nobody who folded staked more than all who are still in.
    most = max(staked[seat] for seat in live)
    staked = {seat: min(cents, most) for seat, cents in staked.items()}
    players = [
        PotPlayer(seat, faces[5 + 2 * at : 7 + 2 * at], staked[seat], seat not in live) for at, seat in enumerate(seats)
    ]
    result = share_out(players, seats[0], faces[:5], HOLDEM)
    assert sum(result.returned.values()) + result.rake == sum(staked.values())
    assert all(result.returned[seat] == 0 for seat in seats if seat not in live)


@pytest.mark.rules("THE-94", "THE-96", "THE-98", "THE-124")
def test_a_side_pot_goes_to_the_next_best_hand_and_each_pot_is_raked_by_itself() -> None:
    board = ["Qs", "9d", "4c", "5h", "3s"]
    players = [
        PotPlayer(1, ["As", "Ah"], 5000, has_folded=False),
        PotPlayer(2, ["Kd", "Kc"], 10000, has_folded=False),
        PotPlayer(3, ["7h", "2c"], 10000, has_folded=False),
    ]
    result = share_out(players, 3, board, HOLDEM)
    # 150 in the main pot, 100 beside it; four per cent of each.
    assert dict(result.returned) == {1: 14400, 2: 9600, 3: 0}
    assert result.rake == 1000


@pytest.mark.rules("THE-114", "THE-122")
def test_what_nobody_matched_goes_back_before_the_rake() -> None:
    players = [PotPlayer(1, [], 500, has_folded=True), PotPlayer(2, [], 3000, has_folded=False)]
    result = share_out(players, 1, [], HOLDEM)
    assert dict(result.returned) == {1: 0, 2: 2500 + 960}
