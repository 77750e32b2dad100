"""Virtual time: it passes only when a bus moves bytes, a chip works, or a test says so."""

from sabot_firmware.core.ticks import MASK


class Clock:
    """Microseconds since the start; `ticks()` gives them as wrapping milliseconds, from `first_ms` on."""

    def __init__(self, first_ms: int = 0) -> None:
        self.us = 0
        self._first_ms = first_ms

    def pass_us(self, us: int) -> None:
        """Let time pass."""
        self.us += us

    def ticks(self) -> int:
        """What time.ticks_ms() would say."""
        return (self._first_ms + self.us // 1000) & MASK
