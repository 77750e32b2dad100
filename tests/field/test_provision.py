"""`sabot provision` with a real MicroPython on a pseudo-terminal: new, changed, replaced, revoked, cut, refused."""

import contextlib
import json
import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_der_private_key

from conftest import MicroPython
from field.provision_site import ProvisionSite, sentence
from field.usb_board import BLOCK, BLOCKS, FILE_BLOCKS, PICO_W, UsbBoard
from firmware.image_build import built, image_file, list_in
from sabot_firmware.config import parse_config
from sabot_firmware.inspection import Inspection
from sabot_firmware.release import Release
from sabot_gateway.config import load
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal, unseal
from sabot_protocol.errors import WireError
from sabot_tools.cli import main
from sabot_tools.field.board_type import type_named
from sabot_tools.field.house import open_house
from sabot_tools.field.image_release import read_image
from sabot_tools.field.job import claim
from sabot_tools.field.port import Port

pytestmark = pytest.mark.slow
TOPIC = "sabot/v1/riviera/t1-a/event"


@pytest.fixture
def site(tmp_path: Path) -> ProvisionSite:
    return ProvisionSite(tmp_path)


@pytest.fixture
def board(micropython: MicroPython, tmp_path: Path) -> Iterator[UsbBoard]:
    running = UsbBoard(micropython, tmp_path)
    yield running
    running.stop()


def speaks_to_the_gateway(site: ProvisionSite, board: UsbBoard, device: str, now_ms: int = 1) -> bool:
    """What the board seals with the key in its flash, the gateway's own registry opens."""
    topic = f"sabot/v1/riviera/{device}/event"
    sealed = seal(DeviceKey(device, (board.flash / "device.key").read_bytes()), topic, b"\xa0")
    known = load(site.files.file).devices.registry_at(now_ms).find(device)
    assert known is not None
    for key in known.keys:
        with contextlib.suppress(WireError):
            return unseal(key, topic, sealed) == b"\xa0"
    return False


def test_a_blank_board_is_trusted(site: ProvisionSite, board: UsbBoard, capsys: pytest.CaptureFixture[str]) -> None:
    assert site.add("t1-a", board) == 0
    said = capsys.readouterr()
    assert speaks_to_the_gateway(site, board, "t1-a")
    config = parse_config((board.flash / "sabot.conf").read_bytes())
    assert (config.text("site"), config.text("device"), config.text("board")) == ("riviera", "t1-a", "rpi_pico_2_w")
    certificate = x509.load_der_x509_certificate((board.flash / "client.der").read_bytes())
    authority = x509.load_der_x509_certificate((board.flash / "ca.der").read_bytes())
    certificate.verify_directly_issued_by(authority)
    private = load_der_private_key((board.flash / "client.key.der").read_bytes(), None)
    assert private.public_key() == certificate.public_key()
    assert "t1-a" in said.out
    assert "table t1" in said.out
    assert not (board.flash / "service").exists()
    key = (board.flash / "device.key").read_bytes()
    for text in (said.out, said.err):
        assert key.hex() not in text.lower()
    for file in site.devices.iterdir():
        assert not stat.S_IMODE(file.stat().st_mode) & 0o077, file
    assert not list((site.devices / ".pending").iterdir())


