"""Matrix keypad behind an MCP23017 I²C expander: same polls and mask as keypad_matrix.py, over two wires.

Source: Microchip DS20001952D "MCP23017/MCP23S17": registers with IOCON.BANK = 0 (the reset state): IODIRA 00,
IODIRB 01, GPPUA 0C, GPPUB 0D, GPIOA 12, GPIOB 13, OLATA 14; pull-ups 100 kΩ; 400 kHz and more.
Why not the PCF8574: it has eight lines instead of sixteen (a 4 × 4 pad at most), no pull-up or direction that
could be read back, and quasi-outputs of 100 µA that a long cable outweighs. Here a supply dip is seen: the
registers fall back to their reset state, and each scan ends with a look at them.
Limits: rows on GPA0..6, columns on GPB0..6: DS20001952D makes GPA7 and GPB7 outputs only. 0.1 ms a poll.
A chip that does not acknowledge raises BusError and is set up again at the next poll.
"""

from sabot_firmware.hal.errors import BusError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.hal.bus import I2cBus

_IODIRA = 0x00
_GPPUB = 0x0D
_GPIOB = 0x13
_OLATA = 0x14
LINES = 7


class Mcp23017Keypad:
    """Keys at the crossings of GPA rows and GPB columns."""

    def __init__(self, i2c: "I2cBus", address: int, rows: int, columns: int) -> None:
        assert 0 < rows <= LINES
        assert 0 < columns <= LINES
        self._i2c = i2c
        self._address = address
        self._rows = rows
        self._columns = columns
        self._one = bytearray(1)
        self._two = bytearray(2)
        self._row = -1
        self._mask = 0
        self.resets = 0  # times the chip had forgotten its set-up

    def poll(self) -> "int | None":
        """Read a row and drive the next; the mask after a whole scan, None before. Raises BusError."""
        try:
            return self._poll()
        except OSError:
            self._row = -1
            raise BusError from None

    def _poll(self) -> "int | None":
        if self._row < 0:
            self._set_up()
            return None
        self._i2c.readfrom_mem_into(self._address, _GPIOB, self._one)
        closed = ~self._one[0] & ((1 << self._columns) - 1)
        self._mask |= closed << (self._row * self._columns)
        self._row += 1
        if self._row < self._rows:
            self._drive(self._row)
            return None
        return self._end()

    def _set_up(self) -> None:
        self._write(_OLATA, 0x00)
        self._write(_GPPUB, 0xFF)
        self._mask = 0
        self._row = 0
        self._drive(0)

    def _end(self) -> "int | None":
        # Directions of both ports and the pull-ups tell whether the chip is still as it was set up.
        self._i2c.readfrom_mem_into(self._address, _IODIRA, self._two)
        self._i2c.readfrom_mem_into(self._address, _GPPUB, self._one)
        as_set = self._two[0] == 0xFF ^ 1 << (self._rows - 1) and self._two[1] == 0xFF and self._one[0] == 0xFF
        if not as_set:
            self.resets += 1
            self._row = -1
            return None
        mask = self._mask
        self._mask = 0
        self._row = 0
        self._drive(0)
        return mask

    def _drive(self, row: int) -> None:
        # The one row that is an output pulls low; the others float.
        self._write(_IODIRA, 0xFF ^ 1 << row)

    def _write(self, register: int, value: int) -> None:
        self._one[0] = value
        self._i2c.writeto_mem(self._address, register, self._one)
