"""The twin's own book: what every coup should have come to, and which alerts people gave cause for.

Owns the comparison with what the gateway decided, to the cent. A coup is written
down from the twin's knowledge alone; the gateway's settlements arrive later, in
the same order for each table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Line:
    """One coup: cents gained by (seat, spot), and what the house took of the pots."""

    table: str
    number: int
    gains: Mapping[tuple[int, str], int]
    rake: int = 0
    is_void: bool = False


@dataclass(frozen=True, slots=True)
class Expected:
    """An alert that somebody has just given cause for."""

    table: str
    code: str
    seat: int | None = None
    spot: str | None = None

    def __str__(self) -> str:
        where = f" seat {self.seat}" if self.seat else ""
        return f"{self.table}: {self.code}{where}{f' {self.spot}' if self.spot else ''}"


@dataclass(slots=True)
class Book:
    lines: list[Line] = field(default_factory=list)
    expected: list[Expected] = field(default_factory=list)
    disputes: list[str] = field(default_factory=list)

    def write(self, line: Line) -> None:
        self.lines.append(line)

    def expect(self, alert: Expected) -> None:
        self.expected.append(alert)

    def begin(self, table: str) -> None:
        """The people of this table begin here: what stood at it before them had other causes."""
        self.lines = [line for line in self.lines if line.table != table]
        self.expected = [alert for alert in self.expected if alert.table != table]

    def dispute(self, sentence: str) -> None:
        """The display said something else than the dealer knows."""
        self.disputes.append(sentence)


def differences(book: Book, settled: Mapping[str, list[Line]]) -> list[str]:
    """Where the gateway's settlements differ from the book, a sentence each."""
    found = list(book.disputes)
    written: dict[str, list[Line]] = {}
    for line in book.lines:
        written.setdefault(line.table, []).append(line)
    for table in sorted(written.keys() | settled.keys()):
        own = written.get(table, [])
        theirs = settled.get(table, [])
        if len(own) != len(theirs):
            found.append(f"{table}: {len(own)} coups in the book, {len(theirs)} settlements of the gateway.")
        found += [
            _difference(mine, other) for mine, other in zip(own, theirs, strict=False) if not is_same(mine, other)
        ]
    return found


def alert_differences(book: Book, raised: list[Expected]) -> list[str]:
    """Alerts that were to come and did not, and those that came for no reason."""
    missing = list(book.expected)
    false = []
    for alert in raised:
        match = next((each for each in missing if _fits(each, alert)), None)
        if match is None:
            false.append(f"{alert} was raised for no reason.")
        else:
            missing.remove(match)
    return [f"{alert} was never raised." for alert in missing] + false


def is_same(mine: Line, other: Line) -> bool:
    """Whether two lines say the same of a coup; a spot without a gain may be told or left out."""
    gains = {place: cents for place, cents in mine.gains.items() if cents}
    theirs = {place: cents for place, cents in other.gains.items() if cents}
    return gains == theirs and mine.rake == other.rake and mine.is_void == other.is_void


def _difference(mine: Line, other: Line) -> str:
    places = sorted({*mine.gains, *other.gains})
    wrong = [
        f"seat {seat} {spot} {mine.gains.get((seat, spot), 0):+} in the book, {other.gains.get((seat, spot), 0):+}"
        for seat, spot in places
        if mine.gains.get((seat, spot), 0) != other.gains.get((seat, spot), 0)
    ]
    if mine.rake != other.rake:
        wrong.append(f"a rake of {mine.rake} in the book, {other.rake}")
    return f"{mine.table}, coup {mine.number}: {'; '.join(wrong) or 'void or not'} at the gateway (cents)."


def _fits(expected: Expected, raised: Expected) -> bool:
    return (
        expected.table == raised.table
        and expected.code == raised.code
        and expected.seat in (None, raised.seat)
        and expected.spot in (None, raised.spot)
    )
