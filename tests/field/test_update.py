"""`sabot release` and `sabot update`: what the maker signs reaches the controller, on a bad line too, and runs."""

import random
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from firmware.rig.controller_bench import Bench
from sabot_gateway.link.device import Device
from sabot_protocol.codec import decode
from sabot_protocol.envelope import unseal
from sabot_protocol.topics import build_topic
from sabot_tools.cli import main
from sabot_tools.field.delivery import Delivery, Stage
from sabot_tools.field.signed_release import (
    SignedRelease,
    is_signed_by,
    make_key,
    open_key,
    public_half,
    read_release,
    sign,
)
from sabot_tools.field.trouble import FieldError, StartError
from sabot_tools.field.update import check_welcome
from sabot_tools.field.wire import Wire
from sabot_tools.firmware_build import BOARDS
from sabot_tools.firmware_source import manifest

if TYPE_CHECKING:
    from sabot_tools.field.house import House

FILES = {"sabot_firmware/app.mpy": bytes(range(256)) * 9, "sabot_firmware/core/empty.mpy": b"", "starting.mpy": b"new"}


@pytest.fixture
def maker(tmp_path: Path) -> Path:
    file = tmp_path / "release.pem"
    make_key(file)
    return file


@pytest.fixture
def build(tmp_path: Path, maker: Path) -> Path:
    """A signed release of the bench's board."""
    folder = tmp_path / "build" / "rig"
    for name, data in {**FILES, "manifest": manifest(FILES, "rig", "0.2.0", 2)}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    sign(folder, open_key(maker))
    return folder


class Controller(Bench):
    """A controller on its bench, with a gateway that acknowledges; what `is_lost` takes reaches neither it nor us."""

    def __init__(
        self,
        folder: Path,
        maker: Path,
        is_lost: Callable[[], bool],
        is_acking: bool,
        device: Any = None,
        upto: int = 0,
    ) -> None:
        """`upto`: the last event that the gateway has of earlier lives."""
        self.told: list[tuple[str, bytes]] = []
        self._is_lost = is_lost
        self._is_acking = is_acking
        self.upto = upto
        key = b"release_key = " + public_half(open_key(maker)).hex().encode() + b"\n"
        super().__init__(str(folder), key, device)

    def tell(self, channel: str, values: dict[str, Any]) -> bytes:
        data = super().tell(channel, values)
        self.told.append((channel, data))
        return data

    def _open(self) -> None:
        self.line.sent = [message for message in self.line.sent if not self._is_lost()]
        self.told += self.line.sent
        if self._is_acking:
            self.line.sent = [message for message in self.line.sent if self._is_next(*message)]
            super()._open()
        self.line.sent = []

    def _is_next(self, channel: str, data: bytes) -> bool:
        """A gateway acknowledges nothing behind a gap."""
        if channel != "event":
            return True
        _, values = decode(unseal(self.key, build_topic("riviera", self.name, "event"), data), "event")
        first, upto = values["first"], values["first"] + len(values["events"]) - 1
        if first > self.upto + 1:
            return False
        self.upto = max(upto, self.upto)
        return True


class Line:
    """The way to a controller, in its own time; `loss` of a hundred messages get lost each way."""

    def __init__(self, folder: Path, maker: Path, loss: int = 0, is_acking: bool = True) -> None:
        folder.mkdir()
        self._folder, self._maker, self._loss = folder, maker, loss
        self._seeded = random.Random(7)
        self._is_acking = is_acking
        self.controller = Controller(folder, maker, self._is_lost, is_acking)

    def receive(self, _wait_s: float) -> tuple[str, bytes] | None:
        controller = self.controller
        controller.turn()
        if controller.told:
            return controller.told.pop(0)
        renewal, outbox = controller.app.renewal, controller.app.uplink.outbox
        # What is known leaves first, as tasks.py has it; on a bench we acknowledge.
        if renewal is not None and renewal.is_switched and outbox.newest == outbox.floor:
            self._restart()
        return None

    def send(self, channel: str, data: bytes) -> None:
        if not self._is_lost():
            self.controller.app.received(channel, data)

    def close(self) -> None:
        return

    def _is_lost(self) -> bool:
        return self._seeded.randrange(100) < self._loss

    def _restart(self) -> None:
        # What starting.py does: the spare slot's files are what runs now.
        for name in (*FILES, "manifest"):
            (self._folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self._folder / name).write_bytes((self._folder / "slot1" / name).read_bytes())
        device, upto = self.controller.ports.device, self.controller.upto
        self.controller = Controller(self._folder, self._maker, self._is_lost, self._is_acking, device, upto)


def deliver(line: Line, release: SignedRelease, seconds: float = 60, *, is_bench: bool = False) -> list[Stage]:
    stages: list[Stage] = []

    def entered(stage: Stage) -> None:
        stages.append(stage)
        if stage is Stage.WAITING and not is_bench:
            (last,) = line.controller.of("update_progressed")[-1:]
            line.controller.command(line.controller.app.memory.command + 1, "update_switch", update=last["update"])

    wire = Wire("riviera", Device("table-1", "table", "table", (line.controller.key,)), line)
    sent: list[int] = []
    Delivery(wire, "table-1", release, is_bench=is_bench, on_stage=entered, advance=sent.append).run(seconds)
    assert sum(sent) == release.size
    return stages


