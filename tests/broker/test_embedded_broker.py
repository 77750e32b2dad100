"""The broker that the gateway starts itself: it serves, is watched, and never outlives the gateway."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mqtt.ears import PATIENCE_S, listening
from sabot_gateway.broker.embedded import EmbeddedBroker
from sabot_gateway.broker.hold import Hold
from sabot_gateway.broker.program import find_program
from sabot_gateway.errors import StartError
from sabot_gateway.settings.shape import Address, BrokerProgram, EmbeddedSettings
from services.process import answers, free_port

EVENT = "sabot/v1/site/felt-7/event"
PROGRAMS = [BrokerProgram.NATS, BrokerProgram.MOSQUITTO]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir(0o700)
    return folder


@pytest.fixture(params=PROGRAMS)
def settings(request: pytest.FixtureRequest) -> EmbeddedSettings:
    return EmbeddedSettings(Address("127.0.0.1", free_port()), request.param)


@pytest.fixture
def broker(data: Path, settings: EmbeddedSettings, said: list[str]) -> Iterator[EmbeddedBroker]:
    broker = EmbeddedBroker(data, settings, said.append)
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
def said() -> list[str]:
    return []


def test_it_serves_the_gateway_and_keeps_its_session_over_a_restart(data: Path, settings: EmbeddedSettings) -> None:
    first = EmbeddedBroker(data, settings)
    first.start()
    ours = first.settings("site", "pit-1")
    with listening(ours) as (client, ears):
        client.deliver(EVENT, b"hello").result(PATIENCE_S)
        ears.wait(lambda heard: heard.payloads == [b"hello"])
    first.stop()
    assert not answers(settings.listen.port)
    second = EmbeddedBroker(data, settings)
    second.start()
    with listening(ours) as (_, ears):
        assert ears.links[0].is_resumed
    second.stop()


def test_it_listens_on_loopback_only(broker: EmbeddedBroker, settings: EmbeddedSettings) -> None:
    assert broker.pid
    addresses = _listening(broker.pid)
    assert ("0100007F", settings.listen.port) in addresses
    assert {address for address, _ in addresses} == {"0100007F"}  # 127.0.0.1, as the kernel writes it


def test_a_killed_broker_is_started_again_and_the_gateway_finds_it(
    broker: EmbeddedBroker, said: list[str], settings: EmbeddedSettings
) -> None:
    with listening(broker.settings("site", "pit-1")) as (client, ears):
        first = broker.pid
        assert first
        os.kill(first, signal.SIGKILL)
        ears.wait_up(2)
        assert broker.pid not in (None, first)
        client.deliver(EVENT, b"again").result(PATIENCE_S)
        ears.wait(lambda heard: b"again" in heard.payloads)
    assert len(said) == 1
    name = {"nats": "nats-server", "mosquitto": "Mosquitto"}[settings.program.value]
    assert re.fullmatch(rf"The embedded broker {name} ended: .+[.] It is started again in \d+ ms[.]", said[0])


_PARENT = """
import sys
from pathlib import Path
from sabot_gateway.broker.embedded import EmbeddedBroker
from sabot_gateway.settings.shape import Address, BrokerProgram, EmbeddedSettings
settings = EmbeddedSettings(Address("127.0.0.1", int(sys.argv[2])), BrokerProgram(sys.argv[3]))
broker = EmbeddedBroker(Path(sys.argv[1]), settings)
broker.start()
print(broker.pid, flush=True)
sys.stdin.read()
"""


def _parent(data: Path, settings: EmbeddedSettings) -> "subprocess.Popen[str]":
    """A gateway, as far as its broker goes; the first line that it prints is the broker's pid."""
    return subprocess.Popen(
        [sys.executable, "-c", _PARENT, str(data), str(settings.listen.port), settings.program.value],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def test_a_killed_gateway_takes_its_broker_with_it(data: Path, settings: EmbeddedSettings) -> None:
    with _parent(data, settings) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        assert _is_running(child)
        parent.kill()
    _wait_until(lambda: not _is_running(child))
    assert not answers(settings.listen.port)


def test_a_start_right_after_a_kill_waits_for_the_broker_of_before(data: Path, settings: EmbeddedSettings) -> None:
    with _parent(data, settings) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        os.kill(child, signal.SIGSTOP)  # a broker that is slow to write down what it holds
        parent.kill()
    hurried = threading.Timer(0.3, os.kill, (child, signal.SIGCONT))
    hurried.start()
    broker = EmbeddedBroker(data, settings)
    try:
        broker.start()
        assert not _is_running(child)
        assert answers(settings.listen.port)
    finally:
        hurried.join()
        broker.stop()


def test_a_broker_that_does_not_end_is_said(
    data: Path, settings: EmbeddedSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabot_gateway.broker.embedded._EARLIER_S", 0.0)
    (data / "broker").mkdir(0o700)
    earlier = Hold(data / "broker", 0.0)
    sentence = f"^The embedded broker of an earlier gateway still runs on {data}/broker[.]$"
    with pytest.raises(StartError, match=sentence) as caught:
        EmbeddedBroker(data, settings).start()
    assert caught.value.may_pass
    earlier.release()


def test_stop_ends_the_child(broker: EmbeddedBroker) -> None:
    child = broker.pid
    assert child
    broker.stop()
    assert not _is_running(child)
    assert broker.pid is None


def test_a_taken_port_is_said(data: Path, settings: EmbeddedSettings) -> None:
    with socket.create_server(("127.0.0.1", settings.listen.port)):
        sentence = f"^The embedded broker cannot listen on 127.0.0.1:{settings.listen.port}: another program does[.]$"
        with pytest.raises(StartError, match=sentence):
            EmbeddedBroker(data, settings).start()


def test_an_address_of_another_machine_is_said(data: Path) -> None:
    settings = EmbeddedSettings(Address("192.0.2.1", 1883), BrokerProgram.AUTO)  # RFC 5737: nobody's
    with pytest.raises(StartError, match=r"^The embedded broker cannot listen on 192.0.2.1:1883 \(.*\)\.$"):
        EmbeddedBroker(data, settings).start()


def test_a_folder_that_cannot_be_made_is_said(data: Path, settings: EmbeddedSettings) -> None:
    (data / "broker").write_text("a file where a folder should be")
    with pytest.raises(StartError, match=rf"^{data}/broker cannot be made \(.*\)\.$"):
        EmbeddedBroker(data, settings).start()


def test_a_settings_file_that_cannot_be_written_is_said(data: Path, settings: EmbeddedSettings) -> None:
    file = data / "broker" / f"{settings.program.value}.conf"
    file.mkdir(parents=True)
    file.parent.chmod(0o700)
    with pytest.raises(StartError, match=rf"^{file} cannot be written \(.*\)\.$"):
        EmbeddedBroker(data, settings).start()


def test_a_machine_without_a_broker_is_told_what_to_install(tmp_path: Path) -> None:
    hint = "install sabot\\[broker\\] or Mosquitto, or name a broker in \\[broker\\][.]$"
    with pytest.raises(StartError, match=f"^There is neither nats-server nor Mosquitto on this machine: {hint}"):
        find_program(BrokerProgram.AUTO, str(tmp_path))
    for program, name in ((BrokerProgram.NATS, "nats-server"), (BrokerProgram.MOSQUITTO, "Mosquitto")):
        with pytest.raises(StartError, match=f"^There is no {name} on this machine: {hint}"):
            find_program(program, str(tmp_path))


def test_nats_is_preferred_and_mosquitto_serves_where_it_is_missing(tmp_path: Path) -> None:
    _program(tmp_path / "mosquitto", "")
    assert find_program(BrokerProgram.AUTO, str(tmp_path)).kind is BrokerProgram.MOSQUITTO
    _program(tmp_path / "nats-server", "")
    assert find_program(BrokerProgram.AUTO, str(tmp_path)).kind is BrokerProgram.NATS


def test_a_broker_that_ends_at_once_is_quoted(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _program(tmp_path / "mosquitto", "echo chatter; echo 'Error: out of luck.'; exit 3")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    settings = EmbeddedSettings(Address("127.0.0.1", free_port()), BrokerProgram.MOSQUITTO)
    with pytest.raises(StartError, match=r"^The embedded broker Mosquitto did not start: Error: out of luck[.]$"):
        EmbeddedBroker(data, settings).start()


def test_what_the_broker_is_told_is_for_its_owner_only(broker: EmbeddedBroker, data: Path) -> None:
    for path in (data / "broker").iterdir():
        assert path.stat().st_mode & 0o077 == 0 or path.suffix == ".log", path


def _program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def _listening(pid: int) -> set[tuple[str, int]]:
    """The kernel's own list of what a process listens on: hexadecimal address, port."""
    sockets = {str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()}
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in sockets:
                address, port = fields[1].split(":")
                found.add((address, int(port, 16)))
    return found


def _is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def _wait_until(condition: Callable[[], bool]) -> None:
    limit = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.01)  # a process that is not our child has no other way to say that it ended
