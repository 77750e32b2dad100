"""A real journal in a temporary folder behind a gate, for every test of the runtime."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from runtime.gated_journal import GatedJournal
from sabot_gateway.journal.sqlite import open_sqlite_journal


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[GatedJournal]:
    journal = GatedJournal(open_sqlite_journal(tmp_path / "journal.db"))
    yield journal
    journal.close()
