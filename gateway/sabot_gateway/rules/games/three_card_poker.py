"""TCP, Three Card Poker (Québec): a finished coup decided, bet by bet.

The house needs a queen. The ante bonus is paid on the ante without a stake of
its own, beaten or not; both side bets live on after a fold (TCP-22, TCP-26).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from sabot_gateway.model.card import Card
from sabot_gateway.model.coup import BankCoup, BankSeat, Decision, Spot
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import (
    BetResult,
    Comparison,
    DealerResult,
    SeatResult,
    Settlement,
    Status,
)
from sabot_gateway.rules import bank
from sabot_gateway.rules.bank_key import deal_mode_key, limit_keys, side_keys
from sabot_gateway.rules.hand import CATS3, CATS5, best5, category_of, is_mini_royal, rank3
from sabot_gateway.rules.hand_view import hand_view
from sabot_gateway.rules.key import Key, Kind
from sabot_gateway.rules.opening import Articles, TableConfig, coup_faults, hands_miscounted, layout_of, playing
from sabot_gateway.rules.paytable import PayTable, table_from_values
from sabot_gateway.rules.qualification import has_queen_high
from sabot_gateway.rules.rejection import Refusal

MINI_ROYAL: Final = "mini_royal"  # TCP-24: a line of its own at Paire ou plus, a straight flush everywhere else


@dataclass(frozen=True, slots=True)
class Config:
    """The ruleset values that a settlement reads."""

    table: TableConfig
    ante_bonus_table: PayTable
    pair_plus_table: PayTable
    six_card_table: PayTable
    six_card_wheel: bool

    @classmethod
    def from_values(cls, values: Mapping[str, object]) -> "Config":
        return cls(
            table=TableConfig.from_values(values),
            ante_bonus_table=table_from_values(values["ante_bonus_table"]),
            pair_plus_table=table_from_values(values["pair_plus_table"]),
            six_card_table=table_from_values(values["six_card_table"]),
            six_card_wheel=bool(values["six_card_wheel"]),
        )


def settle(coup: BankCoup, config: Config) -> Settlement | Refusal:
    """Every bet of every seat, or why the coup cannot be settled as told."""
    is_void = coup.void is not None or hands_miscounted(coup, 3)
    faults = coup_faults(coup, config.table, _ARTICLES, is_void)
    if faults:
        return Refusal(faults)
    if is_void:
        return bank.void_coup(coup, "TCP-48", Game.TCP)
    dealer = rank3(coup.dealer)
    qualified = has_queen_high(dealer)
    seats = tuple(_settle_seat(seat, coup.dealer, dealer, qualified, config) for seat in bank.paid_order(playing(coup)))
    rule = "TCP-15" if qualified else "TCP-13"
    return Settlement(Status.SETTLED, seats, DealerResult(hand_view(dealer), qualified, rule))


def _settle_seat(seat: BankSeat, house: tuple[Card, ...], dealer: int, qualified: bool, config: Config) -> SeatResult:
    strength = rank3(seat.cards)
    hand = hand_view(strength)
    main: tuple[BetResult, ...]
    if seat.decision is Decision.FOLD:
        comparison = Comparison.FOLDED
        main = (bank.forfeit(Spot.ANTE, seat.bets[Spot.ANTE], "TCP-11"),)
    else:
        comparison = bank.compare(strength, dealer) if qualified else Comparison.DEALER_NOT_QUALIFIED
        main = (*_main_bets(seat, comparison), *_ante_bonus(seat, hand.category, config))
    return SeatResult(seat.seat, (*main, *_side_bets(seat, house, hand.category, config)), hand, comparison)


def _main_bets(seat: BankSeat, comparison: Comparison) -> tuple[BetResult, BetResult]:
    ante, play = seat.bets[Spot.ANTE], seat.bets[Spot.PLAY]
    if comparison is Comparison.DEALER_NOT_QUALIFIED:
        return bank.win_even(Spot.ANTE, ante, "TCP-14"), bank.push(Spot.PLAY, play, "TCP-13")
    if comparison is Comparison.LOSE:
        return bank.lose(Spot.ANTE, ante, "TCP-16"), bank.lose(Spot.PLAY, play, "TCP-16")
    if comparison is Comparison.TIE:
        return bank.push(Spot.ANTE, ante, "TCP-18"), bank.push(Spot.PLAY, play, "TCP-18")
    return bank.win_even(Spot.ANTE, ante, "TCP-17"), bank.win_even(Spot.PLAY, play, "TCP-17")


def _ante_bonus(seat: BankSeat, category: str, config: Config) -> Iterator[BetResult]:
    """TCP-19: whatever the house's hand."""
    odds = config.ante_bonus_table.get(category)
    if odds is not None:
        yield bank.award(Spot.ANTE_BONUS, seat.bets[Spot.ANTE], odds, "TCP-19", config.table)


