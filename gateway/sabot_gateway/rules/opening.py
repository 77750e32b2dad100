"""What must be true of any bank coup before it can be settled: seats, players, cards, amounts, limits.

The four bank games ask the same questions and cite their own articles, which
they pass in as `Articles`; how stakes relate is data of `spot`. What only one
game asks (the card purchase of stud) stays in that game.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sabot_gateway.model.card import Card, text_from_card
from sabot_gateway.model.coup import BankCoup, BankSeat, Decision, Spot
from sabot_gateway.model.game import Game
from sabot_gateway.model.money import Rounding
from sabot_gateway.rules.rejection import Fault
from sabot_gateway.rules.spot import Laid, Limit, broken_relations, spots_of

MOST_CENTS: Final = 10**12  # ten thousand million in the currency: no chip rack holds it, every sum stays exact


class LimitScope(StrEnum):
    PER_BET = "per_bet"
    PER_PLAYER_TOTAL = "per_player_total"


@dataclass(frozen=True, slots=True)
class TableConfig:
    """The keys that all bank games share."""

    seats_total: int
    table_min: int
    table_max: int
    chip_unit: int
    rounding: Rounding
    limit_scope: LimitScope
    side_min: int | None = None
    side_max: int | None = None

    @classmethod
    def from_values(cls, values: Mapping[str, object]) -> "TableConfig":
        return cls(
            seats_total=whole(values["seats_total"]),
            table_min=whole(values["table_min"]),
            table_max=whole(values["table_max"]),
            chip_unit=whole(values["chip_unit"]),
            rounding=Rounding(str(values["rounding"])),
            limit_scope=LimitScope(str(values["limit_scope"])),
            side_min=_whole_or_none(values.get("side_min")),
            side_max=_whole_or_none(values.get("side_max")),
        )


@dataclass(frozen=True, slots=True)
class Layout:
    """The spots of one layout, those held to the side limits, and those that count toward a limit per player."""

    spots: frozenset[str]
    sides: tuple[str, ...]
    totals: tuple[str, ...]


def layout_of(game: Game, values: Mapping[str, object] | None = None) -> Layout:
    """The layout of the game, or with ruleset values that of one house."""
    spots = spots_of(game, values)
    return Layout(
        frozenset(spot.name for spot in spots),
        tuple(spot.name for spot in spots if spot.limit is Limit.SIDE),
        tuple(spot.name for spot in spots if spot.laid is Laid.BEFORE_DEAL),
    )


@dataclass(frozen=True, slots=True)
class Articles:
    """Which rule each common fault breaks at one game, and what its layout and decisions are."""

    game: Game
    cards: str
    seats: str
    players: str
    one_hand: str
    seated: str
    vacant: str
    ante: str
    limits: str
    amounts: str
    decision: str
    decisions: tuple[Decision, ...]
    layout: Layout


def coup_faults(coup: BankCoup, table: TableConfig, articles: Articles, is_void: bool) -> tuple[Fault, ...]:
    """Every fault of the coup; a void one is not asked for limits or decisions, it may have ended before them."""
    faults = opening_faults(coup, table, articles)
    if not is_void:
        for seat in playing(coup):
            faults.extend(_limit_faults(seat, table, articles))
            if not seat.early_look:
                faults.extend(_decision_faults(seat, table, articles))
    return tuple(faults)


def playing(coup: BankCoup) -> list[BankSeat]:
    """The seats of the coup; a vacant seat without stake and cards is no part of it."""
    return [seat for seat in coup.seats if not seat.vacant or seat.cards or any(seat.bets.values())]


def opening_faults(coup: BankCoup, table: TableConfig, articles: Articles) -> list[Fault]:
    """Faults of seats, players, spots, amounts and cards: a coup with one of these is not even void."""
    faults: list[Fault] = []
    seats = playing(coup)
    if not seats:
        faults.append(Fault("NO_PLAYER", articles.players))
    numbers: set[int] = set()
    players: set[str] = set()
    for seat in seats:
        number = seat.seat
        if not 1 <= number <= table.seats_total:
            faults.append(Fault("SEAT_NUMBER", articles.seats, number, number))
        if number in numbers:
            faults.append(Fault("SEAT_TWICE", articles.one_hand, number, number))
        numbers.add(number)
        if seat.player is not None:
            if seat.player in players:
                faults.append(Fault("PLAYER_TWO_HANDS", articles.one_hand, seat.player, number))
            players.add(seat.player)
        if seat.standing:
            faults.append(Fault("STANDING_PLAYER", articles.seated, None, number))
        if seat.vacant:
            faults.append(Fault("BET_ON_VACANT_SPOT", articles.vacant, None, number))
        faults.extend(_amount_faults(seat, table, articles))
    faults.extend(_card_faults(coup, articles))
    return faults


def hands_miscounted(coup: BankCoup, cards_each: int) -> bool:
    """TCF-35, STU-33: does any hand, the dealer's included, have a wrong number of cards?"""
    return len(coup.dealer) != cards_each or any(len(seat.cards) != cards_each for seat in playing(coup))


