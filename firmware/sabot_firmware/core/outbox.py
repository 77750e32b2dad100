"""The outbox: every event is numbered when it is stored in flash, and kept until the gateway has it.

Owns numbers, the boot counter, acknowledgement and the report of what was lost. Where records lie is ring.py's
business; what is sent when is drain.py's. Invariants:
  - Numbers run on over the controller's whole life, boots included, and none is given twice. The boot only says
    in which life an event was stored. So a gap is seen across a restart too, and a lost range needs no boot.
  - What append() returned is durable. What was cut off before it returned is there whole, or never was.
  - The events of one message share their boot and are consecutive, as the wire demands.
  - A loss is itself an event, stored at once, and names everything lost since the last ack, so that a second
    loss that swallows the report of the first still tells of both. If power fails between, the next start tells it.
Acks are kept in flash only every ACK_EVERY events: forgetting one costs a resend, which the gateway drops.
Limits: append() erases a sector (45 ms typical, 400 ms at worst on the boards' flash) only if nobody called
tend() in a quiet moment first. Not re-entrant: one caller at a time, as in one asyncio loop. Cells that lose
their bits with age cost the events in them, which is reported when they are read; only if the newest record of
all is hit, before it was sent, can its number come again.
"""

from sabot_firmware.core.record import ACK, BOOT, EVENT, LOST, MARK, RECORD_HEAD, SECTOR_HEAD
from sabot_firmware.core.ring import LOSS_ROOM, OutboxError, Ring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sabot_firmware.core.ring import Store

    Add = Callable[["memoryview | bytes"], bool]

# One event fills at most a payload less the batch's head (protocol: 944 - 18 bytes).
MAX_EVENT = 926

# Ends of messages that are remembered: the window of those under way (drain.py) and a few more.
PLACES = 8

# 12 bytes of flash for each 16 events acknowledged: under one byte of wear per event, at most 15 resent after a cut.
ACK_EVERY = 16


