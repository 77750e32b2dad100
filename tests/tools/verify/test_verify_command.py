"""`sabot verify`: sentences, exit codes and JSON, and the outsider's verifier of docs/journal.md beside it."""

import argparse
import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from conftest import ROOT
from contract.journal.house import OWNER, WAIT_S, facts, fill, postgres_house, put, to
from sabot_gateway.journal.backup import back_up
from sabot_gateway.journal.error import SENTENCES
from sabot_gateway.journal.quarantine import Refusal
from sabot_gateway.journal.record import Stream
from sabot_gateway.journal.snapshot import Snapshot
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.journal.stored import StoredJournal
from sabot_tools import verify as command
from services.postgres import Postgres

DOCUMENT = (ROOT / "docs" / "journal.md").read_text()


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    command.configure(parser)
    return command.run(parser.parse_args(words))


def furnish(journal: StoredJournal, *, is_retained: bool = False) -> None:
    fill(journal, streams=3, rounds=8, at_ms=1_000)
    journal.quarantine(OWNER, 1, [Refusal("oversize", "x", b"raw", 1_020)]).result(WAIT_S)
    journal.sign_checkpoint(1).result(WAIT_S)
    if is_retained:
        heads = journal.heads()
        covered = [Stream(f"table-{n}") for n in range(3)]
        journal.save_snapshots([Snapshot(each, heads[each], 1, b"state") for each in covered]).result(WAIT_S)
        assert journal.retain(before_ms=1_005, at_ms=2).removed == 15
    put(journal, to("table-0", facts(b"taken over"), fence=2, owner="gateway-2"))
    journal.sign_checkpoint(3).result(WAIT_S)
    put(journal, to("table-2", facts(b"last")))


@pytest.fixture(params=[False, True], ids=["whole", "retained"])
def journal_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    with open_sqlite_journal(path) as journal:
        furnish(journal, is_retained=request.param)
    return path


def tamper(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(sql)


def test_a_whole_journal_is_exit_code_0(journal_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(journal_file), "--public-key", str(journal_file.with_name("signing.pub"))) == 0
    output = capsys.readouterr()
    assert output.out.endswith("WHOLE: everything is as it was written.\n")
    assert "The last 1 records are chained but under no signed checkpoint yet." in output.out
    assert output.err == ""


def test_the_first_bad_record_is_named_with_exit_code_1(journal_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tamper(journal_file, "UPDATE record SET body = x'00' WHERE id = 20")
    assert run(str(journal_file)) == 1
    assert capsys.readouterr().out.startswith("Record 20 (table-1, position 7) is not the one that was written.\n")


def test_json_says_the_same(journal_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(journal_file), "--json") == 0
    assert json.loads(capsys.readouterr().out)["whole"] is True
    tamper(journal_file, "DELETE FROM record WHERE id = 22")
    assert run(str(journal_file), "--json") == 1
    verdict = json.loads(capsys.readouterr().out)
    assert (verdict["whole"], verdict["findings"][0]["code"], verdict["findings"][0]["id"]) == (False, "missing", 22)


def test_without_a_key_it_says_whose_word_it_took(journal_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(journal_file)) == 0
    assert "give --public-key" in capsys.readouterr().out


def test_another_key_is_exit_code_1(journal_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "other").mkdir()
    open_sqlite_journal(tmp_path / "other" / "journal.db").close()
    assert run(str(journal_file), "--public-key", str(tmp_path / "other" / "signing.pub")) == 1
    assert "signed by a key that was not given" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["missing.db"], ["letter.txt"], ["letter.txt", "--public-key", "missing.pub"]])
def test_what_cannot_be_read_is_exit_code_2_and_one_sentence(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("letter.txt").write_text("Dear casino,\n" * 99)
    assert run(*words) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert re.fullmatch(r"sabot verify: .+\n", output.err)


def test_damage_beneath_the_records_is_exit_code_1(journal_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tamper(journal_file, "DELETE FROM clock")
    assert run(str(journal_file)) == 1
    assert "clock is gone" in capsys.readouterr().out


def test_a_journal_that_is_being_written_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open_sqlite_journal(tmp_path / "journal.db") as journal:
        furnish(journal)
        assert run(str(tmp_path / "journal.db")) == 0


def test_a_journal_in_postgresql_is_verified(
    postgres: Postgres, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = postgres_house(postgres, tmp_path)
    furnish(house.open(), is_retained=True)
    assert run(house.address, "--public-key", str(tmp_path / "signing.pub")) == 0
    schema = house.address.rpartition("%3D")[2]
    postgres.query(f"UPDATE {schema}.record SET received_ms = received_ms + 1 WHERE id = 19")
    capsys.readouterr()
    assert run(house.address) == 1
    assert capsys.readouterr().out.startswith("Record 19 ")
    house.close()


def outsider(path: Path, key: Path) -> subprocess.CompletedProcess[str]:
    """Runs the program that the document shows."""
    (program,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    return subprocess.run([sys.executable, "-c", program, str(path), str(key)], capture_output=True, text=True)


def test_an_outsider_comes_to_the_same_verdict(journal_file: Path) -> None:
    key = journal_file.with_name("signing.pub")
    done = outsider(journal_file, key)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("whole: ")
    for change in ("body = x'00'", "received_ms = 5", "device_ms = NULL", "kind = 3", "position = 99"):
        copy = journal_file.with_name("copy.db")
        copy.write_bytes(journal_file.read_bytes())
        tamper(copy, f"UPDATE record SET {change} WHERE id = 20")
        assert outsider(copy, key).returncode != 0, change


def test_an_outsider_sees_a_cut_and_a_forged_statement(journal_file: Path) -> None:
    key = journal_file.with_name("signing.pub")
    for change in ("DELETE FROM record WHERE id > 24", "UPDATE statement SET text = replace(text, '1', '2')"):
        copy = journal_file.with_name("copy.db")
        copy.write_bytes(journal_file.read_bytes())
        tamper(copy, change)
        assert outsider(copy, key).returncode != 0, change


def test_an_outsider_can_check_a_backup_out_of_postgresql(postgres: Postgres, tmp_path: Path) -> None:
    house = postgres_house(postgres, tmp_path)
    furnish(house.open(), is_retained=True)
    back_up(house.address, tmp_path / "backup.db")
    done = outsider(tmp_path / "backup.db", tmp_path / "signing.pub")
    assert done.returncode == 0, done.stderr
    house.close()


@pytest.mark.parametrize("code", SENTENCES)
def test_every_code_is_in_the_document(code: str) -> None:
    assert f"| `{code}` |" in DOCUMENT
