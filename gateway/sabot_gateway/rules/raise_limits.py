"""How much a player may bet or raise to: the three versions of hold'em (THE-118 to THE-120, A-THE-08).

Owns the amounts alone. Whose turn it is, and whether he may raise at all, is the
betting round's business.

Invariant: `least <= most` in every window, so that a round can always be opened
and raised by somebody with chips enough.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

from sabot_gateway.model.holdem import MinRaise, Street, Version

_SMALL_STREETS: Final = frozenset({Street.PREFLOP, Street.FLOP})


@dataclass(frozen=True, slots=True)
class Structure:
    """The size of bets at one table; `limit_cap` None means any number of bets in a round."""

    small_blind: int
    big_blind: int
    chip_unit: int = 1
    version: Version = Version.NO_LIMIT
    min_raise: MinRaise = MinRaise.LAST_RAISE
    limit_small: int | None = None  # None: the big blind
    limit_big: int | None = None  # None: twice the small bet
    limit_cap: int | None = 4
    limit_cap_counts_blind: bool = True
    short_allin_reopens: bool = False

    def limit_size(self, street: Street) -> int:
        """THE-120: the small size in the first two rounds, the big size in the last two."""
        small = self.big_blind if self.limit_small is None else self.limit_small
        if street in _SMALL_STREETS:
            return small
        return 2 * small if self.limit_big is None else self.limit_big


class Window(NamedTuple):
    """The totals that a bet or raise may reach, each end with its rule; `most` None means the stack is the limit."""

    least: int
    least_rule: str
    most: int | None
    most_rule: str


def window(structure: Structure, street: Street, bet_to: int, full_raise: int, pot: int, call: int) -> Window:
    """The window for a player who must add `call` to match `bet_to`, with `pot` chips already staked by all."""
    if structure.version is Version.LIMIT:
        # THE-120: exactly one bet more, neither less nor more.
        exact = bet_to + structure.limit_size(street)
        return Window(exact, "THE-120", exact, "THE-120")
    if bet_to == 0:
        least, least_rule = structure.big_blind, "THE-75"
    elif structure.min_raise is MinRaise.DOUBLE:
        # A-THE-08: "au minimum du double de la dernière relance"; never under a full big blind more.
        least, least_rule = max(2 * bet_to, bet_to + structure.big_blind), "THE-118"
    else:
        least, least_rule = bet_to + full_raise, "THE-118"
    if structure.version is Version.NO_LIMIT:
        return Window(least, least_rule, None, "THE-37")
    # THE-119: match, then add at most the pot as it stands after the call. Blinds posted
    # short can leave a pot below the least bet; the least bet stays possible.
    return Window(least, least_rule, max(least, bet_to + pot + call), "THE-119")
