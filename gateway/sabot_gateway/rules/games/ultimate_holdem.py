"""UTH, ultimate hold'em poker (article 55-20): a finished coup decided, bet by bet.

Best five of seven against the dealer, who needs a pair. An unqualified dealer
gives back the ante and nothing else: Play and Blind still stand or fall by the
comparison (UTH-34, UTH-35).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

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
from sabot_gateway.rules.announcement import combination
from sabot_gateway.rules.bank_key import chef_key, deal_mode_key, limit_keys, side_keys
from sabot_gateway.rules.hand import CATS5, best5
from sabot_gateway.rules.hand_view import hand_view
from sabot_gateway.rules.key import Key, Kind
from sabot_gateway.rules.opening import (
    MOST_CENTS,
    Articles,
    TableConfig,
    coup_faults,
    hands_miscounted,
    layout_of,
    playing,
)
from sabot_gateway.rules.paytable import PayTable, table_from_values
from sabot_gateway.rules.qualification import has_pair
from sabot_gateway.rules.rejection import Refusal


@dataclass(frozen=True, slots=True)
class Config:
    """The ruleset values that a settlement reads."""

    table: TableConfig
    blind_table: PayTable
    trips_table: PayTable
    trips_on_fold: str
    trips_on_tie: str
    wheel: bool

    @classmethod
    def from_values(cls, values: Mapping[str, object]) -> "Config":
        return cls(
            table=TableConfig.from_values(values),
            blind_table=table_from_values(values["blind_table"]),
            trips_table=table_from_values(values["trips_table"]),
            trips_on_fold=str(values["trips_on_fold"]),
            trips_on_tie=str(values["trips_on_tie"]),
            wheel=bool(values["wheel"]),
        )


def settle(coup: BankCoup, config: Config) -> Settlement | Refusal:
    """Every bet of every seat, or why the coup cannot be settled as told."""
    is_void = coup.void is not None or len(coup.board) != 5 or hands_miscounted(coup, 2)
    faults = coup_faults(coup, config.table, _ARTICLES, is_void)
    if faults:
        return Refusal(faults)
    if is_void:
        return bank.void_coup(coup, "UTH-46", Game.UTH)
    dealer = best5(coup.dealer + coup.board, config.wheel)
    qualified = has_pair(dealer)
    seats = []
    for seat in bank.paid_order(playing(coup)):
        strength = best5(seat.cards + coup.board, config.wheel)
        seats.append(_settle_seat(seat, strength, bank.compare(strength, dealer), qualified, config))
    view = hand_view(dealer)
    return Settlement(
        Status.SETTLED,
        tuple(seats),
        DealerResult(view, qualified, "UTH-33"),
        (combination(Game.UTH, view.category),),
    )


def _settle_seat(seat: BankSeat, strength: int, comparison: Comparison, qualified: bool, config: Config) -> SeatResult:
    hand = hand_view(strength)
    if seat.decision is Decision.FOLD:
        return SeatResult(seat.seat, tuple(_folded(seat, hand.category, config)), hand, Comparison.FOLDED)
    bets = (
        _ante(seat.bets[Spot.ANTE], comparison, qualified),
        _play(seat.bets[Spot.PLAY], comparison, qualified),
        _blind(seat.bets[Spot.BLIND], hand.category, comparison, qualified, config),
        *_trips(seat, hand.category, comparison, config),
    )
    return SeatResult(seat.seat, bets, hand, comparison)


def _ante(stake: int, comparison: Comparison, qualified: bool) -> BetResult:
    if comparison is Comparison.TIE:
        return bank.push(Spot.ANTE, stake, "UTH-32")  # A-UTH-05: qualified or not
    if not qualified:
        return bank.push(Spot.ANTE, stake, "UTH-34")
    if comparison is Comparison.WIN:
        return bank.win_even(Spot.ANTE, stake, "UTH-28")
    return bank.lose(Spot.ANTE, stake, "UTH-31")


def _play(stake: int, comparison: Comparison, qualified: bool) -> BetResult:
    if comparison is Comparison.TIE:
        return bank.push(Spot.PLAY, stake, "UTH-32")
    if comparison is Comparison.WIN:
        return bank.win_even(Spot.PLAY, stake, "UTH-28" if qualified else "UTH-35")
    return bank.lose(Spot.PLAY, stake, "UTH-31" if qualified else "UTH-35")


def _blind(stake: int, category: str, comparison: Comparison, qualified: bool, config: Config) -> BetResult:
    if comparison is Comparison.TIE:
        return bank.push(Spot.BLIND, stake, "UTH-32")
    if comparison is Comparison.LOSE:
        return bank.lose(Spot.BLIND, stake, "UTH-31" if qualified else "UTH-35")
    odds = config.blind_table.get(category)
    if odds is None:
        return bank.push(Spot.BLIND, stake, "UTH-30")
    return bank.win(Spot.BLIND, stake, odds, "UTH-29", config.table)


def _trips(seat: BankSeat, category: str, comparison: Comparison, config: Config) -> Iterator[BetResult]:
    """UTH-41: by the player's hand alone, unless the house returns it on a tie (UTH-49)."""
    stake = seat.bets.get(Spot.TRIPS, 0)
    if not stake:
        return
    if comparison is Comparison.TIE and config.trips_on_tie == "push":
        yield bank.push(Spot.TRIPS, stake, "UTH-49")
    else:
        yield bank.by_table(Spot.TRIPS, stake, category, config.trips_table, config.table, "UTH-41", "UTH-40")


