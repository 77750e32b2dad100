"""The contacts of a keypad without diodes, with the ghosts that wiring makes, and the two ways to reach them.

Owns which keys are held. A column is low when held keys connect it, directly or through other rows and columns, to
a row that is driven low. MCP23017 after Microchip DS20001952D, registers with IOCON.BANK = 0.
"""

from sabot_firmware.fake.wire import Pin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sabot_firmware.hal.bus import Data, Room


class KeyMatrix:
    """Held keys, as (row, column)."""

    def __init__(self) -> None:
        self.held: "set[tuple[int, int]]" = set()

    def low_columns(self, low_rows: "set[int]") -> "set[int]":
        """The columns pulled low when these rows are."""
        if not self.held:
            return set()
        rows = set(low_rows)
        columns: "set[int]" = set()
        grown = True
        while grown:
            size = len(rows) + len(columns)
            for row, column in self.held:
                if row in rows or column in columns:
                    rows.add(row)
                    columns.add(column)
            grown = len(rows) + len(columns) > size
        return columns


class MatrixPins:
    """Open-drain rows and pulled-up columns on the controller's own pins."""

    def __init__(self, matrix: KeyMatrix, rows: int, columns: int) -> None:
        self._matrix = matrix
        self.rows = tuple([Pin(1) for _ in range(rows)])
        self.columns = tuple([Pin(1) for _ in range(columns)])
        for column in range(columns):
            self.columns[column].source = self._reading(column)

    def _reading(self, column: int) -> "Callable[[], int]":
        return lambda: 0 if column in self._matrix.low_columns(self._low_rows()) else 1

    def _low_rows(self) -> "set[int]":
        return {row for row in range(len(self.rows)) if not self.rows[row].level}


_IODIRA, _IODIRB, _GPPUB, _GPIOA, _GPIOB, _OLATA = 0x00, 0x01, 0x0D, 0x12, 0x13, 0x14
_REGISTERS = 0x16


class Mcp23017Chip:
    """The expander, rows on GPA, columns on GPB."""

    def __init__(self, matrix: KeyMatrix) -> None:
        self._matrix = matrix
        self.deaf = 0  # this many coming transfers are not acknowledged
        self.registers = bytearray(_REGISTERS)
        self._pointer = 0
        self.brown_out()

    def brown_out(self) -> None:
        """The supply dipped: every register is as after reset."""
        for at in range(_REGISTERS):
            self.registers[at] = 0xFF if at <= _IODIRB else 0
        self._pointer = 0

    def is_deaf(self) -> bool:
        if self.deaf:
            self.deaf -= 1
            return True
        return False

    def write(self, data: "Data") -> None:
        self._pointer = data[0]
        for at in range(1, len(data)):
            register = self._pointer % _REGISTERS
            # Writing a port writes its latch.
            self.registers[register + 2 if register in (_GPIOA, _GPIOB) else register] = data[at]
            self._pointer += 1

    def read(self, room: "Room") -> None:
        for at in range(len(room)):
            register = self._pointer % _REGISTERS
            room[at] = self._columns() if register == _GPIOB else self.registers[register]
            self._pointer += 1

    def _columns(self) -> int:
        # Without its pull-up an input floats; here it floats low, which looks like keys held.
        registers = self.registers
        if not self._matrix.held:
            return registers[_GPPUB]
        low_rows = {row for row in range(7) if not (registers[_IODIRA] | registers[_OLATA]) >> row & 1}
        low = self._matrix.low_columns(low_rows)
        return sum([1 << column for column in range(8) if column not in low and registers[_GPPUB] >> column & 1])
