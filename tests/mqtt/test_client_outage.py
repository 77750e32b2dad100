"""Brokers that die, come back, refuse or are not there: what the gateway does, and the one sentence it says."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from json import loads
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.certificates import Authority
from mqtt.broker_process import ENGINES, MosquittoProcess, NatsProcess
from mqtt.ears import PATIENCE_S, Ears, listening
from mqtt.scripted_broker import Peer, scripted
from sabot_gateway.mqtt.client import PahoBroker
from sabot_gateway.mqtt.port import BrokerError, BrokerSettings, Link, Tls, Version
from sabot_gateway.mqtt.retry import Retry
from services.process import free_port

EVENT = "sabot/v1/site/felt-7/event"


@pytest.mark.parametrize("name", ENGINES)
def test_a_killed_broker_is_found_again_with_session_and_birth(tmp_path: Path, name: str) -> None:
    kind, version = ENGINES[name]
    process = kind(tmp_path, "autosave_interval 1\nautosave_on_changes true" if kind is MosquittoProcess else "")
    try:
        settings = process.settings(version)
        with listening(settings) as (broker, ears):
            broker.deliver("sabot/v1/elsewhere/marker/event", b"").result(PATIENCE_S)
            process.kill()
            assert "lost" in ears.wait_down()
            assert not broker.is_connected
            assert not broker.publish(EVENT, b"nobody there")
            waiting = broker.deliver("sabot/v1/site/felt-1/event", b"kept until somebody is there")
            process.start()
            ears.wait_up(2)
            waiting.result(PATIENCE_S)
            ears.wait(lambda heard: bool(heard.arrivals))
            process.comes_to_keep(settings.status_topic, lambda kept: loads(kept)["state"] == "online")
        assert ears.payloads == [b"kept until somebody is there"]
    finally:
        process.stop()


_CRASHER = """
import sys
from sabot_gateway.mqtt.client import PahoBroker
from sabot_gateway.mqtt.port import BrokerSettings, Version
settings = BrokerSettings("site", "crash", "127.0.0.1", int(sys.argv[1]), Version(sys.argv[2]))
broker = PahoBroker(settings)
say = lambda text: print(text, flush=True)
broker.start(lambda arrival: say(arrival.payload.decode()), lambda link: say("up" if link.is_up else link.sentence))
sys.stdin.read()
"""


@pytest.mark.parametrize("name", ENGINES)
def test_a_gateway_killed_before_it_settled_gets_everything_again_and_its_will_is_spoken(
    tmp_path: Path, name: str
) -> None:
    kind, version = ENGINES[name]
    process = kind(tmp_path, "ack_wait: 1500ms" if kind is NatsProcess else "")
    child = subprocess.Popen(
        [sys.executable, "-c", _CRASHER, str(process.port), version.value],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        assert child.stdout
        assert child.stdin
        assert child.stdout.readline() == "up\n"
        process.send(EVENT, b"one", b"two")
        assert [child.stdout.readline() for _ in range(2)] == ["one\n", "two\n"]
        os.kill(child.pid, signal.SIGKILL)
        child.wait(PATIENCE_S)
        settings = process.settings(version, gateway="crash")
        limit = time.monotonic() + PATIENCE_S
        while loads(process.retained(settings.status_topic))["state"] != "lost":
            assert time.monotonic() < limit, "the broker never spoke the will"
        with listening(settings) as (_, ears):
            ears.wait(lambda heard: len(heard.arrivals) >= 2)
            assert ears.links[0].is_resumed
        assert ears.payloads == [b"one", b"two"]
    finally:
        if child.poll() is None:
            child.kill()
            child.wait(PATIENCE_S)
        child.stdin.close() if child.stdin else None
        child.stdout.close() if child.stdout else None
        process.stop()


def test_attempts_grow_apart_while_nobody_listens() -> None:
    """Each wait is at least half of its step: 20, 40, 80, 160, 160 ms."""
    settings = BrokerSettings(
        "site", "pit-1", "127.0.0.1", free_port(), first_retry_ms=20, longest_retry_ms=160, connect_timeout_s=5
    )
    times: list[float] = []
    ears = Ears()
    enough = threading.Event()

    def on_link(link: Link) -> None:
        times.append(time.monotonic())
        ears.on_link(link)
        if len(times) == 6:
            enough.set()

    broker = PahoBroker(settings)
    broker.start(ears.on_arrival, on_link)
    assert enough.wait(PATIENCE_S)
    broker.stop()
    gaps_ms = [(after - before) * 1000 for before, after in pairwise(times)]
    assert all(gap >= least for gap, least in zip(gaps_ms, (10, 20, 40, 80, 80), strict=False))
    assert {link.sentence for link in ears.links} == {f"The broker at 127.0.0.1:{settings.port} does not listen there."}


@given(first=st.integers(1, 1000), longest=st.integers(1000, 100_000), failures=st.integers(1, 60))
def test_a_wait_is_between_half_and_all_of_its_doubled_step(first: int, longest: int, failures: int) -> None:
    asked: list[tuple[int, int]] = []
    lowest = Retry(first, longest, lambda low, high: asked.append((low, high)) or low)  # type: ignore[func-returns-value]
    waits = [lowest.failed() for _ in range(failures)]
    steps = [min(first * 2**number, longest) for number in range(failures)]
    assert [high for _, high in asked] == steps
    assert all(2 * wait >= step > 0 for wait, step in zip(waits, steps, strict=True))
    lowest.succeeded()
    assert lowest.failed() <= first


def test_a_real_wait_is_not_always_the_same() -> None:
    assert len({Retry(1_000_000, 1_000_000).failed() for _ in range(20)}) > 1


def test_tls_with_a_client_certificate_carries_messages(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    ours = authority.issue("gateway-pit-1")
    process = MosquittoProcess(tmp_path, _tls13(authority) + "allow_anonymous true\n")
    try:
        for version in Version:
            settings = process.settings(version, tls=Tls(authority.file, ours, ours.with_suffix(".key")))
            payloads = [bytes([number]) * 5_000 for number in range(40)]  # more than one TLS record at a time
            with listening(settings) as (broker, ears):
                for payload in payloads:
                    assert broker.publish(EVENT, payload)
                ears.wait(lambda heard: len(heard.arrivals) >= 40)
            assert ears.payloads == payloads
    finally:
        process.stop()


@pytest.mark.parametrize("tls_version", ["tlsv1.2", "tlsv1.3"])
def test_a_certificate_that_is_missing_or_of_another_house_is_refused_in_one_sentence(
    tmp_path: Path, tls_version: str
) -> None:
    authority, stranger = Authority(tmp_path), Authority(tmp_path, "stranger")
    foreign = stranger.issue("foreign")
    process = MosquittoProcess(tmp_path, _tls13(authority).replace("tlsv1.2", tls_version) + "allow_anonymous true\n")
    try:
        for tls in (Tls(authority.file), Tls(authority.file, foreign, foreign.with_suffix(".key"))):
            sentence = _first_trouble(process.settings(tls=tls))
            assert sentence.startswith(f"The broker at 127.0.0.1:{process.port} ended the TLS handshake: ")
            assert sentence.count(".") == 4  # of the address and of the end
        sentence = _first_trouble(process.settings(tls=Tls(stranger.file)))
        assert "has a certificate that cannot be trusted" in sentence
    finally:
        process.stop()


def test_a_wrong_password_is_said_and_never_shown(tmp_path: Path) -> None:
    passwords = tmp_path / "passwords"
    subprocess.run(
        ["mosquitto_passwd", "-b", "-c", str(passwords), "gateway", "right"], check=True, capture_output=True
    )
    passwords.chmod(0o700)
    process = MosquittoProcess(tmp_path, f"allow_anonymous false\npassword_file {passwords}\n")
    try:
        for version in Version:
            settings = process.settings(version, username="gateway", password="wr0ng-secret")
            sentence = _first_trouble(settings)
            assert sentence.startswith(f"The broker at 127.0.0.1:{process.port} refuses the gateway: ")
            assert "wr0ng" not in sentence + repr(settings)
            with listening(process.settings(version, username="gateway", password="right")):
                pass
    finally:
        process.stop()


def test_a_broker_without_mqtt_5_is_named_as_such(tmp_path: Path) -> None:
    process = NatsProcess(tmp_path)
    try:
        sentence = _first_trouble(process.settings(Version.V5))
        assert sentence.startswith(f"The broker at 127.0.0.1:{process.port} ")
        assert sentence.endswith("speak MQTT 5.")
    finally:
        process.stop()


def test_a_name_without_address_is_said() -> None:
    settings = BrokerSettings("site", "pit-1", "broker.invalid", 1883, longest_retry_ms=250)
    assert _first_trouble(settings) == "The broker at broker.invalid:1883 cannot be found: its name has no address."


def test_a_broker_that_refuses_the_subscription_is_said() -> None:
    def script(peer: Peer) -> None:
        peer.packet()
        peer.say(b"\x20\x02\x00\x00")
        _, body = peer.packet()
        peer.say(b"\x90\x04" + body[:2] + b"\x80\x80")  # MQTT 3.1.1, 3.9.3: failure, for each filter
        peer.wait_until_closed()

    with scripted(script) as settings:
        sentence = _first_trouble(settings)
    assert sentence.endswith("refuses the subscription to sabot/v1/site/+/event.")


def test_a_second_gateway_of_the_same_name_is_noticed() -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        peer.say(b"\xe0\x02\x8e\x00")  # MQTT 5, 3.14.2.1: session taken over
        peer.wait_until_closed()

    with scripted(script, Version.V5) as settings, listening(settings) as (_, ears):
        ears.wait_down()
    where = f"127.0.0.1:{settings.port}"
    assert ears.links[1].sentence == f"Another client named gateway-pit-1 took over at the broker at {where}."


SPOILED: dict[str, Callable[[Tls, Path], Tls]] = {
    "authority's certificate {}/none.pem cannot be read": lambda tls, at: Tls(
        at / "none.pem", tls.certificate, tls.key
    ),
    "authority's certificate {}/own.key cannot be used": lambda tls, at: Tls(at / "own.key", tls.certificate, tls.key),
    "certificate {}/none.pem cannot be read": lambda tls, at: Tls(tls.ca, at / "none.pem", tls.key),
    "certificate {}/own.pem cannot be used": lambda tls, at: Tls(tls.ca, tls.certificate, at / "other.key"),
    "key {}/none.key cannot be read": lambda tls, at: Tls(tls.ca, tls.certificate, at / "none.key"),
}


@pytest.mark.parametrize(("said", "spoil"), SPOILED.items())
def test_files_that_cannot_serve_are_said_before_anything_starts(
    tmp_path: Path, spoil: Callable[[Tls, Path], Tls], said: str
) -> None:
    authority = Authority(tmp_path)
    own, _ = authority.issue("own"), authority.issue("other")
    good = Tls(authority.file, own, own.with_suffix(".key"))
    broker = PahoBroker(BrokerSettings("site", "pit-1", "127.0.0.1", 1, tls=spoil(good, tmp_path)))
    with pytest.raises(BrokerError, match=f"^The {said.format(tmp_path)}: .*[.]$"):
        broker.start(lambda _: None, lambda _: None)


def test_a_silent_peer_is_given_up_after_its_keep_alive() -> None:
    """A broker that answers nothing any more, on a connection that stays open."""

    def script(peer: Peer) -> None:
        peer.welcome()
        peer.wait_until_closed()

    with scripted(script) as address:
        settings = BrokerSettings("site", "pit-1", "127.0.0.1", address.port, keepalive_s=1, longest_retry_ms=250)
        with listening(settings) as (_, ears):
            assert "lost" in ears.wait_down()


def test_stop_does_not_wait_for_a_broker_that_never_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:  # accepts in the kernel, and says nothing
        settings = BrokerSettings("site", "pit-1", "127.0.0.1", server.getsockname()[1])
        broker, ears = PahoBroker(settings), Ears()
        broker.start(ears.on_arrival, ears.on_link)
        connection, _ = server.accept()
        with connection:
            broker.stop()
            assert not any(thread.name == "mqtt" for thread in threading.enumerate())


def _tls13(authority: Authority) -> str:
    """The settings of the boards' broker, without their one cipher, which TLS 1.3 does not have."""
    lines = authority.broker_settings().splitlines()
    return "\n".join(line for line in lines if not line.startswith("ciphers")) + "\n"


def _first_trouble(settings: BrokerSettings) -> str:
    with listening(settings, wait_up=False) as (_, ears):
        return ears.wait_down()
