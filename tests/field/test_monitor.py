"""`sabot monitor` and `sabot selftest`: at a real broker and at the cable, with the real firmware on MicroPython."""

import argparse
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest

from app.gateway_process import SOURCES
from conftest import MicroPython
from field.device_gateway import DeviceGateway
from field.serial_line import SerialLine
from firmware.board_process import Board
from gateway_config.house_files import House as HouseFiles
from sabot_protocol.codec import decode, encode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal
from sabot_protocol.frames import frame
from sabot_protocol.messages import EVENTS, TEST
from sabot_tools.cli import COMMANDS
from sabot_tools.field import monitor, selftest
from sabot_tools.field.house import open_house
from sabot_tools.field.wire import Message, open_wire
from sabot_tools.field.wire_sentence import _EVENTS, sentences_of, without_tags
from services.mosquitto import Mosquitto

TAG = "04a1b2c3d4e5f6"


def arguments(house: HouseFiles, *words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    monitor.configure(parser)
    return parser.parse_args([*words, "--config", str(house.file)])


@pytest.fixture
def house(tmp_path: Path) -> HouseFiles:
    folder = tmp_path / "house"
    folder.mkdir()
    return HouseFiles(folder)


@pytest.fixture
def line(tmp_path: Path) -> Iterator[SerialLine]:
    laid = SerialLine(tmp_path, ["near", "far"])
    yield laid
    laid.stop()


def test_every_event_of_the_wire_has_a_sentence() -> None:
    assert set(_EVENTS) == {name for _, name, _ in EVENTS}


def test_no_tag_is_ever_shown() -> None:
    events = [
        ("card_scanned", {"device_ms": 1, "reader": 0, "uid": bytes.fromhex(TAG)}),
        ("card_doubtful", {"device_ms": 1, "reader": 0, "uids": [bytes.fromhex(TAG)], "reason": "two_cards"}),
        (
            "chips_read",
            {"device_ms": 2, "seat": 3, "spot": "ante", "part": 1, "of": 1, "uids": [bytes.fromhex(TAG)] * 2},
        ),
        ("badge_read", {"device_ms": 3, "uid": bytes.fromhex(TAG)}),
        ("discard_read", {"device_ms": 4, "part": 1, "of": 2, "uids": [bytes.fromhex(TAG)]}),
    ]
    values = {"boot": 1, "first": 7, "events": events}
    message = Message("event", decode(encode("event", values), "event")[1])
    said = "\n".join(sentences_of(message)) + json.dumps(without_tags(message.values))
    assert "#9 seat 3 ante: 2 chips" in said
    assert not re.search(TAG, said, re.IGNORECASE)


def test_what_does_not_open_is_said_and_not_shown(
    house: HouseFiles, mosquitto: Mosquitto, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = house.add_device("m1-a", "t1")
    wire = open_wire(open_house(house.file), arguments(house, "m1-a", "--broker", f"mqtt://127.0.0.1:{mosquitto.port}"))
    gateways = [DeviceGateway("m1-a", secret, mosquitto.port), DeviceGateway("m1-a", bytes(16), mosquitto.port)]
    heard: list[Message] = []

    def listen() -> None:
        for message in wire.messages(time.monotonic() + 30):
            if message is not None:
                heard.append(message)
            if len(heard) == 2:
                return

    listener = threading.Thread(target=listen)
    listener.start()
    gateways[0].command(5, "identify", seconds=2)
    gateways[1].command(6, "restart")
    listener.join()
    wire.close()
    for gateway in gateways:
        gateway.stop()
    said = sorted(sentence for message in heard for sentence in sentences_of(message))
    assert said == ["a command that does not open: not_authentic", "command 5: identify (seconds 2)"]


def told_by(monitor_words: list[str], speak: Callable[[], None], enough: Callable[[str], bool], folder: Path) -> str:
    """What the command printed until it was enough, as a program would read it; it ends in order by SIGTERM."""
    output = folder / "monitor.out"
    with output.open("w") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "sabot_tools.cli", "monitor", *monitor_words],
            env={**os.environ, "PYTHONPATH": SOURCES},
            stdout=file,
        )
        limit = time.monotonic() + 60
        while not enough(output.read_text()):
            assert time.monotonic() < limit, output.read_text()
            assert process.poll() is None
            speak()  # again and again: when it began to listen it does not say
            time.sleep(0.1)  # another process has no other way to say so
        process.terminate()
        assert process.wait(60) == 0
    return output.read_text()


