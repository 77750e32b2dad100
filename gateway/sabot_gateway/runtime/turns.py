"""Whose turn it is to be the pump: one thread at a time, and mostly the one that has the news.

Owns the lock that makes every cycle the only one, and what becomes of a defect in a cycle. A thread that brings an item
runs the cycle that takes it: the network thread after what it read, the journal's thread after a commit. Handing over
to a thread that sleeps would cost each of them a wait for the processor and for the interpreter's lock, four times for
one lamp. The pump's own thread runs what time alone brings about, and what pages and signals left.

Nobody waits for a turn that somebody else has: whoever has it looks again before he goes, so nothing is left lying.
A defect ends all turns. It is kept for the pump's own thread: the others have callers that must not see it.
"""

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final

MOST_TURNS: Final = 8  # in a row: the network thread has a socket to look after


class Turns:
    def __init__(self, cycle: Callable[[], None], inbox: "SimpleQueue[object]", ring: Callable[[], None]) -> None:
        """`ring` is called after each turn that was not the owner's: something may be left for him, or be due."""
        self._cycle = cycle
        self._inbox = inbox
        self._ring = ring
        self._lock = threading.Lock()
        self.is_over = False
        self._defect: Exception | None = None

    def bring(self, item: object) -> None:
        """Leaves an item for the pump and sees to it that it is taken."""
        self._inbox.put(item)
        self.take()

    def take(self) -> None:
        """Is the pump while anything is left for it, but not for ever; at once back where another thread is."""
        for _ in range(MOST_TURNS):
            if self._inbox.empty() or not self._lock.acquire(blocking=False):
                return
            try:
                if self.is_over:
                    return
                self._cycle()
            except Exception as defect:  # noqa: BLE001 - it must not end the network's or the journal's thread
                self.is_over = True
                self._defect = defect
            finally:
                self._lock.release()
            self._ring()

    def take_own(self) -> None:
        """One cycle in any case, for time has passed; raises the defect that ended all turns, whoever met it."""
        with self._lock:
            if self._defect is not None:
                raise self._defect
            try:
                self._cycle()
            except BaseException:
                self.is_over = True
                raise

    def end(self) -> None:
        """No more turns: returns when nobody has one."""
        with self._lock:
            self.is_over = True
