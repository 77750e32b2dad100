"""WS2812 lamps: pixels (green, red, blue) out of one pin, as the port's bitstream machinery sends them.

Source: Worldsemi "WS2812B" data sheet: 24 bits a pixel, GRB, most significant bit first; a 0 is 0.40 µs high and
0.85 µs low, a 1 is 0.80 µs high and 0.45 µs low, each ±0.15 µs; the line low for more than 280 µs (later
revisions; 50 µs in the first) latches. MicroPython documentation, machine.bitstream: four times in nanoseconds.
Limits: 30 µs per pixel, on the rp2 with interrupts off: 100 pixels take 3 ms, so at most 300 here. A 3.3 V pin
needs a level shifter (74AHCT125) for 5 V lamps. There is no way back: a dead lamp is seen by people only.
Two shows within two ticks would not latch between; show() then says False and the next tick shows.
"""

from sabot_firmware.core.ticks import ticks_diff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sabot_firmware.hal.bus import Pin

    Bitstream = Callable[[Pin, int, tuple[int, int, int, int], bytearray], object]

TIMING_NS = (400, 850, 800, 450)
MAX_PIXELS = 300
_LATCH_TICKS = 2
# Lamps that lost power or caught a spike get the whole picture again after this long, changed or not.
_REFRESH_MS = 500


class LampStrip:
    """A chain of lamps; sends only what changed, and everything twice a second."""

    def __init__(self, bitstream: "Bitstream", pin: "Pin", pixels: int) -> None:
        assert 0 < pixels <= MAX_PIXELS
        self._bitstream = bitstream
        self._pin = pin
        self._shown = bytearray(3 * pixels)
        self._shown_ms = 0
        self._is_fresh = False

    def dark(self, now_ms: int) -> None:
        """Put every lamp out: the safe state before anything else runs."""
        for at in range(len(self._shown)):
            self._shown[at] = 0
        self._send(now_ms)

    def show(self, now_ms: int, pixels: bytearray) -> bool:
        """Send this picture if it is news or due; False when it is too early and must be shown again."""
        age_ms = ticks_diff(now_ms, self._shown_ms)
        if self._is_fresh and pixels == self._shown and 0 <= age_ms < _REFRESH_MS:
            return True
        if self._is_fresh and 0 <= age_ms < _LATCH_TICKS:
            return False
        self._shown[:] = pixels
        self._send(now_ms)
        return True

    def _send(self, now_ms: int) -> None:
        self._bitstream(self._pin, 0, TIMING_NS, self._shown)
        self._shown_ms = now_ms
        self._is_fresh = True
