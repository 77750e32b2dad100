"""Recalled coups, the last few of them kept: somebody who scrubs asks for the same coup again and again.

Only what everybody may see is kept: a coup that is over, with its sealed hands sealed. Called in a worker thread.
"""

import threading
from collections import OrderedDict
from typing import Final

from sabot_gateway.projections.coups import CoupEntry
from sabot_gateway.projections.recall import Recalled, recall
from sabot_gateway.web.site import Site

MOST: Final = 12  # coups; each is some hundred views of a table


class Recalls:
    """May be asked from any thread."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, int, int], Recalled] = OrderedDict()

    def read(self, coup: CoupEntry, *, unsealed: bool = False) -> Recalled:
        """RecallError as `recall` has it."""
        site = self._site
        if coup.end_id is None or unsealed:
            return recall(site.journal, coup, bookmarks=site.bookmarks, unsealed=unsealed)
        key = (coup.table, coup.start_id, coup.end_id)
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
                return known
        made = recall(site.journal, coup, bookmarks=site.bookmarks)
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
        return made
