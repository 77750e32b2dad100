"""`sabot bridge` between pseudo-terminals and a real Mosquitto, with the real firmware at the far end of the line."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.gateway_process import SOURCES
from conftest import MicroPython
from field.device_gateway import DeviceGateway
from field.serial_line import SerialLine
from firmware.board_process import SECRET, Board
from firmware.cable import Cable
from sabot_protocol.codec import encode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal
from sabot_protocol.frames import Deframer, frame
from sabot_protocol.topics import build_topic
from sabot_tools.cli import main
from sabot_tools.field.sealed import holder_of
from services.mosquitto import Mosquitto
from services.process import free_port

DEADLINE_S = 90.0


class BridgeProcess:
    """The command as a house runs it; `ports` is the last status of each."""

    def __init__(self, port: int, *paths: Path) -> None:
        words = ["bridge", "--site", "riviera", "--broker", f"mqtt://127.0.0.1:{port}", "--json", "--port"]
        self.ports: dict[str, dict[str, Any]] = {}
        self._changed = threading.Condition()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "sabot_tools.cli", *words, *map(str, paths)],
            env={**os.environ, "PYTHONPATH": SOURCES},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def wait_for(self, found: Callable[[dict[str, dict[str, Any]]], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: found(self.ports), DEADLINE_S), self.ports

    def stop(self) -> int:
        if self._process.poll() is None:
            os.kill(self._process.pid, signal.SIGTERM)
        return self._process.wait(DEADLINE_S)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as output:
            for line in output:
                status = json.loads(line)
                with self._changed:
                    self.ports[status["port"]] = status
                    self._changed.notify_all()


@contextmanager
def bridged(mosquitto: Mosquitto, *paths: Path) -> Iterator[BridgeProcess]:
    bridge = BridgeProcess(mosquitto.port, *paths)
    try:
        yield bridge
    finally:
        assert bridge.stop() == 0


def until(found: Callable[[], bool], what: str) -> None:
    limit = time.monotonic() + DEADLINE_S
    while not found():
        assert time.monotonic() < limit, what
        time.sleep(0.02)  # another process has no other way to say so


def make_board(micropython: MicroPython, folder: Path, device: str, secret: bytes, line: Path) -> Board:
    folder.mkdir()
    board = Board(micropython, folder, "link = serial\npixels = 8\n")
    config = (folder / "sabot.conf").read_text().replace("device = table-1", f"device = {device}")
    (folder / "sabot.conf").write_text(config)
    (folder / "device.key").write_bytes(secret)
    (folder / "uart").write_text(str(line))
    return board


@pytest.mark.slow
def test_two_controllers_on_one_line_reach_the_gateway_through_unplugging(
    micropython: MicroPython, mosquitto: Mosquitto, tmp_path: Path
) -> None:
    line = SerialLine(tmp_path, ["bridge", "one", "two"])
    keys = {"bridged-1": SECRET, "bridged-2": bytes(reversed(SECRET))}
    boards = [
        make_board(micropython, tmp_path / device, device, secret, line.ends[end])
        for (device, secret), end in zip(keys.items(), ("one", "two"), strict=True)
    ]
    gateways = [DeviceGateway(device, secret, mosquitto.port) for device, secret in keys.items()]
    try:
        with bridged(mosquitto, line.ends["bridge"]) as bridge:
            for board in boards:
                board.start()
            path = str(line.ends["bridge"])
            bridge.wait_for(lambda ports: ports.get(path, {}).get("devices") == sorted(keys))
            for gateway in gateways:
                assert gateway.wait_for("hello", 60)["board"] == "rpi_pico_w"
                gateway.show(7)
            gateways[0].refuses_what_is_stale()
            line.unplug("bridge")
            bridge.wait_for(lambda ports: ports[path]["state"] == "waiting")
            line.plug("bridge")
            for gateway in gateways:
                gateway.order(1_000)
            for gateway in gateways:
                assert gateway.contradictions == []
            bridge.wait_for(lambda ports: ports[path]["devices"] == sorted(keys))
            # Each heard all that went to the other, and took it for what it is: none of its business.
            for gateway in gateways:
                refused = [values["code"] for name, values in gateway.events if name == "message_refused"]
                assert "wrong_device" not in refused, refused
        # No key ever lay on the line, nor anything but sealed messages.
        for secret in keys.values():
            assert secret not in bytes(line.traffic)
    finally:
        for board in boards:
            board.stop()
        for gateway in gateways:
            gateway.stop()
        line.stop()


class HandLine:
    """The far end of a line, written and read by the test itself."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_NOCTTY)
        self._deframer = Deframer()
        self.heard: list[tuple[str, bytes]] = []
        self._is_over = False
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def send(self, data: bytes) -> None:
        os.write(self._handle, data)

    def stop(self) -> None:
        self._is_over = True
        self._thread.join()
        os.close(self._handle)

    def _listen(self) -> None:
        import select

        while not self._is_over:
            if select.select([self._handle], [], [], 0.02)[0]:
                self.heard += self._deframer.feed(os.read(self._handle, 4096))


