"""One table as the pump runs it: its fold, what waits for its stream, and whether it can be followed.

Owns the step from a durable fact to a decision that waits to be durable. A defect in the fold of this table faults
this table alone: its facts go on being journaled and acknowledged, its lamps say that nobody follows.
"""

from typing import Final

from sabot_gateway.journal.port import Receipt
from sabot_gateway.journal.record import Entry, Head, Kind
from sabot_gateway.journal.snapshot import Snapshot
from sabot_gateway.model.effect import CancelTimer, Effect, StartTimer
from sabot_gateway.runtime.desk import TableFault
from sabot_gateway.runtime.item import answer
from sabot_gateway.runtime.stream_queue import StreamQueue, Waiting
from sabot_gateway.table.state import CoupPhase, TableState
from sabot_gateway.transcript.decision import body_from_decision
from sabot_gateway.transcript.fold import Fold, Taken, kept_steps, skip_decision, take, take_fact
from sabot_gateway.transcript.fold_snapshot import bytes_from_fold

# Records behind a snapshot: a restart folds at most so many of a table, some 20 ms. From the first number on a table
# is kept between two coups, where it is smallest and costs 0.3 ms; at the second in the middle of one, for 1 ms.
SNAPSHOT_BETWEEN_COUPS: Final = 200
SNAPSHOT_EVERY: Final = 500


class TableRunner:
    __slots__ = (
        "changed_ms",
        "early",
        "fault",
        "fault_detail",
        "fold",
        "id",
        "name",
        "queue",
        "saved_position",
        "shown",
    )

    def __init__(self, name: str, queue: StreamQueue, fold: Fold, saved_position: int = 0) -> None:
        self.name = name
        self.queue = queue
        self.fold = fold
        self.saved_position = saved_position
        self.fault: TableFault | None = None
        self.fault_detail = ""
        self.changed_ms = 0
        # Facts of a table that was never set up wait for its setup: before it they would mean nothing to the fold.
        self.early: list[Waiting] | None = None if fold.setup or fold.waiting else []
        self.id = queue.id
        self.shown = 0  # a picture of the stream's past that the fold does not reach, because the table is not followed

    @property
    def state(self) -> TableState | None:
        return self.fold.state

    @property
    def revision(self) -> int:
        """Of the lamps; 0 for a table that was never set up."""
        return self.shown if self.fold.state is None else max(self.shown, self.fold.state.lamps.revision)

    @property
    def is_snapshot_due(self) -> bool:
        return self.fault is None and is_worth_keeping(self.queue.position - self.saved_position, self.state)

    def interpret(self, waiting: Waiting, position: int, receipt: Receipt | None, now_ms: int) -> Taken | None:
        """A durable fact taken by the fold; its decision, if it has one, waits for the stream. None if not followed.

        `receipt` is what somebody who waits gets.
        """
        if self.fault is not None:
            answer(waiting.future, receipt)
            return None
        entry = waiting.entry
        try:
            if waiting.fact is not None:
                taken = take_fact(self.fold, waiting.fact, entry.received_ms)
            else:
                taken = take(self.fold, entry.kind, entry.body, entry.received_ms)
            body = decision_body(position, taken)
        except Exception as defect:  # noqa: BLE001 - a defect in one table's rules must not stop the others
            self.fault = TableFault.STEP
            # An exception's text may hold cards (law 7): its type and the record are enough to find the defect.
            self.fault_detail = f"{type(defect).__name__} at record {position}"
            answer(waiting.future, receipt)
            return None
        self.fold = taken.fold
        self.changed_ms = now_ms
        if body:
            decision = Entry(Kind.DECISION, body, now_ms)
            effects = lasting_effects(taken)
            self.queue.put(Waiting(decision, future=waiting.future, effects=effects, receipt=receipt))
        else:
            answer(waiting.future, receipt)
        return taken

    def skip(self) -> None:
        """A decision has become durable: it changes nothing but the position."""
        if self.fault is None:
            self.fold = skip_decision(self.fold)

    def snapshot(self, now_ms: int) -> Snapshot | None:
        """The fold where the stream ends; None while something is under way or the table is not followed."""
        queue = self.queue
        if self.fault is not None or queue.is_under_way or queue.has_decisions or not queue.position:
            return None
        assert self.fold.position == queue.position, "the fold has taken every durable record"
        self.saved_position = queue.position
        return Snapshot(queue.stream, Head(queue.position, queue.hash), now_ms, bytes_from_fold(self.fold))


def is_worth_keeping(behind: int, state: TableState | None) -> bool:
    """Whether a table whose last snapshot is so many records behind should have another now."""
    if behind < SNAPSHOT_BETWEEN_COUPS:
        return False
    return behind >= SNAPSHOT_EVERY or (state is not None and state.coup.phase is CoupPhase.IDLE)


def decision_body(position: int, taken: Taken) -> bytes:
    """The decision on the fact at `position`; empty when there is nothing to keep. The same live and in replay."""
    steps = kept_steps(taken)
    return body_from_decision(position, steps) if steps else b""


def lasting_effects(taken: Taken) -> tuple[Effect, ...]:
    """What is to be performed; timers are armed from the fold."""
    return tuple(
        [effect for each in taken.steps for effect in each.effects if type(effect) not in (StartTimer, CancelTimer)]
    )
