"""The dealer's keys: raw contacts of a matrix -> one press each, debounced, with rollover and without ghosts.

Owns debounce, ghosts, stuck keys and the seat that a press is about. Knows no pins: it is told, scan by scan,
a mask in which bit row * columns + column is set when the contact is closed.
  - A contact counts after DEBOUNCE_MS without change. Any number of keys may be held at once (rollover).
  - Without diodes, three held corners of a rectangle light the fourth. While that is possible no new key counts.
  - A key held for STUCK_MS is reported once as stuck, and not again until released.
A seat key followed by another key within SELECT_MS makes (key, seat); a key alone is about the table, seat 0.
"""

from sabot_firmware.core.ticks import ticks_diff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Ganssle, "A Guide to Debouncing": of 18 kinds of switch all but two settled within 6.2 ms. Three times that,
# and still far below the 100 ms at which a press stops to feel immediate.
DEBOUNCE_MS = 20

# Longer than any deliberate press.
STUCK_MS = 30000

# A seat that was chosen and then not used must not colour the next key.
SELECT_MS = 5000


class Keypad:
    """Presses of a matrix with `columns` columns."""

    def __init__(self, rows: int, columns: int) -> None:
        self._columns = columns
        self._size = rows * columns
        self._raw = 0
        self._held = 0
        self._stuck = 0
        self._since = [0] * self._size

    @property
    def stuck(self) -> int:
        """Mask of the keys that are held for too long."""
        return self._stuck

    def scan(self, now_ms: int, mask: int) -> "tuple[int, ...]":
        """Take one reading of the contacts; the keys that were pressed, lowest first."""
        if mask == self._raw == self._held:
            if mask:
                self._note_stuck(now_ms)
            return ()
        mask &= (1 << self._size) - 1
        changed = mask ^ self._raw
        self._raw = mask
        pressed: list[int] = []
        has_ghost = self._has_ghost(mask)
        for key in range(self._size):
            bit = 1 << key
            if changed & bit:
                self._since[key] = now_ms
            elif (mask ^ self._held) & bit and ticks_diff(now_ms, self._since[key]) >= DEBOUNCE_MS:
                if mask & bit:
                    if has_ghost:
                        continue
                    pressed.append(key)
                self._held ^= bit
                self._stuck &= ~bit
                self._since[key] = now_ms
        return tuple(pressed)

    def _note_stuck(self, now_ms: int) -> None:
        for key in range(self._size):
            bit = 1 << key
            if self._held & bit and not self._stuck & bit and ticks_diff(now_ms, self._since[key]) >= STUCK_MS:
                self._stuck |= bit

    def _has_ghost(self, mask: int) -> bool:
        # Two rows that share two closed columns.
        row_mask = (1 << self._columns) - 1
        rows = []
        while mask:
            rows.append(mask & row_mask)
            mask >>= self._columns
        for upper in range(len(rows)):
            for lower in range(upper + 1, len(rows)):
                shared = rows[upper] & rows[lower]
                if shared & (shared - 1):
                    return True
        return False


class SeatKeys:
    """Turns pressed keys into (key, seat); `legend[i]` is a seat number or the name of a key."""

    def __init__(self, legend: "Sequence[int | str]") -> None:
        self._legend = tuple(legend)
        self._seat = 0
        self._since = 0

    @property
    def seat(self) -> int:
        """The seat that the next key is about; 0 = none chosen."""
        return self._seat

    def press(self, now_ms: int, key: int) -> "tuple[str, int] | None":
        """(name, seat) when this press completes something, None when it chose a seat or means nothing."""
        self.tick(now_ms)
        meaning = self._legend[key] if key < len(self._legend) else ""
        if isinstance(meaning, int):
            self._seat = meaning
            self._since = now_ms
            return None
        seat = self._seat
        self._seat = 0
        return (meaning, seat) if meaning else None

    def tick(self, now_ms: int) -> None:
        """Forget a chosen seat that was not used in time."""
        if self._seat and ticks_diff(now_ms, self._since) > SELECT_MS:
            self._seat = 0
