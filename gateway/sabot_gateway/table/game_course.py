"""What a game tells the coup machine: the seam where the five games plug in.

The phases are the same everywhere; a course answers the questions that differ.
It never changes the phase: the transitions do that, by the course's answers. A
course holds no state of its own: everything it remembers is in the coup.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from sabot_gateway.model.alert import Alert
from sabot_gateway.model.coup import Decision
from sabot_gateway.model.effect import Line
from sabot_gateway.model.felt import Key
from sabot_gateway.rules.deal import DealPlan
from sabot_gateway.rules.rejection import Refusal
from sabot_gateway.table.settled import Settled
from sabot_gateway.table.state import Due, Place, Table
from sabot_gateway.table.turn import Turn


@dataclass(frozen=True, slots=True)
class Opening:
    """Who plays if the bets close now, and what is improper."""

    players: tuple[int, ...]
    alerts: tuple[Alert, ...]


class Course(Protocol):
    @property
    def first_card_closes(self) -> bool:
        """Whether the first card closes the bets without a word (A-UTH-09)."""

    @property
    def rounds(self) -> int:
        """How many rounds of decisions a coup has."""

    def is_opening_place(self, table: Table, place: Place) -> bool:
        """Whether chips there are a stake laid before the deal."""

    def opening(self, table: Table) -> Opening:
        """The opening stakes as they lie now, judged by the rules."""

    def close(self, turn: Turn, players: tuple[int, ...]) -> None:
        """Freeze the opening stakes of these players."""

    def plan(self, table: Table) -> DealPlan:
        """Where cards go, as far as it is known; learning more only lengthens it."""

    def due_cards(self, table: Table, round_: int) -> int:
        """How many places of the plan have their card before the decisions of this round."""

    def begin_round(self, turn: Turn) -> None:
        """The decisions of `coup.round` begin: chips already on the felt are judged."""

    def pending(self, table: Table) -> tuple[int, ...]:
        """The seats that still owe a decision in this round."""

    def may_pass(self, table: Table) -> bool:
        """Whether a drawn card ends the round for those who have not bet (UTH-20, UTH-22)."""

    def chips_moved(self, turn: Turn, place: Place, before: int, after: int) -> None:
        """Chips moved during the coup, before its settlement."""

    def decide(self, turn: Turn, key: Key, seat: int) -> bool:
        """A key that declares a decision; False when it has no meaning now."""

    def rack_changed(self, turn: Turn) -> None:
        """The discard rack was read during the coup: hands given up, discards of a purchase."""

    def missing_evidence(self, table: Table) -> tuple[Alert, ...]:
        """What must still be seen before the coup can be settled."""

    def settle(self, table: Table) -> Settled | Refusal:
        """The coup put to the rules."""

    def dues(self, table: Table, settled: Settled) -> tuple[Due, ...]:
        """What must lie on each spot in the end, in the order in which it is paid."""

    def shows_hand(self, table: Table, seat: int) -> bool:
        """Whether the rules have turned this player's hand for all to see (A-GEN-02)."""

    def confirmable(self, table: Table) -> tuple[int, ...]:
        """The hands that a review asks for: seats, 0 for the dealer, -1 for the board."""

    def confirm(self, turn: Turn, seat: int, decision: Decision) -> None:
        """In review, the table head says what a seat decided."""

    def overridden(self, turn: Turn, alert: Alert) -> None:
        """The table head overrode an alert: what his word does to the coup."""

    def has_paid(self, table: Table) -> bool:
        """Whether payments have begun, so that the coup can no longer be void (A-TCF-18)."""

    def wrong_due(self, table: Table, due: Due, actual: int) -> Alert | None:
        """The game's own alert for a due that is not right; None for the usual ones."""

    def finish(self, turn: Turn) -> None:
        """The coup is over, and about to be forgotten."""

    def lines(self, table: Table) -> tuple[Line, ...]:
        """The dealer's display where the game has words of its own; empty for the usual ones."""

    def facts(self, table: Table) -> Mapping[str, object]:
        """What the view adds for this game."""
