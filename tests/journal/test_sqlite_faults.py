"""A disk that is full, read-only, torn or damaged: the journal says so, loses nothing acknowledged, and recovers."""

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import ROOT
from contract.journal.house import WAIT_S, facts, fill, put, to
from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import Entry, Kind, Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal, open_sqlite_reader
from sabot_gateway.journal.stored import StoredJournal
from sabot_gateway.journal.verification import verify

T = Stream("table-1")
BIG = [Entry(Kind.FACT, bytes(50_000), 1_700_000_000_000)]


def findings(path: Path) -> list[str]:
    with reader_at(str(path)) as reader:
        return [finding.code for finding in verify(reader).findings]


def write_until_refused(journal: StoredJournal) -> tuple[int, JournalError]:
    """The last position that was acknowledged, and why the next one was not."""
    position = 0
    while True:
        try:
            position = put(journal, to(T, BIG, after=position))[0].position
        except JournalError as error:
            return position, error
        assert position < 2000, "the disk never filled up"


class SmallDisk:
    """Four megabytes: a file system of their own for root, a limit on the size of files for everybody else."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
        self._is_mounted = os.geteuid() == 0 and subprocess.run(command, check=False).returncode == 0
        self._limit = resource.getrlimit(resource.RLIMIT_FSIZE)
        if not self._is_mounted:
            self._signal = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 20, self._limit[1]))

    def make_room(self) -> None:
        if self._is_mounted:
            subprocess.run(["mount", "-o", "remount,size=16m", str(self.folder)], check=True)
        else:
            resource.setrlimit(resource.RLIMIT_FSIZE, self._limit)

    def close(self) -> None:
        if self._is_mounted:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=True)
        else:
            resource.setrlimit(resource.RLIMIT_FSIZE, self._limit)
            signal.signal(signal.SIGXFSZ, self._signal)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    disk = SmallDisk(tmp_path / "disk")
    yield disk
    disk.close()


def test_a_full_disk_is_reported_and_nothing_acknowledged_is_lost(small_disk: SmallDisk) -> None:
    path = small_disk.folder / "journal.db"
    with open_sqlite_journal(path) as journal:
        position, error = write_until_refused(journal)
        assert error.code in (ErrorCode.FULL, ErrorCode.UNAVAILABLE)
        assert journal.fault is error
        assert position > 5
        assert [record.position for record in journal.read(T)] == list(range(1, position + 1))
        small_disk.make_room()
        journal.probe().result(WAIT_S)
        assert journal.fault is None
        assert put(journal, to(T, facts(b"again"), after=position))[0].position == position + 1
    assert findings(path) == []


def test_a_full_disk_stays_a_fault_until_there_is_room(small_disk: SmallDisk) -> None:
    with open_sqlite_journal(small_disk.folder / "journal.db") as journal:
        position, _ = write_until_refused(journal)
        for _ in range(3):
            with pytest.raises(JournalError):
                put(journal, to(T, BIG, after=position))
            assert journal.fault is not None
        assert journal.heads()[T].position == position


def test_a_limit_on_the_size_of_files_is_a_fault_and_not_the_end(tmp_path: Path) -> None:
    """What a quota does to a process: writes fail, and go on once it is lifted."""
    script = f"""
import resource, signal, sys
from pathlib import Path
sys.path[:0] = {[str(ROOT / "gateway"), str(ROOT / "protocol"), str(ROOT / "tests")]!r}
from contract.journal.house import put, to
from journal.test_sqlite_faults import BIG, T, write_until_refused
from sabot_gateway.journal.sqlite import open_sqlite_journal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
journal = open_sqlite_journal(Path({str(tmp_path / "journal.db")!r}))
limit = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 20, limit[1]))
position, error = write_until_refused(journal)
resource.setrlimit(resource.RLIMIT_FSIZE, limit)
(receipt,) = put(journal, to(T, BIG, after=position))
journal.close()
print(error.code, receipt.position - position, journal.fault)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=WAIT_S, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] in ("full", "unavailable")
    assert done.stdout.split()[1:] == ["1", "None"]
    assert findings(tmp_path / "journal.db") == []


@pytest.fixture
def turn_read_only(tmp_path: Path) -> Iterator[Callable[[Path, bool], None]]:
    """Makes a journal's file read-only and back: by a remount for root, whom no file mode stops, else by its mode."""
    folder = tmp_path / "medium"
    folder.mkdir()
    is_mounted = os.geteuid() == 0 and not subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder]).returncode

    def turn(path: Path, is_read_only: bool) -> None:
        if is_mounted:
            subprocess.run(["mount", "-o", f"remount,{'ro' if is_read_only else 'rw'}", path.parent], check=True)
            return
        for each in [*path.parent.iterdir(), path.parent]:
            each.chmod((0o400 if is_read_only else 0o600) | (0o100 if each.is_dir() else 0))

    yield turn
    if is_mounted:
        subprocess.run(["umount", "--lazy", folder], check=True)


def test_a_read_only_disk_is_refused_at_start_and_can_still_be_verified(
    tmp_path: Path, turn_read_only: Callable[[Path, bool], None]
) -> None:
    path = tmp_path / "medium" / "journal.db"
    with open_sqlite_journal(path) as journal:
        fill(journal)
    turn_read_only(path, True)
    with pytest.raises(JournalError) as caught:
        open_sqlite_journal(path)
    assert caught.value.code is ErrorCode.READ_ONLY
    assert findings(path) == []
    turn_read_only(path, False)
    with open_sqlite_journal(path) as journal:
        fill(journal)
    assert findings(path) == []


