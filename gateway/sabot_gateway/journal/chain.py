"""The hash chain of a stream: hash = SHA-256(previous hash || record).

Owns the bytes of a record, version 1, big-endian:

    01 | u16 length, stream | u16 length, owner | u64 fence
       | u64 id | u64 position | u8 kind | i64 device_ms | i64 received_ms | body

Every stored column is in there, and lengths stand before what they measure, so no two different records have
the same bytes. A missing device time is the smallest i64. The first record follows 32 zero bytes; the stream's
name inside every record keeps chains of different streams apart. docs/journal.md shows an outsider's verifier.
"""

import struct
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from typing import Final

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import Head, Record

GENESIS: Final = bytes(32)
NO_TIME: Final = -(1 << 63)
EMPTY: Final = Head(0, GENESIS)

NUMBERS: Final = struct.Struct(">QQBqq")
_FORMAT: Final = b"\x01"


@lru_cache(maxsize=4096)  # of a thousand tables under a few owners
def record_prefix(stream: str, owner: str, fence: int) -> bytes:
    """The part of a record's bytes that stays the same while one owner writes one stream."""
    name, writer = stream.encode(), owner.encode()
    return b"".join(
        (_FORMAT, struct.pack(">H", len(name)), name, struct.pack(">H", len(writer)), writer, struct.pack(">Q", fence))
    )


def link(previous: bytes, record: Record) -> bytes:
    """The hash that `record` must carry after `previous`."""
    device_ms = NO_TIME if record.device_ms is None else record.device_ms
    numbers = NUMBERS.pack(record.id, record.position, record.kind, device_ms, record.received_ms)
    prefix = record_prefix(record.stream, record.owner, record.fence)
    return sha256(previous + prefix + numbers + record.body).digest()


def checked(records: Iterable[Record], head: Head) -> Iterator[Record]:
    """The records of one stream, each held against the chain that starts at `head`."""
    position, previous = head.position, head.hash
    for record in records:
        position += 1
        if record.position != position or link(previous, record) != record.hash:
            raise JournalError(ErrorCode.CORRUPT, f"Record {position} of {record.stream} breaks the chain.")
        previous = record.hash
        yield record
