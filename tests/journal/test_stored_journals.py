"""Journals that earlier versions wrote are still whole and readable, and go on. None is ever replaced, only added to.

Each file was made by the version that it names: three tables with ten facts each, one refusal, a checkpoint, snapshots,
retention of the first five rounds, a take-over, a decision, an operator's action and a second checkpoint.
"""

import shutil
from pathlib import Path

import pytest

from contract.journal.house import WAIT_S, facts, put, to
from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.migration import packaged_scripts
from sabot_gateway.journal.record import Kind, Stream
from sabot_gateway.journal.signing import load_public_key
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.journal.verification import verify

STORED = Path(__file__).with_name("stored")
VERSIONS = sorted(int(path.stem.rpartition("-")[2]) for path in STORED.glob("version-*.db"))


def test_there_is_one_of_every_version() -> None:
    assert [script.version for script in packaged_scripts("sqlite")] == VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
def test_a_stored_journal_is_whole_and_goes_on(version: int, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    shutil.copy(STORED / f"version-{version}.db", path)
    key = load_public_key(STORED / f"version-{version}.pub")
    with open_sqlite_journal(path) as journal:
        records = list(journal.read(Stream("table-1"), after=5))
        assert [record.body for record in records] == [b"1/%d" % n for n in range(5, 10)] + [b"decision", b"operator"]
        assert [record.kind for record in records][-2:] == [Kind.DECISION, Kind.OPERATOR]
        assert [(r.owner, r.fence) for r in journal.read(Stream("table-0"), after=9)] == [
            ("gateway-1", 1),
            ("gateway-2", 2),
        ]
        assert journal.quarantine_counts() == {"oversize": 1}
        snapshot = journal.snapshot(Stream("table-2"))
        assert snapshot is not None
        assert (snapshot.head.position, snapshot.body) == (10, b"state")
    with reader_at(str(path)) as reader:
        verdict = verify(reader, [key])
        assert verdict.findings == ()
        assert (verdict.first_id, verdict.last_id, verdict.checkpoints, verdict.signed_id) == (16, 34, 2, 34)
    with open_sqlite_journal(path) as journal:
        put(journal, to("table-1", facts(b"new"), after=12), to("table-4", facts(b"newer")))
        journal.sign_checkpoint(3000).result(WAIT_S)
    with reader_at(str(path)) as reader:
        assert verify(reader).findings == ()
