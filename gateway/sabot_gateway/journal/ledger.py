"""The writer's page: who owns each stream, where it ends, and the rows that the open transaction will add.

Owns admission: fence, expected position, ids, positions and hashes. Used by the writer thread inside a transaction.
What it remembers between transactions is true for a store that nobody else writes; in a shared one a stream's
memory counts only while its tenure is still the present one, because nobody else can have appended since.
"""

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from sabot_gateway.journal.chain import GENESIS, NO_TIME, NUMBERS, record_prefix
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.port import Append, Receipt
from sabot_gateway.journal.record import KINDS, MAX_BODY, MAX_INTEGER, Head, Stream, is_name
from sabot_gateway.journal.store import End, RecordRow, Store, Tenure


@dataclass(slots=True)
class _Page:
    """One stream as the writer knows it."""

    stream: int
    tenure: int
    owner: str
    fence: int
    prefix: bytes
    position: int
    hash: bytes


class Ledger:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._pages: dict[str, _Page] = {}
        self._is_loaded = False
        self._last_id = 0
        self._rows: list[RecordRow] = []

    def open(self, last_id: int, names: Iterable[str]) -> None:
        """Called at the start of a transaction with the streams it will touch."""
        self._last_id = last_id
        self._rows = []
        if self._store.is_shared:
            self._refresh(set(names))
        elif not self._is_loaded:
            self._load(self._store.ends())
            self._is_loaded = True

    def forget(self) -> None:
        """Called after a rollback: nothing remembered can be trusted."""
        self._pages.clear()
        self._is_loaded = False
        self._rows = []

    def admit(self, appends: Sequence[Append]) -> tuple[Receipt, ...]:
        """Adds all the appends or, with a refusal, none."""
        if len(appends) > 1 and len({append.stream for append in appends}) != len(appends):
            raise JournalError(ErrorCode.INVALID, "Two appends to one stream stand in one request.")
        rows: list[RecordRow] = []
        novelties: _Novelties | None = None
        pages = []
        for append in appends:
            page = self._pages.get(append.stream)
            _refuse_stale(append, page)
            if page is None or page.fence != append.fence:
                novelties = novelties or _Novelties(self._store)
                page = novelties.page(append, page)
            pages.append(page)
        ends = [self._link(append, page, rows) for append, page in zip(appends, pages, strict=True)]
        if novelties:
            novelties.write()
        for page, end in zip(pages, ends, strict=True):
            page.position, page.hash = end.position, end.hash
            self._pages[end.stream] = page
        self._rows += rows
        return tuple(ends)

    def flush(self) -> None:
        """Hands the admitted rows to the store."""
        if not self._rows:
            return
        self._store.insert_records(self._rows)
        self._last_id = self._rows[-1][0]
        self._store.run("UPDATE clock SET last_id = :last_id", last_id=self._last_id)
        self._rows = []

    @property
    def last_id(self) -> int:
        return self._last_id

    def end(self, name: Stream) -> tuple[int, Head] | None:
        """A stream's number, and a place of its chain that is remembered, mostly its end; None for one not written."""
        page = self._pages.get(name)
        return None if page is None else (page.stream, Head(page.position, page.hash))

    def heads(self) -> dict[Stream, Head]:
        """The heads of all streams, after a flush."""
        if self._store.is_shared:
            return {Stream(end.name): Head(end.position, end.hash) for end in self._store.ends()}
        return {Stream(name): Head(page.position, page.hash) for name, page in self._pages.items()}

    def _link(self, append: Append, page: _Page, rows: list[RecordRow]) -> Receipt:
        number, position, digest = self._last_id + len(self._rows) + len(rows), page.position, page.hash
        stream, tenure, prefix, pack = page.stream, page.tenure, page.prefix, NUMBERS.pack
        for kind, body, received_ms, device_ms in append.entries:
            number += 1
            position += 1
            if kind not in KINDS or type(body) is not bytes or len(body) > MAX_BODY:
                raise JournalError(ErrorCode.INVALID, f"An entry for {append.stream} has no kind or no proper body.")
            try:
                numbers = pack(number, position, kind, NO_TIME if device_ms is None else device_ms, received_ms)
            except struct.error:
                raise JournalError(ErrorCode.INVALID, f"A time for {append.stream} is no 64-bit integer.") from None
            digest = sha256(digest + prefix + numbers + body).digest()
            rows.append((number, stream, tenure, position, kind, device_ms, received_ms, body, digest))
        return Receipt(append.stream, position, number, digest)

    def _refresh(self, names: set[str]) -> None:
        known = {name: self._pages[name] for name in names if name in self._pages}
        present = {tenure.stream: tenure.id for tenure in self._store.tenures([page.stream for page in known.values()])}
        for name, page in known.items():
            if present.get(page.stream) != page.tenure:
                del self._pages[name]
        unknown = [name for name in names if name not in self._pages]
        if unknown:
            self._load(self._store.ends(unknown))

    def _load(self, ends: Sequence[End]) -> None:
        tenures = {tenure.stream: tenure for tenure in self._store.tenures([end.stream for end in ends])}
        for end in ends:
            if end.stream not in tenures:
                raise JournalError(ErrorCode.CORRUPT, f"Nobody ever owned {end.name}.")
            self._pages[end.name] = _page(tenures[end.stream], end)


