"""A single contact, such as the door switch or a seat sensor: its level once it stood still.

Owns debounce for one bit. The first stable level is told too: after a start the gateway learns how things are.
"""

from sabot_firmware.core.ticks import ticks_diff


class Contact:
    """One input; a level counts after `still_ms` without change."""

    def __init__(self, still_ms: int) -> None:
        self._still_ms = still_ms
        self._raw: bool | None = None
        self._since = 0
        self._told: bool | None = None

    def feed(self, now_ms: int, level: bool) -> "bool | None":
        """Take one reading; the new level when it became stable and differs from the last one told, else None."""
        if level != self._raw:
            self._raw = level
            self._since = now_ms
        elif level != self._told and ticks_diff(now_ms, self._since) >= self._still_ms:
            self._told = level
            return level
        return None
