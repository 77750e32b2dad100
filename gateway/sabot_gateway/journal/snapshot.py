"""A table's state at one position of its stream, so that a restart need not fold the whole stream.

Owns the signed form. A snapshot is signed, because after retention it is all that is left of the removed past.
"""

import struct
from dataclasses import dataclass
from typing import Final

from sabot_gateway.journal.record import Head, Stream

_MAGIC: Final = b"sabot snapshot 1\n"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """`body` is the state after folding the stream up to `head`."""

    stream: Stream
    head: Head
    made_ms: int
    body: bytes


def bytes_from_snapshot(snapshot: Snapshot) -> bytes:
    """What is signed."""
    name = snapshot.stream.encode()
    numbers = struct.pack(">QqH", snapshot.head.position, snapshot.made_ms, len(name))
    return b"".join((_MAGIC, numbers, name, snapshot.head.hash, snapshot.body))
