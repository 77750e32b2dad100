"""Quarantine: refused bytes are kept, counted and browsable. Snapshots: signed, and only where they fit."""

import pytest

from contract.journal.house import OWNER, WAIT_S, House, facts, fill, put, to
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.quarantine import MAX_RAW, Refusal
from sabot_gateway.journal.record import Head, Owner, Stream
from sabot_gateway.journal.snapshot import Snapshot
from sabot_gateway.journal.stored import StoredJournal

T0 = Stream("table-0")


def refusal(reason: str, raw: bytes = b"\xff\x00", source: str = "sabot/v1/lyon/x/event") -> Refusal:
    return Refusal(reason, source, raw, 1_700_000_000_000)


def test_refused_bytes_are_kept_counted_and_browsable(journal: StoredJournal) -> None:
    journal.quarantine(OWNER, 1, [refusal("not_authentic"), refusal("oversize", b"abc")]).result(WAIT_S)
    fill(journal, streams=1, rounds=3)
    journal.quarantine(OWNER, 1, [refusal("oversize", b"def")]).result(WAIT_S)
    assert journal.quarantine_counts() == {"not_authentic": 1, "oversize": 2}
    kept = journal.quarantined()
    assert [(each.reason, each.raw) for each in kept] == [
        ("oversize", b"def"), ("oversize", b"abc"), ("not_authentic", b"\xff\x00"),
    ]  # fmt: skip
    assert kept[0].source == "sabot/v1/lyon/x/event"
    assert [each.raw for each in journal.quarantined("oversize", limit=1)] == [b"def"]
    assert [each.raw for each in journal.quarantined("oversize", before_id=kept[0].id)] == [b"abc"]


def test_a_strangers_bytes_are_bounded_and_their_length_is_kept(journal: StoredJournal) -> None:
    journal.quarantine(OWNER, 1, [refusal("oversize", bytes(MAX_RAW + 5), "\udcff" * 5000)]).result(WAIT_S)
    (kept,) = journal.quarantined()
    assert (len(kept.raw), kept.length) == (MAX_RAW, MAX_RAW + 5)


def test_each_gateway_has_its_own_quarantine(journal: StoredJournal) -> None:
    journal.quarantine(Owner("gateway-1"), 7, [refusal("oversize")]).result(WAIT_S)
    journal.quarantine(Owner("gateway-2"), 2, [refusal("oversize")]).result(WAIT_S)
    assert {each.stream for each in journal.quarantined()} == {"quarantine/gateway-1", "quarantine/gateway-2"}


def test_a_reason_that_is_no_code_is_refused(journal: StoredJournal) -> None:
    with pytest.raises(JournalError) as caught:
        journal.quarantine(OWNER, 1, [refusal("because of this")]).result(WAIT_S)
    assert caught.value.code is ErrorCode.INVALID


def test_a_snapshot_survives_a_restart_and_gives_way_to_the_next(house: House) -> None:
    journal = house.open()
    fill(journal, streams=2, rounds=20)
    records = list(journal.read(T0))
    for record in (records[3], records[18], records[19]):
        snapshot = Snapshot(T0, Head(record.position, record.hash), 5, b"state %d" % record.position)
        journal.save_snapshots([snapshot]).result(WAIT_S)
        assert journal.snapshot(T0) == snapshot
    journal.close()
    reopened = house.open()
    assert reopened.snapshot(T0) == snapshot
    assert reopened.snapshot(Stream("table-1")) is None


@pytest.mark.parametrize("head", [Head(2, bytes(32)), Head(21, bytes(32)), Head(0, b"\x01" * 32)])
def test_a_snapshot_that_does_not_fit_the_chain_is_refused(journal: StoredJournal, head: Head) -> None:
    fill(journal, streams=1, rounds=20)
    with pytest.raises(JournalError) as caught:
        journal.save_snapshots([Snapshot(T0, head, 5, b"")]).result(WAIT_S)
    assert caught.value.code is ErrorCode.INVALID


def test_a_snapshot_of_an_unknown_stream_is_refused(journal: StoredJournal) -> None:
    with pytest.raises(JournalError) as caught:
        journal.save_snapshots([Snapshot(Stream("nowhere"), Head(0, bytes(32)), 5, b"")]).result(WAIT_S)
    assert caught.value.code is ErrorCode.INVALID


def test_jobs_and_appends_keep_their_order(journal: StoredJournal) -> None:
    journal.append(to(T0, facts(b"a")))
    checkpoint = journal.sign_checkpoint(1)
    put(journal, to(T0, facts(b"b")))
    assert checkpoint.result(WAIT_S).last_id == 1
