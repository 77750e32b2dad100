"""Proof: checkpoints, retention, backup and verification, on every adapter and beside a running writer."""

import threading
from pathlib import Path

import pytest

from contract.journal.house import OWNER, WAIT_S, House, facts, fill, put, to
from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.backup import back_up
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.quarantine import Refusal
from sabot_gateway.journal.record import Stream
from sabot_gateway.journal.signing import load_public_key
from sabot_gateway.journal.snapshot import Snapshot
from sabot_gateway.journal.statement import NO_STATEMENT, heads_digest
from sabot_gateway.journal.stored import StoredJournal
from sabot_gateway.journal.verification import Verdict, verify

START_MS = 1_700_000_000_000
OLD_MS = START_MS + 1_000_000
NEW_MS = START_MS + 2_000_000


def verdict(address: str, keys: list[bytes] | None = None) -> Verdict:
    with reader_at(address) as reader:
        return verify(reader, keys)


def cover(journal: StoredJournal, *names: str) -> None:
    """Snapshots at the present heads."""
    heads = journal.heads()
    snapshots = [Snapshot(Stream(name), heads[Stream(name)], 7, b"state") for name in names]
    journal.save_snapshots(snapshots).result(WAIT_S)


def aged(journal: StoredJournal) -> None:
    """Two streams with forty old records each, covered, then five new ones each."""
    fill(journal, streams=2, rounds=40, at_ms=START_MS)
    cover(journal, "table-0", "table-1")
    fill(journal, streams=2, rounds=5, at_ms=NEW_MS)


def test_a_checkpoint_signs_the_heads_of_all_streams(journal: StoredJournal, house: House, tmp_path: Path) -> None:
    fill(journal)
    first = journal.sign_checkpoint(5).result(WAIT_S)
    assert (first.number, first.previous, first.last_id) == (1, NO_STATEMENT, 36)
    assert first.heads == heads_digest(journal.heads())
    second = journal.sign_checkpoint(6).result(WAIT_S)
    assert second.number == 2
    found = verdict(house.address, [load_public_key(tmp_path / "signing.pub")])
    assert found.findings == ()
    assert (found.records, found.streams, found.checkpoints, found.signed_id) == (36, 3, 2, 36)


def test_a_key_that_was_not_given_is_not_trusted(journal: StoredJournal, house: House) -> None:
    fill(journal)
    journal.sign_checkpoint(5).result(WAIT_S)
    assert [finding.code for finding in verdict(house.address, [bytes(32)]).findings] == ["statement"]


def test_an_empty_journal_is_whole(journal: StoredJournal, house: House) -> None:
    journal.sign_checkpoint(5).result(WAIT_S)
    assert verdict(house.address).findings == ()


def test_retention_removes_the_old_and_keeps_the_chain_verifiable(journal: StoredJournal, house: House) -> None:
    aged(journal)
    heads = dict(journal.heads())
    removal = journal.retain(before_ms=OLD_MS, at_ms=NEW_MS)
    assert (removal.removed, removal.first_id) == (80, 81)
    assert journal.heads() == heads
    assert [record.position for record in journal.read(Stream("table-0"), after=40)] == [41, 42, 43, 44, 45]
    assert [record.id for record in journal.tail()] == list(range(81, 91))
    found = verdict(house.address)
    assert found.findings == ()
    assert (found.first_id, found.last_id, found.records) == (81, 90, 10)


@pytest.mark.parametrize("read", [lambda j: j.read(Stream("table-0"), 39), lambda j: j.tail(79)])
def test_a_reader_that_asks_for_removed_records_is_told(journal: StoredJournal, read: object) -> None:
    aged(journal)
    journal.retain(before_ms=OLD_MS, at_ms=NEW_MS)
    assert callable(read)
    with pytest.raises(JournalError) as caught:
        list(read(journal))
    assert caught.value.code is ErrorCode.REMOVED


