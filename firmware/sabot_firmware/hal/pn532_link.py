"""The two ways to a PN532, SPI and UART, behind one shape: wake, send, receive.

Source: UM0701-02 sections 6.2.3 (HSU: 115,200 baud, 8N1, woken by 55 and a pause) and 6.2.5 (SPI: mode 0,
least significant bit first, at most 5 MHz; the first byte says 01 write, 02 read status, 03 read data; bit 0 of
the status is set when an answer waits). NXP AN10609_3 for the wake-up of C106 in its low-battery start mode.
Limits: the rp2 port's SPI cannot send the least significant bit first, so bytes are mirrored here by a table,
on every board alike. Over SPI one call reads one frame; over UART one call takes what has arrived.
Neither waits: the longest call is the longest frame, 104 bytes, 0.9 ms at 1 MHz SPI. Knows no command.
"""

from sabot_firmware.hal.pn532_frame import BAD, NOTHING, Deframer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.hal.bus import Data, Pin, SpiBus, Uart

_WRITE, _STATUS, _READ = 0x01, 0x02, 0x03
_READY = 0x01

# Wakes the high-speed UART: 55 starts it, zeros fill the time its oscillator takes (T_osc_start, 2 ms = 23 bytes).
_UART_WAKE = b"\x55\x55" + b"\x00" * 23

# Bytes taken in one call: a longer flood of noise is left for the next poll.
_UART_BUDGET = 128


def _mirrored(byte: int) -> int:
    result = 0
    for _ in range(8):
        result = result << 1 | byte & 1
        byte >>= 1
    return result


_MIRROR = bytes([_mirrored(byte) for byte in range(256)])


class Pn532Spi:
    """A PN532 on SPI with its own NSS line."""

    def __init__(self, spi: "SpiBus", nss: "Pin") -> None:
        self._spi = spi
        self._nss = nss
        self._buffer = bytearray(128)
        self._view = memoryview(self._buffer)
        self._one = bytearray(1)
        nss(1)

    def wake(self) -> None:
        """Select the chip once, which wakes it; it takes commands 2 ms later."""
        self._is_ready()

    def send(self, frame: "Data", size: int) -> None:
        """Send `frame[:size]`."""
        self._mirror(frame, size)
        whole = self._view[: size + 1]
        try:
            self._nss(0)
            self._spi.write(whole)
        finally:
            self._nss(1)

    def _mirror(self, frame: "Data", size: int) -> None:
        self._buffer[0] = _MIRROR[_WRITE]
        for at in range(size):
            self._buffer[at + 1] = _MIRROR[frame[at]]

    def receive(self, deframer: Deframer) -> int:
        """What came of the frame that waits, if one does: a constant of pn532_frame."""
        if not self._is_ready():
            return NOTHING
        deframer.clear()
        try:
            return self._read_frame(deframer)
        finally:
            self._nss(1)

    def _read_frame(self, deframer: Deframer) -> int:
        self._one[0] = _MIRROR[_READ]
        self._nss(0)
        self._spi.write(self._one)
        budget = len(self._buffer)
        found = NOTHING
        # An answer that is no frame ends with the budget, never with a wait.
        while budget > 0 and found == NOTHING:
            size = min(deframer.wanted(), budget)
            budget -= size
            self._spi.readinto(self._view[:size])
            found = self._feed(deframer, size)
        return BAD if found == NOTHING else found

    def _feed(self, deframer: Deframer, size: int) -> int:
        at = 0
        found = NOTHING
        while at < size and found == NOTHING:
            found = deframer.feed(_MIRROR[self._buffer[at]])
            at += 1
        return found

    def _is_ready(self) -> bool:
        self._one[0] = _MIRROR[_STATUS]
        try:
            self._nss(0)
            self._spi.write(self._one)
            self._spi.readinto(self._one)
        finally:
            # A bus that failed must not leave the chip selected.
            self._nss(1)
        return _MIRROR[self._one[0]] & _READY == _READY and self._one[0] != 0xFF


class Pn532Uart:
    """A PN532 on its high-speed UART."""

    def __init__(self, uart: "Uart") -> None:
        self._uart = uart
        self._buffer = bytearray(32)
        self._view = memoryview(self._buffer)

    def wake(self) -> None:
        """Send the wake-up pattern; the chip takes commands 2 ms later."""
        self._uart.write(_UART_WAKE)

    def send(self, frame: "Data", size: int) -> None:
        """Send `frame[:size]`; whatever had arrived before belongs to no question and is dropped."""
        while self._uart.any():
            self._uart.readinto(self._buffer, len(self._buffer))
        self._uart.write(memoryview(frame)[:size])

    def receive(self, deframer: Deframer) -> int:
        """What the bytes that have arrived completed: a constant of pn532_frame."""
        # Never more than the frame needs: what follows an ACK is the next frame and stays in the UART.
        budget = _UART_BUDGET
        found = NOTHING
        while budget > 0 and found == NOTHING:
            got = self._take(deframer.wanted())
            if not got:
                break
            budget -= got
            found = self._feed(deframer, got)
        return found

    def _take(self, wanted: int) -> int:
        """Take bytes that have arrived into the buffer; how many."""
        waiting = self._uart.any()
        if not waiting:
            return 0
        return self._uart.readinto(self._buffer, min(wanted, len(self._buffer), waiting)) or 0

    def _feed(self, deframer: Deframer, size: int) -> int:
        at = 0
        found = NOTHING
        while at < size and found == NOTHING:
            found = deframer.feed(self._buffer[at])
            at += 1
        return found