def test_a_board_whose_code_lies_in_its_image_is_a_controller_once_the_house_knows_the_image(
    micropython: MicroPython, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = ProvisionSite(tmp_path)
    file = image_file(tmp_path, "rpi_pico_w")
    image = read_image(file, type_named("rpi_pico_w"), "0.2.0", 3)
    words = ("--image", str(file), "--release", "0.2.0", "--serial", "3")
    board = UsbBoard(micropython, tmp_path, PICO_W, "sabot-image")
    board.image.write_bytes(image.code)
    try:
        assert site.add("t1-a", board) == 2
        assert "give the one that was put on it with --image" in sentence(capsys)
        site.files.append(f'\n[firmware]\ndigests = ["{bytes(32).hex()}"]\n')
        assert site.add("t1-a", board, *words) == 2
        assert f"add {image.digest.hex()} to digests in [firmware] first" in sentence(capsys)
        assert list(board.flash.iterdir()) == []
        site.files.replace("sabot.toml", bytes(32).hex(), image.digest.hex())
        board.image.write_bytes(image.code[:-1] + b"!")
        assert site.add("t1-a", board, *words) == 1
        assert "is not the one given with --image" in capsys.readouterr().err
        assert not any(path.suffix in (".py", ".key") for path in board.flash.iterdir())
        assert site.registered() == []
        board.image.write_bytes(image.code)
        for _ in ("new", "again"):
            assert site.add("t1-a", board, *words) == 0
            assert site.registered() == ["t1-a"]
            assert all((board.flash / path).read_bytes() == data for path, data in image.files.items())
        accepted = load(site.files.file).digests
        assert accepted == frozenset({image.digest})
        # What the board will tell of itself, by its own code, from the files that lie on it.
        release = Release(str(board.flash), str(board.flash / "slot0"), list_in(built("rpi_pico_w")))
        check = Inspection(release, Flash(image.code).read_image)
        while not check.step():
            pass
        assert (check.wrong, check.digest) == ({}, image.digest)
    finally:
        board.stop()


class Flash:
    """The flash of a board, as its own code reads it."""

    def __init__(self, cells: bytes) -> None:
        self._cells = cells

    def read_image(self, offset: int, room: bytearray | memoryview) -> None:
        room[:] = self._cells[offset : offset + len(room)]


@pytest.mark.parametrize("after", [2_500, 8_000, 30_000])
def test_a_cable_pulled_at_any_step_registers_nothing_and_the_next_run_finishes(
    site: ProvisionSite, board: UsbBoard, capsys: pytest.CaptureFixture[str], after: int
) -> None:
    board.pull_after = after
    assert site.add("t1-a", board) == 1
    assert "went away" in sentence(capsys)
    assert site.registered() == []
    board.plug()
    assert site.add("t1-a", board) == 0
    assert site.registered() == ["t1-a"]
    assert speaks_to_the_gateway(site, board, "t1-a")
    assert len(list((site.files.folder / "authority" / "issued").glob("t1-a.*.pem"))) <= 1, "made once"


def test_rotation_accepts_both_keys_until_the_old_one_ends(
    site: ProvisionSite, board: UsbBoard, capsys: pytest.CaptureFixture[str]
) -> None:
    assert site.add("t1-a", board) == 0
    old = (board.flash / "device.key").read_bytes()
    capsys.readouterr()
    assert site.provision("rotate", "t1-a", board, "--hours", "2", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    until = datetime.fromisoformat(told["old_key_until"])
    assert (board.flash / "device.key").read_bytes() != old
    devices = load(site.files.file).devices
    sealed = seal(DeviceKey("t1-a", old), TOPIC, b"\xa0")
    for moment, keys in ((until - timedelta(minutes=1), 2), (until + timedelta(minutes=1), 1)):
        known = devices.registry_at(int(moment.timestamp() * 1000)).find("t1-a")
        assert known is not None
        assert len(known.keys) == keys
    now = devices.registry_at(int(datetime.now(UTC).timestamp() * 1000)).find("t1-a")
    assert now is not None
    assert unseal(now.keys[1], TOPIC, sealed) == b"\xa0"
    assert speaks_to_the_gateway(site, board, "t1-a")
    authority = open_house(site.files.file).authority()
    good = [each for each in authority.known() if each.name == "t1-a" and each.is_good(datetime.now(UTC))]
    assert len(good) == 2
    later = [each for each in authority.known() if each.name == "t1-a" and each.is_good(until + timedelta(seconds=1))]
    assert [each.generation for each in later] == [2]


def test_a_rotation_cut_in_the_middle_keeps_the_old_key_good(
    site: ProvisionSite, board: UsbBoard, capsys: pytest.CaptureFixture[str]
) -> None:
    assert site.add("t1-a", board) == 0
    old = (board.flash / "device.key").read_bytes()
    board.pull_after = 4_500
    capsys.readouterr()
    assert site.provision("rotate", "t1-a", board) == 1
    assert "went away" in sentence(capsys)
    now_ms = int(datetime.now(UTC).timestamp() * 1000)
    assert speaks_to_the_gateway(site, board, "t1-a", now_ms)
    board.plug()
    assert site.provision("rotate", "t1-a", board) == 0
    assert (board.flash / "device.key").read_bytes() != old
    assert speaks_to_the_gateway(site, board, "t1-a", now_ms)


def test_a_dead_controller_is_replaced_in_its_role_by_one_command(
    site: ProvisionSite, board: UsbBoard, micropython: MicroPython, tmp_path: Path
) -> None:
    assert site.add("t1-a", board, "--role", "shoe") == 0
    (tmp_path / "spare").mkdir()
    spare = UsbBoard(micropython, tmp_path / "spare")
    try:
        assert site.provision("replace", "t1-a", spare) == 0
        assert site.registered() == ["t1-a-2"]
        (known,) = load(site.files.file).devices
        assert (known.id, known.table, known.role) == ("t1-a-2", "t1", "shoe")
        assert speaks_to_the_gateway(site, spare, "t1-a-2")
        assert b"pixels = 8" in (spare.flash / "sabot.conf").read_bytes()
    finally:
        spare.stop()
    authority = open_house(site.files.file).authority()
    assert [each.name for each in authority.known() if each.is_good(datetime.now(UTC))] == ["t1-a-2"]


def test_a_revoked_controller_leaves_no_key(site: ProvisionSite, board: UsbBoard) -> None:
    assert site.add("t1-a", board) == 0
    assert site.provision("revoke", "t1-a") == 0
    assert not [file for file in site.devices.rglob("*") if ".key" in file.name or file.suffix == ".toml"]
    authority = open_house(site.files.file).authority()
    assert not [each for each in authority.known() if each.is_good(datetime.now(UTC))]
    assert load(site.files.file).devices.registry_at(1).find("t1-a") is None


def test_a_board_of_another_controller_is_not_taken_by_mistake(
    site: ProvisionSite, board: UsbBoard, capsys: pytest.CaptureFixture[str]
) -> None:
    assert site.add("t1-a", board) == 0
    capsys.readouterr()
    assert site.add("t2-a", board, table="t2") == 1
    assert "is t1-a already: give --take" in sentence(capsys)
    assert site.registered() == ["t1-a"]
    assert speaks_to_the_gateway(site, board, "t1-a")


def test_a_board_that_changes_hands_tells_no_event_of_its_earlier_life(site: ProvisionSite, board: UsbBoard) -> None:
    """What lies in the outbox of another table's controller would be sealed with the new key, and believed."""
    files, outbox = range(FILE_BLOCKS * BLOCK), range(FILE_BLOCKS * BLOCK, BLOCKS * BLOCK)
    events = b"SBO2 a card passed at table 1".ljust(BLOCK, b"\x00")
    assert site.add("t1-a", board) == 0

    def fill(at: int, data: bytes) -> None:
        with board.storage.open("r+b") as storage:
            storage.seek(at)
            storage.write(data)

    for sector in (outbox.start, outbox.stop - BLOCK):
        fill(sector, events)
    fill(files.stop - BLOCK, events)
    assert site.add("t1-a", board) == 0
    assert board.storage.read_bytes()[outbox.start :].count(events) == 2, "its own events are its own"
    assert site.add("t2-a", board, "--take", table="t2") == 0
    storage = board.storage.read_bytes()
    assert storage[outbox.start : outbox.stop] == b"\xff" * len(outbox)
    assert storage[files.stop - BLOCK : files.stop] == events, "the file system is nobody's outbox"
    assert site.registered() == ["t1-a", "t2-a"]
    assert speaks_to_the_gateway(site, board, "t2-a")


def test_one_command_at_a_time_works_on_a_controller(
    site: ProvisionSite, board: UsbBoard, capsys: pytest.CaptureFixture[str]
) -> None:
    with claim(site.devices, "t1-a"):
        assert site.add("t1-a", board) == 2
    assert "Another `sabot provision` works on t1-a" in sentence(capsys)
    assert list(board.flash.iterdir()) == []
    assert site.add("t1-a", board) == 0


def test_a_cable_or_a_board_that_is_not_right_registers_nothing(
    site: ProvisionSite, board: UsbBoard, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--table", "t1", "--settings", str(site.draft), "--build", str(site.build)]
    assert site.provision("add", "t1-a", None, *words, "--port", "/dev/no-such-port") == 2
    assert "There is no port /dev/no-such-port" in sentence(capsys)
    other = Port(board.port)
    assert site.add("t1-a", board) == 2
    assert "Another program uses" in sentence(capsys)
    other.close()
    assert site.add("t1-a", board, "--board", "esp32_s3_w5500") == 1
    assert "not a esp32_s3_w5500; nothing was written" in sentence(capsys)
    board.is_deaf = True
    assert site.add("t1-a", board, "--wait", "0.5") == 1
    assert "is not in its REPL" in sentence(capsys)
    assert list(board.flash.iterdir()) == []
    assert list(site.devices.iterdir()) == []
    assert not (site.files.folder / "authority").exists()


def test_bad_input_is_one_sentence_and_registers_nothing(
    site: ProvisionSite, board: UsbBoard, capsys: pytest.CaptureFixture[str]
) -> None:
    house = str(site.files.file)
    assert site.add("t1-a", board, table="nowhere") == 2
    assert "There is no table nowhere" in sentence(capsys)
    assert site.add("Not A Name", board) == 2
    assert "is no name for a controller" in sentence(capsys)
    assert main(["provision", "revoke", "t1-a", "--config", house]) == 2
    assert "No gateway runs on" in sentence(capsys)
    assert main(["provision", "list", "--config", house + ".none"]) == 2
    assert "cannot be read" in sentence(capsys)
    assert site.provision("revoke", "ghost") == 2
    assert "There is no controller ghost" in sentence(capsys)
    assert site.provision("rotate", "ghost", board) == 2
    assert "There is no controller ghost" in sentence(capsys)
    for hours in ("-3", "soon", "100000"):
        with pytest.raises(SystemExit, match="2"):
            site.provision("rotate", "t1-a", board, f"--hours={hours}")
        assert "is no number of hours from 0 to 744" in capsys.readouterr().err
    site.draft.write_text("link = pigeon\nend\n")
    assert site.add("t1-a", board) == 2
    assert "The controller would refuse these settings." in sentence(capsys)
    site.draft.write_text("link = wifi\nwifi_password = hunter22\nend\n")
    site.draft.chmod(0o644)
    assert site.add("t1-a", board) == 2
    assert "Others may read" in sentence(capsys)
    site.devices.chmod(0o755)
    site.draft.write_text("link = serial\nend\n")
    assert site.add("t1-a", board) == 2
    assert "Others may enter" in sentence(capsys)
    assert list(board.flash.iterdir()) == []
    assert site.registered() == []


def test_a_taken_name_is_refused(site: ProvisionSite, board: UsbBoard, capsys: pytest.CaptureFixture[str]) -> None:
    site.files.add_device("t1-a", "t1")
    assert site.add("t1-a", board) == 2
    assert "t1-a is taken" in sentence(capsys)
    assert list(board.flash.iterdir()) == []
