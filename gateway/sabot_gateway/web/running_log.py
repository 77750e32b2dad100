"""What happens at a table in sentences, newest first, as far as the coup under way has come.

A log goes on where it stopped: a page that looks again costs only the records that are new. It begins at the journal's
snapshot of the table. Sentences name no card (law 7). Called in worker threads.
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import Final, TypedDict

from sabot_gateway.journal.error import JournalError
from sabot_gateway.journal.port import Journal
from sabot_gateway.journal.record import Record, Stream
from sabot_gateway.model.effect import ClearAlert, Effect, RaiseAlert, RecordDecision, RecordSettlement
from sabot_gateway.model.event import Event, LampsApplied, TimerFired
from sabot_gateway.projections.sentence import NO_SCENE, Sentence
from sabot_gateway.projections.sentences import scene_of, sentence_of
from sabot_gateway.projections.shelf import Shelf
from sabot_gateway.table.machine import step
from sabot_gateway.table.state import TableState
from sabot_gateway.transcript.error import FactError
from sabot_gateway.transcript.fold import Fold, Taken, take
from sabot_gateway.transcript.fold_snapshot import fold_from_bytes

MOST_LINES: Final = 200
MOST_TABLES: Final = 64  # logs kept between two looks; a wall of pages watches fewer


class LogLine(TypedDict):
    """`kind` is fact, concluded or alert; `position` is the record's place in the table's stream."""

    at_ms: int
    position: int
    kind: str
    fr: str
    en: str


class RunningLogs:
    """The logs of the tables that somebody looks at; may be read from any thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._shelf = Shelf(journal)
        self._lock = threading.Lock()
        self._logs: OrderedDict[str, _Log] = OrderedDict()

    def read(self, table: str) -> list[LogLine] | None:
        """Newest first; None where the table's records cannot be read just now."""
        with self._lock:
            log = self._logs.get(table)
            if log is None:
                log = self._logs[table] = _Log(self._journal, self._shelf, Stream(table))
                while len(self._logs) > MOST_TABLES:
                    self._logs.popitem(last=False)
            self._logs.move_to_end(table)
        try:
            return log.read()
        except (JournalError, FactError, KeyError):
            with self._lock:
                self._logs.pop(table, None)  # retention or a repair passed by: the next look begins anew
            return None


class _Log:
    def __init__(self, journal: Journal, shelf: Shelf, stream: Stream) -> None:
        self._journal = journal
        self._shelf = shelf
        self._stream = stream
        self._lock = threading.Lock()
        self._fold: Fold | None = None
        self._coup = 0
        self._lines: deque[LogLine] = deque(maxlen=MOST_LINES)

    def read(self) -> list[LogLine]:
        with self._lock:
            if self._fold is None:
                snapshot = self._journal.snapshot(self._stream)
                self._fold = Fold(self._shelf) if snapshot is None else fold_from_bytes(snapshot.body, self._shelf)
            for record in self._journal.read(self._stream, self._fold.position):
                before = self._fold.state
                taken = take(self._fold, record.kind, record.body, record.received_ms)
                self._fold = taken.fold
                self._say(record, before, taken)
            return list(self._lines)

    def _say(self, record: Record, before: TableState | None, taken: Taken) -> None:
        for event, effects, state in _stepped(before, taken):
            if state is not None and state.coup.number != self._coup:
                self._coup = state.coup.number
                self._lines.clear()
            scene = NO_SCENE if state is None else scene_of(state)
            at_ms = (event.at_ms if event is not None else 0) or record.received_ms
            if event is not None and not isinstance(event, _UNSAID):
                self._add(at_ms, record, "fact", sentence_of(event, scene))
            for effect in effects:
                if isinstance(effect, _SAID):
                    kind = "alert" if isinstance(effect, RaiseAlert) else "concluded"
                    self._add(at_ms, record, kind, sentence_of(effect, scene))

    def _add(self, at_ms: int, record: Record, kind: str, sentence: Sentence) -> None:
        self._lines.appendleft(
            {"at_ms": at_ms, "position": record.position, "kind": kind, "fr": sentence.fr, "en": sentence.en}
        )


def _stepped(
    before: TableState | None, taken: Taken
) -> Iterator[tuple[Event | None, tuple[Effect, ...], TableState | None]]:
    """Each step with the table as it stood after it; the fold itself tells only the last."""
    state, last = before, len(taken.steps) - 1
    for nth, (_, event, effects) in enumerate(taken.steps):
        if nth == last:
            state = taken.fold.state
        elif state is not None and event is not None:
            state = step(state, event).state
        yield event, effects, state


_SAID: Final = (RaiseAlert, ClearAlert, RecordDecision, RecordSettlement)  # lamps are drawn, timers concern nobody
_UNSAID: Final = (LampsApplied, TimerFired)
