"""`sabot provision`, interrupted before every single change that it makes, here and on the board: again, it finishes.

A change is a file that is opened for writing, named, moved or removed on this computer, or written, removed or reset on
the board. The board has no line here (memory_board.py), so that each of them can be tried.
"""

import contextlib
import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from field.memory_board import Interruption, MemoryBoard
from field.provision_site import ProvisionSite
from sabot_gateway.config import load
from sabot_protocol.device_key import KEY_SIZE, DeviceKey
from sabot_protocol.envelope import seal, unseal
from sabot_protocol.errors import WireError
from sabot_tools.cli import main
from sabot_tools.field.house import open_house

MOST = 400  # steps of one command: far more than any has


class Bench(NamedTuple):
    """A house with a board on the table; `dead` is the one that is to be replaced."""

    site: ProvisionSite
    board: MemoryBoard
    dead: MemoryBoard

    def run(self, action: str, device: str, *more: str) -> int:
        line = ["--port", "/dev/none", "--build", str(self.site.build)] if action != "revoke" else []
        return self.site.provision(action, device, None, *line, *more)

    def add(self, device: str = "t1-a") -> int:
        return self.run("add", device, "--table", "t1", "--settings", str(self.site.draft))

    def hears(self, device: str, board: MemoryBoard, *, is_newest: bool = False) -> bool:
        """Whether the gateway would open what this board seals now, with its newest key or with any."""
        now_ms = int(datetime.now(UTC).timestamp() * 1000)
        known = load(self.site.files.file).devices.registry_at(now_ms).find(device)
        secret = board.lying.get("device.key", b"")
        if known is None or len(secret) != KEY_SIZE:
            return False
        topic = f"sabot/v1/riviera/{device}/event"
        sealed = seal(DeviceKey(device, secret), topic, b"\xa0")
        for key in known.keys[:1] if is_newest else known.keys:
            with contextlib.suppress(WireError):
                return unseal(key, topic, sealed) == b"\xa0"
        return False

    def certificates(self) -> list[str]:
        """Whose certificates are good, each as often as it has one, and for how long is not asked."""
        authority = open_house(self.site.files.file).authority()
        return sorted(known.name for known in authority.known() if known.is_good(datetime.now(UTC)))

    def is_tidy(self) -> bool:
        """No key lies anywhere but where the registry names it, and nothing waits to be finished."""
        named = {
            line.split('"')[1]
            for file in self.site.devices.glob("*.toml")
            for line in file.read_text().splitlines()
            if "key" in line.split("=")[0]
        }
        lying = {file.name for file in self.site.devices.rglob("*") if ".key" in file.name}
        pending = self.site.devices / ".pending"
        return lying == named and not (pending.exists() and list(pending.iterdir()))


def whole(bench: Bench, device: str) -> bool:
    """This board is this controller, registered, awake, and without another life's events."""
    board = bench.board.lying
    return (
        f"device = {device}\n".encode() in board["sabot.conf"]
        and bench.hears(device, bench.board, is_newest=True)
        and "service" not in board
        and bench.board.events == b""
        and bench.board.starts > 0
    )


def nothing(_: Bench) -> None:
    """A blank board needs no preparation."""


def added(bench: Bench) -> None:
    assert bench.add() == 0


def added_and_dead(bench: Bench) -> None:
    assert bench.add() == 0
    bench.dead.lying = bench.board.lying
    bench.board.lying, bench.board.events = {}, b"of an earlier life"


class Case(NamedTuple):
    action: str
    prepare: Callable[[Bench], None]
    registered: list[str]
    certificates: list[str]
    boards: str  # the controller that the board then is


CASES = [
    Case("add", nothing, ["t1-a"], ["t1-a"], "t1-a"),
    Case("rotate", added, ["t1-a"], ["t1-a", "t1-a"], "t1-a"),
    Case("replace", added_and_dead, ["t1-a-2"], ["t1-a-2"], "t1-a-2"),
    Case("revoke", added, [], [], ""),
]


