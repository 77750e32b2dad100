"""Raw flash in a file, with the rules of NOR: it outlives the process that is killed while writing it."""

# MicroPython has no pathlib, and what a script of the rig prints is its result.
# ruff: noqa: PTH116, PTH123, SIM115

import os

BLOCK = 4096
ERASED = b"\xff" * 256


class FileFlash:
    """rp2.Flash on a host: pages of 256 bytes, bits only fall, a block is erased as a whole."""

    def __init__(self, path: str, blocks: int) -> None:
        self._blocks = blocks
        try:
            os.stat(path)
        except OSError:
            with open(path, "wb") as file:
                for _ in range(blocks):
                    file.write(b"\xff" * BLOCK)
        self._file = open(path, "r+b")  # lives as long as the process
        self._old = bytearray(256)
        self.erases = 0

    def readblocks(self, block: int, room: "bytearray | memoryview", offset: int) -> None:
        self._file.seek(block * BLOCK + offset)
        assert self._file.readinto(room) == len(room)

    def writeblocks(self, block: int, data: "bytes | bytearray | memoryview", offset: int) -> None:
        assert offset % 256 == 0
        assert len(data) == 256
        old = self._old
        self._file.seek(block * BLOCK + offset)
        self._file.readinto(old)
        for at in range(256):
            if data[at] != 0xFF:
                old[at] &= data[at]
        self._file.seek(block * BLOCK + offset)
        self._file.write(old)
        self._file.flush()

    def ioctl(self, operation: int, argument: int) -> int:
        if operation == 4:
            return self._blocks
        if operation == 5:
            return BLOCK
        assert operation == 6
        self.erases += 1
        self._file.seek(argument * BLOCK)
        for _ in range(BLOCK // len(ERASED)):
            self._file.write(ERASED)
        self._file.flush()
        return 0
