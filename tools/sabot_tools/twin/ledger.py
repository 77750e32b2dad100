"""What the gateway decided, read back from its journal: settlements and alerts in the words of the twin's book.

Owns the translation. The journal is opened for reading beside a running gateway; nothing is written.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sabot_gateway.journal.browsing import tail
from sabot_gateway.journal.record import Kind
from sabot_gateway.journal.sqlite import open_sqlite_reader
from sabot_gateway.journal.sqlite_reader import SqliteReader
from sabot_gateway.model.effect import RaiseAlert, RecordSettlement
from sabot_gateway.model.holdem import HoldemSettlement
from sabot_gateway.model.settlement import Status
from sabot_gateway.transcript.decision import decision_from_body
from sabot_tools.twin.book import Expected, Line


@dataclass(slots=True)
class Ledger:
    """Decisions since a record of the journal; `read` takes what has been added."""

    file: Path
    last_id: int | None = None
    settled: dict[str, list[Line]] = field(default_factory=dict)
    raised: list[Expected] = field(default_factory=list)

    @property
    def count(self) -> int:
        return sum(map(len, self.settled.values()))

    def skip(self) -> None:
        """Leave out what was decided before now."""
        for record_id, _, _ in self._records():
            self.last_id = record_id

    def read(self) -> None:
        """Take every decision that is durable by now."""
        for record_id, stream, body in self._records():
            self.last_id = record_id
            for step in decision_from_body(body).steps if body else ():
                for effect in step.effects:
                    if isinstance(effect, RecordSettlement):
                        self.settled.setdefault(stream, []).append(line_of(stream, effect))
                    elif isinstance(effect, RaiseAlert) and effect.alert.count == 1:
                        self.raised.append(Expected(stream, effect.alert.code, effect.alert.seat, effect.alert.spot))

    def begin(self, table: str) -> None:
        """What was decided at this table before now is not of this night."""
        self.read()
        self.settled.pop(table, None)
        self.raised = [alert for alert in self.raised if alert.table != table]

    def close(self) -> None:
        """Each reading opens and closes the journal by itself."""

    def _records(self) -> Iterator[tuple[int, str, bytes]]:
        if not self.file.exists():
            return
        reader = open_sqlite_reader(self.file)

        @contextmanager
        def lend() -> Iterator[SqliteReader]:
            yield reader

        try:
            for record in tail(lend, self.last_id):
                yield record.id, record.stream, record.body if record.kind is Kind.DECISION else b""
        finally:
            reader.close()


def line_of(table: str, effect: RecordSettlement) -> Line:
    """A settlement as a line of the book."""
    settlement = effect.settlement
    is_void = settlement.status is Status.VOID
    if isinstance(settlement, HoldemSettlement):
        gains = {(seat.seat, "bet"): seat.net for seat in settlement.seats}
        return Line(table, effect.number, gains, settlement.rake_total, is_void)
    bets = {(seat.seat, bet.spot): bet.net for seat in settlement.seats for bet in seat.bets}
    return Line(table, effect.number, bets, 0, is_void)
