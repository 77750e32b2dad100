"""From a blank board to a table that plays: provisioned over USB, let in by the hardened broker, heard by the gateway.

Everything is real but the chips: the commands, Mosquitto with TLS and client certificates, the gateway as a process,
and the released firmware on MicroPython, started from the very files that provisioning left on the board.
"""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from app.gateway_process import GatewayProcess
from app.test_gateway_whole import WholeHouse
from conftest import ROOT, MicroPython
from field.brokers import Client, HardenedBroker
from field.usb_board import UsbBoard
from gateway_proof.proof_audit import house_alarms
from sabot_protocol.codec import encode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal
from sabot_protocol.topics import build_topic
from sabot_tools.cli import main
from services.process import free_port

pytestmark = pytest.mark.slow
SPOKEN = {"status", "event", "ack", "lamps", "command"}  # both directions: heard, answered, and its clock is set
BELOW = ROOT / "tests" / "firmware" / "rig_board"


def test_a_blank_board_is_trusted_minutes_later(micropython: MicroPython, tmp_path: Path) -> None:
    port = free_port()
    (tmp_path / "house").mkdir()
    house = WholeHouse(tmp_path / "house", "", port)
    (house.folder / "devices").chmod(0o700)
    out = tmp_path / "broker"
    config = ["--config", str(house.file)]
    hosts = ["--host", "localhost", "--host", "127.0.0.1", "--listen", f"127.0.0.1:{port}"]
    assert main(["broker-config", "--out", str(out), *hosts, *config]) == 0
    house.append(
        f'\n[broker]\nurl = "mqtts://localhost:{port}"\nca = "{out}/ca.pem"\n'
        f'certificate = "{out}/gateway.pem"\nkey = "{out}/gateway.key"\n'
    )
    draft = tmp_path / "draft.conf"
    draft.touch(0o600)
    draft.write_text(
        f"link = wifi\nwifi_ssid = pit\nwifi_password = secret\nbroker_host = 127.0.0.1\nbroker_port = {port}\n"
        "server_name = localhost\npixels = 8\nend\n"
    )
    broker = HardenedBroker("mosquitto", out, port)
    board = UsbBoard(micropython, tmp_path)
    powered: subprocess.Popen[bytes] | None = None
    try:
        with house.running() as gateway:
            words = ["t1-b", "--table", "t1", "--settings", str(draft), "--port", board.port]
            assert main(["provision", "add", *words, *config]) == 0
            assert main(["broker-config", "--out", str(out), *hosts, *config]) == 0
            broker.reload()
            witness = Client(port, "technician", out / "ca.pem", out / "technician.pem")
            assert witness.subscribe("sabot/v1/riviera/t1-b/+")
            # The gateway knows it in two seconds, and wiring a board in takes longer; here it would be a stranger yet.
            before = readings(gateway)
            gateway.send(signal.SIGHUP)
            gateway.wait_for(lambda: readings(gateway) > before, "told of the new controller")
            powered = _power(micropython, board.flash, tmp_path)
            heard: set[str] = set()
            for _ in range(90):
                heard = {topic.rpartition("/")[2] for topic, _ in witness.heard}
                if heard >= SPOKEN:
                    break
                witness.wait_briefly()
            said = (tmp_path / "console").read_text(errors="replace")[-1500:]
            assert heard >= SPOKEN, f"{heard}\n{said}\n{broker.log.read_text()[-800:]}"
            # An order that was recorded long ago: genuinely sealed, but the controller has obeyed later ones.
            key = DeviceKey("t1-b", (board.flash / "device.key").read_bytes())
            topic = build_topic("riviera", "t1-b", "command")
            witness.publish(topic, seal(key, topic, encode("command", {"number": 400, "body": ("restart", {})})))
            for _ in range(90):
                if "PLAYED_TO_DEVICE" in house_alarms(house.folder / "data" / "journal.db"):
                    break
                witness.wait_briefly()
            assert house_alarms(house.folder / "data" / "journal.db") == ["PLAYED_TO_DEVICE"]
            witness.stop()
        has_no_key_of(board, house.folder)
    finally:
        if powered is not None:
            powered.kill()
            powered.wait()
        board.stop()
        broker.stop()


def readings(gateway: GatewayProcess) -> int:
    """How often the gateway has read its settings again."""
    return sum(sentence.startswith("The settings were read again") for sentence in gateway.sentences())


def has_no_key_of(board: UsbBoard, house: Path) -> None:
    """The board's key is in its own file and nowhere else: no log, no journal."""
    key = (board.flash / "device.key").read_bytes()
    holders = [
        file.relative_to(house)
        for file in house.rglob("*")
        if file.is_file() and any(form in file.read_bytes() for form in (key, key.hex().encode()))
    ]
    assert [file.parent.name for file in holders] == ["devices"], holders
    assert [file.suffix for file in holders] == [".key"], holders


def _power(micropython: MicroPython, flash: Path, folder: Path) -> subprocess.Popen[bytes]:
    """The board as it starts by itself, from its own flash."""
    below = folder / "powered"
    below.mkdir()
    for file in BELOW.glob("*.py"):
        # The rig's storage is a Pico W's; a Pico 2 W has 4 MB, of which the outbox alone takes one.
        (below / file.name).write_text(file.read_text().replace("BLOCKS = 128", "BLOCKS = 768"))
    start = folder / "start.py"
    start.write_text(f"import os\nos.chdir('{flash}')\nimport boot\nimport main\n")
    with (folder / "console").open("wb") as console:
        return subprocess.Popen(
            [str(micropython.launcher), "-X", "heapsize=640k", str(start)],
            env={**os.environ, "MICROPYPATH": f".frozen:{flash}:{below}"},
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=subprocess.STDOUT,
        )
