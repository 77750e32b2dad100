"""The keyboard, line by line, beside a reader that speaks at any time.

Reads the descriptor, not the stream: a thread that waits in a buffered stream would keep the process from ending.
"""

import os
import threading

from sabot_tools.enrol.arrival import Put, Typed

_SIZE = 4_096


def listen_to_keyboard(put: Put, handle: int = 0) -> None:
    """Begins to read; every line is put, and a None at the end."""
    threading.Thread(target=_read, args=(put, handle), name="keyboard", daemon=True).start()


def _read(put: Put, handle: int) -> None:
    rest = b""
    while True:
        try:
            data = os.read(handle, _SIZE)
        except OSError:
            data = b""
        if not data:
            put(Typed(None))
            return
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            put(Typed(line.decode("utf-8", "replace").strip().lower()))
