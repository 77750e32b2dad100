"""Badges held to the badge reader: one badge_read for each time a person presents one.

Owns what one presentation is: it lasts until the field was without the badge for LEFT_MS. Two badges at once
say nothing about who is meant: neither counts, and `refused` counts up, until one is presented alone.
"""

from sabot_firmware.core.ticks import ticks_diff
from sabot_firmware.core.uid import is_uid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# A hand trembles, a tag flickers: the figure at which the best open RFID table calls a tag lost.
LEFT_MS = 1500


class Badge:
    """Follows the badge reader's field."""

    def __init__(self) -> None:
        self.refused = 0
        self._uid = b""
        self._last_ms = 0
        self._is_doubled = False

    def feed(self, now_ms: int, uids: "Sequence[bytes]") -> "bytes | None":
        """Take one inventory; the badge that was presented, once."""
        if (self._uid or self._is_doubled) and ticks_diff(now_ms, self._last_ms) > LEFT_MS:
            self._uid = b""
            self._is_doubled = False
        found = b""
        for uid in uids:
            if not is_uid(uid):
                continue
            if found and uid != found:
                self.refused += 0 if self._is_doubled else 1
                self._is_doubled = True
                self._last_ms = now_ms
                return None
            found = bytes(uid)
        if not found:
            return None
        is_new = found != self._uid and not self._is_doubled
        self._last_ms = now_ms
        if is_new:
            self._uid = found
            return found
        return None
