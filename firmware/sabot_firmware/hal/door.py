"""The switch on the table's service door: closed contact to ground while the door is shut.

Wired normally closed with a pull-up, so that a cut wire or a pulled plug reads as an open door: it fails loud.
Owns its own debounce (20 ms; Ganssle, "A Guide to Debouncing": nearly all switches settle within 6.2 ms). The
first reading after start is reported too: the gateway then knows the state, not only changes.
Limit: a magnet held to the reed from outside is not seen; use a balanced switch where that matters.
"""

from sabot_firmware.core.ticks import ticks_diff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.hal.bus import Pin

DEBOUNCE_MS = 20


class DoorSwitch:
    """Whether the door is open, debounced."""

    def __init__(self, pin: "Pin", now_ms: int) -> None:
        self.is_open: "bool | None" = None
        self._pin = pin
        self._raw = bool(pin())
        self._since = now_ms

    def poll(self, now_ms: int) -> "bool | None":
        """True when the door was opened, False when it was shut, None when nothing changed."""
        raw = bool(self._pin())
        if raw != self._raw:
            self._raw = raw
            self._since = now_ms
        elif raw != self.is_open and ticks_diff(now_ms, self._since) >= DEBOUNCE_MS:
            self.is_open = raw
            return raw
        return None