COURSE = [Stage.SENDING, Stage.CHECKING, Stage.SENDING, Stage.CHECKING, Stage.WAITING, Stage.STARTING, Stage.RUNNING]


@pytest.mark.parametrize("is_bench", [False, True], ids=["gateway", "bench"])
def test_a_signed_release_arrives_and_runs(tmp_path: Path, maker: Path, build: Path, is_bench: bool) -> None:
    line = Line(tmp_path / "flash", maker, is_acking=not is_bench)
    assert deliver(line, read_release(build), is_bench=is_bench) == COURSE
    assert line.controller.app.release.name == "0.2.0"


def test_a_line_that_loses_every_tenth_message_delivers_all_the_same(
    tmp_path: Path, maker: Path, build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabot_tools.field.delivery.AGAIN_S", 0.05)
    line = Line(tmp_path / "flash", maker, loss=10)
    assert deliver(line, read_release(build))[-1] is Stage.RUNNING
    assert line.controller.app.release.name == "0.2.0"


def test_another_makers_release_is_refused_in_a_sentence(tmp_path: Path, maker: Path, build: Path) -> None:
    other = tmp_path / "other.pem"
    sign(build, make_key(other))
    line = Line(tmp_path / "flash", maker)
    with pytest.raises(FieldError, match="another maker's signature"):
        deliver(line, read_release(build))
    assert not (tmp_path / "flash" / "slot1").exists()


def test_an_order_number_that_was_used_already_is_leapt_over(tmp_path: Path, maker: Path, build: Path) -> None:
    line = Line(tmp_path / "flash", maker)
    line.controller.command(int(time.time()) + 600, "identify", seconds=0)  # a burst ran ahead of the clock
    assert deliver(line, read_release(build)) == COURSE


def test_a_clock_that_is_years_behind_is_told_and_starts_no_storm(tmp_path: Path, maker: Path, build: Path) -> None:
    line = Line(tmp_path / "flash", maker)
    line.controller.command(0xF0000000, "identify", seconds=0)
    with pytest.raises(FieldError, match="set this machine's clock"):
        deliver(line, read_release(build))


def test_a_controller_that_does_not_answer_is_given_up(tmp_path: Path, maker: Path, build: Path) -> None:
    line = Line(tmp_path / "flash", maker, loss=100)
    with pytest.raises(FieldError, match="did not answer"):
        deliver(line, read_release(build), 0.2)


def test_a_release_is_what_its_manifest_says_or_is_not_sent(tmp_path: Path, build: Path, maker: Path) -> None:
    release = read_release(build)
    assert is_signed_by(release, public_half(open_key(maker)))
    assert not is_signed_by(release, public_half(make_key(tmp_path / "other.pem")))
    (build / "starting.mpy").write_bytes(b"old")
    with pytest.raises(StartError, match="is not what its manifest says"):
        read_release(build)
    (build / "manifest.sig").unlink()
    with pytest.raises(StartError, match="is not signed"):
        read_release(build)
    with pytest.raises(StartError, match="holds no compiled release"):
        read_release(tmp_path)


def test_a_release_that_the_gateway_would_refuse_is_not_sent(build: Path) -> None:
    release = read_release(build)
    accepted = SimpleNamespace(settings=SimpleNamespace(digests=frozenset({release.digest})))
    any_release = SimpleNamespace(settings=SimpleNamespace(digests=None))
    other = SimpleNamespace(settings=SimpleNamespace(digests=frozenset({bytes(32)})))
    for house in (accepted, any_release):
        check_welcome(cast("House", house), release)
    with pytest.raises(StartError, match=release.digest.hex()):
        check_welcome(cast("House", other), release)


def test_the_release_key_is_a_secret_and_is_never_made_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "release.pem"
    assert main(["release", "key", str(file)]) == 0
    first = capsys.readouterr().out
    assert main(["release", "key", str(file)]) == 0
    assert capsys.readouterr().out == first
    assert f"release_key = {public_half(open_key(file)).hex()}\n" == first
    assert file.stat().st_mode & 0o777 == 0o600
    with pytest.raises(StartError, match="is there already"):
        make_key(file)
    file.chmod(0o644)
    assert main(["release", "key", str(file)]) == 2
    assert "Others may read" in capsys.readouterr().err


def test_every_boards_release_is_built_signed_and_named(
    tmp_path: Path, maker: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabot_tools.firmware_build.BOARDS", BOARDS[1:])  # two will do
    folder = tmp_path / "boards"
    build = ["release", "build", str(folder), "--release", "0.2.0", "--serial", "2", "--key", str(maker)]
    assert main(build) == 0
    told = capsys.readouterr().out
    for board in BOARDS[1:]:
        release = read_release(folder / board.name)
        assert (release.board, release.name, release.serial) == (board.name, "0.2.0", 2)
        assert is_signed_by(release, public_half(open_key(maker)))
        assert release.digest.hex() in told
    assert main([*build[:-1], str(tmp_path / "none.pem")]) == 2
