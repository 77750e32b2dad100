"""What the views ask of a journal: to be read. Any `Journal` will do, and so does a file that a gateway writes.

`Source` is the reading part of the port; `ReaderSource` gives it over a store's reader, without a writer or a key.
"""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol

from sabot_gateway.journal import browsing
from sabot_gateway.journal.record import Head, Record, Stream
from sabot_gateway.journal.snapshot import Snapshot
from sabot_gateway.journal.store import Reader


class Source(Protocol):
    def read(self, stream: Stream, after: int = 0) -> Iterator[Record]:
        """The records of a stream behind position `after`, in order."""

    def tail(self, after_id: int | None = None) -> Iterator[Record]:
        """The records of all streams behind `after_id` (None: all that are kept) in commit order."""

    def heads(self) -> Mapping[Stream, Head]:
        """Where each stream ends."""

    def snapshot(self, stream: Stream) -> Snapshot | None:
        """The stream's snapshot if there is one."""


class ReaderSource:
    """A journal that is only read, through one connection."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._lending = threading.Lock()

    def read(self, stream: Stream, after: int = 0) -> Iterator[Record]:
        return browsing.read(self._lend, stream, after)

    def tail(self, after_id: int | None = None) -> Iterator[Record]:
        return browsing.tail(self._lend, after_id)

    def heads(self) -> Mapping[Stream, Head]:
        with self._lend() as reader:
            return {Stream(end.name): Head(end.position, end.hash) for end in reader.ends()}

    def snapshot(self, stream: Stream) -> Snapshot | None:
        with self._lend() as reader:
            return browsing.snapshot(reader, stream)

    @contextmanager
    def _lend(self) -> Iterator[Reader]:
        with self._lending:
            yield self._reader
