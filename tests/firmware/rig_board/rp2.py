"""rp2.Flash on the unix port: the whole storage is a file in the working folder, and a part of it is asked for."""

# MicroPython has no pathlib.
# ruff: noqa: PTH116, PTH123, SIM115

import os

BLOCK = 4096
BLOCKS = 128


class Flash:
    def __init__(self, start: int = 0, len: int = BLOCK * BLOCKS) -> None:  # noqa: A002 - the port's own name for it
        try:
            os.stat("flash")
        except OSError:
            with open("flash", "wb") as file:
                for _ in range(BLOCKS):
                    file.write(b"\xff" * BLOCK)
        self._start = start
        self._blocks = len // BLOCK
        self._file = open("flash", "r+b")

    def readblocks(self, block: int, room: bytearray, offset: int = 0) -> None:
        self._file.seek(self._start + block * BLOCK + offset)
        self._file.readinto(room)

    def writeblocks(self, block: int, data: bytes, offset: int = 0) -> None:
        assert offset % 256 == 0
        old = bytearray(len(data))
        self.readblocks(block, old, offset)
        for at in range(len(data)):
            old[at] &= data[at]
        self._file.seek(self._start + block * BLOCK + offset)
        self._file.write(old)
        self._file.flush()

    def ioctl(self, operation: int, argument: int) -> int:
        if operation == 4:
            return self._blocks
        if operation == 5:
            return BLOCK
        assert operation == 6
        self._file.seek(self._start + argument * BLOCK)
        self._file.write(b"\xff" * BLOCK)
        self._file.flush()
        return 0
