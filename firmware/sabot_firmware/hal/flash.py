"""A flash store for the outbox over a raw block device: rp2.Flash or esp32.Partition.

Source: MicroPython documentation, vfs.AbstractBlockDev, extended interface: readblocks(block, buf, offset),
writeblocks(block, buf, offset) without erase, ioctl(4) block count, ioctl(5) block size, ioctl(6, block) erase.
The rp2 programs whole pages of 256 bytes at multiples of 256 (rp2 port, _boot.py): a record is padded with FF,
which changes no cell of NOR flash. The esp32 programs any bytes; its page is 1 here.
Limits: the flash stands still while it erases and no code runs from it: typically 45 ms, at most 400 ms a sector
(Winbond W25Q16JV, tSE); programming a page takes 0.4 to 3 ms. The outbox erases one sector per some 60 events.
A page of NOR flash may be programmed several times as long as bits only fall; the W25Q family allows that.
Same interface as fake/flash_store.py. An error of the device raises OSError, as it comes.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from sabot_firmware.hal.bus import Data, Room

    class BlockDevice(Protocol):
        """rp2.Flash, esp32.Partition."""

        def readblocks(self, block: int, room: Room, offset: int) -> object: ...
        def writeblocks(self, block: int, data: Data, offset: int) -> object: ...
        def ioctl(self, operation: int, argument: int) -> int | None: ...


_COUNT, _SIZE, _ERASE = 4, 5, 6
RP2_PAGE = 256
ESP32_PAGE = 1


class FlashStore:
    """Sectors of raw flash: read anything, clear bits anywhere, erase by sector."""

    def __init__(self, device: "BlockDevice", page: int) -> None:
        self._device = device
        self.sector_size = device.ioctl(_SIZE, 0) or 0
        self.sector_count = device.ioctl(_COUNT, 0) or 0
        assert self.sector_size > 0
        assert self.sector_size % page == 0
        self._page = page
        self._room = bytearray(page)

    def read_into(self, offset: int, buffer: "bytearray | memoryview") -> None:
        """Fill `buffer` from `offset`, across sectors."""
        view = memoryview(buffer)
        at = 0
        while at < len(buffer):
            block, start = divmod(offset + at, self.sector_size)
            size = min(len(buffer) - at, self.sector_size - start)
            self._device.readblocks(block, view[at : at + size], start)
            at += size

    def program(self, offset: int, data: "Data") -> None:
        """Clear the bits that are 0 in `data`; what surrounds it stays."""
        assert offset + len(data) <= self.sector_size * self.sector_count, "beyond the end of the store"
        view = memoryview(data)
        at = 0
        while at < len(data):
            block, start = divmod(offset + at, self.sector_size)
            if self._page == 1:
                size = min(len(data) - at, self.sector_size - start)
                self._device.writeblocks(block, view[at : at + size], start)
            else:
                size = self._program_page(block, start, view[at:])
            at += size

    def erase(self, sector: int) -> None:
        """Set every bit of a sector."""
        self._device.ioctl(_ERASE, sector)

    def _program_page(self, block: int, start: int, data: memoryview) -> int:
        room = self._room
        first = start % self._page
        size = min(len(data), self._page - first)
        for at in range(self._page):
            room[at] = data[at - first] if first <= at < first + size else 0xFF
        self._device.writeblocks(block, room, start - first)
        return size
