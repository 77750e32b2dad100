"""What holds for every coup: the book's second opinion, conserved money, and symmetries."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.games import literal_book
from rules.games.bank_coups import settled
from rules.games.random_coups import Table, tables
from sabot_gateway.model.card import SUITS, Card, text_from_card
from sabot_gateway.model.coup import BankCoup, BankSeat, Purchase
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import Settlement
from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.rules.games.stud import final_hand
from sabot_gateway.rules.ruleset import Ruleset, overridden

ANY_TABLE = st.one_of(*(tables(game) for game in (Game.TCF, Game.STU, Game.TCP, Game.UTH)))
MANY = settings(max_examples=250, deadline=None)
SOME = settings(max_examples=100, deadline=None)


def texts(cards: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple(map(text_from_card, cards))


def by_the_book(table: Table, seat: BankSeat) -> Mapping[str, int]:
    ruleset = overridden(shipped_ruleset(table.game), table.config)
    assert isinstance(ruleset, Ruleset)
    cards, house, claims = texts(seat.cards), texts(table.coup.dealer), sorted(seat.claims)
    decision, values = str(seat.decision), ruleset.values
    match table.game:
        case Game.TCF:
            return literal_book.poker_trois_cartes(cards, seat.bets, decision, claims, house, values)
        case Game.STU:
            return literal_book.stud(texts(final_hand(seat)), seat.bets, decision, claims, house, values)
        case Game.TCP:
            return literal_book.three_card_poker(cards, seat.bets, decision, claims, house, values)
        case _:
            board = texts(table.coup.board)
            return literal_book.ultimate_holdem(cards, seat.bets, decision, board, house, values)


def nets(result: Settlement) -> dict[int, dict[str, int]]:
    return {seat.seat: {str(bet.spot): bet.net for bet in seat.bets} for seat in result.seats}


@pytest.mark.parametrize("game", [Game.TCF, Game.STU, Game.TCP, Game.UTH])
def test_every_coup_is_paid_as_the_book_reads(game: Game) -> None:
    @MANY
    @given(tables(game))
    def holds(table: Table) -> None:
        expected = {seat.seat: by_the_book(table, seat) for seat in table.coup.seats}
        found = nets(settled(table.game, table.coup, table.config))
        # The book does not list a bonus that a silent player failed to earn without a stake.
        assert {n: {s: net for s, net in bets.items() if net or s != "bonus"} for n, bets in found.items()} == {
            n: {s: net for s, net in bets.items() if net or s != "bonus"} for n, bets in expected.items()
        }

    holds()


@SOME
@given(ANY_TABLE)
def test_money_is_conserved(table: Table) -> None:
    result = settled(table.game, table.coup, table.config)
    assert sum(seat.net for seat in result.seats) + result.bank_net == 0
    for seat, told in zip(result.seats, sorted(table.coup.seats, key=lambda seat: -seat.seat), strict=True):
        assert seat.stake == sum(told.bets.values())  # no stake is forgotten and none invented
        assert all(bet.returned >= 0 and bet.net >= -bet.stake for bet in seat.bets)


@SOME
@given(ANY_TABLE, st.permutations(range(1, 8)))
def test_permuting_seats_permutes_payouts(table: Table, order: list[int]) -> None:
    moved = dict(enumerate(order, start=1))
    seats = tuple(replace(seat, seat=moved[seat.seat]) for seat in reversed(table.coup.seats))
    before = nets(settled(table.game, table.coup, table.config))
    after = nets(settled(table.game, replace(table.coup, seats=seats), table.config))
    assert after == {moved[number]: bets for number, bets in before.items()}


@SOME
@given(ANY_TABLE, st.permutations(range(len(SUITS))))
def test_relabelling_suits_changes_nothing(table: Table, suits: list[int]) -> None:
    def turned(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(Card((card & ~3) | suits[card & 3]) for card in cards)

    def turned_seat(seat: BankSeat) -> BankSeat:
        bought = seat.purchase and Purchase(turned(seat.purchase.discards), turned(seat.purchase.drawn))
        return replace(seat, cards=turned(seat.cards), purchase=bought)

    coup = table.coup
    relabelled = BankCoup(tuple(map(turned_seat, coup.seats)), turned(coup.dealer), turned(coup.board))
    assert settled(table.game, relabelled, table.config) == settled(table.game, coup, table.config)


@SOME
@given(ANY_TABLE, st.integers(2, 9))
def test_a_larger_stake_scales_its_payout_exactly_in_whole_chips(table: Table, factor: int) -> None:
    # Stakes of even chips never break (UTH-44); the stud bonus is a fixed fifth of the minimum, so that grows too.
    def scaled(by: int) -> Settlement:
        seats = tuple(
            replace(seat, bets={spot: amount * by for spot, amount in seat.bets.items()}) for seat in table.coup.seats
        )
        limits = {"table_min": 500 * by if table.game is Game.STU else 500, "table_max": 10**9}
        return settled(table.game, replace(table.coup, seats=seats), {**table.config, **limits})

    once, more = scaled(2), scaled(2 * factor)
    assert nets(more) == {
        number: {spot: net * factor for spot, net in bets.items()} for number, bets in nets(once).items()
    }
