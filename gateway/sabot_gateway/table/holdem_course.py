"""The course of a hold'em coup: blinds, two cards each, four rounds of betting around the board, showdown.

Puts the hold'em files behind the seam of `game_course`; every answer is worked
out in one of them. The first card closes the posts (THE-50); the players are
those entitled to a hand, not those who staked.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sabot_gateway.model.alert import Alert
from sabot_gateway.model.coup import Decision
from sabot_gateway.model.effect import Line
from sabot_gateway.model.felt import FeltSpot, Key
from sabot_gateway.rules.deal import DealPlan
from sabot_gateway.rules.games.texas_holdem import BOARD_CARDS
from sabot_gateway.rules.rejection import Refusal
from sabot_gateway.table import (
    holdem_betting,
    holdem_display,
    holdem_keys,
    holdem_opening,
    holdem_party,
    holdem_rake,
    holdem_settlement,
)
from sabot_gateway.table.alerts import holdem as alerts
from sabot_gateway.table.alerts.chips import CHIP_ON_TWO_SPOTS
from sabot_gateway.table.change import replace
from sabot_gateway.table.game_course import Opening
from sabot_gateway.table.holdem_pot import BOARD_PLACES, POT
from sabot_gateway.table.plan import plan_for
from sabot_gateway.table.settled import Settled
from sabot_gateway.table.state import Due, DueStatus, Place, Table, amount_at
from sabot_gateway.table.turn import Turn

ROUNDS: Final = len(BOARD_CARDS)


@dataclass(frozen=True, slots=True)
class HoldemCourse:
    @property
    def first_card_closes(self) -> bool:
        return True

    @property
    def rounds(self) -> int:
        return ROUNDS

    def is_opening_place(self, table: Table, place: Place) -> bool:
        return 0 < place[0] <= table.setup.seats_total and place[1] is FeltSpot.BET

    def opening(self, table: Table) -> Opening:
        return holdem_opening.holdem_opening(table)

    def close(self, turn: Turn, players: tuple[int, ...]) -> None:
        turn.party = replace(turn.party, draw=None)
        holdem_opening.open_hand(turn, players)

    def plan(self, table: Table) -> DealPlan:
        hand = table.coup.holdem
        return plan_for(table.setup.ruleset, table.coup.players, button=hand.button if hand else table.button)

    def due_cards(self, table: Table, round_: int) -> int:
        hand, coup = table.coup.holdem, table.coup
        holes = 2 * len(coup.players)
        if hand is not None and hand.betting.is_uncontested:
            return min(coup.served, holes + BOARD_PLACES[-1])  # THE-122: no more cards
        return holes + BOARD_PLACES[min(round_, ROUNDS - 1)]

    def begin_round(self, turn: Turn) -> None:
        holdem_betting.begin_round(turn)

    def pending(self, table: Table) -> tuple[int, ...]:
        hand = table.coup.holdem
        return (hand.seat_in_turn,) if hand is not None and hand.seat_in_turn else ()

    def may_pass(self, table: Table) -> bool:  # noqa: ARG002 - the seam asks for the table; the answer is always no
        return False

    def chips_moved(self, turn: Turn, place: Place, before: int, after: int) -> None:
        holdem_betting.chips_moved(turn, place, before, after)

    def decide(self, turn: Turn, key: Key, seat: int) -> bool:
        return holdem_keys.decide(turn, key, seat)

    def rack_changed(self, turn: Turn) -> None:
        holdem_keys.rack_changed(turn)

    def missing_evidence(self, table: Table) -> tuple[Alert, ...]:  # noqa: ARG002 - every chip is judged as it moves
        return ()

    def settle(self, table: Table) -> Settled | Refusal:
        return holdem_settlement.settle(table)

    def dues(self, table: Table, settled: Settled) -> tuple[Due, ...]:
        return holdem_settlement.dues(table, settled)

    def shows_hand(self, table: Table, seat: int) -> bool:
        hand = table.coup.holdem
        return hand is not None and seat in hand.shown

    def confirmable(self, table: Table) -> tuple[int, ...]:
        """The hands still in; the board as far as it is dealt."""
        hand = table.coup.holdem
        if hand is None:
            return ()
        board = (-1,) if table.coup.board or table.coup.round else ()
        return (*sorted(each.seat for each in hand.betting.live), *board)

    def confirm(self, turn: Turn, seat: int, decision: Decision) -> None:
        """Only a fold can be said; a stake is its chips (THE-33)."""
        if decision is Decision.FOLD:
            holdem_keys.confirm_fold(turn, seat)

    def finish(self, turn: Turn) -> None:
        holdem_party.finish(turn)

    def overridden(self, turn: Turn, alert: Alert) -> None:
        """What the table head's word does to the betting."""
        if alert.seat is None:
            return
        if alert.code == alerts.STRING_BET.code:
            holdem_betting.let_stand(turn, alert.seat)
        elif alert.code == CHIP_ON_TWO_SPOTS.code and alert.spot is not None:
            holdem_betting.judge_place(turn, (alert.seat, FeltSpot(alert.spot)))
        elif alert.code in (alerts.INCOMPLETE_CALL.code, alerts.MORE_THAN_STACK.code):
            holdem_betting.declare_all_in(turn, alert.seat)

    def has_paid(self, table: Table) -> bool:
        """A-TCF-18 by analogy: a winner has his chips, or the pot is gone."""
        if table.setup.fitted.pot:
            pot = next((due for due in table.coup.dues if due.place == POT), None)
            return pot is not None and amount_at(table, POT) != pot.stake
        return any(due.target and due.status is not DueStatus.PENDING for due in table.coup.dues if due.place[0])

    def wrong_due(self, table: Table, due: Due, actual: int) -> Alert | None:
        return holdem_rake.wrong_due(table, due, actual)

    def lines(self, table: Table) -> tuple[Line, ...]:
        return holdem_display.lines(table)

    def facts(self, table: Table) -> Mapping[str, object]:
        return holdem_display.facts(table)


HOLDEM_COURSE: Final = HoldemCourse()
