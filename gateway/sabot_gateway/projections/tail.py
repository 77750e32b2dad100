"""The thread that keeps the views up to date while a gateway (or anybody) writes the journal.

A thin shell: it wakes when told that something was written, or after a while by itself, and calls `catch_up`. A fault
of the journal or the disk is kept in `fault` and tried again; the views then lag, and say so by their last id.
Given bookmarks, it now and then copies the journal's snapshots there, so that old coups can be recalled at once.
"""

import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from typing import Final

from sabot_gateway.journal.error import JournalError
from sabot_gateway.projections.bookmarks import Bookmarks
from sabot_gateway.projections.source import Source
from sabot_gateway.projections.store import Views

IDLE_S: Final = 0.25  # how late the views are when nobody wakes the thread
COPY_S: Final = 120.0  # between two looks at the journal's snapshots, which are renewed every few minutes at most
_LOG: Final = logging.getLogger("sabot.views")  # under the gateway's own name, so that its level holds


class Tail:
    """Start it once; `wake` from any thread after a commit; `stop` returns when the thread has ended."""

    def __init__(
        self,
        views: Views,
        journal: Source,
        idle_s: float = IDLE_S,
        on_folded: Callable[[int], None] = lambda _: None,
        bookmarks: Bookmarks | None = None,
    ) -> None:
        self._views = views
        self._journal = journal
        self._idle_s = idle_s
        self._on_folded = on_folded
        self._bookmarks = bookmarks
        self._next_copy_s = 0.0
        self._woken = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="views", daemon=True)
        self.fault: str = ""

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        self._woken.set()

    def stop(self) -> None:
        self._stopping.set()
        self._woken.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._woken.clear()
            self._catch_up()
            self._woken.wait(self._idle_s)

    def _catch_up(self) -> None:
        try:
            done = self._views.catch_up(self._journal, stop=self._stopping.is_set)
            self._copy_snapshots()
        except (JournalError, sqlite3.Error) as error:
            if not self.fault:
                _LOG.warning("The views cannot follow the journal: %s", error)
            self.fault = str(error)
            return
        if self.fault:
            _LOG.info("The views follow the journal again.")
        self.fault = ""
        if done:
            self._on_folded(self._views.last_id)

    def _copy_snapshots(self) -> None:
        if self._bookmarks is not None and time.monotonic() >= self._next_copy_s:
            self._next_copy_s = time.monotonic() + COPY_S
            self._bookmarks.copy_snapshots(self._journal)
