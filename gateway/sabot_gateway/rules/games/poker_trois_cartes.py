"""TCF, poker trois cartes (article 55-21): a finished coup decided, bet by bet.

The dealer needs a queen. Beaten hands still earn the bonus (TCF-69, the opposite
of stud), and a winning brelan or suite couleur pays the initial stake 4 or 5
times, but only against a qualified dealer (A-TCF-04).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sabot_gateway.model.coup import BankCoup, BankSeat, Decision, Spot, Void
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import (
    BetResult,
    Comparison,
    DealerResult,
    Outcome,
    SeatResult,
    Settlement,
    Status,
)
from sabot_gateway.rules import bank
from sabot_gateway.rules.bank_key import chef_key, claim_key, early_look_key, limit_keys, rnvp_key, side_keys
from sabot_gateway.rules.dealer_words import dealer_words
from sabot_gateway.rules.hand import CATS3, rank3
from sabot_gateway.rules.hand_view import hand_view
from sabot_gateway.rules.key import Key, Kind
from sabot_gateway.rules.opening import Articles, TableConfig, coup_faults, hands_miscounted, layout_of, playing
from sabot_gateway.rules.paytable import EVEN_MONEY, PayTable, table_from_values
from sabot_gateway.rules.qualification import has_queen_high
from sabot_gateway.rules.rejection import Refusal


class BonusMode(StrEnum):
    """A-TCF-03: what the layout has; a BONUS spot means a stake of its own."""

    SEPARATE_STAKE = "separate_stake"
    ANTE_BONUS = "ante_bonus"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Config:
    """The ruleset values that a settlement reads."""

    table: TableConfig
    bonus_mode: BonusMode
    ace_low_straight: bool
    ante_win_table: PayTable
    bonus_table: PayTable
    pair_plus_table: PayTable
    pair_plus_on_fold: str
    claim_required: bool
    early_look: str

    @classmethod
    def from_values(cls, values: Mapping[str, object]) -> "Config":
        return cls(
            table=TableConfig.from_values(values),
            bonus_mode=BonusMode(str(values["bonus_mode"])),
            ace_low_straight=bool(values["ace_low_straight"]),
            ante_win_table=table_from_values(values["ante_win_table"]),
            bonus_table=table_from_values(values["bonus_table"]),
            pair_plus_table=table_from_values(values["pair_plus_table"]),
            pair_plus_on_fold=str(values["pair_plus_on_fold"]),
            claim_required=bool(values["claim_required"]),
            early_look=str(values["early_look"]),
        )


def settle(coup: BankCoup, config: Config) -> Settlement | Refusal:
    """Every bet of every seat, or why the coup cannot be settled as told."""
    is_void = coup.void is not None or hands_miscounted(coup, 3)
    faults = coup_faults(coup, config.table, _ARTICLES[config.bonus_mode], is_void)
    if faults:
        return Refusal(faults)
    if is_void:
        # TCF-35, TCF-36: the text knows two causes; another declared by the table head returns the stakes alike.
        return bank.void_coup(coup, "TCF-36" if coup.void is Void.COLLUSION else "TCF-35", Game.TCF)
    dealer = rank3(coup.dealer, config.ace_low_straight)
    qualified = has_queen_high(dealer)  # TCF-46
    seats = tuple(_settle_seat(seat, dealer, qualified, config) for seat in bank.paid_order(playing(coup)))
    return Settlement(
        Status.SETTLED,
        seats,
        DealerResult(hand_view(dealer), qualified, "TCF-46"),
        tuple(dealer_words(Game.TCF, seats, qualified)),
    )


def _settle_seat(seat: BankSeat, dealer: int, qualified: bool, config: Config) -> SeatResult:
    strength = rank3(seat.cards, config.ace_low_straight)
    hand = hand_view(strength)
    if seat.early_look:
        return bank.void_hand(seat, hand, config.early_look == "forfeit", "TCF-37", Game.TCF)
    if seat.decision is Decision.FOLD:
        return SeatResult(seat.seat, tuple(_folded(seat, hand.category, config)), hand, Comparison.FOLDED)
    comparison = bank.compare(strength, dealer) if qualified else Comparison.DEALER_NOT_QUALIFIED
    bets = (
        *_main_bets(seat, hand.category, comparison, config),
        *_pair_plus(seat, hand.category, qualified, config),
        *_bonus(seat, hand.category, comparison, config),
    )
    return SeatResult(seat.seat, bets, hand, comparison)


def _main_bets(seat: BankSeat, category: str, comparison: Comparison, config: Config) -> tuple[BetResult, BetResult]:
    ante, play = seat.bets[Spot.ANTE], seat.bets[Spot.PLAY]
    if comparison is Comparison.DEALER_NOT_QUALIFIED:
        return bank.win_even(Spot.ANTE, ante, "TCF-48"), bank.push(Spot.PLAY, play, "TCF-49")
    if comparison is Comparison.LOSE:
        return bank.lose(Spot.ANTE, ante, "TCF-54"), bank.lose(Spot.PLAY, play, "TCF-54")
    if comparison is Comparison.TIE:
        return bank.push(Spot.ANTE, ante, "TCF-58"), bank.push(Spot.PLAY, play, "TCF-58")
    odds = config.ante_win_table.get(category, EVEN_MONEY)
    rule = _ANTE_WIN_RULE.get(category, "TCF-59")
    return bank.win(Spot.ANTE, ante, odds, rule, config.table), bank.win_even(Spot.PLAY, play, "TCF-62")


def _pair_plus(seat: BankSeat, category: str, qualified: bool, config: Config) -> Iterator[BetResult]:
    stake = seat.bets.get(Spot.PAIR_PLUS, 0)
    if not stake:
        return
    paid = bank.by_table(Spot.PAIR_PLUS, stake, category, config.pair_plus_table, config.table, "TCF-74", "TCF-73")
    if paid.outcome is Outcome.WIN and _is_unclaimed(seat, Spot.PAIR_PLUS, qualified, config):
        paid = bank.lose(Spot.PAIR_PLUS, stake, "TCF-78")
    yield paid


def _bonus(seat: BankSeat, category: str, comparison: Comparison, config: Config) -> Iterator[BetResult]:
    """TCF-66, TCF-67, TCF-69: from a straight up, whatever the dealer holds."""
    stake = seat.bets.get(Spot.BONUS, 0)
    odds = config.bonus_table.get(category)
    qualified = comparison is not Comparison.DEALER_NOT_QUALIFIED
    if config.bonus_mode is BonusMode.ANTE_BONUS:
        if odds is None:
            return
        if _is_unclaimed(seat, Spot.BONUS, qualified, config):
            yield bank.lose(Spot.BONUS, 0, "TCF-77")
        else:
            yield bank.award(Spot.BONUS, seat.bets[Spot.ANTE], odds, _bonus_rule(comparison), config.table)
    elif not stake:
        return
    elif odds is None:
        yield bank.lose(Spot.BONUS, stake, "TCF-72")
    elif _is_unclaimed(seat, Spot.BONUS, qualified, config):
        yield bank.lose(Spot.BONUS, stake, "TCF-77")
    else:
        yield bank.win(Spot.BONUS, stake, odds, _bonus_rule(comparison), config.table)


def _bonus_rule(comparison: Comparison) -> str:
    if comparison is Comparison.DEALER_NOT_QUALIFIED:
        return "TCF-67"
    return "TCF-69" if comparison is Comparison.LOSE else "TCF-66"


def _folded(seat: BankSeat, category: str, config: Config) -> Iterator[BetResult]:
    yield bank.forfeit(Spot.ANTE, seat.bets[Spot.ANTE], "TCF-41")
    pair_plus = seat.bets.get(Spot.PAIR_PLUS, 0)
    if pair_plus and config.pair_plus_on_fold == "forfeit":
        yield bank.forfeit(Spot.PAIR_PLUS, pair_plus, "TCF-79")
    elif pair_plus:
        # TCF-79: settled as the cards are collected, before anybody knows whether the dealer qualifies.
        pays = config.pair_plus_table
        yield bank.by_table(Spot.PAIR_PLUS, pair_plus, category, pays, config.table, "TCF-79", "TCF-73")
    bonus = seat.bets.get(Spot.BONUS, 0)
    if bonus:
        yield bank.forfeit(Spot.BONUS, bonus, "TCF-71")


def _is_unclaimed(seat: BankSeat, spot: Spot, qualified: bool, config: Config) -> bool:
    """TCF-77, TCF-78: an announcement matters only when the dealer's hand was not played."""
    return config.claim_required and not qualified and spot not in seat.claims