def test_bytes_pass_unaltered_and_garbage_and_downward_words_do_not(mosquitto: Mosquitto, tmp_path: Path) -> None:
    line = SerialLine(tmp_path, ["bridge", "far"])
    key = DeviceKey("by-hand", SECRET)
    gateway = DeviceGateway("by-hand", SECRET, mosquitto.port)
    far = HandLine(line.ends["far"])
    try:
        with bridged(mosquitto, line.ends["bridge"]) as bridge:
            bridge.wait_for(lambda ports: any(each["state"] == "open" for each in ports.values()))
            event = {"boot": 1, "first": 1, "events": [("cut_card", {"device_ms": 5})]}
            sealed = seal(key, build_topic("riviera", "by-hand", "event"), encode("event", event))
            order = {"number": 9, "body": ("restart", {})}
            downward = seal(key, build_topic("riviera", "by-hand", "command"), encode("command", order))
            far.send(os.urandom(5_000))
            far.send(frame("command", downward))  # a controller has no voice downward
            far.send(frame("event", b"no envelope at all"))
            far.send(frame("event", sealed))
            until(lambda: len(gateway.events) == 1, "the event did not come")
            until(lambda: [name for name, _ in far.heard] == ["ack"], "no ack came down")
            assert gateway.events == event["events"]
            gateway.command(12, "identify", seconds=1)
            until(lambda: "command" in [name for name, _ in far.heard], "no command came down")
            assert all(holder_of(message) == "by-hand" for _, message in far.heard)
    finally:
        gateway.stop()
        far.stop()
        line.stop()


