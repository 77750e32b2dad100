"""The USB cable as a line: the same calls as machine.UART, on the console that every board has over USB.

Frames and the console's own words share the cable: words are noise between two zeros, and the far end skips them.
Ctrl-C is taken from the console, since a frame may hold its byte; with a `service` file main.py leaves it alone.
Limits: a host that is plugged in and does not read holds up a write for the port's own time-out (0.5 s on the rp2),
once for each write of at most 128 bytes; `sabot bridge` always reads.
"""

import select
import sys

import micropython


class UsbPort:
    """Reads what waits, and never waits for more."""

    def __init__(self) -> None:
        micropython.kbd_intr(-1)
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def any(self) -> int:
        """Say whether a byte waits: the console does not tell how many."""
        return 1 if self._poll.poll(0) else 0

    def readinto(self, room: bytearray, size: int) -> int:
        """Read what waits, a byte at a time, since the console would wait for all of a longer read."""
        got = 0
        view = memoryview(room)
        while got < size and self.any():
            if not sys.stdin.buffer.readinto(view[got : got + 1]):
                break
            got += 1
        return got

    def write(self, data: "bytes | bytearray | memoryview") -> int:
        """Send bytes as they are."""
        return sys.stdout.buffer.write(data) or 0