_ANTE_WIN_RULE: Final[Mapping[str, str]] = {"trips": "TCF-60", "straight_flush": "TCF-61"}


def _articles(mode: BonusMode) -> Articles:
    return Articles(
        game=Game.TCF,
        cards="TCF-01",
        seats="TCF-18",
        players="TCF-16",
        one_hand="TCF-21",
        seated="TCF-20",
        vacant="TCF-20",
        ante="TCF-23",
        limits="TCF-23",
        amounts="TCF-24",
        decision="TCF-39",
        decisions=(Decision.RAISE, Decision.FOLD),
        layout=layout_of(Game.TCF, {"bonus_mode": mode}),
    )


# TCF-28: the bonus spot exists only where the bonus is a stake of its own.
_ARTICLES: Final[Mapping[BonusMode, Articles]] = {mode: _articles(mode) for mode in BonusMode}

_HANDS: Final = tuple(str(category) for category in CATS3)

KEYS: Final[tuple[Key, ...]] = (
    *limit_keys(seats="TCF-18", limits="TCF-23", amounts="TCF-24", fewest_seats=5),
    *side_keys("TCF-23"),
    Key(
        "bonus_mode",
        Kind.CHOICE,
        "Whether the bonus is a stake of its own, paid on the ante without one, or not offered.",
        ("TCF-28", "A-TCF-03"),
        choices=tuple(BonusMode),
    ),
    Key(
        "ace_low_straight",
        Kind.FLAG,
        "Whether A-2-3 is a straight.",
        ("TCF-81", "A-TCF-02"),
        default=True,
    ),
    Key(
        "ante_win_table",
        Kind.PAY_TABLE,
        "What a winning initial stake pays beyond even money.",
        ("TCF-60", "TCF-61", "A-TCF-04"),
        default={"trips": 4, "straight_flush": 5},
        house=False,
        hands=_HANDS,
        needs=("trips", "straight_flush"),
    ),
    Key(
        "bonus_table",
        Kind.PAY_TABLE,
        "What the bonus pays, from a straight up.",
        ("TCF-70",),
        default={"straight": 1, "trips": 4, "straight_flush": 5},
        house=False,
        hands=_HANDS[3:],
        needs=_HANDS[3:],
    ),
    Key(
        "pair_plus_table",
        Kind.PAY_TABLE,
        "What Paire Plus pays, from a pair up.",
        ("TCF-75",),
        default={"pair": 1, "flush": 3, "straight": 6, "trips": 30, "straight_flush": 40},
        house=False,
        hands=_HANDS[1:],
        needs=_HANDS[1:],
    ),
    Key(
        "pair_plus_on_fold",
        Kind.CHOICE,
        "Paire Plus of a folded hand: settled on its cards or lost.",
        ("TCF-79", "A-TCF-05"),
        default="settle",
        choices=("settle", "forfeit"),
    ),
    claim_key("TCF-77", "TCF-78"),
    early_look_key("TCF-37"),
    rnvp_key("TCF-25", "deal"),
    chef_key("TCF-12", 2),
)
