"""Raw flash as MicroPython's ports offer it: rp2.Flash and esp32.Partition, with NOR physics.

Owns cells and the ports' rules: writeblocks with an offset clears bits and erases nothing; the rp2 programs
whole pages of 256 bytes at multiples of 256, and anything else is lost there, hence an assertion here.
"""


class BlockDevice:
    """`page` is 256 for rp2.Flash and 1 for esp32.Partition."""

    def __init__(self, page: int, blocks: int, block_size: int = 4096) -> None:
        self._page = page
        self._blocks = blocks
        self._size = block_size
        self.cells = bytearray(b"\xff" * (blocks * block_size))
        self.programs = 0

    def readblocks(self, block: int, room: "bytearray | memoryview", offset: int) -> None:
        start = block * self._size + offset
        assert offset + len(room) <= self._size, "reads across blocks"
        room[:] = self.cells[start : start + len(room)]

    def writeblocks(self, block: int, data: "bytes | bytearray | memoryview", offset: int) -> None:
        assert offset % self._page == 0
        assert len(data) % self._page == 0
        assert offset + len(data) <= self._size, "writes across blocks"
        start = block * self._size + offset
        self.programs += 1
        for at in range(len(data)):
            self.cells[start + at] &= data[at]

    def ioctl(self, operation: int, argument: int) -> int:
        if operation == 4:
            return self._blocks
        if operation == 5:
            return self._size
        assert operation == 6
        start = argument * self._size
        self.cells[start : start + self._size] = b"\xff" * self._size
        return 0
