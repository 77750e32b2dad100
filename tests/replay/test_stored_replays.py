"""Journals of this and every earlier release are whole, and fold to the decisions that were made that night (law 4).

A folder per release, made once by make_journals.py. A release that decides otherwise must say so here, by name.
"""

import json
import tomllib
from pathlib import Path

import pytest

from sabot_gateway.journal.address import reader_at
from sabot_gateway.projections.alert_queue import Search, all_alerts, history_of
from sabot_gateway.projections.coups import coups
from sabot_gateway.projections.recall import recall
from sabot_gateway.projections.source import ReaderSource
from sabot_gateway.projections.store import Views
from sabot_tools.cli import main

HERE = Path(__file__).parent
STORED = sorted(HERE.glob("*/*.db"))
IDS = [f"{path.parent.name}-{path.stem}" for path in STORED]


def test_this_release_has_its_journals() -> None:
    version = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert {path.stem for path in (HERE / version).glob("*.db")} == {"stu", "tcf", "tcp", "the", "uth"}


@pytest.mark.parametrize("path", STORED, ids=IDS)
def test_a_stored_journal_is_whole(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(path), "--public-key", str(path.with_suffix(".pub")), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["whole"] is True


@pytest.mark.parametrize("path", STORED, ids=IDS)
def test_every_stored_decision_is_made_again(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["differences"] == []
    assert found["pending"] == 0
    assert found["decisions"] > 50


@pytest.mark.parametrize("path", STORED, ids=IDS)
def test_every_stored_coup_can_be_recalled(path: Path, tmp_path: Path) -> None:
    views = Views(tmp_path / "views.db")
    with reader_at(str(path)) as reader:
        source = ReaderSource(reader)
        views.catch_up(source)
        assert views.unreadable == 0
        with views.reading() as db:
            found = coups(db)
            assert found
            for coup in found:
                recalled = recall(source, coup)
                assert recalled.steps
                assert recalled.differs == ()
    views.close()


def test_the_stored_review_is_read(tmp_path: Path) -> None:
    views = Views(tmp_path / "views.db")
    with reader_at(str(HERE / "0.1.0" / "tcf.db")) as reader:
        views.catch_up(ReaderSource(reader))
    with views.reading() as db:
        (alert,) = all_alerts(db, Search(table="TCF2", code="OVERPAID"))
        assert alert.is_open
        assert (alert.assigned_to, alert.acknowledged_by, alert.escalated_to) == ("S2", "S2", "investigator")
        assert [line.kind for line in history_of(db, alert.id)] == [
            "assigned",
            "commented",
            "acknowledged",
            "escalated",
        ]
    views.close()