def _folded(seat: BankSeat, category: str, config: Config) -> Iterator[BetResult]:
    yield bank.forfeit(Spot.ANTE, seat.bets[Spot.ANTE], "UTH-42")
    yield bank.forfeit(Spot.BLIND, seat.bets[Spot.BLIND], "UTH-42")
    stake = seat.bets.get(Spot.TRIPS, 0)
    if stake and config.trips_on_fold == "forfeit":
        yield bank.forfeit(Spot.TRIPS, stake, "UTH-43")
    elif stake:
        yield bank.by_table(Spot.TRIPS, stake, category, config.trips_table, config.table, "UTH-43", "UTH-40")


_ARTICLES: Final = Articles(
    game=Game.UTH,
    cards="UTH-01",
    seats="UTH-13",
    players="UTH-11",
    one_hand="UTH-14",
    seated="UTH-12",
    vacant="UTH-15",
    ante="UTH-16",
    limits="UTH-45",
    amounts="UTH-45",
    decision="UTH-24",
    decisions=(Decision.PLAY_PREFLOP, Decision.PLAY_FLOP, Decision.PLAY_RIVER, Decision.FOLD),
    layout=layout_of(Game.UTH),
)

_HANDS: Final = tuple(str(category) for category in CATS5)

KEYS: Final[tuple[Key, ...]] = (
    *limit_keys(seats="UTH-13", limits="UTH-45", amounts="UTH-45", fewest_seats=1),
    *side_keys("UTH-45"),
    Key(
        "blind_table",
        Kind.PAY_TABLE,
        "What the Blind of a winning hand pays, from a straight up.",
        ("UTH-37",),
        default={
            "straight": [1, 1],
            "flush": [3, 2],
            "full_house": [3, 1],
            "quads": [10, 1],
            "straight_flush": [50, 1],
            "royal_flush": [500, 1],
        },
        house=False,
        hands=_HANDS[4:],
        needs=_HANDS[4:],
    ),
    Key(
        "trips_table",
        Kind.PAY_TABLE,
        "What the Trips bonus pays, from three of a kind up.",
        ("UTH-36",),
        default={
            "trips": 3,
            "straight": 4,
            "flush": 7,
            "full_house": 8,
            "quads": 30,
            "straight_flush": 40,
            "royal_flush": 50,
        },
        house=False,
        hands=_HANDS[3:],
        needs=_HANDS[3:],
    ),
    Key(
        "trips_on_fold",
        Kind.CHOICE,
        "Trips of a folded hand: settled on its cards or lost.",
        ("UTH-43", "A-UTH-02"),
        default="settle",
        choices=("settle", "forfeit"),
    ),
    Key(
        "trips_on_tie",
        Kind.CHOICE,
        "Trips of a hand that ties: settled by its table or returned.",
        ("UTH-49", "A-UTH-03"),
        default="settle",
        choices=("settle", "push"),
    ),
    deal_mode_key("UTH-19", "A-UTH-08", "packets"),
    Key(
        "board_burns",
        Kind.FLAG,
        "Whether a card is burned before the flop and before the last two.",
        ("UTH-48", "A-UTH-08"),
        default=False,
    ),
    Key("wheel", Kind.FLAG, "Whether A-2-3-4-5 is a straight.", ("UTH-39", "A-UTH-01"), default=True),
    Key(
        "float_min",
        Kind.INTEGER,
        "Smallest float of the table by article 49, in cents; empty: not checked.",
        ("UTH-08",),
        default=None,
        nullable=True,
        least=1,
        most=MOST_CENTS,
    ),
    chef_key("UTH-10", 2),
)
