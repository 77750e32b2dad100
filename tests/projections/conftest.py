"""Journals made of scripts, and views of them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.journal.stored import StoredJournal
from sabot_gateway.projections.store import Views
from sabot_tools.rounds.playing import Played, play
from sabot_tools.rounds.reading import script_from_file
from sabot_tools.rounds.recording import Recorder

ROUNDS = Path(__file__).parents[1] / "rounds"

Record = Callable[..., Played]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[StoredJournal]:
    with open_sqlite_journal(tmp_path / "journal.db") as opened:
        yield opened


@pytest.fixture
def record(journal: StoredJournal) -> Record:
    """Plays a script of tests/rounds as a table of the journal."""
    recorder = Recorder(journal)

    def recorded(script: str, table: str = "T1") -> Played:
        played = play(script_from_file(ROUNDS / f"{script}.round"))
        assert played.failure is None
        recorder.record(table, played)
        return played

    return recorded


@pytest.fixture
def views(tmp_path: Path) -> Iterator[Views]:
    opened = Views(tmp_path / "views.db")
    yield opened
    opened.close()
