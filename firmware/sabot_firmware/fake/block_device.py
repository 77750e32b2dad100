"""Raw flash as MicroPython's ports offer it: rp2.Flash and esp32.Partition, with NOR physics.

Owns cells and the ports' rules: writeblocks with an offset clears bits and erases nothing; the rp2 programs
whole pages of 256 bytes at multiples of 256, and anything else is lost there, hence an assertion here.
In memory, or in a file that outlives the process as real flash outlives a power cut.
"""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


class BlockDevice:
    """`page` is 256 for rp2.Flash and 1 for esp32.Partition. Blocks that are erased take no memory."""

    def __init__(self, page: int, blocks: int, block_size: int = 4096) -> None:
        self._page = page
        self._size = block_size
        self._blocks: "list[bytearray | None]" = [None] * blocks

    @property
    def cells(self) -> bytes:
        """Every byte, from the first block on."""
        return b"".join([self.block(number) for number in range(len(self._blocks))])

    def block(self, number: int) -> bytes:
        """Every byte of one block; a small heap has room for that."""
        block = self._blocks[number]
        return b"\xff" * self._size if block is None else bytes(block)

    def readblocks(self, block: int, room: "bytearray | memoryview", offset: int) -> None:
        assert offset + len(room) <= self._size, "reads across blocks"
        cells = self._blocks[block]
        for at in range(len(room)):
            room[at] = 0xFF if cells is None else cells[offset + at]

    def writeblocks(self, block: int, data: "bytes | bytearray | memoryview", offset: int) -> None:
        assert offset % self._page == 0
        assert len(data) % self._page == 0
        assert offset + len(data) <= self._size, "writes across blocks"
        cells = self._blocks[block]
        if cells is None:
            cells = self._blocks[block] = bytearray(self._size)
            for at in range(self._size):
                cells[at] = 0xFF
        for at in range(len(data)):
            cells[offset + at] &= data[at]

    def ioctl(self, operation: int, argument: int) -> int:
        if operation == 4:
            return len(self._blocks)
        if operation == 5:
            return self._size
        assert operation == 6
        self._blocks[argument] = None
        return 0


class FileDevice:
    """The same in a file of its own, made when missing; holds nothing in memory but a page or less."""

    def __init__(self, path: str, page: int, blocks: int, block_size: int = 4096) -> None:
        self._page = page
        self._blocks = blocks
        self._size = block_size
        try:
            made = os.stat(path)[6] == blocks * block_size  # noqa: PTH116 - MicroPython has no pathlib
        except OSError:
            made = False
        if not made:
            with open(path, "wb") as file:  # noqa: PTH123 - likewise
                for _ in range(blocks):
                    file.write(b"\xff" * block_size)
        self._file: "BinaryIO" = open(path, "r+b")  # noqa: PTH123 - likewise

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def readblocks(self, block: int, room: "bytearray | memoryview", offset: int) -> None:
        assert offset + len(room) <= self._size, "reads across blocks"
        self._file.seek(block * self._size + offset)
        room[:] = self._file.read(len(room))

    def writeblocks(self, block: int, data: "bytes | bytearray | memoryview", offset: int) -> None:
        assert offset % self._page == 0
        assert len(data) % self._page == 0
        cells = bytearray(len(data))
        self.readblocks(block, cells, offset)
        for at in range(len(data)):
            cells[at] &= data[at]
        self._put(block * self._size + offset, cells)

    def ioctl(self, operation: int, argument: int) -> int:
        if operation == 4:
            return self._blocks
        if operation == 5:
            return self._size
        assert operation == 6
        self._put(argument * self._size, b"\xff" * self._size)
        return 0

    def _put(self, offset: int, data: "bytes | bytearray") -> None:
        self._file.seek(offset)
        self._file.write(data)
        self._file.flush()
