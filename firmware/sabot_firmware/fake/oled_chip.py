"""SSD1306 and SH1106 displays at their I²C bus, and the frame that text is drawn into off-target.

Owns the glass: memory, addressing, on or off, charge pump; after Solomon Systech "SSD1306" rev. 1.1 and Sino Wealth
"SH1106" V2.3. Drawn without a font: a character is its code in eight equal columns, so that text can be read back.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.hal.bus import Data, Room

_PARAMETERS = {0xD5: 1, 0xA8: 1, 0xD3: 1, 0x8D: 1, 0x20: 1, 0xDA: 1, 0x81: 1, 0xD9: 1, 0xDB: 1, 0xAD: 1}
_PAGES = 8


class OledChip:
    """The display's controller; `kind` as in hal/oled.py."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._width = 128 if kind == "ssd1306" else 132
        self._offset = 0 if kind == "ssd1306" else 2
        self.is_unplugged = False
        self.writes = 0
        self.power_up()

    def power_up(self) -> None:
        """Memory holds noise, the glass is dark, the pump is off."""
        self._memory = [bytearray([0xA5] * self._width) for _ in range(_PAGES)]
        self._page = 0
        self._column = 0
        self._mode = 2
        self.is_on = False
        self.is_pumped = False
        self._rows: "list[str] | None" = None  # what was read last, until something changes

    def is_deaf(self) -> bool:
        return self.is_unplugged

    def write(self, data: "Data") -> None:
        self.writes += 1
        assert data[0] in (0x00, 0x40), "no such control byte"
        if data[0] == 0x40:
            assert self._mode == 2, "not in page mode"
            self._take(data)
            return
        at = 1
        while at < len(data):
            size = _PARAMETERS.get(data[at], 0)
            self._command(data[at], data[at + 1] if size else 0)
            at += 1 + size

    def _take(self, data: "Data") -> None:
        count = len(data) - 1
        page = self._memory[self._page]
        if self._column + count <= self._width:
            page[self._column : self._column + count] = data[1:]
        else:
            for at in range(count):
                page[(self._column + at) % self._width] = data[1 + at]
        self._column += count
        self._rows = None

    def read(self, room: "Room") -> None:
        room[:] = b"\x00" * len(room)

    def _command(self, code: int, value: int) -> None:
        self._rows = None
        if code >> 3 == 0xB0 >> 3:
            self._page = code & 7
        elif code < 0x10:
            self._column = self._column & 0xF0 | code
        elif code < 0x20:
            self._column = self._column & 0x0F | (code & 0x0F) << 4
        elif code in (0xAE, 0xAF):
            self.is_on = code == 0xAF
        elif code == 0x20:
            assert self._kind == "ssd1306", "the SH1106 has page mode only"
            self._mode = value
        elif code == 0x8D and self._kind == "ssd1306":
            self.is_pumped = value == 0x14
        elif code == 0xAD and self._kind == "sh1106":
            self.is_pumped = value == 0x8B

    def glass(self) -> bytes:
        """What is seen, page by page; dark when off or without pump."""
        if not self.is_on or not self.is_pumped:
            return b"\x00" * 1024
        return b"".join([bytes(page[self._offset : self._offset + 128]) for page in self._memory])

    def rows(self) -> "list[str]":
        """The text on the glass, a row for each page that has some."""
        if self._rows is not None:
            return self._rows
        glass = self.glass()
        found = []
        for page in range(_PAGES):
            codes = [glass[page * 128 + 8 * at] for at in range(16)]
            text = "".join([chr(code) if 32 <= code < 127 else " " if code == 0 else "?" for code in codes])
            if text.strip():
                found.append(text.rstrip())
        self._rows = found
        return found


class Frame:
    """Takes the place of framebuf.FrameBuffer(buffer, 128, 64, MONO_VLSB)."""

    def __init__(self, buffer: bytearray) -> None:
        self._buffer = buffer

    def fill(self, colour: int) -> None:
        self._buffer[:] = (b"\xff" if colour else b"\x00") * len(self._buffer)

    def text(self, text: str, x: int, y: int, colour: int = 1) -> None:
        assert colour == 1
        assert y % 8 == 0
        codes = text.encode()
        for number in range(min(len(codes), (128 - x) // 8)):
            start = y // 8 * 128 + x + 8 * number
            self._buffer[start : start + 8] = codes[number : number + 1] * 8
