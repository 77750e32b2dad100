"""Reading: streams from a position, the tail in commit order, and readers beside writers."""

import threading
from itertools import pairwise

import pytest

from contract.journal.house import WAIT_S, House, facts, fill, put, to
from sabot_gateway.journal.chain import EMPTY, checked
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import Record, Stream
from sabot_gateway.journal.stored import StoredJournal


def test_a_stream_is_read_from_any_position(journal: StoredJournal) -> None:
    fill(journal, streams=3, rounds=30)
    for after in range(31):
        bodies = [record.body for record in journal.read(Stream("table-1"), after)]
        assert bodies == [b"1/%d" % n for n in range(after, 30)]


def test_a_stream_that_slept_is_found_again(journal: StoredJournal) -> None:
    put(journal, to("sleeper", facts(b"first")))
    fill(journal, streams=1, rounds=40)
    put(journal, to("sleeper", facts(b"second")))
    fill(journal, streams=1, rounds=40)
    assert [record.body for record in journal.read(Stream("sleeper"))] == [b"first", b"second"]
    assert [record.body for record in journal.read(Stream("sleeper"), 1)] == [b"second"]
    assert list(journal.read(Stream("sleeper"), 2)) == []


def test_more_than_a_page_is_read_without_a_seam(journal: StoredJournal) -> None:
    for start in range(0, 5000, 1000):
        bodies = [b"%d" % n for n in range(start, start + 1000)]
        put(journal, to("table-1", facts(*bodies)), to("table-2", facts(b"between")))
    assert [int(record.body) for record in journal.read(Stream("table-1"), 17)] == list(range(17, 5000))
    assert [record.id for record in journal.tail(3)] == list(range(4, 5006))


def test_every_stream_is_a_chain(journal: StoredJournal) -> None:
    fill(journal, streams=2, rounds=9)
    records = list(checked(journal.read(Stream("table-0")), EMPTY))
    assert len(records) == 9
    with pytest.raises(JournalError) as caught:
        list(checked([records[0], records[2]], EMPTY))
    assert caught.value.code is ErrorCode.CORRUPT


def test_one_tailing_reader_sees_every_record_once_and_in_order_beside_several_writers(house: House) -> None:
    """Commit order: an id that appears behind a reader's back would be lost to it for ever."""
    journal = house.open()
    writers, each = 4, 60

    def write(number: int) -> None:
        for n in range(each):
            put(journal, to(f"table-{number}", facts(b"%d" % n)))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
    for thread in threads:
        thread.start()
    seen: list[Record] = []
    while len(seen) < writers * each:
        seen += journal.tail(seen[-1].id if seen else 0)
        assert any(thread.is_alive() for thread in threads) or journal.fault is None
    for thread in threads:
        thread.join(WAIT_S)
    assert all(second.id == first.id + 1 for first, second in pairwise(seen))
    for number in range(writers):
        bodies = [int(record.body) for record in seen if record.stream == f"table-{number}"]
        assert bodies == list(range(each))


def test_a_reader_that_stops_half_way_holds_nobody_up(journal: StoredJournal) -> None:
    fill(journal, streams=2, rounds=5)
    unfinished = journal.tail()
    assert next(unfinished).id == 1
    fill(journal, streams=2, rounds=1)
    assert [record.id for record in unfinished] == list(range(2, 13))
