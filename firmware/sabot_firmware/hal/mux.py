"""Antenna multiplexer: up to 16 antennas behind one reader, chosen by four address lines and an enable.

Source: Texas Instruments SCHS209 "CD74HC4067": S0..S3 choose the channel, a high level on E disconnects all;
switching takes under 100 ns. Limit: its 70 Ω channel carries no RF power. It carries the control voltage of each
antenna's own RF switch (PIN diodes or a reed relay at the matching network); a relay needs `settle_ms` = 2, PIN
diodes 1. Break before make: disconnected, addressed, connected, so that two antennas never share the output.
Must only be switched with the field off; the readers see to that.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.hal.bus import Pin


class AntennaMux:
    """Chooses one antenna, or none."""

    def __init__(self, lines: "tuple[Pin, ...]", disable: "Pin", settle_ms: int = 2) -> None:
        self.settle_ms = settle_ms
        self.count = 1 << len(lines)
        self._lines = lines
        self._disable = disable
        disable(1)

    def select(self, antenna: int) -> None:
        """Connect this antenna and no other."""
        assert 0 <= antenna < self.count
        self._disable(1)
        for line in self._lines:
            line(antenna & 1)
            antenna >>= 1
        self._disable(0)

    def off(self) -> None:
        """Disconnect all."""
        self._disable(1)
