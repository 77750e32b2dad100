"""A controller at the end of a serial cable, heard in frames; nobody else is on the line.

Owns the port while it is open. A damaged frame is left out: the controller sends it again. What goes down waits
for a pause, because two wires of RS-485 carry one direction at a time.
"""

import threading
import time
from collections import deque
from typing import Final

from sabot_protocol.frames import Deframer, frame
from sabot_tools.enrol.arrival import Lost, Message, Put
from sabot_tools.field.port import BAUD, Port
from sabot_tools.field.trouble import FieldError

_SIZE: Final = 4_096
_QUIET_S: Final = 0.02  # four turns of a controller's own line (firmware: serial_link.py)


class CableLine:
    """Hears whichever controller is plugged in."""

    is_acknowledged = False

    def __init__(self, path: str, baud: int = BAUD) -> None:
        self._path = path
        self._baud = baud
        self._port: Port | None = None
        self._thread: threading.Thread | None = None
        self._orders: deque[bytes] = deque()
        self._is_closing = False

    def open(self, put: Put) -> None:
        self._port = Port(self._path, self._baud)
        self._thread = threading.Thread(target=self._read, args=(self._port, put), name="cable", daemon=True)
        self._thread.start()

    def send(self, channel: str, data: bytes) -> None:
        self._orders.append(frame(channel, data))

    def close(self) -> None:
        self._is_closing = True
        if self._thread is not None:
            self._thread.join()
        if self._port is not None:
            self._port.close()

    def _read(self, port: Port, put: Put) -> None:
        deframer = Deframer()
        while not self._is_closing:
            try:
                data = port.read(_SIZE, time.monotonic() + _QUIET_S)
                if not data and self._orders:
                    port.write(self._orders.popleft())
            except FieldError:
                put(Lost(FieldError(f"The controller on {self._path} went away; nothing was registered.")))
                return
            for channel, message in deframer.feed(data):
                put(Message(channel, message))
