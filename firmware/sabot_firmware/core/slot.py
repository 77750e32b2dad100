"""Which of the two slots a start runs: the old release, the new one on trial, or the old one again.

Owns the record that outlives a restart and its rules. Does no I/O: boot.py reads both copies, writes the one that
choose() returns, and starts the slot; the app calls confirm() when the new release proved healthy.
  - A trial has TRIES starts. Each is counted before the slot is started, so whatever hangs, crashes or is reset by
    the watchdog has used one up. More than one, because a power cut during a trial is not the release's fault.
  - Two copies with a counter and a CRC: the older one is overwritten, so a torn write leaves the newer one whole.
Both torn or missing: slot 0, the one that was flashed by cable.
"""

import struct
from binascii import crc32

SLOTS = 2
NO_TRIAL = 0xFF
TRIES = 3
SIZE = 24
_MAGIC = b"SLOT"
_SHAPE = "<4sIBBBxII"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Slots:
    """The record: `active` is proven, `trial` is to be proven; `update` and `serial` name what is on trial."""

    def __init__(
        self, counter: int = 0, active: int = 0, trial: int = NO_TRIAL, tries: int = 0, update: int = 0, serial: int = 0
    ) -> None:
        self.counter = counter
        self.active = active
        self.trial = trial
        self.tries = tries
        self.update = update
        self.serial = serial

    @property
    def spare(self) -> int:
        """The slot that an update is written to."""
        return 1 - self.active

    @property
    def copy(self) -> int:
        """Which of the two copies holds this record; the next one goes to the other."""
        return self.counter & 1

    def try_spare(self, update: int, serial: int) -> "Slots":
        """The record after an update was written and granted."""
        return Slots(self.counter + 1, self.active, self.spare, TRIES, update, serial)

    def choose(self) -> "tuple[int, str, Slots | None]":
        """(slot to start, reset cause update | rollback | "", record to write before starting it)."""
        if self.trial == NO_TRIAL:
            return self.active, "", None
        if self.tries:
            left = Slots(self.counter + 1, self.active, self.trial, self.tries - 1, self.update, self.serial)
            return self.trial, "update", left
        return self.active, "rollback", Slots(self.counter + 1, self.active, NO_TRIAL, 0, self.update, self.serial)

    def confirm(self) -> "Slots | None":
        """The record once the release on trial is healthy; None when nothing is on trial."""
        if self.trial == NO_TRIAL:
            return None
        return Slots(self.counter + 1, self.trial, NO_TRIAL, 0, self.update, self.serial)

    def pack(self) -> bytes:
        """The record's bytes, for copy `copy`."""
        data = struct.pack(_SHAPE, _MAGIC, self.counter, self.active, self.trial, self.tries, self.update, self.serial)
        return data + struct.pack("<I", crc32(data))


def slots_from_copies(copies: "Sequence[bytes]") -> Slots:
    """The newest whole record of the copies."""
    newest = Slots()
    for data in copies:
        found = _unpack(data)
        if found and found.counter > newest.counter:
            newest = found
    return newest


def _unpack(data: bytes) -> "Slots | None":
    if len(data) != SIZE or struct.unpack("<I", data[20:])[0] != crc32(data[:20]):
        return None
    magic, counter, active, trial, tries, update, serial = struct.unpack(_SHAPE, data[:20])
    if magic != _MAGIC or active >= SLOTS or (trial >= SLOTS and trial != NO_TRIAL) or tries > TRIES:
        return None
    return Slots(counter, active, trial, tries, update, serial)