def card_message(secret: bytes, device: str) -> bytes:
    event = ("card_scanned", {"device_ms": 1, "reader": 0, "uid": bytes.fromhex(TAG)})
    values = {"boot": 1, "first": 7, "events": [event]}
    return seal(DeviceKey(device, secret), f"sabot/v1/riviera/{device}/event", encode("event", values))


def test_the_command_prints_one_object_for_each_message_at_the_broker(
    house: HouseFiles, mosquitto: Mosquitto, tmp_path: Path
) -> None:
    secret = house.add_device("m2-a", "t1")
    gateway = DeviceGateway("m2-a", secret, mosquitto.port)
    words = ["m2-a", "--broker", f"mqtt://127.0.0.1:{mosquitto.port}", "--config", str(house.file), "--json"]
    try:
        said = told_by(
            words, lambda: gateway.command(5, "identify", seconds=2), lambda text: text.count("\n") > 1, tmp_path
        )
    finally:
        gateway.stop()
    told = json.loads(said.splitlines()[0])
    assert datetime.fromisoformat(told.pop("at")).tzinfo is not None
    expected = {"number": 5, "body": ["identify", {"seconds": 2}]}
    assert told == {"device": "m2-a", "channel": "command", "values": expected, "code": ""}


@pytest.mark.parametrize("is_json", [False, True], ids=["sentences", "json"])
def test_the_command_listens_at_the_cable_and_shows_no_tag(
    house: HouseFiles, line: SerialLine, tmp_path: Path, is_json: bool
) -> None:
    secret = house.add_device("m3-a", "t1")
    far = os.open(line.ends["far"], os.O_RDWR | os.O_NOCTTY)
    words = ["m3-a", "--port", str(line.ends["near"]), "--config", str(house.file), *(["--json"] if is_json else [])]

    def speak() -> None:
        os.write(far, b"noise\x00" + frame("event", card_message(secret, "m3-a")))
        os.write(far, frame("event", card_message(secret, "neighbour")))

    try:
        said = told_by(words, speak, lambda text: text.count("\n") > 1, tmp_path)
    finally:
        os.close(far)
    assert not re.search(TAG, said, re.IGNORECASE)
    assert "neighbour" not in said
    for each in said.splitlines():
        if is_json:
            told = json.loads(each)["values"]["events"]
            assert told == [["card_scanned", {"device_ms": 1, "reader": 0, "uid": "hidden"}]]
        else:
            assert re.fullmatch(r"\d\d:\d\d:\d\d m3-a -> #7 a card passed reader 0", each)


@pytest.mark.slow
def test_a_real_controller_is_tested_and_watched_over_its_cable(
    micropython: MicroPython, house: HouseFiles, line: SerialLine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = house.add_device("t1-x", "t1")
    folder = tmp_path / "board"
    folder.mkdir()
    board = Board(micropython, folder, "link = serial\npixels = 8\n")
    text = (folder / "sabot.conf").read_text().replace("device = table-1", "device = t1-x")
    (folder / "sabot.conf").write_text(text)
    (folder / "device.key").write_bytes(secret)
    (folder / "uart").write_text(str(line.ends["far"]))
    board.start()
    try:
        wire = open_wire(open_house(house.file), arguments(house, "t1-x", "--port", str(line.ends["near"])))
        results = selftest.conduct(wire, "all", 60, is_bench=True)
        wire.close()
    finally:
        board.stop()
    # The rig has no readers, no keypad and no display: nothing of them can fail; lamps, flash and software are real.
    assert set(results) == set(TEST[1]) - {"all"}
    assert results["digests"] == results["flash"] == results["lamps"] == "passed"


@pytest.mark.parametrize("command", ["monitor", "selftest"])
def test_bad_input_is_one_sentence(house: HouseFiles, capsys: pytest.CaptureFixture[str], command: str) -> None:
    from sabot_tools.cli import main

    assert command in COMMANDS
    config = ["--config", str(house.file)]
    for words, sentence in (
        (["ghost"], "There is no controller ghost"),
        (["t1-a", "--port", "/dev/no-such-port"], "There is no port /dev/no-such-port"),
        (["t1-a", "--broker", "mqtt://127.0.0.1:9"], "cannot be reached"),
        (["t1-a", "--broker", "ftp://x"], "--broker must be"),
    ):
        assert main([command, *words, *config]) == 2
        said = capsys.readouterr().err
        assert sentence in said
        assert said.count("\n") == 1