def test_nothing_goes_that_no_snapshot_covers(journal: StoredJournal) -> None:
    fill(journal, streams=2, rounds=10, at_ms=START_MS)
    cover(journal, "table-0")
    assert journal.retain(before_ms=OLD_MS, at_ms=NEW_MS).removed == 1  # table-1's first record stands second
    assert journal.retain(before_ms=OLD_MS, at_ms=NEW_MS).removed == 0


def test_streams_that_lost_all_their_records_go_on_after_a_restart(house: House) -> None:
    journal = house.open()
    fill(journal, streams=2, rounds=10, at_ms=START_MS)
    journal.quarantine(OWNER, 1, [Refusal("oversize", "x", b"", START_MS)]).result(WAIT_S)
    cover(journal, "table-0", "table-1")
    heads = dict(journal.heads())
    assert journal.retain(before_ms=OLD_MS, at_ms=NEW_MS).removed == 21
    assert journal.quarantine_counts() == {}
    journal.close()
    again = house.open()
    assert again.heads() == heads
    fill(again, streams=3, rounds=10, at_ms=NEW_MS)
    assert [record.position for record in again.read(Stream("table-1"), 10)] == list(range(11, 21))
    again.sign_checkpoint(9).result(WAIT_S)
    assert verdict(house.address).findings == ()


def test_retention_again_and_again_with_checkpoints_between(journal: StoredJournal, house: House) -> None:
    for night in range(4):
        fill(journal, streams=3, rounds=9, at_ms=START_MS + night * 1000)
        cover(journal, "table-0", "table-1", "table-2")
        journal.sign_checkpoint(night).result(WAIT_S)
        assert journal.retain(START_MS + night * 1000, at_ms=night).removed == (27 if night else 0)
        assert verdict(house.address).findings == ()


def test_a_backup_of_a_running_journal_is_whole_and_can_be_verified(house: House, tmp_path: Path) -> None:
    journal = house.open()
    aged(journal)
    journal.retain(before_ms=OLD_MS, at_ms=NEW_MS)
    journal.quarantine(OWNER, 1, [Refusal("oversize", "x", b"raw", NEW_MS)]).result(WAIT_S)
    journal.sign_checkpoint(1).result(WAIT_S)
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            put(journal, to("table-1", facts(b"busy")))

    writer = threading.Thread(target=write)
    writer.start()
    reports: list[tuple[int, int]] = []
    target = tmp_path / "copies" / "backup.db"
    target.parent.mkdir()
    try:
        back_up(house.address, target, lambda done, total: reports.append((done, total)))
    finally:
        stop.set()
        writer.join(WAIT_S)
    assert reports
    assert reports[-1][0] == reports[-1][1]
    found = verdict(str(target))
    assert found.findings == ()
    assert found.first_id == 81
    assert found.last_id >= 91
    assert [path.name for path in target.parent.iterdir()] == ["backup.db"], "one file, nothing beside it"


def test_a_backup_overwrites_nothing(house: House, journal: StoredJournal, tmp_path: Path) -> None:
    target = tmp_path / "backup.db"
    target.write_bytes(b"precious")
    with pytest.raises(JournalError) as caught:
        back_up(house.address, target)
    assert caught.value.code is ErrorCode.INVALID
    assert target.read_bytes() == b"precious"


def test_verification_beside_a_writer_and_retention_finds_nothing_wrong(house: House) -> None:
    journal = house.open()
    stop = threading.Event()
    done: list[int] = []

    def write() -> None:
        night = 0
        while not stop.is_set():
            night += 1
            fill(journal, streams=2, rounds=10, at_ms=START_MS + night * 1000)
            journal.quarantine(OWNER, 1, [Refusal("oversize", "x", b"", START_MS + night * 1000)] * 9).result(WAIT_S)
            cover(journal, "table-0", "table-1")
            journal.sign_checkpoint(night).result(WAIT_S)
            journal.retain(START_MS + night * 1000, at_ms=night)
            done.append(night)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        while len(done) < 8:
            assert verdict(house.address).findings == ()
            assert writer.is_alive()
    finally:
        stop.set()
        writer.join(WAIT_S)