class Outbox:
    """Stored events of this and earlier boots; opening it begins a new boot."""

    def __init__(self, store: "Store", lost_event: "Callable[[int, int], bytes]", max_event: int = MAX_EVENT) -> None:
        self._ring = Ring(store, max_event)
        self._lost_event = lost_event
        self._kept_ack = self._ring.acked
        self._places: list[tuple[int, int, int, int]] = []  # number, sector, offset, boot: where fill() stopped
        self._damaged = (0, 0)
        self._begin_boot()

    @property
    def boot(self) -> int:
        """The number of this boot."""
        return self._ring.boot

    @property
    def newest(self) -> int:
        """The number given last; 0 before the first."""
        return self._ring.next - 1

    @property
    def acked(self) -> int:
        """The gateway has everything up to here."""
        return self._ring.acked

    @property
    def floor(self) -> int:
        """Nothing up to here will be sent again: acknowledged or lost."""
        ring = self._ring
        return ring.acked if ring.acked > ring.lost else ring.lost

    @property
    def has_overflowed(self) -> bool:
        """Say whether events were lost that the gateway has not yet acknowledged as lost: light the fault lamp."""
        return self._ring.lost > self._ring.acked

    @property
    def mark(self) -> int:
        """The greatest number that remember() was given, in any boot; 0 before the first."""
        return self._ring.mark

    @property
    def used_bytes(self) -> int:
        """Flash that waits for an ack."""
        return self._ring.used_bytes()

    @property
    def free_bytes(self) -> int:
        """Flash that an outage can still fill before the oldest events are lost."""
        return self._ring.capacity - self._ring.used_bytes()

    @property
    def max_event(self) -> int:
        """The longest event that fits."""
        return self._ring.max_data

    def append(self, event: "bytes | bytearray | memoryview") -> int:
        """Store an event and return its number; when it returns, the event survives a power cut."""
        if len(event) > self._ring.max_data:
            raise OutboxError("too_long")
        self._make_room(len(event))
        try:
            return self._write_event(EVENT, b"", event)
        except OutboxError:
            self._leave_sector()  # worn cells: the rest of that sector is given up
            return self._write_event(EVENT, b"", event)

    def ack(self, boot: int, upto: int) -> bool:
        """Free everything up to a number; False for an ack of something this outbox never stored."""
        ring = self._ring
        if boot > ring.boot or upto >= ring.next:
            return False
        if boot == ring.boot and upto < self._boot_first - 1:
            upto = self._boot_first - 1  # the wire: all of earlier boots is safe
        if upto > ring.acked:
            ring.acked = upto
            if upto - self._kept_ack >= ACK_EVERY and ring.has_room(0):
                self._kept_ack = upto
                self._keep_ack()
        return True

    def remember(self, mark: int) -> None:
        """Keep a number over restarts, if it is greater than those before; 12 bytes of flash, no erase of its own."""
        ring = self._ring
        if mark <= ring.mark:
            return
        ring.mark = mark
        if not ring.has_room(0):
            self._leave_sector()  # the new sector's head carries the mark
            return
        try:
            ring.write(MARK, mark, 0)
        except OutboxError:
            self._leave_sector()

    def fill(self, first: int, add: "Add") -> "tuple[int, int, int]":
        """Give stored events from `first` on to `add` until it says False; (boot, first number given, count)."""
        ring = self._ring
        wanted = first if first > self.floor else self.floor + 1
        if wanted >= ring.next:
            return ring.boot, wanted, 0
        sector, offset, boot = self._place_of(wanted)
        start, count = wanted, 0
        while True:
            # Behind a sector's last event lies nothing to send: the rest need not be searched for whole records.
            end = ring.read(sector, offset) if start + count <= ring.last_of(sector) else 0
            if not end:
                following = ring.after(sector)
                if following == sector:
                    break
                sector, offset = following, SECTOR_HEAD
                begun = ring.boot_of(sector)
                if begun != boot and count:
                    boot_here, boot = boot, begun
                    self._remember(start + count, sector, offset, begun)
                    return boot_here, start, count
                boot = begun
                continue
            if ring.kind == BOOT and ring.number != boot:
                if count:
                    break
                boot = ring.number
            elif ring.kind in (EVENT, LOST) and ring.number >= wanted:
                if count and ring.number != start + count:
                    break
                if not count:
                    start = ring.number
                if not add(self._data()):
                    break
                count += 1
            offset = end
        self._remember(start + count, sector, offset, boot)
        if start > wanted and count:
            self._damaged = (wanted, start - 1)
        return boot, start, count

    def pending(self, first: int, max_bytes: int) -> "tuple[int, int, list[bytes]]":
        """(boot, first number, events) from `first` on: one boot, consecutive, at most this many bytes."""
        events: list[bytes] = []
        left = [max_bytes]

        def add(event: "memoryview | bytes") -> bool:
            left[0] -= len(event)
            if left[0] >= 0:
                events.append(bytes(event))
            return left[0] >= 0

        boot, start, _ = self.fill(first, add)
        return boot, start, events

    @property
    def needs_tending(self) -> bool:
        """Say whether tend() has work."""
        return self._ring.needs_erase or self._damaged[1] > self.floor

    def tend(self) -> bool:
        """In a quiet moment: erase the next sector ahead of need, report damaged records; True when it did."""
        first, last = self._damaged
        if last > self.floor:
            self._damaged = (0, 0)
            self.append(self._lost_event(first, last))
            return True
        return self._ring.make_spare()

    def _begin_boot(self) -> None:
        ring = self._ring
        ring.make_spare()
        ring.boot += 1
        if ring.has_room(0):
            ring.write(BOOT, ring.boot, 0)
        else:
            ring.advance()  # the new sector's head names the boot
            self._kept_ack = ring.acked
        self._boot_first = ring.next
        self._report_loss()

    def _make_room(self, length: int) -> None:
        if not self._ring.has_room(length):
            self._leave_sector()

    def _leave_sector(self) -> None:
        self._ring.advance()
        self._kept_ack = self._ring.acked
        self._report_loss()

    def _keep_ack(self) -> None:
        try:
            self._ring.write(ACK, self._ring.acked, 0)
        except OutboxError:
            pass  # worn cells: the next sector's head carries the ack

    def _report_loss(self) -> None:
        # Sectors that are gone before their events were acknowledged: everything since the ack is lost.
        ring = self._ring
        if ring.firsts[ring.oldest()] - 1 <= self.floor:
            return
        if not ring.has_room(LOSS_ROOM - RECORD_HEAD):
            ring.advance()
            self._kept_ack = ring.acked
        last = ring.firsts[ring.oldest()] - 1
        self._write_event(LOST, last.to_bytes(4, "little"), self._lost_event(ring.acked + 1, last))
        ring.lost = last

    def _write_event(self, kind: int, prefix: bytes, event: "bytes | bytearray | memoryview") -> int:
        ring = self._ring
        length = len(prefix) + len(event)
        data = memoryview(ring.frame)[RECORD_HEAD : RECORD_HEAD + length]
        data[: len(prefix)] = prefix
        data[len(prefix) :] = event
        number = ring.next
        ring.write(kind, number, length)
        ring.next = number + 1
        return number

    def _data(self) -> memoryview:
        ring = self._ring
        skip = RECORD_HEAD + (4 if ring.kind == LOST else 0)
        return memoryview(ring.frame)[skip : RECORD_HEAD + ring.length]

    def _remember(self, number: int, sector: int, offset: int, boot: int) -> None:
        # A new connection begins again behind the last ack, which is where one of the last messages ended: found here,
        # nothing has to be read through. A place of something acknowledged is never asked for again.
        self._places.append((number, sector, offset, boot))
        if len(self._places) > PLACES:
            del self._places[0]

    def _place_of(self, number: int) -> "tuple[int, int, int]":
        for at, sector, offset, boot in self._places:
            if at == number and boot:
                return sector, offset, boot
        sector = self._ring.sector_of(number)
        return sector, SECTOR_HEAD, self._ring.boot_of(sector)