def live_copy(path: Path, target: Path) -> Path:
    """The files of an open journal as a power cut would leave them."""
    target.mkdir()
    for ending in ("", "-wal"):
        shutil.copy(path.with_name(path.name + ending), target)
    return target / path.name


@pytest.mark.parametrize("torn", [1, 23, 24, 100, 4095, 4096, 4119, 4120, 9000])
def test_a_torn_write_costs_only_what_was_never_acknowledged(tmp_path: Path, torn: int) -> None:
    path = tmp_path / "journal.db"
    with open_sqlite_journal(path) as journal:
        fill(journal, streams=2, rounds=10)
        acknowledged = dict(journal.heads())
        length = path.with_name("journal.db-wal").stat().st_size
        put(journal, to("table-0", facts(*(bytes([n]) * 900 for n in range(20)))))
        copy = live_copy(path, tmp_path / "copy")
    wal = copy.with_name("journal.db-wal")
    assert wal.stat().st_size > length + torn, "the last append must reach beyond the cut"
    os.truncate(wal, length + torn)
    assert findings(copy) == []
    with open_sqlite_journal(copy) as journal:
        assert journal.heads() == acknowledged
        fill(journal, streams=2, rounds=3)
    assert findings(copy) == []


def test_rubbish_behind_the_log_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with open_sqlite_journal(path) as journal:
        fill(journal)
        acknowledged = dict(journal.heads())
        copy = live_copy(path, tmp_path / "copy")
    with copy.with_name("journal.db-wal").open("ab") as wal:
        wal.write(os.urandom(3 * 4120))
    with open_sqlite_journal(copy) as journal:
        assert journal.heads() == acknowledged


def pages_of(path: Path, table: str) -> list[int]:
    """The numbers of the pages that hold a table, from SQLite's own list where built in, else by their content."""
    connection = sqlite3.connect(path)
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    root = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", [table]).fetchone()[0]
    connection.close()
    data = path.read_bytes()
    page = data[(root - 1) * size : root * size]
    if page[0] == 0x0D:  # a leaf: the table is this one page
        return [root]
    count = int.from_bytes(page[3:5], "big")
    cells = [int.from_bytes(page[12 + 2 * n : 14 + 2 * n], "big") for n in range(count)]
    return [root, *(int.from_bytes(page[cell : cell + 4], "big") for cell in cells)]


@pytest.mark.parametrize("which", [0, 1, -1])
def test_a_damaged_page_is_reported_and_never_passes_for_records(tmp_path: Path, which: int) -> None:
    path = tmp_path / "journal.db"
    with open_sqlite_journal(path, section_size=50) as journal:
        for n in range(300):
            put(journal, to(T, facts(b"%d" % n * 30)))
    number = pages_of(path, "record")[which]
    with path.open("r+b") as file:
        file.seek((number - 1) * 4096)
        file.write(b"\xa5" * 4096)
    assert is_damage_seen(path)


def is_damage_seen(path: Path) -> bool:
    """By SQLite, which then gives nothing out, or by the walk."""
    try:
        return bool(findings(path))
    except JournalError as error:
        return error.code is ErrorCode.CORRUPT


def test_a_journal_with_a_damaged_head_does_not_start_and_one_that_is_restored_does(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with open_sqlite_journal(path) as journal:
        fill(journal)
    good = path.read_bytes()
    path.write_bytes(good[:16] + b"\xff" * 84 + good[100:])
    with pytest.raises(JournalError) as caught:
        open_sqlite_journal(path)
    assert caught.value.code in (ErrorCode.NOT_A_JOURNAL, ErrorCode.CORRUPT)
    path.write_bytes(good)
    with open_sqlite_journal(path) as journal:
        fill(journal)


def test_damage_under_a_running_writer_stops_the_acks_and_restoring_it_starts_them_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with open_sqlite_journal(path) as journal:
        fill(journal)
    with open_sqlite_journal(path) as journal:
        good = path.read_bytes()
        with path.open("r+b") as file:
            for number in range(1, len(good) // 4096):
                file.seek(number * 4096)
                file.write(b"\xa5" * 4096)
        with pytest.raises(JournalError) as caught:
            put(journal, to("table-0", facts(b"a")))
        assert caught.value.code is ErrorCode.CORRUPT
        assert journal.fault is caught.value
        path.write_bytes(good)
        put(journal, to("table-0", facts(b"a")))
        assert journal.fault is None
    assert findings(path) == []


def test_a_second_writer_is_kept_out(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with open_sqlite_journal(path):
        with pytest.raises(JournalError) as caught:
            open_sqlite_journal(path)
        assert caught.value.code is ErrorCode.LOCKED
    open_sqlite_journal(path).close()


@pytest.mark.parametrize("content", [b"a letter to the casino\n" * 60, b"\x00" * 5000])
def test_a_file_of_another_kind_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(content)
    with pytest.raises(JournalError) as caught:
        open_sqlite_journal(path)
    assert caught.value.code is ErrorCode.NOT_A_JOURNAL
    assert path.read_bytes() == content


def test_an_empty_file_holds_no_journal_to_read_and_stays_empty(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.touch()
    with pytest.raises(JournalError, match=r"journal\.db is empty") as caught:
        open_sqlite_reader(path)
    assert caught.value.code is ErrorCode.NOT_A_JOURNAL
    assert path.read_bytes() == b""


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "bookings.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE booking (id INTEGER PRIMARY KEY)")
    connection.close()
    before = path.read_bytes()
    for attempt in (open_sqlite_journal, open_sqlite_reader):
        with pytest.raises(JournalError) as caught:
            attempt(path)
        assert caught.value.code is ErrorCode.NOT_A_JOURNAL
    assert path.read_bytes() == before
