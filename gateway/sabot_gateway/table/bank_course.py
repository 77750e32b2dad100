"""The course of a coup against the bank: poker trois cartes, stud, Three Card Poker, ultimate hold'em.

One class for four games; what differs between them is asked of the rules (spots,
multiples, deal plan) or stands in the small table at the end. Decisions come
from the spots (a raise is chips on PLAY or RELANCE), from the keys, and from the
rack (a hand given up). How stakes move once the bets are closed is in `bank_stakes`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.alert import Alert
from sabot_gateway.model.coup import Decision
from sabot_gateway.model.effect import Line
from sabot_gateway.model.felt import FeltSpot, Key
from sabot_gateway.model.game import Game
from sabot_gateway.rules.deal import BOARD, BURN, DealPlan
from sabot_gateway.rules.rejection import Refusal
from sabot_gateway.rules.ruleset import Ruleset
from sabot_gateway.table import bank_settlement, bank_stakes
from sabot_gateway.table.alerts.cards import discard_not_seen
from sabot_gateway.table.bank_opening import bank_opening, opening_spots
from sabot_gateway.table.change import replace
from sabot_gateway.table.game_course import Opening
from sabot_gateway.table.plan import plan_for
from sabot_gateway.table.settled import Settled
from sabot_gateway.table.state import CoupPhase, Due, Place, Table, amount_at
from sabot_gateway.table.turn import Turn


@dataclass(frozen=True, slots=True)
class BankCourse:
    """`board` counts the common cards due before each round of decisions."""

    first_card_closes: bool
    board: tuple[int, ...]

    @property
    def rounds(self) -> int:
        return len(self.board)

    def is_opening_place(self, table: Table, place: Place) -> bool:
        return place[0] > 0 and place[1] in opening_spots(table)

    def opening(self, table: Table) -> Opening:
        return bank_opening(table)

    def close(self, turn: Turn, players: tuple[int, ...]) -> None:
        spots = opening_spots(turn)
        bets = {(seat, spot): amount for seat in players for spot in spots if (amount := amount_at(turn, (seat, spot)))}
        turn.coup = replace(turn.coup, players=players, bets=bets)
        bank_stakes.flag_early_raises(turn)

    def plan(self, table: Table) -> DealPlan:
        setup, coup = table.setup, table.coup
        buyers = bank_stakes.buyers(coup) if setup.game is Game.STU else ()
        return plan_for(setup.ruleset, coup.players, buyers=buyers)

    def due_cards(self, table: Table, round_: int) -> int:
        coup, ruleset = table.coup, table.setup.ruleset
        hands = _due(ruleset, coup.players, self.board[min(round_, len(self.board) - 1)])
        if round_ and ruleset.game is Game.STU:
            return hands + len(bank_stakes.buyers(coup))  # A-STU-07: bought cards follow when everybody has decided
        return hands

    def begin_round(self, turn: Turn) -> None:
        for seat in turn.coup.players:
            bank_stakes.judge_raise(turn, seat, self)
        self._fold_collected(turn)

    def pending(self, table: Table) -> tuple[int, ...]:
        coup = table.coup
        settled = coup.decisions
        return tuple(
            seat
            for seat in coup.players
            if seat not in settled and seat not in coup.checked and seat not in coup.looked
        )

    def may_pass(self, table: Table) -> bool:
        # UTH-20, UTH-22: before the last round a player may do nothing; UTH-24: then he must decide.
        return table.coup.round < self.rounds - 1

    def chips_moved(self, turn: Turn, place: Place, before: int, after: int) -> None:
        bank_stakes.chips_moved(turn, place, before, after, self)

    def decide(self, turn: Turn, key: Key, seat: int) -> bool:
        coup = turn.coup
        if seat not in coup.players:
            return False
        decided = coup.decisions.get(seat)
        if decided is not None:
            # The dealer says what the chips have said already.
            is_bought = key is Key.BUY and (seat, FeltSpot.BUY) in coup.bets
            return is_bought or (key is Key.FOLD if decided is Decision.FOLD else key is Key.RAISE)
        match key:
            case Key.FOLD:
                bank_stakes.fold(turn, seat)
            case Key.CHECK if self.may_pass(turn):
                turn.coup = replace(coup, checked=coup.checked | {seat})
            case _:
                return False
        return True

    def rack_changed(self, turn: Turn) -> None:
        """A whole hand in the rack is a hand given up, unless its raise lies on the felt."""
        if turn.coup.phase is CoupPhase.DECIDING:
            self._fold_collected(turn)

    def _fold_collected(self, turn: Turn) -> None:
        rack = turn.shoe.rack
        for seat in self.pending(turn):
            hand = turn.coup.hands.get(seat, ())
            if hand and all(card.has_tag(rack) for card in hand):
                bank_stakes.fold(turn, seat)

    def missing_evidence(self, table: Table) -> tuple[Alert, ...]:
        """STU-59: a bought card replaces a discard, which must have been seen."""
        return tuple(
            discard_not_seen(table.setup.game, seat)
            for seat in table.coup.bought
            if not bank_settlement.discards(table, seat)
        )

    def settle(self, table: Table) -> Settled | Refusal:
        return bank_settlement.settle(table)

    def dues(self, table: Table, settled: Settled) -> tuple[Due, ...]:
        return bank_settlement.dues(table, settled)

    def shows_hand(self, table: Table, seat: int) -> bool:
        return bank_settlement.shows_hand(table, seat)

    def confirmable(self, table: Table) -> tuple[int, ...]:
        board = (-1,) if self.board[min(table.coup.round, self.rounds - 1)] else ()
        return (*table.coup.players, 0, *board)

    def confirm(self, turn: Turn, seat: int, decision: Decision) -> None:
        bank_stakes.confirm(turn, seat, decision, self)

    def overridden(self, turn: Turn, alert: Alert) -> None:
        """An override at a bank game lets what was frozen stand; nothing else follows."""

    def has_paid(self, table: Table) -> bool:
        """A-TCF-18; a stake that was lost before the settlement (TCF-41) may be collected before it."""
        return any(
            (lying := amount_at(table, place)) != amount and (lying or not bank_stakes.is_lost(table, place))
            for place, amount in table.coup.bets.items()
        )

    def wrong_due(self, _table: Table, _due: Due, _actual: int) -> Alert | None:
        return None

    def finish(self, turn: Turn) -> None:
        """A bank game remembers nothing from one coup to the next."""

    def lines(self, _table: Table) -> tuple[Line, ...]:
        return ()

    def facts(self, _table: Table) -> Mapping[str, object]:
        return {}

    def raise_decision(self, round_: int) -> Decision:
        """What a raise is called in this round."""
        return _RAISES[round_] if self.rounds > 1 else Decision.RAISE


@lru_cache(maxsize=4096)
def _due(ruleset: Ruleset, players: tuple[int, ...], board: int) -> int:
    """The cards of every hand, this many common cards, and what is burned before them."""
    places = plan_for(ruleset, players).places
    hands = sum(1 for place in places if place.to not in (BOARD, BURN))
    burns = sum(1 for place in places if place.to == BURN and place.nth <= _burns_before(board))
    return hands + board + burns


def _burns_before(board: int) -> int:
    """UTH-48: where a house burns, one card before the flop and one before the last two."""
    return 0 if board == 0 else (1 if board <= 3 else 2)


_RAISES: Final = (Decision.PLAY_PREFLOP, Decision.PLAY_FLOP, Decision.PLAY_RIVER)

# UTH-18, TCP-08: their texts know no closing words; A-UTH-09, the first card closes.
BANK_COURSES: Final[Mapping[Game, BankCourse]] = MappingProxyType(
    {
        Game.TCF: BankCourse(first_card_closes=False, board=(0,)),
        Game.STU: BankCourse(first_card_closes=False, board=(0,)),
        Game.TCP: BankCourse(first_card_closes=True, board=(0,)),
        Game.UTH: BankCourse(first_card_closes=True, board=(0, 3, 5)),
    }
)
