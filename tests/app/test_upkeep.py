"""The journal's upkeep with a real journal: checkpoints only for news, copies that verify, removal by age."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sabot_gateway.data_folder import DataFolder, make_private
from sabot_gateway.errors import StartError
from sabot_gateway.journal.port import Append
from sabot_gateway.journal.record import Entry, Head, Kind, Owner, Stream
from sabot_gateway.journal.snapshot import Snapshot
from sabot_gateway.journal.sqlite import open_sqlite_journal, open_sqlite_reader
from sabot_gateway.journal.stored import StoredJournal
from sabot_gateway.journal.verification import verify
from sabot_gateway.settings.shape import StoreSettings
from sabot_gateway.upkeep import Upkeep

DAY_MS = 86_400_000
NOON_MS = 1_800_000_000_000  # 2027-01-15T08:00:00Z by GNU date


class HandClock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.ms = NOON_MS

    def now_ms(self) -> int:
        return self.ms

    def monotonic_ms(self) -> int:
        return self.ms


class Bench:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "journal.db"
        self.journal: StoredJournal = open_sqlite_journal(self.file)
        self.clock = HandClock()
        settings = StoreSettings(self.file, "", 30, 10, folder / "backup", 24, 2)
        self.upkeep = Upkeep(self.journal, str(self.file), settings, self.clock)

    def write(self, received_ms: int) -> Head:
        entry = Entry(Kind.FACT, b"fact", received_ms)
        (receipt,) = self.journal.append(Append(Stream("t1"), Owner("g"), 1, [entry])).result()
        return Head(receipt.position, receipt.hash)

    def checkpoints(self) -> int:
        reader = open_sqlite_reader(self.file)
        try:
            verdict = verify(reader)
        finally:
            reader.close()
        assert not verdict.findings
        return verdict.checkpoints

    def copies(self) -> list[str]:
        return sorted(path.name for path in (self.folder / "backup").iterdir())


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.journal.close()


def test_a_checkpoint_is_signed_for_news_only(bench: Bench) -> None:
    bench.write(NOON_MS)
    bench.upkeep.sign()
    bench.upkeep.sign()
    assert bench.checkpoints() == 1
    bench.write(NOON_MS)
    bench.upkeep.sign()
    assert bench.checkpoints() == 2


def test_stopping_signs_what_was_written_last(bench: Bench) -> None:
    bench.upkeep.start()
    bench.write(NOON_MS)
    bench.upkeep.stop()
    assert bench.checkpoints() == 1


def test_copies_are_made_when_due_and_the_oldest_goes(bench: Bench) -> None:
    bench.write(NOON_MS)
    bench.upkeep.copy()
    bench.upkeep.copy()
    assert bench.copies() == ["journal-20270115T080000Z.db"]
    for _ in range(2):
        bench.clock.ms += DAY_MS
        bench.upkeep.copy()
    assert bench.copies() == ["journal-20270116T080000Z.db", "journal-20270117T080000Z.db"]
    reader = open_sqlite_reader(bench.folder / "backup" / "journal-20270117T080000Z.db")
    try:
        verdict = verify(reader)
    finally:
        reader.close()
    assert (verdict.records, verdict.findings) == (1, ())


def test_records_past_their_time_are_removed(bench: Bench) -> None:
    head = bench.write(NOON_MS - 31 * DAY_MS)
    bench.journal.save_snapshots([Snapshot(Stream("t1"), head, NOON_MS, b"state")]).result()
    bench.write(NOON_MS)
    bench.upkeep.retain()
    assert [record.position for record in bench.journal.tail()] == [2]
    assert bench.checkpoints() == 0


def test_a_failed_copy_stops_nothing(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    (bench.folder / "backup").write_text("a file where the folder should be")
    bench.write(NOON_MS)
    bench.upkeep._do("copy", bench.upkeep.copy)
    assert "The journal's copy failed; it will be tried again" in caplog.text


def test_a_second_gateway_on_the_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    first = DataFolder(folder)
    with pytest.raises(StartError, match=r"^Another gateway runs on .*/data\.$"):
        DataFolder(folder)
    first.release()
    DataFolder(folder).release()


def test_a_folder_that_others_may_enter_keeps_no_keys(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    make_private(folder)
    folder.chmod(0o755)
    with pytest.raises(StartError, match=r"its mode must be 0700\.$"):
        DataFolder(folder)
