"""A wired way to the gateway: the protocol's frames on USB or RS-485, carried on by `sabot bridge`.

Owns the line. Interface: link.py. `port` is a machine.UART (or anything with any, readinto and write) with a receive
buffer of at least 256 bytes; it is asked every POLL_MS, in which 115,200 baud bring 58 bytes.
A line has no connection: it counts as up from the start, and the birth is repeated every BIRTH_MS so that a bridge
that was plugged in later learns of the controller. Damaged frames are counted and reported; the next zero is a new
start.
Limits: one write of at most CHUNK bytes per turn, so that a slow line never holds up a scan.
"""

from sabot_firmware.core.ticks import ticks_diff
from sabot_firmware.net.pause import sleep_ms, ticks_ms
from sabot_protocol.frames import Deframer, frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.hal.bus import Uart
    from sabot_firmware.net.link import Inbox

POLL_MS = 5
BIRTH_MS = 30000

# 128 bytes fill the transmit FIFO and buffer of the boards' UART; its write() returns at once.
CHUNK = 128

# Frames that may wait: the window of batches under way (drain.py) and a status.
QUEUE = 6


class SerialLink:
    """A controller's way to the gateway over a line."""

    def __init__(self, port: "Uart") -> None:
        self.is_up = False
        self.connection = 0
        self.drops = 0
        self._port = port
        self._deframer = Deframer()
        self._room = bytearray(256)
        self._out: "list[bytes]" = []
        self._at = 0
        self._is_closing = False

    @property
    def is_idle(self) -> bool:
        """Say whether everything taken has left."""
        return not self._out

    def rssi(self) -> "int | None":
        """A line has no radio."""
        return None

    def send(self, channel: str, data: bytes) -> bool:
        """Queue one sealed message; False when the line is behind."""
        if not self.is_up or len(self._out) >= QUEUE:
            return False
        self._out.append(frame(channel, data))
        return True

    async def run(self, inbox: "Inbox") -> None:
        """Move bytes both ways for ever."""
        born = 0
        while not (self._is_closing and self.is_idle):
            now_ms = ticks_ms()
            try:
                if not self.is_up:
                    self.connection += 1
                    self.is_up = True
                    born = now_ms
                    self.send("status", inbox.status("online", self.connection))
                elif ticks_diff(now_ms, born) >= BIRTH_MS and self.is_idle:
                    born = now_ms
                    self.send("status", inbox.status("online", self.connection))
                self._hear(inbox)
                self._speak()
            except OSError:
                # The port went away (USB unplugged): what was queued is sent again from the outbox.
                self.drops += 1
                self.is_up = False
                self._out.clear()
                self._at = 0
            await sleep_ms(POLL_MS)

    async def close(self) -> None:
        """Let what waits leave; the bridge notices the silence."""
        self._is_closing = True
        for _ in range(200):
            if self.is_idle:
                break
            await sleep_ms(POLL_MS)

    def _hear(self, inbox: "Inbox") -> None:
        while self._port.any():
            got = self._port.readinto(self._room, len(self._room))
            if not got:
                return
            refused = self._deframer.refused
            for channel, message in self._deframer.feed(self._room[:got]):
                inbox.received(channel, message)
            if self._deframer.refused != refused:
                inbox.refused("", self._deframer.last_refusal)

    def _speak(self) -> None:
        if not self._out:
            return
        data = self._out[0]
        chunk = memoryview(data)[self._at : self._at + CHUNK]
        written = self._port.write(chunk)
        self._at += written if isinstance(written, int) else len(chunk)
        if self._at >= len(data):
            del self._out[0]
            self._at = 0
