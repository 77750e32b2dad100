"""Whole boards on MicroPython, from boot.py on: over RS-485, over USB, over Wi-Fi, with a bad line, and refused."""

import contextlib
import os
import queue
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from conftest import MicroPython
from firmware.board_process import SECRET, Board, FrozenBoard
from firmware.stand_in_gateway import LineGateway, Receiver, StandInGateway
from sabot_firmware.core.selfcheck import digest_of
from sabot_firmware.core.slot import TRIES, Slots
from sabot_gateway.link.device import Device
from sabot_gateway.link.order import LEAP, next_number
from sabot_gateway.mqtt.ingest import Ingest
from sabot_gateway.mqtt.port import Arrival
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.frames import frame
from sabot_tools.field.delivery import Delivery, Stage
from sabot_tools.field.signed_release import make_key, open_key, public_half, read_release, sign
from sabot_tools.field.wire import Wire
from sabot_tools.firmware_source import manifest, sources
from services.mosquitto import Mosquitto

PARTS = "pixels = 8\ndisplay = ssd1306\nreader = 0 shoe pn532 spi0 0\n"
SERIAL = "link = serial\n" + PARTS
PICTURE = {"revision": 7, "picture": [], "display": []}
LATER = next_number(0, time.time_ns() // 1_000_000) + 2 * LEAP  # of an order, beyond the burst of an update


@contextlib.contextmanager
def plugged(board: Board, gateway: LineGateway) -> Iterator[None]:
    """The RS-485 line, until the end."""
    (board.folder / "uart").write_text(gateway.plug())
    try:
        yield
    finally:
        board.stop()
        gateway.unplug()


def assert_whole(gateway: Receiver) -> None:
    assert gateway.contradictions == []
    assert gateway.boots == sorted(gateway.boots)
    for at, (name, _) in enumerate(gateway.events):
        is_first = at == 0 or gateway.boots[at - 1] != gateway.boots[at]
        assert is_first == (name == "hello"), "hello is the first event of each boot"


@pytest.mark.slow
def test_a_board_on_a_bad_serial_line_loses_nothing(micropython: MicroPython, tmp_path: Path) -> None:
    board, gateway = Board(micropython, tmp_path, SERIAL), LineGateway("riviera", "table-1", SECRET)
    gateway.loss = 4  # of ten thousand bytes, each way: every fifth message
    with plugged(board, gateway):
        board.start()
        hello = gateway.wait_for("hello", 60)
        assert (hello["board"], hello["reset_cause"], hello["firmware"]) == ("rpi_pico_w", "power_on", "0.1.0")
        assert hello["modules"] == len(board.release)
        assert board.said("drive: taken and given back"), board.last_words
        gateway.send_bytes(os.urandom(3000))
        gateway.until(lambda: gateway.send("lamps", PICTURE), "lamps_applied", revision=7)
        # No chip answers on these buses: that is told, and stops nothing.
        gateway.wait_for("fault", 60, code="reader", active=True)
        number = 0

        def identify() -> None:
            nonlocal number
            number += 1
            gateway.command(number, "identify", seconds=1)

        gateway.until(identify, "command_finished", outcome="done")
        gateway.unplug()
        (tmp_path / "uart").unlink()
        board.kill()  # power fails while the line is cut; what it says at its start waits in flash
        board.start()
        (tmp_path / "uart").write_text(gateway.plug())
        gateway.until(lambda: None, "hello", count=2)
        assert gateway.refused > 0, "nothing was damaged: the line was too good"
    assert_whole(gateway)


class RealIngest:
    """The real gateway's ingest, fed with what a board said on its line, whole messages as they were sealed."""

    def __init__(self, digests: frozenset[bytes]) -> None:
        device = Device("table-1", "t1", "table", (DeviceKey("table-1", SECRET),))
        self._ingest = Ingest("riviera", OneDevice(device), digests)

    def take(self, messages: list[bytes]) -> tuple[list[str], list[str]]:
        """(reasons of what is quarantined, refusals that the board is told)."""
        now_ms = 1_790_000_000_000
        out = self._ingest.take(
            [
                Arrival("sabot/v1/riviera/table-1/event", each, now_ms + at, False, None)
                for at, each in enumerate(messages)
            ]
        )
        return [each.reason for each in out.refusals], [ack.refused for ack in out.acks.values()]


class OneDevice:
    def __init__(self, device: Device) -> None:
        self._device = device

    def find(self, device: str) -> Device | None:
        return self._device if device == self._device.id else None

    def devices(self) -> list[Device]:
        return [self._device]


@pytest.mark.slow
def test_a_board_whose_code_lies_in_its_image_proves_it_and_the_gateway_knows_it(
    micropython: MicroPython, tmp_path: Path
) -> None:
    board, gateway = FrozenBoard(micropython, tmp_path, SERIAL), Overheard()
    with plugged(board, gateway):
        board.start()
        hello = gateway.wait_for("hello", 60)
        assert (hello["board"], hello["firmware"], hello["digest"]) == ("rpi_pico_w", "0.2.0", board.told.digest)
        gateway.wait_for("modules_listed", 60, part=-(-hello["modules"] // 8))
        parts = [values for name, values in gateway.events if name == "modules_listed"]
        listed = {module["name"]: module["digest"] for values in parts for module in values["modules"]}
        assert len(listed) == hello["modules"]
        assert digest_of(list(listed.items())) == hello["digest"]
        code = board.image.read_bytes()
        assert listed["image"] == sha256(code).digest()
        assert {".frozen/" + name for name in sources()} < set(listed)
        # On command, while it plays: the same walk again.
        gateway.command(LATER, "selftest", test="digests")
        gateway.wait_for("selftest_finished", 60, test="digests", passed=True)
        # One bit of the flash, under the running program.
        board.image.write_bytes(code[:-9] + bytes([code[-9] ^ 1]) + code[-8:])
        gateway.command(LATER + 1, "selftest", test="digests")
        gateway.wait_for("selftest_finished", 60, test="digests", passed=False)
        gateway.unplug()
        board.kill()
        first = gateway.sealed_events()
        board.start()
        (board.folder / "uart").write_text(gateway.plug())
        gateway.until(lambda: None, "hello", count=2)
        gateway.wait_for("fault", 60, code="digest", active=True)
        second = gateway.sealed_events()[len(first) :]
        altered = [values for name, values in gateway.events if name == "hello"][-1]
        assert altered["digest"] != hello["digest"]
    assert_whole(gateway)
    known = RealIngest(frozenset({board.told.digest}))
    assert known.take(first) == ([], [""])
    reasons, told = known.take(second)
    assert set(reasons) == {"digest_unknown"}
    assert told == ["digest_unknown"]
    reasons, told = RealIngest(frozenset({bytes(32)})).take(first)
    assert set(reasons) == {"digest_unknown"}
    assert told == ["digest_unknown"]


@pytest.mark.slow
def test_a_module_that_hides_one_of_the_images_stops_the_table(micropython: MicroPython, tmp_path: Path) -> None:
    board, gateway = FrozenBoard(micropython, tmp_path, SERIAL), LineGateway("riviera", "table-1", SECRET)
    (board.folder / "lib").mkdir()
    (board.folder / "lib" / "errno.py").write_text("")
    with plugged(board, gateway):
        board.start()
        hello = gateway.wait_for("hello", 60)
        gateway.wait_for("fault", 60, code="digest", active=True)
        assert hello["digest"] != board.told.digest
        assert hello["modules"] == len(board.told.modules) + len(board.told.start) + 2
    assert_whole(gateway)


@pytest.mark.slow
def test_a_signed_release_comes_over_the_serial_line_and_proves_itself(
    micropython: MicroPython, tmp_path: Path
) -> None:
    maker, build = tmp_path / "release.pem", tmp_path / "build"
    public = public_half(make_key(maker))
    home = tmp_path / "board"
    home.mkdir()
    board, gateway = Board(micropython, home, f"release_key = {public.hex()}\n{SERIAL}"), Overheard()
    files = {**board.release, "sabot_firmware/second.mpy": board.release["sabot_firmware/host.mpy"]}
    for name, data in {**files, "manifest": manifest(files, "rpi_pico_w", "0.2.0", 2)}.items():
        (build / name).parent.mkdir(parents=True, exist_ok=True)
        (build / name).write_bytes(data)
    sign(build, open_key(maker))
    stages: list[Stage] = []

    def entered(stage: Stage) -> None:
        stages.append(stage)
        if stage is Stage.WAITING:
            update = [values["update"] for name, values in gateway.events if name == "update_progressed"][-1]
            gateway.command(LATER, "update_switch", update=update)

    with plugged(board, gateway):
        board.start()
        gateway.wait_for("hello", 60)
        wire = Wire("riviera", Device("table-1", "t1", "table", (DeviceKey("table-1", SECRET),)), gateway.tool)
        delivery = Delivery(
            wire, "table-1", read_release(build), is_bench=False, on_stage=entered, advance=lambda _: None
        )
        delivery.run(240)
        assert stages[-3:] == [Stage.WAITING, Stage.STARTING, Stage.RUNNING]
        gateway.wait_for("hello", 60, reset_cause="update", firmware="0.2.0")
        assert board.resets == 1
        gateway.wait_for("update_progressed", 60, state="switched")
        # Acknowledged, the release is no longer on trial: the next start runs it without counting.
        gateway.until(lambda: gateway.command(LATER + 1, "restart"), "hello", count=3)
        last = [values for name, values in gateway.events if name == "hello"][-1]
        assert (last["firmware"], last["reset_cause"]) == ("0.2.0", "power_on")
    assert_whole(gateway)


@pytest.mark.slow
@pytest.mark.parametrize("damage", [b"", b"M\x63\x00\x1f", b"nonsense"], ids=["empty", "another mpy", "noise"])
def test_a_release_that_cannot_start_is_rolled_back(micropython: MicroPython, tmp_path: Path, damage: bytes) -> None:
    board, gateway = Board(micropython, tmp_path, SERIAL), LineGateway("riviera", "table-1", SECRET)
    for name, data in {**board.release, "sabot_firmware/app.mpy": damage}.items():
        path = tmp_path / "slot1" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    trial = Slots().try_spare(update=1, serial=2)
    (tmp_path / f"slot.{trial.copy}").write_bytes(trial.pack())
    with plugged(board, gateway):
        board.start()
        gateway.wait_for("hello", 60, reset_cause="rollback", firmware="0.1.0")
        gateway.wait_for("update_progressed", 60, state="rolled_back")
        assert board.resets == TRIES
    assert_whole(gateway)


@pytest.mark.slow
def test_a_board_speaks_frames_over_its_usb_console(micropython: MicroPython, tmp_path: Path) -> None:
    board = Board(micropython, tmp_path, "serial_port = usb\n" + SERIAL)
    gateway = LineGateway("riviera", "table-1", SECRET)
    gateway.plug()
    try:
        board.start(gateway.near)
        gateway.wait_for("hello", 60)
        gateway.send_bytes(b"\x03\x03 a frame may hold Ctrl-C \x00")
        gateway.until(lambda: gateway.send("lamps", PICTURE), "lamps_applied", revision=7)
        assert gateway.refused > 0, "the console's own words are noise on this line"
    finally:
        board.stop()
        gateway.unplug()
    assert_whole(gateway)


@pytest.mark.slow
def test_a_board_reaches_a_broker_over_wifi(micropython: MicroPython, tmp_path: Path, mosquitto: Mosquitto) -> None:
    config = f"link = wifi\nwifi_ssid = pit\nwifi_password = secret\nbroker_host = 127.0.0.1\ntls = no\n{PARTS}"
    board = Board(micropython, tmp_path, f"broker_port = {mosquitto.port}\n{config}")
    gateway = StandInGateway("riviera", "table-1", SECRET, mosquitto.port)
    try:
        board.start()
        hello = gateway.wait_for("hello", 60)
        assert "wifi" in hello["capabilities"]
        gateway.command(1, "time", utc_ms=1_790_000_000_000)
        gateway.wait_for("command_finished", 60, number=1, outcome="done")
        assert board.said("clock 2026 9 21"), board.last_words
        gateway.command(2, "restart")
        gateway.wait_for("command_finished", 60, number=2)
        assert board.said("reset"), board.last_words
        gateway.until(lambda: None, "hello", count=2)
        assert [status["state"] for status in gateway.statuses][:2] == ["online", "leaving"]
    finally:
        board.stop()
        gateway.stop()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ("link = serial\npixles = 8\n", "there is no key 'pixles'"),
        ("link = ethernet\nbroker_host = 10.0.0.2\ntls = no\n", "this board has no Ethernet"),
        ("link = wifi\nwifi_ssid = pit\nbroker_host = b\n", "the file 'ca.der' of ca_file is missing"),
        ("link = serial\nreader = 1 spots pn5180 spi0 3\n", "has no socket spi0 3"),
        ("link = serial\nboard = rpi_pico_2_w\n", "board = rpi_pico_2_w, and this is a rpi_pico_w"),
    ],
)
def test_a_board_that_cannot_run_says_why_and_stays_up(
    micropython: MicroPython, tmp_path: Path, config: str, reason: str
) -> None:
    board = Board(micropython, tmp_path, config)
    try:
        board.start()
        assert board.said("refused: ", 60), board.last_words
        assert board.said(reason, 1), board.last_words
        assert board.resets == 0
    finally:
        board.stop()


class Overheard(LineGateway):
    """A gateway on the line, beside which a technician's tool listens and has orders of its own."""

    def __init__(self) -> None:
        super().__init__("riviera", "table-1", SECRET)
        self._sealed: list[bytes] = []
        self.tool = Ear(self.send_bytes)

    def send_raw(self, channel: str, data: bytes) -> None:
        super().send_raw(channel, data)
        self.tool.heard.put((channel, data))

    def sealed_events(self) -> list[bytes]:
        """Every message of events that came, as it was sealed."""
        return list(self._sealed)

    def _opened(self, channel: str, sealed: bytes) -> None:
        if channel == "event":
            self._sealed.append(sealed)
        self.tool.heard.put((channel, sealed))
        super()._opened(channel, sealed)


class Ear:
    """The tool's way: all that passes on the line."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self.heard: queue.Queue[tuple[str, bytes]] = queue.Queue()
        self._write = write

    def receive(self, wait_s: float) -> tuple[str, bytes] | None:
        try:
            return self.heard.get(timeout=wait_s)
        except queue.Empty:
            return None

    def send(self, channel: str, data: bytes) -> None:
        self._write(frame(channel, data))

    def close(self) -> None:
        return
