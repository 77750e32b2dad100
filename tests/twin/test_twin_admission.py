"""Simulated controllers before a hardened broker: each shows a certificate of its own, as provisioned ones do."""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.gateway_process import SOURCES, GatewayProcess
from conftest import MicroPython
from field.brokers import HardenedBroker
from sabot_tools.cli import main
from sabot_tools.twin.admission import BrokerAddress, await_broker
from sabot_tools.twin.house import HouseError, write_house
from services.process import free_port


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    """The settings of a house with one table, whose gateway runs behind a hardened Mosquitto."""
    port, web, out = free_port(), free_port(), tmp_path / "broker"
    file = write_house(tmp_path / "house", ["TCF"], "riviera", "127.0.0.1:1", f"127.0.0.1:{web}")
    words = ["--host", "localhost", "--listen", f"127.0.0.1:{port}", "--config", str(file)]
    assert main(["broker-config", "--out", str(out), *words]) == 0
    with file.open("a", encoding="utf-8") as settings:
        settings.write(
            f'\n[broker]\nurl = "mqtts://localhost:{port}"\nca = "{out}/ca.pem"\n'
            f'certificate = "{out}/gateway.pem"\nkey = "{out}/gateway.key"\n'
        )
    broker = HardenedBroker("mosquitto", out, port)
    try:
        gateway = GatewayProcess(file, web).wait_until_ready()
        yield file
        assert gateway.stop() == 0
    finally:
        broker.stop()


def simulate(file: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sabot_tools.cli", "simulate", "--config", str(file), *words]
    environment = {**os.environ, "PYTHONPATH": SOURCES}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800, env=environment)


def test_a_broker_that_nobody_runs_is_one_sentence_and_one_that_comes_is_waited_for() -> None:
    port = free_port()
    with pytest.raises(HouseError, match=f"no broker answers at 127.0.0.1:{port} "):
        await_broker(BrokerAddress("127.0.0.1", port), 0.3)
    listening = threading.Event()

    def serve() -> None:
        with socket.create_server(("127.0.0.1", port)) as server:
            listening.set()
            server.accept()[0].close()

    late = threading.Timer(0.5, serve)
    late.start()
    await_broker(BrokerAddress("127.0.0.1", port))
    assert listening.is_set()
    late.join()


@pytest.mark.slow
def test_each_controller_is_let_in_by_its_own_certificate_on_both_pythons(file: Path, micropython: MicroPython) -> None:
    done = simulate(file, "--coups", "1", "--json")
    assert json.loads(done.stdout)["faults"] == [], done.stderr
    certificate = file.parent / "twin" / "table-1" / "client.der"
    first = certificate.read_bytes()
    done = simulate(file, "--coups", "1", "--json", "--micropython", str(micropython.launcher))
    assert json.loads(done.stdout)["faults"] == [], done.stderr
    assert json.loads(done.stdout)["settlements"] == 1
    assert certificate.read_bytes() == first, "the same certificate serves every night"
    done = simulate(file, "--wire-only")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "nobody speak for many" in done.stderr


def test_a_house_without_an_authority_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write_house(tmp_path, ["TCF"], "riviera", "127.0.0.1:1")
    assert main(["simulate", "--config", str(file), "--broker", "mqtts://localhost"]) == 2
    said = capsys.readouterr().err
    assert "authority is not there to issue them" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("tcp://127.0.0.1", "no address"),
        ("mqtt://127.0.0.1:99999", "no address"),
        ("mqtt://127.0.0.1/here", "no address"),
        ("mqtt://ann:secret@127.0.0.1", "certificate"),
    ],
)
def test_a_broker_that_is_none_is_refused(url: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["simulate", "--config", "sabot.toml", "--broker", url])
    assert ended.value.code == 2
    assert why in capsys.readouterr().err
