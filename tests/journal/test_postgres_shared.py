"""Two gateways on one PostgreSQL: ids stay in commit order, and the one that woke up is fenced."""

import threading
from itertools import pairwise
from pathlib import Path

import psycopg
import pytest

from contract.journal.house import WAIT_S, House, facts, fill, postgres_house, put, to
from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import Record, Stream
from sabot_gateway.journal.verification import verify
from services.postgres import Postgres

T = Stream("table-1")


@pytest.fixture
def house(postgres: Postgres, tmp_path: Path) -> House:
    return postgres_house(postgres, tmp_path)


def test_a_gateway_that_woke_up_cannot_write_where_another_took_over(house: House) -> None:
    sleeper, heir = house.open(), house.open()
    put(sleeper, to(T, facts(b"a"), fence=1, owner="sleeper"))
    put(heir, to(T, facts(b"b"), fence=2, owner="heir", after=1))
    with pytest.raises(JournalError) as caught:
        put(sleeper, to(T, facts(b"late"), fence=1, owner="sleeper"))
    assert caught.value.code is ErrorCode.FENCED
    put(sleeper, to(T, facts(b"c"), fence=3, owner="sleeper", after=2))
    assert [(record.owner, record.body) for record in heir.read(T)] == [
        ("sleeper", b"a"), ("heir", b"b"), ("sleeper", b"c"),
    ]  # fmt: skip
    house.close()


def test_no_id_appears_behind_a_tailing_readers_back(house: House) -> None:
    gateways = [house.open(), house.open(), house.open()]
    each = 80

    def write(number: int) -> None:
        owner = f"gateway-{number}"
        futures = [gateways[number].append(to(f"table-{number}", facts(b"%d" % n), owner=owner)) for n in range(each)]
        for future in futures:
            future.result(WAIT_S)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    seen: list[Record] = []
    while len(seen) < 3 * each:
        seen += gateways[0].tail(seen[-1].id if seen else 0)
    for thread in threads:
        thread.join(WAIT_S)
    assert all(second.id == first.id + 1 for first, second in pairwise(seen))
    gateways[1].sign_checkpoint(1).result(WAIT_S)
    house.close()
    with reader_at(house.address) as reader:
        assert verify(reader).findings == ()


def test_a_lost_connection_is_a_fault_and_the_next_write_connects_again(house: House, postgres: Postgres) -> None:
    journal = house.open()
    put(journal, to(T, facts(b"a")))
    list(journal.tail())
    postgres.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'sabot' AND pid <> pg_backend_pid()"
    )
    with pytest.raises(JournalError) as caught:
        put(journal, to(T, facts(b"b"), after=1))
    assert caught.value.code is ErrorCode.UNAVAILABLE
    assert journal.fault is caught.value
    put(journal, to(T, facts(b"b"), after=1))
    assert journal.fault is None
    with pytest.raises(JournalError):
        list(journal.tail())  # the reader's connection was lost too; it is given up
    assert [record.body for record in journal.tail()] == [b"a", b"b"]
    house.close()


def test_a_write_that_the_server_refuses_is_a_fault_that_ends_with_its_cause(house: House, postgres: Postgres) -> None:
    journal = house.open()
    fill(journal, streams=1, rounds=2)
    schema = house.address.rpartition("%3D")[2]
    postgres.query(f"ALTER TABLE {schema}.record ADD CONSTRAINT jammed CHECK (id < 3)")
    with pytest.raises(JournalError) as caught:
        fill(journal, streams=1, rounds=1)
    assert not caught.value.is_refusal
    postgres.query(f"ALTER TABLE {schema}.record DROP CONSTRAINT jammed")
    fill(journal, streams=1, rounds=1)
    assert journal.heads()[Stream("table-0")].position == 3
    house.close()


def test_every_commit_waits_for_the_disk(house: House) -> None:
    journal = house.open()
    with psycopg.connect(house.address) as connection:
        connection.execute("ALTER ROLE sabot SET synchronous_commit = off")
    try:
        late = house.open()
        store = late._store  # what the session promises shows nowhere else
        assert store.rows("SHOW synchronous_commit") == [("on",)]
    finally:
        with psycopg.connect(house.address) as connection:
            connection.execute("ALTER ROLE sabot RESET synchronous_commit")
    assert journal.fault is None
    house.close()


def test_a_database_without_a_journal_is_refused(postgres: Postgres, tmp_path: Path) -> None:
    house = postgres_house(postgres, tmp_path)
    with pytest.raises(JournalError) as caught, reader_at(house.address):
        pass
    assert caught.value.code is ErrorCode.NOT_A_JOURNAL


def test_a_server_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(JournalError) as caught, reader_at("postgresql://sabot@127.0.0.1:1/postgres"):
        pass
    assert caught.value.code is ErrorCode.UNAVAILABLE
    assert "\n" not in str(caught.value)
