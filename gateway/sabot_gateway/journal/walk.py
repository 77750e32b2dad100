"""A walk over all kept records in commit order, each held against the chain of its stream.

Owns the check of one record after the other; verification and retention share it. Pages are read in transactions of
their own: a long-lived one would keep SQLite from reusing its log while a writer runs.
"""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from sabot_gateway.journal.chain import EMPTY, NO_TIME, NUMBERS, record_prefix
from sabot_gateway.journal.record import KINDS, Head, Stream
from sabot_gateway.journal.store import TAIL, Reader, Row

PAGE: Final = 2048  # records per read transaction: some milliseconds


@dataclass(frozen=True, slots=True)
class BrokenRecord(Exception):  # noqa: N818 - it is what the walk came upon, not a failure of the walk
    """The first record that is not what was written; `id` is the one expected."""

    code: str
    id: int
    stream: str
    position: int
    sentence: str


class Walk:
    """Starts behind `first_id - 1` with the heads that stood there."""

    def __init__(self, first_id: int, heads: Mapping[Stream, Head]) -> None:
        self.next_id = first_id
        self.heads = dict(heads)
        self._prefixes: dict[tuple[str, str, int], bytes] = {}

    def pages(self, reader: Reader, until_id: int) -> Iterator[list[Row]]:
        """Pages of rows as stored, unchecked, from `next_id` to `until_id`."""
        while self.next_id <= until_id:
            rows = reader.rows(TAIL, after=self.next_id - 1, until=until_id, limit=PAGE)
            if not rows:
                raise BrokenRecord("missing", self.next_id, "", 0, f"Record {self.next_id} is missing.")
            yield rows

    def check(self, row: Row) -> None:
        """Takes one row as the next record, or raises BrokenRecord and stays where it is."""
        number, stream, owner, fence, position, kind, device_ms, received_ms, body, digest = row
        if number != self.next_id:
            raise BrokenRecord("missing", self.next_id, "", 0, f"Record {self.next_id} is missing.")
        head = self.heads.get(stream, EMPTY)
        if position != head.position + 1:
            sentence = f"Record {number} stands at position {position} of {stream}, which ends at {head.position}."
            raise BrokenRecord("position", number, stream, head.position + 1, sentence)
        try:
            prefix = self._prefixes.get((stream, owner, fence))
            if prefix is None:
                prefix = self._prefixes[stream, owner, fence] = record_prefix(stream, owner, fence)
            numbers = NUMBERS.pack(number, position, kind, NO_TIME if device_ms is None else device_ms, received_ms)
            is_right = sha256(head.hash + prefix + numbers + body).digest() == digest and kind in KINDS
        except (struct.error, TypeError, ValueError):
            is_right = False  # a value of another type or range than any record can have
        if not is_right:
            sentence = f"Record {number} ({stream}, position {position}) is not the one that was written."
            raise BrokenRecord("hash", number, stream, position, sentence)
        self.heads[stream] = Head(position, digest)
        self.next_id = number + 1
