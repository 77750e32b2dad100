"""The two shapes that the outbox writes to flash: the head of a sector and a record.

    sector head, 32 bytes   "SBO2", generation, boot, first number, acked, lost, mark, CRC-32
    record, 12 bytes + data kind, guard, length (2), number, CRC-32, data

Owns the layout and its checks. Integers are little-endian. The CRC of a record covers its head and data and
starts from the sector's generation, so bytes left by an earlier use of a sector can never pass for new.
Whatever a power cut leaves of a record, front to back or scattered, fails its CRC.
"""

import struct
from binascii import crc32

SECTOR_HEAD = 32
RECORD_HEAD = 12

EVENT = 1  # data = an event; number = its number
BOOT = 2  # number = the boot that begins here
ACK = 3  # number = acknowledged up to here
LOST = 4  # data = last lost number (4 bytes) + the event that says so; number = its number
MARK = 5  # number = what the application asked to keep over restarts

GUARD = 0x5A
_MAGIC = b"SBO2"
_SECTOR = "<4sIIIIII"
_RECORD = "<BBHI"


def pack_sector_head(
    buffer: bytearray, generation: int, boot: int, first: int, acked: int, lost: int, mark: int
) -> None:
    """Write a sector's head into the first 32 bytes of the buffer."""
    struct.pack_into(_SECTOR, buffer, 0, _MAGIC, generation, boot, first, acked, lost, mark)
    struct.pack_into("<I", buffer, 28, crc32(memoryview(buffer)[:28]))


def unpack_sector_head(buffer: bytearray) -> "tuple[int, int, int, int, int, int] | None":
    """(generation, boot, first number, acked, lost, mark) of a sector's head, or None when it is not whole."""
    magic, generation, boot, first, acked, lost, mark = struct.unpack_from(_SECTOR, buffer, 0)
    if magic != _MAGIC or struct.unpack_from("<I", buffer, 28)[0] != crc32(memoryview(buffer)[:28]):
        return None
    return generation, boot, first, acked, lost, mark


def pack_record(frame: bytearray, generation: int, kind: int, number: int, length: int) -> None:
    """Write the head of a record whose data already stand in frame[12:12 + length]."""
    struct.pack_into(_RECORD, frame, 0, kind, GUARD, length, number)
    struct.pack_into("<I", frame, 8, record_crc(frame, generation, length))


def record_crc(frame: bytearray, generation: int, length: int) -> int:
    """CRC-32 over the record's head and data, begun from the sector's generation."""
    view = memoryview(frame)
    return crc32(view[RECORD_HEAD : RECORD_HEAD + length], crc32(view[:8], generation))


def unpack_record_head(frame: bytearray) -> "tuple[int, int, int, int, int]":
    """(kind, guard, length, number, CRC-32) as they stand, unchecked."""
    kind, guard, length, number, crc = struct.unpack_from("<BBHII", frame, 0)
    return kind, guard, length, number, crc


def aligned(size: int) -> int:
    """The next multiple of four: where a record may begin."""
    return (size + 3) & ~3
