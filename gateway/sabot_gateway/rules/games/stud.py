"""STU, stud poker de casino (article 55-16): a finished coup decided, bet by bet.

The dealer needs ace-king. A bought card costs the ante and the bonus (STU-63),
and a beaten hand loses its bonus (STU-69, the opposite of the three-card game).
The raise pays by the table that the house chose of those the law allows (A-STU-01).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from sabot_gateway.model.card import Card, text_from_cards
from sabot_gateway.model.coup import BankCoup, BankSeat, Decision, Spot, Void
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
from sabot_gateway.rules.bank_key import chef_key, claim_key, early_look_key, limit_keys, rnvp_key
from sabot_gateway.rules.dealer_words import dealer_words
from sabot_gateway.rules.hand import CATS5, rank5
from sabot_gateway.rules.hand_view import hand_view
from sabot_gateway.rules.key import Key, Kind
from sabot_gateway.rules.opening import Articles, TableConfig, coup_faults, hands_miscounted, layout_of, playing
from sabot_gateway.rules.paytable import PayTable, table_from_values
from sabot_gateway.rules.qualification import has_ace_king
from sabot_gateway.rules.rejection import Fault, Refusal


@dataclass(frozen=True, slots=True)
class Config:
    """The ruleset values that a settlement reads."""

    table: TableConfig
    raise_table: PayTable
    bonus_table: PayTable
    bonus_on_tie: str
    buy_allowed: bool
    claim_required: bool
    early_look: str

    @classmethod
    def from_values(cls, values: Mapping[str, object]) -> "Config":
        return cls(
            table=TableConfig.from_values(values),
            raise_table=table_from_values(values["raise_table"]),
            bonus_table=table_from_values(values["bonus_table"]),
            bonus_on_tie=str(values["bonus_on_tie"]),
            buy_allowed=bool(values["buy_allowed"]),
            claim_required=bool(values["claim_required"]),
            early_look=str(values["early_look"]),
        )


def settle(coup: BankCoup, config: Config) -> Settlement | Refusal:
    """Every bet of every seat, or why the coup cannot be settled as told."""
    is_void = coup.void is not None or hands_miscounted(coup, 5)
    faults = coup_faults(coup, config.table, _ARTICLES, is_void)
    if not is_void:
        faults = _without_hidden_causes(faults, config)
        faults += tuple(fault for seat in playing(coup) for fault in _purchase_faults(seat, config))
    if faults:
        return Refusal(faults)
    if is_void:
        return bank.void_coup(coup, _VOID_RULE[coup.void or Void.CARD_COUNT], Game.STU)
    dealer = rank5(coup.dealer)
    qualified = has_ace_king(dealer)  # STU-46
    seats = tuple(_settle_seat(seat, dealer, qualified, config) for seat in bank.paid_order(playing(coup)))
    return Settlement(
        Status.SETTLED,
        seats,
        DealerResult(hand_view(dealer), qualified, "STU-46"),
        tuple(dealer_words(Game.STU, seats, qualified)),
    )


def final_hand(seat: BankSeat) -> tuple[Card, ...]:
    """STU-64: the five cards that count, the bought one in place of the discard."""
    if seat.purchase is None:
        return seat.cards
    kept = tuple(card for card in seat.cards if card not in seat.purchase.discards)
    return kept + seat.purchase.drawn


def _settle_seat(seat: BankSeat, dealer: int, qualified: bool, config: Config) -> SeatResult:
    if seat.early_look:
        hand = hand_view(rank5(seat.cards))
        return bank.void_hand(seat, hand, config.early_look == "forfeit", "STU-35", Game.STU)
    strength = rank5(final_hand(seat))
    hand = hand_view(strength)
    if seat.decision is Decision.FOLD:
        return SeatResult(seat.seat, tuple(_folded(seat)), hand, Comparison.FOLDED)
    comparison = bank.compare(strength, dealer) if qualified else Comparison.DEALER_NOT_QUALIFIED
    bets = (
        *_price(seat),
        *_main_bets(seat, hand.category, comparison, config),
        *_bonus(seat, hand.category, comparison, config),
    )
    return SeatResult(seat.seat, bets, hand, comparison)


def _price(seat: BankSeat) -> Iterator[BetResult]:
    """STU-61: gone when the card is served, whatever it brings."""
    price = seat.bets.get(Spot.BUY, 0)
    if price:
        yield bank.forfeit(Spot.BUY, price, "STU-61")


def _main_bets(seat: BankSeat, category: str, comparison: Comparison, config: Config) -> tuple[BetResult, BetResult]:
    ante, raised = seat.bets[Spot.ANTE], seat.bets[Spot.RAISE]
    if comparison is Comparison.DEALER_NOT_QUALIFIED:
        return bank.win_even(Spot.ANTE, ante, "STU-48"), bank.push(Spot.RAISE, raised, "STU-49")
    if comparison is Comparison.LOSE:
        return bank.lose(Spot.ANTE, ante, "STU-54"), bank.lose(Spot.RAISE, raised, "STU-54")
    if comparison is Comparison.TIE:
        return bank.push(Spot.ANTE, ante, "STU-53"), bank.push(Spot.RAISE, raised, "STU-53")
    odds = config.raise_table[category]
    return bank.win_even(Spot.ANTE, ante, "STU-77"), bank.win(Spot.RAISE, raised, odds, "STU-65", config.table)


def _bonus(seat: BankSeat, category: str, comparison: Comparison, config: Config) -> Iterator[BetResult]:
    stake = seat.bets.get(Spot.BONUS, 0)
    if stake:
        yield _settle_bonus(seat, stake, category, comparison, config)


def _settle_bonus(seat: BankSeat, stake: int, category: str, comparison: Comparison, config: Config) -> BetResult:
    """STU-66 to STU-76, in the order in which one sentence shuts out the next."""
    odds = config.bonus_table.get(category)
    if seat.purchase is not None:
        return bank.forfeit(Spot.BONUS, stake, "STU-63")
    if comparison is Comparison.LOSE:
        return bank.lose(Spot.BONUS, stake, "STU-69")
    if odds is None:
        return bank.lose(Spot.BONUS, stake, "STU-74")
    if comparison is Comparison.TIE and config.bonus_on_tie != "pay":
        settled = bank.push if config.bonus_on_tie == "push" else bank.lose
        return settled(Spot.BONUS, stake, "STU-76")
    if comparison is Comparison.DEALER_NOT_QUALIFIED and config.claim_required and Spot.BONUS not in seat.claims:
        return bank.lose(Spot.BONUS, stake, "STU-73")
    return bank.win(Spot.BONUS, stake, odds, _BONUS_RULE[comparison], config.table)


def _folded(seat: BankSeat) -> Iterator[BetResult]:
    yield bank.forfeit(Spot.ANTE, seat.bets[Spot.ANTE], "STU-41")
    bonus = seat.bets.get(Spot.BONUS, 0)
    if bonus:
        yield bank.forfeit(Spot.BONUS, bonus, "STU-75")


def _without_hidden_causes(faults: tuple[Fault, ...], config: Config) -> tuple[Fault, ...]:
    """STU-71: where a fifth of the minimum is no whole chip, no bonus stake can be right; say that instead."""
    if config.table.table_min % (5 * config.table.chip_unit) == 0:
        return faults
    return tuple(
        Fault("BONUS_UNIT_NOT_WHOLE", "STU-71", config.table.table_min, fault.seat)
        if fault.code == "BONUS_NOT_ONE_FIFTH_OF_MIN"
        else fault
        for fault in faults
    )


def _purchase_faults(seat: BankSeat, config: Config) -> Iterator[Fault]:
    """STU-58, STU-59, STU-80: what a purchase needs beyond its price, which `spot` compares with the ante."""
    price, purchase = seat.bets.get(Spot.BUY, 0), seat.purchase
    if not price and purchase is None:
        return
    if not config.buy_allowed:
        yield Fault("BUY_NOT_OFFERED", "STU-58", None, seat.seat)
    elif seat.decision is not Decision.RAISE:
        # A price beside a fold was reported with the stakes.
        if purchase is not None and not (price and seat.decision is Decision.FOLD) and not seat.early_look:
            yield Fault("BUY_WITHOUT_RAISE", "STU-59", None, seat.seat)
    elif purchase is None:
        yield Fault("BUY_STAKE_WITHOUT_DISCARD", "STU-59", None, seat.seat)
    else:
        if not price:
            yield Fault("BUY_PRICE_NOT_ANTE", "STU-58", None, seat.seat)
        if len(purchase.drawn) != 1 or len(purchase.discards) != 1:
            yield Fault("MORE_THAN_ONE_CARD", "STU-80", None, seat.seat)
        elif purchase.discards[0] not in seat.cards:
            yield Fault("DISCARD_NOT_IN_HAND", "STU-59", text_from_cards(purchase.discards), seat.seat)


_BONUS_RULE: Final[Mapping[Comparison, str]] = {
    Comparison.WIN: "STU-66",
    Comparison.DEALER_NOT_QUALIFIED: "STU-67",
    Comparison.TIE: "STU-76",
}

# STU-33 and STU-34 are the causes of the text; any other declared one returns all stakes by STU-79.
_VOID_RULE: Final[Mapping[Void, str]] = {
    Void.CARD_COUNT: "STU-33",
    Void.COLLUSION: "STU-34",
    Void.MALFUNCTION: "STU-79",
}

_ARTICLES: Final = Articles(
    game=Game.STU,
    cards="STU-01",
    seats="STU-17",
    players="STU-15",
    one_hand="STU-20",
    seated="STU-19",
    vacant="STU-21",
    ante="STU-23",
    limits="STU-23",
    amounts="STU-24",
    decision="STU-38",
    decisions=(Decision.RAISE, Decision.FOLD),
    layout=layout_of(Game.STU),
)

_HANDS: Final = tuple(str(category) for category in CATS5)
_RAISE_TABLE_NAMES: Final = ("first", "second")

KEYS: Final[tuple[Key, ...]] = (
    *limit_keys(seats="STU-17", limits="STU-23", amounts="STU-24", fewest_seats=5),
    Key(
        "raise_tables",
        Kind.PAY_TABLES,
        "The tables that the law lets the director choose from.",
        ("STU-65", "A-STU-01"),
        house=False,
        choices=_RAISE_TABLE_NAMES,
        hands=_HANDS,
        needs=_HANDS,
    ),
    Key(
        "raise_table",
        Kind.PAY_TABLE,
        "What a winning raise pays: the name of one of raise_tables, or a table.",
        ("STU-65", "A-STU-01"),
        choices=_RAISE_TABLE_NAMES,
        hands=_HANDS,
        needs=_HANDS,
    ),
    Key(
        "bonus_table",
        Kind.PAY_TABLE,
        "What the bonus pays, from a flush up.",
        ("STU-72",),
        default={"flush": 100, "full_house": 150, "quads": 1000, "straight_flush": 2000, "royal_flush": 5000},
        house=False,
        hands=_HANDS[5:],
        needs=_HANDS[5:],
    ),
    Key(
        "bonus_on_tie",
        Kind.CHOICE,
        "A bonus hand that ties a qualified dealer.",
        ("STU-76", "A-STU-05"),
        default="push",
        choices=("push", "pay", "lose"),
    ),
    Key(
        "bonus_window",
        Kind.CHOICE,
        "Until when the bonus may be bet.",
        ("STU-70", "A-STU-04"),
        default="rnvp",
        choices=("rnvp", "end_of_deal"),
    ),
    Key("buy_allowed", Kind.FLAG, "Whether players may buy a card.", ("STU-58",), default=True),
    claim_key("STU-73"),
    early_look_key("STU-35"),
    rnvp_key("STU-25", "shuffle"),
    chef_key("STU-11", 1),
)
