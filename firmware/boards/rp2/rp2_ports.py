"""The ports of Raspberry Pi's boards: machine_ports.py, and what only the rp2 port has.

The end of the flash's storage is the outbox's, as raw sectors; `_boot.py` keeps the file system off it. The image lies
before that storage, from the first byte of the flash on, and is read where the processor runs it.
"""

import machine
import pins
import rp2
import uctypes
from machine_ports import MachinePorts

_XIP = 0x10000000  # where the flash stands in memory (RP2040 data sheet 2.2, RP2350 data sheet 2.2)


class Rp2Ports(MachinePorts):
    """A Pico with `flash_bytes` of flash, of which `outbox_bytes` at the end are raw."""

    flash_page = 256

    def __init__(self, outbox_bytes: int, flash_bytes: int) -> None:
        super().__init__(pins)
        self._outbox_bytes = outbox_bytes
        self._flash_bytes = flash_bytes

    def flash(self, sectors: int) -> rp2.Flash:
        """The outbox's sectors, at most as many as are set aside."""
        storage = rp2.Flash()
        blocks, block = storage.ioctl(4, 0) or 0, storage.ioctl(5, 0) or 0  # the stubs allow for no answer
        start = blocks * block - self._outbox_bytes
        return rp2.Flash(start=start, len=min(sectors * block, self._outbox_bytes))

    def read_image(self, offset: int, room: "bytearray | memoryview") -> None:
        """Fill `room` with the flash from `offset` on; OSError for what belongs to files and events."""
        storage = rp2.Flash()
        blocks, block = storage.ioctl(4, 0) or 0, storage.ioctl(5, 0) or 0  # as above
        if offset + len(room) > self._flash_bytes - blocks * block:
            raise OSError(22)  # EINVAL
        room[:] = uctypes.bytearray_at(_XIP + offset, len(room))

    def temperature(self) -> int:
        """Degrees inside the chip (RP2040 data sheet 4.9.5: 706 mV at 27 °C, 1.721 mV less for each degree)."""
        microvolts = machine.ADC(machine.ADC.CORE_TEMP).read_u16() * 3300000 // 65535
        return 27 - (microvolts - 706000) // 1721
