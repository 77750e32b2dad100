"""Matrix keypad on the controller's own pins: one row a poll, a mask of closed contacts after the last.

Bit row * columns + column of the mask is set when that contact is closed; core/keypad.py debounces it.
Rows must be open-drain outputs and columns inputs with pull-ups (boards/ sees to that): only the row under
test is pulled low, the others float, so two held keys never short two outputs.
Limits: a row is read one poll after it was driven, which gives the lines (pull-up 50 kΩ, cable 1 nF: 50 µs) a
millisecond to settle; a 5 × 5 pad takes six polls. No diodes: ghosts are core's business.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.hal.bus import Pin


class MatrixKeypad:
    """Keys at the crossings of rows and columns."""

    def __init__(self, rows: "tuple[Pin, ...]", columns: "tuple[Pin, ...]") -> None:
        self._rows = rows
        self._columns = columns
        self._row = -1
        self._mask = 0
        for row in rows:
            row(1)

    def poll(self) -> "int | None":
        """Read a row and drive the next; the mask after a whole scan, None before."""
        if self._row >= 0:
            bit = self._row * len(self._columns)
            for column in self._columns:
                if not column():
                    self._mask |= 1 << bit
                bit += 1
            self._rows[self._row](1)
        self._row += 1
        done = None
        if self._row == len(self._rows):
            self._row = 0
            done = self._mask
            self._mask = 0
        self._rows[self._row](0)
        return done
