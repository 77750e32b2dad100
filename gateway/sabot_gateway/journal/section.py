"""Directories of sections: how one stream is found among all, without an index that every commit would scatter over.

Owns the bytes of a directory. A section is a run of SIZE ids; when it is full its directory is written once and never
changed. It lists every stream known by then: where the stream stood before the section, which of the section's records
are its own, and its last id so far. Finding a position is a binary search over directories.

    u32 count, then per stream in order of its number: u32 stream | u32 start | u32 own | u64 before | u64 last id
    then the offsets of the records within the section, u16 each, stream after stream; little-endian
"""

import struct
from array import array
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from sabot_gateway.journal.error import ErrorCode, JournalError

SIZE: Final = 16_384  # ids: some 60 KiB of directory for 1.8 MB of records; an unfinished section is scanned in 10 ms
LARGEST: Final = 1 << 16  # an offset has 16 bits
_MOST_ID: Final = (1 << 63) - 1  # of a database column
_ENTRY: Final = struct.Struct("<IIIQQ")
_COUNT: Final = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class Share:
    """One stream's share of a section."""

    stream: int
    before: int
    last_id: int
    offsets: tuple[int, ...]

    @property
    def end(self) -> int:
        """The stream's position after the section."""
        return self.before + len(self.offsets)


class SectionBuilder:
    """Gathers the section that is being written."""

    def __init__(self, size: int, ends: Iterable[tuple[int, int, int]]) -> None:
        """`ends` says per stream where it stood before this section: (stream, position, last id)."""
        self._size = size
        self._before: dict[int, int] = {}
        self._last_ids: dict[int, int] = {}
        self._offsets: dict[int, list[int]] = {}
        for stream, position, last_id in ends:
            self._before[stream], self._last_ids[stream] = position, last_id

    def add(self, rows: Iterable[tuple[int, int, int]]) -> list[tuple[int, bytes]]:
        """Takes (id, stream, position) in order; returns the sections that became full, as (number, directory)."""
        full = []
        for number, stream, position in rows:
            offset = (number - 1) % self._size
            own = self._offsets.get(stream)
            if own is None:
                self._offsets[stream] = [offset]
                self._before[stream] = position - 1
            else:
                own.append(offset)
            self._last_ids[stream] = number
            if offset == self._size - 1:
                full.append(((number - 1) // self._size, self._close()))
        return full

    def _close(self) -> bytes:
        entries, offsets = [], array("H")
        for stream, before in sorted(self._before.items()):
            own = self._offsets.get(stream, [])
            entries.append(_ENTRY.pack(stream, len(offsets), len(own), before, self._last_ids.get(stream, 0)))
            offsets.extend(own)
            self._before[stream] = before + len(own)
        self._offsets = {}
        return b"".join((_COUNT.pack(len(entries)), *entries, _little_endian(offsets)))


class Directory:
    """A full section's directory, read in place."""

    def __init__(self, data: bytes) -> None:
        try:
            (self._count,) = _COUNT.unpack_from(data)
        except struct.error:
            raise JournalError(ErrorCode.CORRUPT, "A section's directory cannot be read.") from None
        self._data = data
        self._offsets_at = _COUNT.size + self._count * _ENTRY.size

    def share(self, stream: int) -> Share | None:
        """The stream's share; None for a stream that came later."""
        at = bisect_left(range(self._count), stream, key=lambda index: self._entry(index)[0])
        return self._share(at) if at < self._count and self._entry(at)[0] == stream else None

    def shares(self) -> list[Share]:
        found = [self._share(index) for index in range(self._count)]
        if len(self._data) != self._offsets_at + 2 * sum(len(share.offsets) for share in found):
            raise JournalError(ErrorCode.CORRUPT, "A section's directory has another length than its content.")
        return found

    def _entry(self, index: int) -> tuple[int, int, int, int, int]:
        try:
            stream, start, own, before, last_id = _ENTRY.unpack_from(self._data, _COUNT.size + index * _ENTRY.size)
        except struct.error:
            raise JournalError(ErrorCode.CORRUPT, "A section's directory ends too early.") from None
        if before > _MOST_ID or last_id > _MOST_ID:
            raise JournalError(ErrorCode.CORRUPT, "A section's directory names a record that no journal can hold.")
        return stream, start, own, before, last_id

    def _share(self, index: int) -> Share:
        stream, start, own, before, last_id = self._entry(index)
        begin = self._offsets_at + 2 * start
        raw = self._data[begin : begin + 2 * own]
        if len(raw) != 2 * own:
            raise JournalError(ErrorCode.CORRUPT, "A section's directory ends too early.")
        return Share(stream, before, last_id, struct.unpack(f"<{own}H", raw))


def _little_endian(offsets: "array[int]") -> bytes:
    return struct.pack(f"<{len(offsets)}H", *offsets)
