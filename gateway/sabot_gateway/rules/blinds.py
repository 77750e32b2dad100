"""Who sits where around the button, and the stakes that are posted before the deal (THE-41 to THE-50).

"Order" always means the players in the coup from the first at the button's left
to the button itself. Knows no cards and no decisions.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sabot_gateway.model.holdem import HeadsUp, OptionAction, OptionPost, Street, Version
from sabot_gateway.rules.deal import seats_from_button
from sabot_gateway.rules.raise_limits import Structure
from sabot_gateway.rules.rejection import Fault


def next_button(button: int, occupied: Iterable[int]) -> int:
    """THE-117: after a coup the button moves to the next occupied seat clockwise."""
    return seats_from_button(tuple(occupied), button)[0]


@dataclass(frozen=True, slots=True)
class Posts:
    """The forced and optional stakes: (seat, amount due), the seat that speaks first, and the amount to match."""

    due: tuple[tuple[int, int], ...]
    first_to_speak: int
    bet_to: int
    full_raise: int  # the least raise over it
    blind_bets: int  # how many bets of a limit round the posts amount to


def posts(
    order: tuple[int, ...],
    structure: Structure,
    heads_up: HeadsUp,
    option: OptionPost | None,
    option_action: OptionAction,
) -> Posts:
    """Who posts what. `order` has at least two players; an option has been found proper by `option_faults`."""
    small_seat, big_seat = order[0], order[1]
    if len(order) == 2 and heads_up is HeadsUp.STANDARD:
        # A-THE-03: common practice, against the letter of THE-116, gives the button the small blind.
        small_seat, big_seat = big_seat, small_seat
    due: tuple[tuple[int, int], ...] = ((small_seat, structure.small_blind), (big_seat, structure.big_blind))
    bet_to = structure.big_blind
    # THE-57: left of the big blind.
    first_to_speak = seats_from_button(order, big_seat)[0]
    bets = 1
    if option is not None:
        bet_to = 2 * structure.big_blind
        due = (*due, (option.seat, bet_to))
        bets = 2
        if option_action is OptionAction.STRADDLE:
            # THE-126: left of the option; the option itself speaks last.
            first_to_speak = seats_from_button(order, option.seat)[0]
    # THE-128: a blind posted short lowers neither the amount to match nor the least raise.
    return Posts(due, first_to_speak, bet_to, bet_to, bets)


def blind_faults(table_min: int, structure: Structure) -> tuple[Fault, ...]:
    """THE-46, THE-47: the small blind is half the table minimum in whole chips, the big one up to its double."""
    unit = structure.chip_unit
    if table_min <= 0 or table_min % 2 or structure.small_blind % unit:
        return (Fault("SMALL_BLIND_NOT_WHOLE", "THE-46", table_min),)
    if not structure.small_blind <= structure.big_blind <= 2 * structure.small_blind:
        return (Fault("BIG_BLIND_RANGE", "THE-47", structure.big_blind),)
    sizes = {structure.big_blind}
    if structure.version is Version.LIMIT:
        sizes |= {structure.limit_size(Street.FLOP), structure.limit_size(Street.RIVER)}
    return tuple(Fault("NOT_CHIP_MULTIPLE", "THE-32", size) for size in sorted(sizes) if size % unit)


def option_faults(
    option: OptionPost | None, order: tuple[int, ...], stack: int | None, allowed: bool, big_blind: int
) -> tuple[Fault, ...]:
    """THE-48, THE-49: only where authorised, by the third player from the button, exactly twice the big blind."""
    if option is None:
        return ()
    if not allowed:
        return (Fault("OPTION_NOT_AUTHORISED", "THE-48", seat=option.seat),)
    if len(order) < 3 or option.seat != order[2]:
        third = order[2] if len(order) > 2 else None
        return (Fault("OPTION_WRONG_SEAT", "THE-49", third, option.seat),)
    due = 2 * big_blind
    # An option is free: a player who cannot lay it whole lays none.
    if (option.amount is not None and option.amount != due) or (stack is not None and stack < due):
        return (Fault("OPTION_NOT_DOUBLE_BB", "THE-49", due, option.seat),)
    return ()
