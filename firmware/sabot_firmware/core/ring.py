"""Sectors of flash used as a ring: where the outbox's records lie, through power cuts and wear.

Owns the order of sectors, the place where the next record goes, and recovery. Knows nothing of messages.
Sectors are used strictly in turn, so they wear evenly. At rest one sector ahead of the head holds no record
that is still needed: it is erased, or may be. Invariants, each proven by cutting power at every step:
  - A record counts when it is whole (CRC) and was read back; until then its number has not been given away.
  - A sector's head carries what outlives sectors (boot, next number, acked, lost, mark). It is written before the
    sector that it makes superfluous is erased, so a half-erased sector is recognised and erased again.
  - After a torn record writing goes on behind the last programmed byte; reading looks for the next whole one.
When the ring is full the oldest sector goes, never the newest: the gateway must learn what is on the table now,
and a tale with a named hole at its start can be put into review; one that stops in mid-coup cannot.
Limits: at least three sectors; one of them is always spare.
"""

from sabot_firmware.core.record import (
    ACK,
    BOOT,
    GUARD,
    LOST,
    MARK,
    RECORD_HEAD,
    SECTOR_HEAD,
    aligned,
    pack_record,
    pack_sector_head,
    record_crc,
    unpack_record_head,
    unpack_sector_head,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Store(Protocol):
        sector_size: int
        sector_count: int

        def read_into(self, offset: int, buffer: "bytearray | memoryview") -> None: ...
        def program(self, offset: int, data: "bytes | bytearray | memoryview") -> None: ...
        def erase(self, sector: int) -> None: ...


# Room that a fresh sector keeps for the report of a loss: 12 + 4 + an event of at most 32 bytes.
LOSS_ROOM = 48

# Flash is looked through in blocks of this size.
_BLOCK = 64
_BLANK = b"\xff" * _BLOCK

# A record that does not read back is written again behind; a sector that fails this often is left.
_TRIES = 3


class OutboxError(Exception):
    """The outbox cannot keep what it was given; `code` is too_small, too_long or worn."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Ring:
    """Writes and finds records; `marks` of the newest sector head live on as attributes."""

    def __init__(self, store: "Store", max_data: int) -> None:
        if store.sector_count < 3 or store.sector_size < SECTOR_HEAD + LOSS_ROOM + RECORD_HEAD + 4:
            raise OutboxError("too_small")
        self._store = store
        self._size = store.sector_size
        self._count = store.sector_count
        room = self._size - SECTOR_HEAD - LOSS_ROOM - RECORD_HEAD
        self.max_data = max_data if max_data < room else room
        self.frame = bytearray(RECORD_HEAD + self.max_data + 4)
        self._view = memoryview(self.frame)
        self._block = bytearray(_BLOCK)
        self._generations = [0] * self._count
        self.firsts = [0] * self._count
        self.boot = 0
        self.next = 1
        self.acked = 0
        self.lost = 0
        self.mark = 0
        self.head = 0
        self.end = 0
        self._is_spare_ready = False
        self._find_head()

    # The record that read() found last; its data stand in frame[12:12 + length].
    kind = 0
    number = 0
    length = 0

    def read(self, sector: int, offset: int) -> int:
        """Read the first whole record at or behind `offset`; its end, or 0 when there is none."""
        limit = self.end if sector == self.head else self._size
        while offset + RECORD_HEAD <= limit:
            self._store.read_into(sector * self._size + offset, self._view[:RECORD_HEAD])
            kind, guard, length, number, crc = unpack_record_head(self.frame)
            if guard == GUARD and length <= len(self.frame) - RECORD_HEAD and offset + RECORD_HEAD + length <= limit:
                at = sector * self._size + offset + RECORD_HEAD
                self._store.read_into(at, self._view[RECORD_HEAD : RECORD_HEAD + length])
                if record_crc(self.frame, self._generations[sector], length) == crc:
                    self.kind, self.number, self.length = kind, number, length
                    return aligned(offset + RECORD_HEAD + length)
            # Torn or blank: a torn record may begin with any number of untouched bytes, a whole one never does.
            offset = self._written(sector, offset + 4, limit) if kind == 0xFF else offset + 4
        return 0

    def has_room(self, length: int) -> bool:
        """Say whether a record of this length fits the newest sector."""
        return self.end + aligned(RECORD_HEAD + length) <= self._size

    def write(self, kind: int, number: int, length: int) -> None:
        """Store a record whose data stand in frame[12:], in the newest sector; it must have room."""
        pack_record(self.frame, self._generations[self.head], kind, number, length)
        whole = RECORD_HEAD + length
        for _ in range(_TRIES):
            if not self.has_room(length):
                break
            at = self.head * self._size + self.end
            self._store.program(at, self._view[:whole])
            self.end += aligned(whole)
            if self._reads_back(at, whole):
                return
        raise OutboxError("worn")

    def advance(self) -> None:
        """Begin the next sector. The one ahead of it goes if it is still full: the ring keeps the newest."""
        self.make_spare()
        sector = (self.head + 1) % self._count
        generation = self._generations[self.head] + 1
        self._begin(sector, generation)
        ahead = (sector + 1) % self._count
        if self._generations[ahead] and self.last_of(ahead) > self.acked:
            self.make_spare()

    def make_spare(self) -> bool:
        """Erase the sector ahead of the head unless it is blank; True when that took an erase."""
        if self._is_spare_ready:
            return False
        ahead = (self.head + 1) % self._count
        self._generations[ahead] = 0
        is_erased = not self._is_blank(ahead)
        if is_erased:
            self._store.erase(ahead)
        self._is_spare_ready = True
        return is_erased

    @property
    def needs_erase(self) -> bool:
        """Say whether the next sector still waits for its erase."""
        return not self._is_spare_ready

    def oldest(self) -> int:
        """The sector that holds the oldest records."""
        sector = (self.head + 1) % self._count
        while not self._generations[sector]:
            sector = (sector + 1) % self._count
        return sector

    def after(self, sector: int) -> int:
        """The sector with the records that follow; the head follows itself."""
        while sector != self.head:
            sector = (sector + 1) % self._count
            if self._generations[sector]:
                break
        return sector

    def sector_of(self, number: int) -> int:
        """The newest sector that begins at or before this number, else the oldest."""
        sector = self.oldest()
        while sector != self.head:
            following = self.after(sector)
            if self.firsts[following] > number:
                break
            sector = following
        return sector

    def boot_of(self, sector: int) -> int:
        """The boot in which a sector was begun."""
        marks = self._marks(sector)
        return marks[1] if marks else 0

    @property
    def capacity(self) -> int:
        """Bytes that can wait before the oldest go; one sector is always spare."""
        return (self._count - 1) * self._size

    def used_bytes(self) -> int:
        """Flash between the oldest number not yet acknowledged and the place of the next record."""
        floor = self.acked if self.acked > self.lost else self.lost
        if floor + 1 >= self.next:
            return 0
        return (self.head - self.sector_of(floor + 1)) % self._count * self._size + self.end

    def _begin(self, sector: int, generation: int) -> None:
        pack_sector_head(self._block, generation, self.boot, self.next, self.acked, self.lost, self.mark)
        at = sector * self._size
        self._store.program(at, memoryview(self._block)[:SECTOR_HEAD])
        self._is_spare_ready = False
        if self._marks(sector) is None:
            raise OutboxError("worn")
        self._generations[sector] = generation
        self.firsts[sector] = self.next
        self.head = sector
        self.end = SECTOR_HEAD

    def last_of(self, sector: int) -> int:
        """The number of the last event in a sector."""
        return self.firsts[self.after(sector)] - 1 if sector != self.head else self.next - 1

    def _find_head(self) -> None:
        newest = 0
        for sector in range(self._count):
            marks = self._marks(sector)
            if marks:
                self._generations[sector], self.firsts[sector] = marks[0], marks[2]
                if marks[0] > newest:
                    newest, self.head = marks[0], sector
        if not newest:
            self.head = self._count - 1  # so that the first sector of all is sector 0
            self.make_spare()
            self._begin(0, 1)
            return
        for sector in range(self._count):
            # In turn: a sector's generation follows from its distance to the head. Another one is stale.
            if self._generations[sector] != newest - (self.head - sector) % self._count:
                self._generations[sector] = 0
        self._recover_head()
        self._heed_headless(newest + 1)

    def _recover_head(self) -> None:
        marks = self._marks(self.head)
        assert marks is not None, "the head was read a moment ago"
        _, self.boot, self.next, self.acked, self.lost, self.mark = marks
        self.end = self._size
        dirty = self._behind_last_byte()
        offset = end = SECTOR_HEAD
        while offset and offset < dirty:
            end = offset
            offset = self.read(self.head, offset)
            if offset:
                end = offset
                self._recover_record()
        self.end = end if end > dirty else dirty

    def _heed_headless(self, generation: int) -> None:
        # The newest sector may have lost its head to age. Its events are gone, its numbers must not come again.
        sector = (self.head + 1) % self._count
        if self._generations[sector]:
            return
        if self._is_blank(sector):
            self._is_spare_ready = True
            return
        self._generations[sector] = generation
        offset = self.read(sector, SECTOR_HEAD)
        while offset:
            self._recover_record()
            offset = self.read(sector, offset)
        self._generations[sector] = 0

    def _recover_record(self) -> None:
        if self.kind == BOOT:
            self.boot = self.number
        elif self.kind == ACK:
            self.acked = self.number
        elif self.kind == MARK:
            self.mark = self.number
        else:
            self.next = self.number + 1
        if self.kind == LOST:
            self.lost = int.from_bytes(self.frame[RECORD_HEAD : RECORD_HEAD + 4], "little")

    def _behind_last_byte(self) -> int:
        # A torn record may have left programmed bytes behind the last whole one.
        base = self.head * self._size
        offset = self._size
        while offset > SECTOR_HEAD:
            size = min(len(self._block), offset - SECTOR_HEAD)
            part = memoryview(self._block)[:size]
            self._store.read_into(base + offset - size, part)
            for at in range(size - 1, -1, -1):
                if part[at] != 0xFF:
                    return aligned(offset - size + at + 1)
            offset -= size
        return SECTOR_HEAD

    def _written(self, sector: int, offset: int, limit: int) -> int:
        # The word at or behind `offset` that holds a programmed byte, else `limit`; a block at a time, since the blank
        # end of a sector may be 900 bytes long and the loop waits.
        while offset < limit:
            size = min(len(self._block), limit - offset)
            part = memoryview(self._block)[:size]
            self._store.read_into(sector * self._size + offset, part)
            for at in range(0 if part != _BLANK[:size] else size, size):
                if part[at] != 0xFF:
                    return offset + at & ~3
            offset += size
        return limit

    def _is_blank(self, sector: int) -> bool:
        for offset in range(0, self._size, len(self._block)):
            size = min(len(self._block), self._size - offset)
            part = memoryview(self._block)[:size]
            self._store.read_into(sector * self._size + offset, part)
            if part != _BLANK[:size]:
                return False
        return True

    def _reads_back(self, at: int, size: int) -> bool:
        for offset in range(0, size, len(self._block)):
            length = min(len(self._block), size - offset)
            part = memoryview(self._block)[:length]
            self._store.read_into(at + offset, part)
            if part != self._view[offset : offset + length]:
                return False
        return True

    def _marks(self, sector: int) -> "tuple[int, int, int, int, int, int] | None":
        self._store.read_into(sector * self._size, memoryview(self._block)[:SECTOR_HEAD])
        return unpack_sector_head(self._block)