def _refuse_stale(append: Append, page: _Page | None) -> None:
    """Refuses an append that is malformed, fenced off or wrong about the stream's end."""
    if page is None or append.fence != page.fence or append.owner != page.owner:
        if not (is_name(append.stream) and is_name(append.owner)):
            raise JournalError(ErrorCode.INVALID, "An append names a stream and an owner.")
        if not 0 <= append.fence <= MAX_INTEGER:
            raise JournalError(ErrorCode.INVALID, "A fencing number is a signed 64-bit integer and not negative.")
        if page and append.fence <= page.fence:
            detail = f"{append.stream} belongs to {page.owner} with fence {page.fence}."
            raise JournalError(ErrorCode.FENCED, detail)
    if not append.entries:
        raise JournalError(ErrorCode.INVALID, f"An append to {append.stream} has no entries.")
    position = page.position if page else 0
    if append.after is not None and append.after != position:
        raise JournalError(ErrorCode.MOVED, f"{append.stream} ends at {position}, not {append.after}.")


class _Novelties:
    """New streams and tenures of one request, written only once nothing in it can be refused any more."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._streams: list[dict[str, object]] = []
        self._tenures: list[dict[str, object]] = []

    def page(self, append: Append, page: _Page | None) -> _Page:
        """The stream's page under the append's fence."""
        if page is None:
            end = End(self._stream(append.stream), append.stream, 0, GENESIS)
        else:
            end = End(page.stream, append.stream, page.position, page.hash)
        number = self._next_id("tenure", len(self._tenures))
        tenure = Tenure(end.stream, number, append.owner, append.fence)
        self._tenures.append(tenure._asdict())
        return _page(tenure, end)

    def _stream(self, name: str) -> int:
        number = self._next_id("stream", len(self._streams))
        self._streams.append({"id": number, "name": name, "hash": GENESIS})
        return number

    def write(self) -> None:
        if self._streams:
            self._store.run_many(_NEW_STREAM, self._streams)
        if self._tenures:
            self._store.run_many(_NEW_TENURE, self._tenures)

    def _next_id(self, table: str, pending: int) -> int:
        # Inside the write lock, so no two writers can read the same maximum.
        greatest: int = self._store.rows(f"SELECT COALESCE(MAX(id), 0) FROM {table}")[0][0]  # noqa: S608 - our names
        return greatest + pending + 1


_NEW_STREAM: Final = "INSERT INTO stream (id, name, base_position, base_hash) VALUES (:id, :name, 0, :hash)"
_NEW_TENURE: Final = "INSERT INTO tenure (id, stream, owner, fence) VALUES (:id, :stream, :owner, :fence)"


def _page(tenure: Tenure, end: End) -> _Page:
    prefix = record_prefix(end.name, tenure.owner, tenure.fence)
    return _Page(end.stream, tenure.id, tenure.owner, tenure.fence, prefix, end.position, end.hash)
