"""Who sits at a hold'em table, who gets a hand, and how many chips each of them has.

A stack is read where its spot is fitted; else it is what the operators registered
as cave and recave, less what was lost since. A seat without either is unknown:
it plays, and only the all-in key can say that its chips are all staked.
"""

from functools import lru_cache
from typing import Final

from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.rules.games.texas_holdem import HoldemConfig
from sabot_gateway.rules.opening import MOST_CENTS
from sabot_gateway.rules.ruleset import Ruleset
from sabot_gateway.table.state import SeatState, Table, amount_at

_VACANT: Final = SeatState()


@lru_cache(maxsize=256)
def _config(ruleset: Ruleset) -> HoldemConfig:
    return HoldemConfig.from_ruleset(ruleset.values)


def config_of(table: Table) -> HoldemConfig:
    """The typed rules of this table, made once per ruleset."""
    return _config(table.setup.ruleset)


def is_occupied(table: Table, seat: int) -> bool:
    """THE-16: somebody sits there; where chairs are sensed, a name alone is a standing player."""
    state = table.seats.get(seat, _VACANT)
    return state.taken or (bool(state.player) and not table.setup.fitted.seats)


def occupied(table: Table) -> tuple[int, ...]:
    """Every seat that is taken, absent players included, in ascending order."""
    return tuple(seat for seat in sorted(table.seats) if is_occupied(table, seat))


def entitled(table: Table) -> tuple[int, ...]:
    """The seats that get a hand: taken, present (THE-27), with chips, and not left out by the table head."""
    excluded = table.coup.excluded
    return tuple(
        seat
        for seat in occupied(table)
        if not table.seats[seat].absent and seat not in excluded and stack_of(table, seat) != 0
    )


def stack_of(table: Table, seat: int) -> int | None:
    """THE-37: what a player can stake before the deal, a posted blind included; None where nobody knows.

    THE-32: only whole chips play.
    """
    chips = chips_of(table, seat)
    if chips is None:
        return None
    config = config_of(table)
    return min(chips - chips % config.chip_unit, boundless(config))


def chips_of(table: Table, seat: int) -> int | None:
    """Every chip of a player, as read or as registered."""
    if table.setup.fitted.stacks:
        return amount_at(table, (seat, FeltSpot.STACK)) + amount_at(table, (seat, FeltSpot.BET))
    if seat in table.party.caved:
        return max(0, table.seats.get(seat, _VACANT).stack_cents)
    return None


def boundless(config: HoldemConfig) -> int:
    """The stack that stands for an unknown one: more than any rack holds, in whole chips."""
    return MOST_CENTS - MOST_CENTS % config.chip_unit
