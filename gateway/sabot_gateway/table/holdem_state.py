"""What hold'em remembers beyond the cards: the betting of a coup, and the party around it.

Data only. A hand lives as long as its coup; the party lives as long as the
séance and knows what outlasts a coup: the draw for the button, who has caved,
and where each player sat.
"""

from dataclasses import dataclass

from sabot_gateway.model.card import Card
from sabot_gateway.model.holdem import Action, OptionPost
from sabot_gateway.rules.betting_state import Better, Betting


@dataclass(frozen=True, slots=True)
class HoldemHand:
    """The betting of one coup as the spots and keys told it.

    `stacks` are the chips each player began with; `unknown` are seats whose stack nobody told.
    `residue` is what earlier rounds left on a bet spot, not yet gathered into the pot.
    """

    button: int
    stacks: tuple[tuple[int, int], ...]
    betting: Betting
    absent: tuple[int, ...] = ()  # seats taken but without a hand
    unknown: frozenset[int] = frozenset()
    option: OptionPost | None = None
    actions: tuple[Action, ...] = ()
    residue: tuple[tuple[int, int], ...] = ()
    partial: int = 0  # the first motion of the player in turn, where it was less than a call
    tapis: frozenset[int] = frozenset()  # seats that the dealer declared all-in
    early: frozenset[int] = frozenset()  # seats that gave up their cards out of turn
    shown: tuple[int, ...] = ()  # in the order in which they showed
    mucked: tuple[int, ...] = ()  # laid away at the showdown, unseen

    def better(self, seat: int) -> Better | None:
        for each in self.betting.players:
            if each.seat == seat:
                return each
        return None

    @property
    def seat_in_turn(self) -> int:
        """The seat that has the word; 0 when nobody has."""
        turn = self.betting.turn
        return 0 if turn is None else self.betting.players[turn].seat

    def left_on(self, seat: int) -> int:
        """Chips of earlier rounds on this seat's spot."""
        for number, cents in self.residue:
            if number == seat:
                return cents
        return 0


@dataclass(frozen=True, slots=True)
class Draw:
    """THE-42: the draw for the button under way: who still gets a club, and what was drawn, face up."""

    waiting: tuple[int, ...]
    drawn: tuple[tuple[int, Card], ...] = ()


@dataclass(frozen=True, slots=True)
class Party:
    """`caved` are the seats whose cave was registered; `sat` says where each player first sat (THE-21)."""

    seance: int = 0
    draw: Draw | None = None
    caved: frozenset[int] = frozenset()
    sat: tuple[tuple[str, int], ...] = ()
    consigned: tuple[tuple[str, int], ...] = ()  # THE-29: chips put aside, in whose name and how much