def whole(value: object) -> int:
    """A validated ruleset value that is known to be an integer."""
    assert isinstance(value, int)
    return value


def _whole_or_none(value: object) -> int | None:
    return None if value is None else whole(value)


def _limit_faults(seat: BankSeat, table: TableConfig, articles: Articles) -> Iterator[Fault]:
    """TCF-23, STU-23, TCP-56, UTH-45: an ante, and every opening stake within its limits (A-TCF-12, A-TCF-16)."""
    bets = seat.bets
    ante = bets.get(Spot.ANTE, 0)
    per_bet = table.limit_scope is LimitScope.PER_BET
    if ante == 0:
        yield Fault("NO_ANTE", articles.ante, None, seat.seat)
    elif per_bet:
        yield from _outside(seat.seat, Spot.ANTE, ante, table.table_min, table.table_max, articles)
    for side in articles.layout.sides:
        amount = bets.get(side, 0)
        if amount == 0:
            continue
        least, most = table.side_min, table.side_max
        if per_bet:
            least = table.table_min if least is None else least
            most = table.table_max if most is None else most
        yield from _outside(seat.seat, side, amount, least, most, articles)
    if not per_bet and ante != 0:
        total = sum(bets.get(spot, 0) for spot in articles.layout.totals)
        yield from _outside(seat.seat, "total", total, table.table_min, table.table_max, articles)


def _decision_faults(seat: BankSeat, table: TableConfig, articles: Articles) -> Iterator[Fault]:
    """TCF-39, STU-38, UTH-24: a decision of this game, and stakes that are what the decision asks for."""
    if not seat.bets.get(Spot.ANTE):
        return  # the missing ante is the fault; what hangs on it is none of its own
    if seat.decision not in articles.decisions:
        yield Fault("NO_DECISION", articles.decision, seat.decision, seat.seat)
    yield from broken_relations(articles.game, seat.decision, seat.bets, {"table_min": table.table_min}, seat.seat)


def _amount_faults(seat: BankSeat, table: TableConfig, articles: Articles) -> Iterator[Fault]:
    for spot, amount in seat.bets.items():
        if spot not in articles.layout.spots:
            if amount:
                yield Fault("UNKNOWN_SPOT", articles.limits, spot, seat.seat)
        elif not 0 <= amount <= MOST_CENTS:
            yield Fault("BAD_AMOUNT", articles.amounts, spot, seat.seat)
        elif amount % table.chip_unit:
            yield Fault("NOT_CHIP_MULTIPLE", articles.amounts, spot, seat.seat)


def _card_faults(coup: BankCoup, articles: Articles) -> Iterator[Fault]:
    # The common case is a set of the right size; only a wrong one is searched for its culprit.
    cards = [card for _, hand in _hands(coup) for card in hand]
    if len(set(cards)) == len(cards):
        return
    seen: set[Card] = set()
    for owner, hand in _hands(coup):
        for card in hand:
            if card in seen:
                yield Fault("DUPLICATE_CARD", articles.cards, text_from_card(card), owner)
            seen.add(card)


def _hands(coup: BankCoup) -> Iterator[tuple[int | None, tuple[Card, ...]]]:
    for seat in coup.seats:
        yield seat.seat, seat.cards
        if seat.purchase is not None:
            yield seat.seat, seat.purchase.drawn
    yield None, coup.dealer
    yield None, coup.board
    yield None, coup.burned


def _outside(
    seat: int, spot: str, amount: int, least: int | None, most: int | None, articles: Articles
) -> Iterator[Fault]:
    if least is not None and amount < least:
        yield Fault("BELOW_MIN", articles.limits, str(spot), seat)
    elif most is not None and amount > most:
        yield Fault("ABOVE_MAX", articles.limits, str(spot), seat)
