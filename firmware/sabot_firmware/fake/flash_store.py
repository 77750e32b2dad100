"""A NOR flash in memory that can lose power after any byte of a program and in the middle of an erase.

Owns the physics that the outbox is held against: programming only clears bits, erasing sets a whole sector to
0xFF and is slow enough to be interrupted, a cell that lost power half-way holds any mixture of old and new bits,
and the bytes of a cut program need not have been written front to back.
Counts erases per sector (wear) and programs of cells that were not erased (a driver's bug on real flash).
Knows nothing of records. Same interface as the flash store in hal/.
"""

# An erase is cut at one of this many points; real parts erase all cells at once, slowly, in no order.
ERASE_STEPS = 8


class PowerLostError(Exception):
    """The supply failed in the middle of an operation; nothing works until power_on()."""


class FlashStore:
    """A few sectors of NOR flash; `cut_after(n)` fails the supply after n more bytes or erase steps."""

    def __init__(self, sector_size: int, sector_count: int, seed: int = 1) -> None:
        self.sector_size = sector_size
        self.sector_count = sector_count
        self.cells = bytearray(sector_size * sector_count)
        for start in range(0, len(self.cells), sector_size):
            self.cells[start : start + sector_size] = b"\xff" * sector_size
        self.erases = [0] * sector_count
        self.overwrites = 0
        self.steps = 0
        self.is_on = True
        self._left = -1
        self._noise = seed

    def cut_after(self, steps: int) -> None:
        """Lose power after this many more steps (a programmed byte, an eighth of an erase); -1 = never."""
        self._left = steps

    def power_on(self) -> None:
        """Supply it again; what was cut stays as it fell."""
        self.is_on = True
        self._left = -1

    def read_into(self, offset: int, buffer: "bytearray | memoryview") -> None:
        """Fill `buffer` from `offset`."""
        self._require_power()
        buffer[:] = self.cells[offset : offset + len(buffer)]

    def program(self, offset: int, data: "bytes | bytearray | memoryview") -> None:
        """Clear the bits that are 0 in `data`, byte by byte."""
        self._require_power()
        cells = self.cells
        assert offset >= 0
        assert offset + len(data) <= len(cells), "beyond the end of the flash"
        if self._left < 0 and cells[offset : offset + len(data)] == b"\xff" * len(data):
            cells[offset : offset + len(data)] = data  # the same in one go, for long runs
            self.steps += len(data)
            return
        before = bytes(cells[offset : offset + len(data)])
        for at in range(len(data)):
            old = cells[offset + at]
            if self._fails():
                if self._random() & 1:
                    cells[offset + at] = old & (data[at] | self._random())
                else:
                    self._scatter(offset, before, data)
                raise PowerLostError
            if old & data[at] != data[at]:
                self.overwrites += 1
            cells[offset + at] = old & data[at]

    def erase(self, sector: int) -> None:
        """Set every bit of a sector."""
        self._require_power()
        self.erases[sector] += 1
        size = self.sector_size // ERASE_STEPS
        start = sector * self.sector_size
        turn = self._random() % ERASE_STEPS
        for step in range(ERASE_STEPS):
            at = start + (step + turn) % ERASE_STEPS * size
            if self._fails():
                for cell in range(at, at + size):
                    self.cells[cell] |= self._random()
                raise PowerLostError
            self.cells[at : at + size] = b"\xff" * size

    def _scatter(self, offset: int, before: bytes, data: "bytes | bytearray | memoryview") -> None:
        # A part programs the cells of a page all at once: a cut may leave any of them done, half done or untouched.
        for at in range(len(data)):
            kept = (0x00, 0xFF, self._random())[self._random() % 3]
            self.cells[offset + at] = before[at] & (data[at] | kept)

    def _require_power(self) -> None:
        if not self.is_on:
            raise PowerLostError

    def _fails(self) -> bool:
        if self._left == 0:
            self.is_on = False
            return True
        self._left -= 1 if self._left > 0 else 0
        self.steps += 1
        return False

    def _random(self) -> int:
        # Park and Miller's generator: the same noise on both Pythons.
        self._noise = self._noise * 16807 % 2147483647
        return self._noise >> 8 & 0xFF
