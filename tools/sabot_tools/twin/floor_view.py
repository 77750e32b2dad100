"""The live view of a night: a line for each table on a terminal, one line for all of them now and then anywhere else.

Owns what is drawn and how often. On a terminal the picture is drawn over itself and taken away in the end, so that what
a command prints is the same with and without it. A terminal with fewer rows than tables says how many it leaves out.
"""

import shutil
import time
from collections.abc import Callable
from typing import Final, TextIO

from sabot_tools.twin.standing import Standing, Standings

DRAW_S: Final = 0.5
PLAIN_S: Final = 10.0
_BAR: Final = 20
_UP: Final = "\x1b[{}F"  # to the first column, so many rows up
_REST: Final = "\x1b[J"  # erase from here to the end of the screen
_LINE: Final = "{:<10} {:<4} {:>7} {:>9} {:>7}  {:<11} {}"


class FloorView:
    """`total` coups at each table, None where the clock decides."""

    def __init__(
        self,
        total: int | None,
        stream: TextIO,
        *,
        is_plain_told: bool = True,
        plain_s: float = PLAIN_S,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total = total
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._is_silent = not (self._is_terminal or is_plain_told)
        self._now_s = now_s
        self._began_s = now_s()
        self._every_s = DRAW_S if self._is_terminal else plain_s
        self._next_s = self._began_s + self._every_s
        self._drawn = 0  # rows of the picture that stands there

    @property
    def is_due(self) -> bool:
        return not self._is_silent and self._now_s() >= self._next_s

    def show(self, standings: Standings) -> None:
        """Draw how things stand now."""
        now_s = self._now_s()
        self._next_s = now_s + self._every_s
        seconds = max(0.001, now_s - self._began_s)
        if self._is_terminal:
            self._draw(self._picture(standings, seconds))
        else:
            self._stream.write(self._sum(standings, seconds) + "\n")
            self._stream.flush()

    def close(self) -> None:
        """Take the picture away."""
        if self._drawn:
            self._stream.write(_UP.format(self._drawn) + _REST)
            self._stream.flush()
            self._drawn = 0

    def _draw(self, rows: list[str]) -> None:
        # A row that wraps could not be drawn over: the last column stays free.
        width = shutil.get_terminal_size().columns - 1
        text = "".join(row[:width].rstrip() + "\n" for row in rows)
        self._stream.write((_UP.format(self._drawn) + _REST if self._drawn else "") + text)
        self._stream.flush()
        self._drawn = len(rows)

    def _picture(self, standings: Standings, seconds: float) -> list[str]:
        tables = list(standings.tables.items())
        room = max(1, shutil.get_terminal_size().lines - 4)
        rows = [_LINE.format("table", "game", "coups", "a second", "alerts", "book", "last alert")]
        rows += [_row(name, standing, seconds) for name, standing in tables[:room]]
        if len(tables) > room:
            rows.append(f"… and {len(tables) - room} more tables")
        rows.append(self._sum(standings, seconds))
        return rows

    def _sum(self, standings: Standings, seconds: float) -> str:
        tables = standings.tables.values()
        coups = sum(each.coups for each in tables)
        differing = sum(bool(each.differing) for each in tables)
        books = f"books DIFFER at {differing} tables" if differing else "books equal"
        alerts = sum(each.alerts for each in tables)
        last = f", last {standings.last_alert}" if standings.last_alert else ""
        clock = f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
        figures = f"{coups:,} coups, {coups / seconds:.1f} a second, {books}, {alerts} alerts{last}"
        if standings.opened < len(tables):
            figures = f"{standings.opened:,} of {len(tables):,} tables open, {figures}"
        return f"{clock} {self._bar(coups, len(tables))}{figures}"

    def _bar(self, coups: int, tables: int) -> str:
        if not self._total:
            return ""
        done = min(1.0, coups / (self._total * max(1, tables)))
        filled = int(done * _BAR)
        return f"[{'#' * filled}{'.' * (_BAR - filled)}] {int(done * 100):3d} %  "


def _row(name: str, standing: Standing, seconds: float) -> str:
    pace = f"{standing.coups / seconds:.2f}"
    return _LINE.format(
        name, standing.game, standing.coups, pace, standing.alerts, standing.book, standing.last_alert or "–"
    )
