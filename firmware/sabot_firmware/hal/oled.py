"""SSD1306 and SH1106 displays, 128 × 64 on I²C: rows of text, sent page by page.

Source: Solomon Systech "SSD1306" rev. 1.1 and Sino Wealth "SH1106" V2.3: control byte 00 before commands, 40 before
data; page addressing B0+page, 00+low and 10+high nibble of the column; AE/AF off/on; charge pump 8D 14 (SSD1306) or
DC-DC AD 8B (SH1106). The SH1106's memory is 132 columns wide and its glass starts at column 2.
Limits: a poll sends one page of 129 bytes, 3.0 ms at 400 kHz; a whole new picture takes eight polls. Only pages that
changed are sent. The glass cannot be read over I²C, so everything is set up and sent again every 10 s: a display that
was unplugged or hit by a spike comes back by itself. A missing one raises BusError, at most once a second.
Drawing is framebuf's (MicroPython, MONO_VLSB): the frame comes in ready-made, over `buffer`.
"""

from sabot_firmware.core.ticks import ticks_add, ticks_diff
from sabot_firmware.hal.errors import BusError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from sabot_firmware.hal.bus import I2cBus

    class Frame(Protocol):
        """The part of framebuf.FrameBuffer that text needs."""

        def fill(self, colour: int) -> object: ...
        def text(self, text: str, x: int, y: int, colour: int = 1) -> object: ...


WIDTH = 128
PAGES = 8
SIZE = WIDTH * PAGES
_ALL = (1 << PAGES) - 1
_REFRESH_MS = 10000
_RETRY_MS = 1000

_SSD1306 = b"\xae\xd5\x80\xa8\x3f\xd3\x00\x40\x8d\x14\x20\x02\xa1\xc8\xda\x12\x81\x8f\xd9\xf1\xdb\x40\xa4\xa6\xaf"
_SH1106 = b"\xae\xd5\x80\xa8\x3f\xd3\x00\x40\xad\x8b\xa1\xc8\xda\x12\x81\x8f\xd9\xf1\xdb\x40\xa4\xa6\xaf"


class Oled:
    """A display that shows rows of 16 characters; `kind` is "ssd1306" or "sh1106"."""

    columns = 16

    def __init__(self, i2c: "I2cBus", address: int, kind: str, buffer: bytearray, frame: "Frame", pitch: int = 16):
        assert len(buffer) == SIZE
        assert kind in ("ssd1306", "sh1106")
        self.rows = 64 // pitch
        self._i2c = i2c
        self._address = address
        self._set_up = b"\x00" + (_SSD1306 if kind == "ssd1306" else _SH1106)
        self._first_column = 0 if kind == "ssd1306" else 2
        self._buffer = buffer
        self._view = memoryview(buffer)
        self._frame = frame
        self._pitch = pitch
        self._drawn: "list[str] | None" = None
        self._sent = bytearray(SIZE)
        self._sent_view = memoryview(self._sent)
        self._known = 0  # bit per page: `_sent` is what the glass holds
        self._out = bytearray(1 + WIDTH)
        self._place = bytearray(4)
        self._is_up = False
        self._until = 0

    def draw(self, rows: "Sequence[str]") -> None:
        """Draw these rows into the frame; polls bring them to the glass."""
        rows = list(rows[: self.rows])
        if rows == self._drawn:
            return
        self._drawn = rows
        self._frame.fill(0)
        for at in range(len(rows)):
            self._frame.text(rows[at], 0, at * self._pitch)

    def poll(self, now_ms: int) -> bool:
        """Send at most one page; True while there is more to send. Raises BusError."""
        if not self._is_up or ticks_diff(now_ms, self._until) >= 0:
            return self._start(now_ms)
        if self._known == _ALL and self._buffer == self._sent:
            return False
        for page in range(PAGES):
            start = page * WIDTH
            part = self._view[start : start + WIDTH]
            if not self._known >> page & 1 or part != self._sent_view[start : start + WIDTH]:
                self._send(page, part, now_ms)
                return True
        return False

    def _start(self, now_ms: int) -> bool:
        if not self._is_up and self._until and ticks_diff(now_ms, self._until) < 0:
            return False
        self._known = 0
        self._write(self._set_up, now_ms)
        self._is_up = True
        self._until = ticks_add(now_ms, _REFRESH_MS)
        return True

    def _send(self, page: int, part: memoryview, now_ms: int) -> None:
        place = self._place
        place[0] = 0x00
        place[1] = 0xB0 | page
        place[2] = self._first_column
        place[3] = 0x10
        self._write(place, now_ms)
        self._out[0] = 0x40
        self._out[1:] = part
        self._write(self._out, now_ms)
        start = page * WIDTH
        self._sent_view[start : start + WIDTH] = part
        self._known |= 1 << page

    def _write(self, data: "bytes | bytearray", now_ms: int) -> None:
        try:
            self._i2c.writeto(self._address, data)
        except OSError:
            self._is_up = False
            # Zero stands for "never failed"; a tick too early does no harm.
            self._until = ticks_add(now_ms, _RETRY_MS) or 1
            raise BusError from None
