"""A wired way to the gateway: the protocol's frames on USB or RS-485, carried on by `sabot bridge`.

Owns the line. Interface: link.py. `port` is a machine.UART (or anything with any, readinto and write) with a receive
buffer of at least 256 bytes; it is asked every POLL_MS, in which 115,200 baud bring 58 bytes.
A line has no connection: it counts as up from the start, and the birth is repeated every BIRTH_MS so that a bridge
that was plugged in later learns of the controller. Damaged frames are counted and reported; the next zero is a new
start.
Two wires of RS-485 carry one direction at a time: with a `drive` pin the transceiver sends only while a frame leaves,
and a frame begins only after a turn in which nothing was heard. Two that begin at once destroy both frames, and the
outbox and the gateway send again.
Limits: one write of at most CHUNK bytes per turn, so that a slow line never holds up a scan.
"""

from sabot_firmware.core.ticks import ticks_diff
from sabot_firmware.net.pause import sleep_ms, ticks_ms
from sabot_protocol.frames import Deframer, frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sabot_firmware.hal.bus import Pin, Uart
    from sabot_firmware.net.link import Inbox

POLL_MS = 5
BIRTH_MS = 30000

# 128 bytes fill the transmit FIFO and buffer of the boards' UART; its write() returns at once.
CHUNK = 128

# Reads of 256 bytes in one turn: more than a message, and an end for a peer that floods the line.
READS = 5

# Frames that may wait: the window of batches under way (drain.py) and a status.
QUEUE = 6


class SerialLink:
    """A controller's way to the gateway over a line."""

    def __init__(self, port: "Uart", drive: "Pin | None" = None) -> None:
        """`drive` switches a transceiver to sending; None when it needs no switching."""
        self.is_up = False
        self.connection = 0
        self.drops = 0
        self._port = port
        self._drive = drive
        self._is_driving = False
        self._is_quiet = True
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
        self._is_quiet = not self._port.any()
        for _ in range(READS):
            if not self._port.any():
                return
            got = self._port.readinto(self._room, len(self._room))
            if not got:
                return
            refused = self._deframer.refused
            for channel, message in self._deframer.feed(self._room[:got]):
                inbox.received(channel, message)
            if self._deframer.refused != refused:
                inbox.refused("", self._deframer.last_refusal)

    def _speak(self) -> None:
        if self._drive is not None and not self._may_drive():
            return
        if not self._out:
            return
        data = self._out[0]
        chunk = memoryview(data)[self._at : self._at + CHUNK]
        written = self._port.write(chunk)
        self._at += written if isinstance(written, int) else len(chunk)
        if self._at >= len(data):
            del self._out[0]
            self._at = 0

    def _may_drive(self) -> bool:
        # Between two frames the line is given back once the last bit has left, and taken only when nobody speaks.
        port: "Any" = self._port
        drive: "Any" = self._drive
        if self._is_driving and not self._at:
            if not port.txdone():
                return False
            drive(0)
            self._is_driving = False
            return False
        if not self._is_driving and self._out and self._is_quiet:
            drive(1)
            self._is_driving = True
        return self._is_driving
