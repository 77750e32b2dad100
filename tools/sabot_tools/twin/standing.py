"""How each table of a night stands, while it is played: open or not, coups, whether the gateway's book equals ours,
the last alert.

Owns the running comparison: each coup is compared once, when both books have it. The verdict at the end is `book`'s.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sabot_tools.twin.book import Book, Expected, Line, is_same


@dataclass(slots=True)
class Standing:
    """One table."""

    game: str
    lines: list[Line] = field(default_factory=list)  # of our book
    compared: int = 0
    differing: int = 0
    alerts: int = 0
    last_alert: str = ""
    is_open: bool = False

    @property
    def coups(self) -> int:
        return len(self.lines)

    @property
    def book(self) -> str:
        """The state of the book in a few words."""
        if not (self.is_open or self.coups):
            return "opening"
        if self.differing:
            return f"{self.differing} DIFFER"
        behind = self.coups - self.compared
        return f"{behind} to come" if behind else "equal" if self.compared else "empty"


class Standings:
    """Every table of the night by name."""

    def __init__(self, games: Mapping[str, str]) -> None:
        self._games = dict(games)
        self.tables: dict[str, Standing] = {}
        self.last_alert = ""
        self._lines = 0  # taken from our book, and alerts from theirs
        self._alerts = 0
        self._opened: set[str] = set()
        self._start()

    def open(self, table: str) -> None:
        """This table waits for its first stakes."""
        self._opened.add(table)
        self.tables[table].is_open = True

    @property
    def opened(self) -> int:
        """How many tables are open."""
        return len(self._opened)

    def update(self, book: Book, settled: Mapping[str, Sequence[Line]], raised: Sequence[Expected]) -> None:
        """Take what has been added since the last time; all of it again where a table began anew."""
        if len(book.lines) < self._lines or len(raised) < self._alerts:
            self._start()
        for line in book.lines[self._lines :]:
            if line.table in self.tables:
                self.tables[line.table].lines.append(line)
        for alert in raised[self._alerts :]:
            if alert.table in self.tables:
                standing = self.tables[alert.table]
                standing.alerts += 1
                standing.last_alert = alert.code + (f" seat {alert.seat}" if alert.seat else "")
                self.last_alert = str(alert)
        self._lines, self._alerts = len(book.lines), len(raised)
        for name, standing in self.tables.items():
            theirs = settled.get(name, ())
            while standing.compared < min(standing.coups, len(theirs)):
                standing.differing += not is_same(standing.lines[standing.compared], theirs[standing.compared])
                standing.compared += 1

    def _start(self) -> None:
        self.tables = {name: Standing(game, is_open=name in self._opened) for name, game in self._games.items()}
        self.last_alert = ""
        self._lines = 0
        self._alerts = 0
