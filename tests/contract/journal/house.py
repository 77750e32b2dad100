"""A place for one journal of one kind, and the entries that tests put into it."""

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path

from sabot_gateway.journal.port import Append, Journal, Receipt
from sabot_gateway.journal.postgres import open_postgres_journal
from sabot_gateway.journal.record import Entry, Kind, Owner, Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.journal.stored import StoredJournal
from services.postgres import Postgres

OWNER = Owner("gateway-1")
WAIT_S = 60  # generous: a loaded machine is slow, and the wait ends with the answer

_NUMBERS = itertools.count(1)


class House:
    """A place for one journal; `address` is what commands take."""

    def __init__(self, address: str, open_journal: Callable[[], StoredJournal]) -> None:
        self.address = address
        self._open = open_journal
        self._opened: list[StoredJournal] = []

    def open(self) -> StoredJournal:
        journal = self._open()
        as_port: Journal = journal  # the types must agree too, not only the behaviour
        self._opened.append(journal)
        assert as_port.fault is None
        return journal

    def close(self) -> None:
        for journal in self._opened:
            journal.close()


def sqlite_house(folder: Path) -> House:
    path = folder / "journal.db"
    # Small sections, so that a few dozen records cross several of them.
    return House(str(path), lambda: open_sqlite_journal(path, section_size=7))


def postgres_house(server: Postgres, folder: Path) -> House:
    schema = f"journal_{next(_NUMBERS)}"
    server.query(f"CREATE SCHEMA {schema}")
    place = f"{server.host}:{server.port}/{server.database}"
    address = f"postgresql://{server.user}@{place}?options=-csearch_path%3D{schema}"
    return House(address, lambda: open_postgres_journal(address, folder))


def facts(*bodies: bytes, at_ms: int = 1_700_000_000_000) -> list[Entry]:
    return [Entry(Kind.FACT, body, at_ms + n, at_ms + n - 5) for n, body in enumerate(bodies)]


def to(stream: str, entries: Sequence[Entry], fence: int = 1, owner: str = OWNER, after: int | None = None) -> Append:
    return Append(Stream(stream), Owner(owner), fence, entries, after)


def put(journal: StoredJournal, *appends: Append) -> tuple[Receipt, ...]:
    """Appends and waits until it is durable."""
    return journal.append(*appends).result(WAIT_S)


def fill(journal: StoredJournal, streams: int = 3, rounds: int = 12, at_ms: int = 1_700_000_000_000) -> None:
    """Some rounds of records, interleaved over some streams, each a little different."""
    for n in range(rounds):
        for table in range(streams):
            put(journal, to(f"table-{table}", facts(b"%d/%d" % (table, n), at_ms=at_ms + n)))
