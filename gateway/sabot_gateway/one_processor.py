"""The threads that share all live state are kept on one processor, where the system can do that (ADR 0016).

Python runs one of them at a time, and they hand the state from one to the other all the time: for a table of cards what
the last one had in its caches is worth more than a second processor, which none of them can use meanwhile. The other
threads, of pages and of receivers, stay free, and so do child processes.
"""

import os
import threading
from typing import Final

# By name: those that run the pump's turns (runtime/turns.py).
TOGETHER: Final = frozenset({"pump", "mqtt", "journal-writer"})


def keep_on_one_processor() -> int | None:
    """Keeps this process's hot threads on one of its processors: which one, or None where it has no choice.

    By the number of the process, so that two gateways on one machine seldom choose the same.
    """
    if not hasattr(os, "sched_setaffinity"):  # Linux has it
        return None
    try:
        allowed = sorted(os.sched_getaffinity(0))
        if len(allowed) < 2:
            return None
        chosen = allowed[os.getpid() % len(allowed)]
        for thread in threading.enumerate():
            if thread.name in TOGETHER and thread.native_id is not None:
                os.sched_setaffinity(thread.native_id, {chosen})
    except OSError:  # a sandbox that forbids it, or a thread that has just ended: it goes on as it is
        return None
    return chosen
