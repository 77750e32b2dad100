"""A chain of WS2812B lamps on one pin (Worldsemi data sheet): decodes pulses, latches on silence.

Owns what shines. Pulses outside the data sheet's windows, or a new picture before the last has latched, damage
what is seen, as they would on the table.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.fake.clock import Clock

_WINDOWS_NS = ((250, 550), (700, 1000), (650, 950), (300, 600))
_LATCH_US = 280


class LampChain:
    """Takes the place of machine.bitstream; `seen(n)` is the (red, green, blue) of lamp n."""

    def __init__(self, clock: "Clock", lamps: int) -> None:
        self._clock = clock
        self._lamps = lamps
        self.received = b""
        self._ended_us = -_LATCH_US - 1
        self.sends = 0
        self.is_unplugged = False

    def bitstream(self, _: object, encoding: int, timing: "tuple[int, int, int, int]", data: bytearray) -> None:
        """Send data as pulses."""
        assert encoding == 0, "the one encoding there is"
        for at in range(4):
            assert _WINDOWS_NS[at][0] <= timing[at] <= _WINDOWS_NS[at][1], "a pulse no lamp understands"
        if self._clock.us - self._ended_us > _LATCH_US:
            self.received = b""
        self._clock.pass_us(len(data) * 8 * sum(timing[:2]) // 1000)
        self._ended_us = self._clock.us
        self.sends += 1
        if not self.is_unplugged:
            self.received += bytes(data)

    def seen(self, lamp: int) -> "tuple[int, int, int]":
        """What an eye sees there."""
        part = self.received[3 * lamp : 3 * lamp + 3] if lamp < self._lamps else b""
        return (part[1], part[0], part[2]) if len(part) == 3 else (0, 0, 0)
