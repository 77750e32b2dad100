"""The small parts around the running gateway: what a supervisor hears, changed files, account changes on their way."""

import os
import socket
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from sabot_gateway import supervisor
from sabot_gateway.journal.port import Receipt
from sabot_gateway.journal.record import Stream
from sabot_gateway.runtime.desk import DeskError, DeskErrorCode
from sabot_gateway.settings.changes import Changes
from sabot_gateway.web.account_notes import ACTION, note_changes
from sabot_gateway.web.accounts.role import Role
from sabot_gateway.web.accounts.vault import Vault

LATER_NS = 1 << 62


@pytest.fixture
def listener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.bind(str(tmp_path / "notify"))
        channel.settimeout(30)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield channel


def test_a_supervisor_hears_how_it_is(listener: socket.socket) -> None:
    supervisor.say_ready()
    supervisor.say_reloading()
    supervisor.say_stopping()
    assert listener.recv(200) == b"READY=1"
    assert listener.recv(200).startswith(b"RELOADING=1\nMONOTONIC_USEC=")  # sd_notify(3): both go together
    assert listener.recv(200) == b"STOPPING=1"


def test_a_supervisor_in_the_abstract_namespace(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"sabot-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.bind(f"\0{name}")
        channel.settimeout(30)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}")
        supervisor.say_ready()
        assert channel.recv(200) == b"READY=1"


@pytest.mark.parametrize("address", ["", "/nowhere/at/all"])
def test_without_a_supervisor_nothing_is_said(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    supervisor.say_ready()


def test_a_file_that_changes_appears_or_goes_is_noticed_once(tmp_path: Path) -> None:
    kept, gone, new = (tmp_path / name for name in ("kept", "gone", "new"))
    kept.write_text("a")
    gone.write_text("a")
    changes = Changes([kept, gone, new, tmp_path], LATER_NS)
    assert not changes.found()
    kept.write_text("longer")
    assert changes.found()
    assert not changes.found()
    gone.unlink()
    assert changes.found()
    new.write_text("a")
    assert changes.found()
    assert not changes.found()


def test_a_file_that_changed_while_it_was_read_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "sabot.toml"
    file.write_text("a")
    changes = Changes([file], file.stat().st_mtime_ns)
    assert changes.found()
    assert not changes.found()


class NotingDesk:
    """The one method asked, with a journal that can fail."""

    def __init__(self) -> None:
        self.notes: list[tuple[str, object, str]] = []
        self.is_writing = True

    def note(self, action: str, detail: dict[str, object], by: str) -> Future[Receipt]:
        done: Future[Receipt] = Future()
        if self.is_writing:
            self.notes.append((action, detail["what"], by))
            done.set_result(Receipt(Stream("house/g"), 1, 1, bytes(32)))
        else:
            done.set_exception(DeskError(DeskErrorCode.NOT_WRITTEN))
        return done


def test_account_changes_reach_the_journal_once_and_wait_while_it_cannot_write(tmp_path: Path) -> None:
    vault = Vault(tmp_path / "accounts.db")
    desk = NotingDesk()
    try:
        vault.add("ada", Role.ADMIN, "digest", "root", 1)
        waiting = len(vault.changes())
        assert waiting == 1
        desk.is_writing = False
        assert note_changes(vault, desk) == 0  # type: ignore[arg-type]  # the one method asked
        assert len(vault.changes()) == waiting
        desk.is_writing = True
        assert note_changes(vault, desk) == waiting  # type: ignore[arg-type]  # the one method asked
        assert note_changes(vault, desk) == 0  # type: ignore[arg-type]  # the one method asked
    finally:
        vault.close()
    ((action, _, by),) = desk.notes
    assert (action, by) == (ACTION, "root")
