"""A controller's flash that outlives its process: every change of a cell goes into a file at once.

Numbers run on when the controller is switched on again, even after it was killed. Shared subset of both Pythons.
"""

# MicroPython has no pathlib; the file stays open as long as the controller lives.
# ruff: noqa: PTH123, SIM115

from sabot_firmware.fake.flash_store import FlashStore


class KeptFlash(FlashStore):
    """The fake flash over a file; a new file, or one of another size, is an erased chip."""

    def __init__(self, path: str, sector_size: int, sector_count: int) -> None:
        super().__init__(sector_size, sector_count)
        try:
            with open(path, "rb") as file:
                kept = file.read()
        except OSError:
            kept = b""
        if len(kept) == len(self.cells):
            self.cells = bytearray(kept)
        else:
            with open(path, "wb") as file:
                file.write(self.cells)
        self._file = open(path, "r+b")

    def program(self, offset: int, data: "bytes | bytearray | memoryview") -> None:
        super().program(offset, data)
        self._keep(offset, len(data))

    def erase(self, sector: int) -> None:
        super().erase(sector)
        self._keep(sector * self.sector_size, self.sector_size)

    def close(self) -> None:
        self._file.close()

    def _keep(self, offset: int, size: int) -> None:
        self._file.seek(offset)
        self._file.write(self.cells[offset : offset + size])
        self._file.flush()