@pytest.mark.parametrize("case", CASES, ids=[case.action for case in CASES])
def test_interrupted_before_any_change_the_same_command_finishes(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)  # a disk that was not pulled keeps what it was given
    (tmp_path / "site").mkdir()
    bench = Bench(ProvisionSite(tmp_path / "site"), MemoryBoard(), MemoryBoard())
    bench.board.plug_in(monkeypatch)
    case.prepare(bench)
    shutil.copytree(tmp_path / "site", tmp_path / "before")
    lying, events = dict(bench.board.lying), bench.board.events
    for at in range(1, MOST):
        shutil.rmtree(tmp_path / "site")
        shutil.copytree(tmp_path / "before", tmp_path / "site")
        bench.board.lying, bench.board.events, bench.board.starts = dict(lying), events, 0
        command = partial(_command, bench, case)
        with monkeypatch.context() as patch:
            cut = Interruption(patch, at)
            bench.board.step = cut.step
            outcome = command()
        bench.board.step = lambda: None
        if cut.steps < at:
            assert outcome == 0
            break
        assert outcome == 130, at
        half_done(bench, case)
        capsys.readouterr()
        assert command() == 0, (at, capsys.readouterr().err)
        assert bench.site.registered() == case.registered, at
        assert not case.boards or whole(bench, case.boards), at
        assert sorted(set(bench.certificates())) == sorted(set(case.certificates)), at
        assert bench.is_tidy(), at
    assert 5 < at < MOST - 1, "every step was tried"


def _command(bench: Bench, case: Case) -> int:
    return bench.add() if case.action == "add" else bench.run(case.action, "t1-a")


def half_done(bench: Bench, case: Case) -> None:
    """What the gateway knows in between: a controller whose board has everything, or nothing of it."""
    for device in bench.site.registered():
        if case.action == "replace" and device == "t1-a":
            assert bench.hears(device, bench.dead), "nobody took its place yet"
        else:
            # While a key changes both are good; else it is the newest, and the settings lie with it.
            assert bench.hears(device, bench.board, is_newest=case.action != "rotate")
            assert f"device = {device}\n".encode() in bench.board.lying["sabot.conf"]
    if case.action in ("replace", "revoke") and "t1-a" not in bench.site.registered():
        assert "t1-a" not in bench.certificates(), "it went, and its certificate stayed good"


def test_a_finished_command_may_be_given_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The summary was lost with the terminal: the same board gets its label again, and keeps its key."""
    bench = Bench(ProvisionSite(tmp_path), MemoryBoard(), MemoryBoard())
    bench.board.plug_in(monkeypatch)
    added_and_dead(bench)
    for _ in range(2):
        assert bench.run("replace", "t1-a") == 0
        assert whole(bench, "t1-a-2")
    key = bench.board.lying["device.key"]
    bench.site.draft.write_text("link = serial\npixels = 9\nend\n")
    words = ["--table", "t1", "--settings", str(bench.site.draft)]
    assert bench.run("add", "t1-a-2", *words) == 0
    assert bench.board.lying["device.key"] == key
    assert b"pixels = 9" in bench.board.lying["sabot.conf"], "and its settings, if they changed"
    assert main(["provision", "revoke", "t1-a", "--offline", "--config", str(bench.site.files.file)]) == 0
    assert bench.site.registered() == ["t1-a-2"]
    bench.board.lying = {}
    assert bench.run("replace", "t1-a") == 2, "another board is not the one that took its place"


def test_a_name_is_given_to_one_life_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Numbers run on over a controller's whole life: under an old name a new board would be taken for a copy."""
    bench = Bench(ProvisionSite(tmp_path), MemoryBoard(), MemoryBoard())
    bench.board.plug_in(monkeypatch)
    added(bench)
    assert bench.run("revoke", "t1-a") == 0
    bench.board.lying = {}
    capsys.readouterr()
    assert bench.add() == 2
    assert "a controller that is gone had this name" in capsys.readouterr().err
    words = ["--table", "t1", "--settings", str(bench.site.draft)]
    assert bench.run("add", "t1-c", *words) == 0
    bench.board.lying = {}
    # Without a name the table's is taken, with the next letter that was never given.
    for name in ("t1-b", "t1-d"):
        line = ["--port", "/dev/none", "--build", str(bench.site.build), "--offline"]
        assert main(["provision", "add", *words, *line, "--config", str(bench.site.files.file)]) == 0
        assert whole(bench, name)
        bench.board.lying = {}
    assert bench.site.registered() == ["t1-b", "t1-c", "t1-d"]