def _side_bets(seat: BankSeat, house: tuple[Card, ...], category: str, config: Config) -> Iterator[BetResult]:
    """TCP-21, TCP-25: by the cards alone; TCP-22, TCP-26: on a fold too."""
    folded = seat.decision is Decision.FOLD
    stake = seat.bets.get(Spot.PAIR_PLUS, 0)
    if stake:
        line = MINI_ROYAL if is_mini_royal(seat.cards) else category
        won = "TCP-22" if folded else "TCP-21"
        yield bank.by_table(Spot.PAIR_PLUS, stake, line, config.pair_plus_table, config.table, won, "TCP-53")
    stake = seat.bets.get(Spot.SIX_CARD, 0)
    if stake:
        best = category_of(best5(seat.cards + house, config.six_card_wheel))
        won = "TCP-26" if folded else "TCP-25"
        yield bank.by_table(Spot.SIX_CARD, stake, best, config.six_card_table, config.table, won, "TCP-53")


_ARTICLES: Final = Articles(
    game=Game.TCP,
    cards="TCP-07",
    seats="TCP-55",
    players="TCP-08",
    one_hand="TCP-55",
    seated="TCP-55",
    vacant="TCP-55",
    ante="TCP-08",
    limits="TCP-56",
    amounts="TCP-56",
    decision="TCP-11",
    decisions=(Decision.RAISE, Decision.FOLD),
    layout=layout_of(Game.TCP),
)

_THREE: Final = tuple(str(category) for category in CATS3)
_FIVE: Final = tuple(str(category) for category in CATS5)

KEYS: Final[tuple[Key, ...]] = (
    *limit_keys(seats="TCP-55", limits="TCP-56", amounts="TCP-56", fewest_seats=1),
    *side_keys("TCP-56"),
    Key(
        "ante_bonus_table",
        Kind.PAY_TABLE,
        "What the ante bonus pays on the ante, from a straight up; must return 96.63 %.",
        ("TCP-50", "TCP-45", "A-TCP-01"),
        hands=_THREE[3:],
        needs=_THREE[3:],
    ),
    Key(
        "pair_plus_table",
        Kind.PAY_TABLE,
        "What Paire ou plus pays, from a pair up, the mini royal apart; must return 95.62 %.",
        ("TCP-51", "TCP-46", "A-TCP-02"),
        hands=(*_THREE[1:], MINI_ROYAL),
        needs=(*_THREE[1:], MINI_ROYAL),
    ),
    Key(
        "six_card_table",
        Kind.PAY_TABLE,
        "What Boni 6 cartes pays, from three of a kind up; must return 89.78 %.",
        ("TCP-52", "TCP-47", "A-TCP-03"),
        hands=_FIVE[3:],
        needs=_FIVE[3:],
    ),
    Key(
        "six_card_wheel",
        Kind.FLAG,
        "Whether A-2-3-4-5 is a straight at Boni 6 cartes.",
        ("TCP-57", "A-TCP-03"),
        default=True,
    ),
    deal_mode_key("TCP-55", "A-TCP-07", "rounds"),
)