def test_each_of_many_ports_comes_and_goes_by_itself(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """Three ports, one of them not there yet: each has its own status and controllers, and none waits for another."""
    lines: dict[str, SerialLine] = {}
    fars: dict[str, HandLine] = {}
    gateways: dict[str, DeviceGateway] = {}
    for name in ("many-1", "many-2", "many-3"):
        (tmp_path / name).mkdir()
        lines[name] = SerialLine(tmp_path / name, ["bridge", "far"])
        fars[name] = HandLine(lines[name].ends["far"])
        gateways[name] = DeviceGateway(name, SECRET, mosquitto.port)
    paths = {name: str(line.ends["bridge"]) for name, line in lines.items()}

    def tell(name: str, number: int) -> None:
        event = {"boot": 1, "first": number, "events": [("cut_card", {"device_ms": number})]}
        sealed = seal(DeviceKey(name, SECRET), build_topic("riviera", name, "event"), encode("event", event))
        fars[name].send(frame("event", sealed))

    def states(ports: dict[str, dict[str, Any]]) -> dict[str, str]:
        return {name: ports.get(path, {}).get("state", "") for name, path in paths.items()}

    lines["many-3"].unplug("bridge")
    try:
        with bridged(mosquitto, *(line.ends["bridge"] for line in lines.values())) as bridge:
            bridge.wait_for(lambda ports: states(ports) == {"many-1": "open", "many-2": "open", "many-3": "waiting"})
            assert "There is no port" in bridge.ports[paths["many-3"]]["reason"]
            for name in ("many-1", "many-2"):
                tell(name, 1)
            bridge.wait_for(lambda ports: all(ports[paths[name]]["devices"] == [name] for name in ("many-1", "many-2")))
            lines["many-1"].unplug("bridge")
            lines["many-3"].plug("bridge")
            bridge.wait_for(lambda ports: states(ports) == {"many-1": "waiting", "many-2": "open", "many-3": "open"})
            for name in ("many-2", "many-3"):
                tell(name, 2 if name == "many-2" else 1)
            until(lambda: len(gateways["many-2"].events) == 2, "the port that stayed is held up")
            until(lambda: len(gateways["many-3"].events) == 1, "the port that came is not carried")
            # What goes down takes the line of its controller and no other.
            gateways["many-3"].command(5, "identify", seconds=1)
            until(lambda: "command" in [name for name, _ in fars["many-3"].heard], "no command came down")
            assert "command" not in [name for name, _ in fars["many-2"].heard]
            lines["many-1"].plug("bridge")
            bridge.wait_for(lambda ports: states(ports)["many-1"] == "open")
            tell("many-1", 2)
            until(lambda: len(gateways["many-1"].events) == 2, "the port that came back is not carried")
    finally:
        for name, line in lines.items():
            gateways[name].stop()
            fars[name].stop()
            line.stop()


def test_while_the_broker_is_away_the_line_waits_and_nothing_is_lost(mosquitto: Mosquitto, tmp_path: Path) -> None:
    cable = Cable(mosquitto.port)
    line = SerialLine(tmp_path, ["bridge", "far"])
    far = HandLine(line.ends["far"])
    key = DeviceKey("patient", SECRET)
    topic = build_topic("riviera", "patient", "event")
    gateway = DeviceGateway("patient", SECRET, mosquitto.port)

    def send(first: int, last: int) -> None:
        for number in range(first, last + 1):
            event = {"boot": 1, "first": number, "events": [("cut_card", {"device_ms": number})]}
            far.send(frame("event", seal(key, topic, encode("event", event))))

    bridge = BridgeProcess(cable.port, line.ends["bridge"])
    try:
        bridge.wait_for(lambda ports: any(each["state"] == "open" for each in ports.values()))
        send(1, 1)
        until(lambda: len(gateway.events) == 1, "the bridge does not carry")
        cable.target = free_port()  # nobody listens there
        cable.hang_up()
        # Far more than a terminal's buffers hold: the sender has to wait, as a USB port makes a board wait.
        sender = threading.Thread(target=send, args=(2, 600), daemon=True)
        sender.start()
        cable.target = mosquitto.port
        until(lambda: len(gateway.events) == 600, "not everything arrived")
        sender.join()
        assert (gateway.contradictions, gateway.gaps) == ([], 0)
        assert [values["device_ms"] for _, values in gateway.events] == list(range(1, 601))
    finally:
        assert bridge.stop() == 0
        gateway.stop()
        far.stop()
        line.stop()
        cable.close()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--broker", "http://x"], "--broker must be mqtts://host:port"),
        (["--broker", "mqtts://x", "--ca", "no-such.pem"], "The certificates cannot be used"),
        (["--broker", "mqtt://x", "--site", "Not A Site"], "are named by small letters"),
    ],
)
def test_bad_input_is_one_sentence(capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str) -> None:
    assert main(["bridge", "--port", "/dev/none", "--site", "riviera", *arguments]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def test_an_envelope_tells_its_holder_and_nothing_else_does() -> None:
    for device in ("a", "t1-a", "a" * 32):
        sealed = seal(DeviceKey(device, SECRET), build_topic("riviera", device, "event"), b"\xa0")
        assert holder_of(sealed) == device
        assert all(holder_of(sealed[:size]) in (None, device) for size in range(len(sealed)))
    assert holder_of(b"") is None
    assert holder_of(b"\xd0\x83\x44\xa1\x01\x18\x1e\xa2\x04\x42A/") is None
