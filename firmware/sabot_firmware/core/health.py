"""The controller's own condition: counters for the periodic health event, and faults that come and go.

Owns when to report and that each change of a fault is told once. Knows no wire beyond the names of faults.
The fault lamp is lit as long as any fault is active; clearing is told too, for it is recorded.
"""

from sabot_firmware.core.ticks import ticks_diff

# Health once a minute: a floor page that says "seen just now" without filling the journal.
PERIOD_MS = 60000

_MAX = 0xFFFFFFFF


class Health:
    """Counters since the start; they stop at the wire's greatest number instead of turning over."""

    def __init__(self, now_ms: int) -> None:
        self.reader_errors = 0
        self.link_drops = 0
        self.loop_max_ms = 0
        self._due_since = now_ms

    def note_reader_error(self) -> None:
        """A reader failed to answer or answered nonsense."""
        self.reader_errors += 1 if self.reader_errors < _MAX else 0

    def note_link_drop(self) -> None:
        """The link to the gateway was lost."""
        self.link_drops += 1 if self.link_drops < _MAX else 0

    def note_loop(self, ms: int) -> None:
        """The scan loop took this long."""
        if ms > self.loop_max_ms:
            self.loop_max_ms = ms

    def is_due(self, now_ms: int) -> bool:
        """Say whether a health event is due; True once a period."""
        if ticks_diff(now_ms, self._due_since) < PERIOD_MS:
            return False
        self._due_since = now_ms
        return True

    def fields(self, heap_free: int, outbox_used: int, outbox_free: int) -> "tuple[int, int, int, int, int, int]":
        """The fields of a health event; the longest loop is that since the last one."""
        longest = self.loop_max_ms
        self.loop_max_ms = 0
        return heap_free, outbox_used, outbox_free, self.reader_errors, self.link_drops, longest


class Faults:
    """Active faults by (code, part)."""

    def __init__(self) -> None:
        self._active: list[tuple[str, int]] = []

    @property
    def are_active(self) -> bool:
        """Say whether the fault lamp must be lit."""
        return bool(self._active)

    def active(self) -> "tuple[tuple[str, int], ...]":
        """(code, part) of every active fault, the oldest first."""
        return tuple(self._active)

    def set(self, code: str, part: int, is_active: bool) -> "tuple[str, int, bool] | None":
        """Raise or clear a fault; the fields of a fault event when that changed anything."""
        fault = (code, part)
        if is_active == (fault in self._active):
            return None
        if is_active:
            self._active.append(fault)
        else:
            self._active.remove(fault)
        return code, part, is_active
