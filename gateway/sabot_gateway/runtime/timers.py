"""Timers of the tables: armed by the fold, counted on the monotonic clock, handed back when they are due.

Owns the waiting and nothing else: which timers run, with which token and until when, is the fold's to say, so that a
restart finds the same timers armed. An entry that the fold has since replaced or cancelled is dropped when it
comes up (the table would ignore its token anyway; this only saves the journal a record), or when too many wait: a house
with long timers and quick tables must not fill the memory with entries that mean nothing any more.
"""

import heapq
from collections.abc import Mapping
from typing import Final, NamedTuple

Armed = Mapping[str, tuple[int, int]]  # by timer: its token, and when it is due in UTC milliseconds

# A wall clock that is set back must not make a table wait for hours: no timer of the table is longer than this.
LONGEST_MS: Final = 24 * 3_600_000

FEW: Final = 1_024  # entries that nobody need look through


class Due(NamedTuple):
    table: str
    timer: str
    token: int


class Timers:
    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Due]] = []
        self._count = 0
        self._armed: dict[str, Armed] = {}
        self._crowd = FEW  # entries above which the stale ones go; twice the live ones, so that it costs little

    def follow(self, table: str, armed: Armed, now_ms: int, monotonic_ms: int) -> None:
        """What the fold of `table` says is armed now; unchanged timers go on waiting as they were."""
        known = self._armed.get(table, _NONE)
        if known is armed:
            return
        self._armed[table] = armed
        for timer, (token, due_ms) in armed.items():
            before = known.get(timer)
            if before is None or before[0] != token:
                self._count += 1
                wait_ms = min(max(due_ms - now_ms, 0), LONGEST_MS)
                heapq.heappush(self._heap, (monotonic_ms + wait_ms, self._count, Due(table, timer, token)))
        if len(self._heap) > self._crowd:
            self._heap = [entry for entry in self._heap if self._is_armed(entry[2])]
            heapq.heapify(self._heap)
            self._crowd = max(FEW, 2 * len(self._heap))

    def forget(self, table: str) -> None:
        """The table is no longer followed."""
        self._armed.pop(table, None)

    def due(self, monotonic_ms: int) -> list[Due]:
        """The timers that have run out, oldest first, each once."""
        found = []
        while self._heap and self._heap[0][0] <= monotonic_ms:
            due = heapq.heappop(self._heap)[2]
            if self._is_armed(due):
                found.append(due)
        return found

    def next_ms(self) -> int | None:
        """When, on the monotonic clock, somebody should look again; None while nothing waits."""
        return self._heap[0][0] if self._heap else None

    def __len__(self) -> int:
        """Entries that wait, stale ones among them."""
        return len(self._heap)

    def _is_armed(self, due: Due) -> bool:
        return self._armed.get(due.table, _NONE).get(due.timer, (0, 0))[0] == due.token


_NONE: Final[Armed] = {}
