"""The mark of the review queue, shared: every open page of alerts asks for it whenever something is written anywhere.

Called in a worker thread.
"""

import threading
from typing import Final

from sabot_gateway.projections.alert_queue import Mark, queue_mark
from sabot_gateway.web.site import Site

FRESH_MS: Final = 100  # a mark this old still serves: a person does not see it


class QueueBoard:
    """May be read from any thread."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._lock = threading.Lock()
        self._made_ms = -FRESH_MS
        self._mark = Mark()

    def read(self) -> Mark:
        with self._lock:
            now = self._site.clock_ms()
            if not 0 <= now - self._made_ms < FRESH_MS:
                with self._site.views.reading() as db:
                    self._mark = queue_mark(db)
                self._made_ms = now
            return self._mark
