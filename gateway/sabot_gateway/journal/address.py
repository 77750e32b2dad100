"""Where a journal is: a file, or a postgresql:// URL. Chooses the adapter for whoever only reads.

psycopg is an extra, so its adapter is imported only when an address asks for it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.sqlite import open_sqlite_reader
from sabot_gateway.journal.store import Reader

_SERVER: Final = ("postgresql://", "postgres://")


def is_server(address: str) -> bool:
    return address.startswith(_SERVER)


@contextmanager
def reader_at(address: str) -> Iterator[Reader]:
    """A read-only view on the journal at `address`, closed at the end."""
    if not is_server(address):
        file = open_sqlite_reader(Path(address))
        try:
            yield file
        finally:
            file.close()
        return
    try:
        from sabot_gateway.journal.postgres import open_postgres_reader
    except ModuleNotFoundError as error:
        detail = f"{error.name} is not installed; the extra `sabot[postgres]` has it."
        raise JournalError(ErrorCode.UNAVAILABLE, detail) from error
    server = open_postgres_reader(address)
    try:
        yield server
    finally:
        server.close()
