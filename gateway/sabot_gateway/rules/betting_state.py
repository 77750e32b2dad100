"""A moment of a hold'em betting round: who has staked what, who has spoken, and whose turn it is.

Data of the machine in `betting`, which alone builds new moments. Knows no rule
beyond what follows from the figures themselves. Named tuples, for a coup makes
several of them with every action, and nothing in Python is built faster.
"""

from typing import Final, NamedTuple

from sabot_gateway.model.holdem import Act, Street
from sabot_gateway.rules.raise_limits import Structure

STREETS: Final = tuple(Street)


class Better(NamedTuple):
    """A player of the coup; `acted` = has spoken since the last full bet or raise, `total` includes `street_bet`."""

    seat: int
    stack: int
    street_bet: int = 0
    total: int = 0
    folded: bool = False
    acted: bool = False

    @property
    def reach(self) -> int:
        """THE-37: the most he can have on this street, his whole stack."""
        return self.street_bet + self.stack


class Voice(NamedTuple):
    """Who spoke in a round, as far as the showdown asks: the first, the raisers, and all who opened or raised."""

    street: Street
    first: int
    raisers: tuple[int, ...] = ()
    aggressors: tuple[int, ...] = ()


class Betting(NamedTuple):
    """A moment of the betting. `players` stand in order from the button's left; `turn` indexes them."""

    structure: Structure
    players: tuple[Better, ...]
    street: Street
    bet_to: int
    full_raise: int
    bets: int  # full bets of this round, for the cap of limit
    turn: int | None
    voice: Voice | None = None  # of the last round in which somebody spoke

    @property
    def live(self) -> tuple[Better, ...]:
        return tuple([player for player in self.players if not player.folded])

    @property
    def pot(self) -> int:
        """Everything staked so far, this street included."""
        return sum([player.total for player in self.players])

    @property
    def is_uncontested(self) -> bool:
        """THE-122, A-THE-11: all but one have folded."""
        live = 0
        for player in self.players:
            if not player.folded:
                live += 1
                if live > 1:
                    return False
        return live == 1

    @property
    def is_over(self) -> bool:
        """No decision is left in the coup, on this street or a later one."""
        return self.turn is None and (self.is_uncontested or self.street is Street.RIVER)


class Legal(NamedTuple):
    """What the player in turn may do; bet or raise totals where he may, with the short all-in counted in."""

    seat: int
    acts: frozenset[Act]
    call_to: int
    least_to: int | None = None
    most_to: int | None = None


class Asked(NamedTuple):
    """What the player in turn is told: what he must add to call, and the least total of a raise where he may raise."""

    seat: int
    call: int
    least_to: int | None
