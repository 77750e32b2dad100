"""What must be true of the seats, stacks and cards of a hold'em coup before its betting is looked at.

Gives faults, never amounts. Blinds and options are judged in `blinds`, actions in
`betting`. A vacant seat without chips and an absent player (THE-27) take no part.
"""

from collections.abc import Iterator
from operator import attrgetter
from typing import Final

from sabot_gateway.model.card import Card, text_from_card
from sabot_gateway.model.holdem import HoldemCoup, HoldemSeat
from sabot_gateway.rules.holdem_config import HoldemConfig
from sabot_gateway.rules.opening import MOST_CENTS
from sabot_gateway.rules.rejection import Fault

_NUMBER: Final = attrgetter("seat")


def players_of(coup: HoldemCoup) -> tuple[HoldemSeat, ...]:
    """The seats in the coup, in ascending order: A-THE-19, absent players have no hand and post nothing."""
    present = (seat for seat in coup.seats if not seat.vacant and not seat.absent)
    return tuple(sorted(present, key=_NUMBER))


def seating_faults(coup: HoldemCoup, config: HoldemConfig) -> tuple[Fault, ...]:
    """Every fault of seats, players, amounts, button and cards."""
    faults = list(_seat_faults(coup, config))
    for seat in coup.seats:
        faults.extend(_holding_faults(seat, config, with_actions=coup.actions is not None))
    if not faults and len(players_of(coup)) < 2:
        faults.append(Fault("TOO_FEW_PLAYERS", "THE-14", len(players_of(coup))))
    occupied = {seat.seat for seat in coup.seats if not seat.vacant}
    if not faults and coup.button not in occupied:
        faults.append(Fault("BUTTON_SEAT", "THE-41", coup.button))
    faults.extend(_card_faults(coup))
    return tuple(faults)


def is_misdealt(coup: HoldemCoup) -> bool:
    """THE-52, THE-125: a recorded hand of more or fewer than two cards."""
    return any(seat.cards is not None and len(seat.cards) != 2 for seat in players_of(coup))


def _seat_faults(coup: HoldemCoup, config: HoldemConfig) -> Iterator[Fault]:
    numbers: set[int] = set()
    players: set[str] = set()
    for seat in coup.seats:
        number = seat.seat
        if not 1 <= number <= config.seats_total:
            yield Fault("SEAT_NUMBER", "THE-18", number, number)
        if number in numbers:
            yield Fault("SEAT_TWICE", "THE-19", number, number)
        numbers.add(number)
        if seat.player is not None:
            if seat.player in players:
                yield Fault("PLAYER_TWO_HANDS", "THE-19", seat.player, number)
            players.add(seat.player)
        if seat.standing:
            yield Fault("STANDING_PLAYER", "THE-16", seat=number)
        if seat.vacant and (seat.stack or seat.contributed or seat.cards):
            yield Fault("BET_ON_VACANT_SPOT", "THE-20", seat=number)


def _holding_faults(seat: HoldemSeat, config: HoldemConfig, with_actions: bool) -> Iterator[Fault]:
    if seat.vacant:
        return
    unit = config.chip_unit
    if seat.stack is not None or (with_actions and not seat.absent):
        if seat.stack is None or not 0 < seat.stack <= MOST_CENTS:
            yield Fault("BAD_STACK", "THE-37", _short(seat.stack), seat.seat)
        elif seat.stack % unit:
            yield Fault("NOT_CHIP_MULTIPLE", "THE-32", seat.stack, seat.seat)
        elif seat.new and config.cave_min is not None and seat.stack < config.cave_min:
            yield Fault("CAVE_BELOW_MIN", "THE-35", config.cave_min, seat.seat)
    if seat.absent:
        if seat.contributed:
            yield Fault("BAD_CONTRIBUTION", "THE-27", _short(seat.contributed), seat.seat)
    elif with_actions:
        if seat.contributed is not None or seat.folded:
            yield Fault("BAD_CONTRIBUTION", "THE-37", "actions", seat.seat)
    else:
        yield from _contribution_faults(seat, unit)


def _contribution_faults(seat: HoldemSeat, unit: int) -> Iterator[Fault]:
    staked = seat.contributed
    # A player still in at the end has staked something: nobody sees a board for nothing.
    least = 0 if seat.folded else 1
    if staked is None or not least <= staked <= MOST_CENTS or (seat.stack is not None and staked > seat.stack):
        yield Fault("BAD_CONTRIBUTION", "THE-37", _short(staked), seat.seat)
    elif staked % unit:
        yield Fault("NOT_CHIP_MULTIPLE", "THE-32", staked, seat.seat)


def _card_faults(coup: HoldemCoup) -> Iterator[Fault]:
    """THE-01: one deck, so each card at most once among hands, board and burned cards."""
    held = [(card, seat.seat) for seat in coup.seats for card in seat.cards or ()]
    common: list[tuple[Card, int | None]] = [(card, None) for card in (*coup.board, *coup.burned)]
    seen: set[Card] = set()
    for card, owner in (*held, *common):
        if card in seen:
            yield Fault("DUPLICATE_CARD", "THE-01", text_from_card(card), owner)
        seen.add(card)


def _short(amount: int | None) -> int | None:
    """An amount to show, unless it is beyond all reason."""
    return amount if amount is not None and abs(amount) <= MOST_CENTS else None
