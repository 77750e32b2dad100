"""The connection to a real broker: messages, sessions, bounds, birth; over each engine and protocol version."""

import socket
from collections.abc import Iterator
from concurrent.futures import CancelledError
from json import loads
from pathlib import Path

import pytest

from mqtt.broker_process import ENGINES, BrokerProcess, MosquittoProcess, NatsProcess
from mqtt.ears import PATIENCE_S, listening
from sabot_gateway.mqtt.client import PahoBroker
from sabot_gateway.mqtt.port import BrokerSettings, Version

EVENT = "sabot/v1/site/felt-7/event"
TEN = [b"%d" % number for number in range(10)]


class Engine:
    def __init__(self, broker: BrokerProcess, version: Version) -> None:
        self.broker = broker
        self._version = version

    def settings(self, **changes: object) -> BrokerSettings:
        return self.broker.settings(self._version, **changes)


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    kind, version = ENGINES[request.param]
    # NATS sends again only after this wait, reconnected or not; its default is 30 s.
    extra = "ack_wait: 1500ms" if kind is NatsProcess else ""
    broker = kind(tmp_path_factory.mktemp("broker"), extra)
    yield Engine(broker, version)
    broker.stop()


def test_every_up_channel_of_the_site_is_heard_in_order_and_nothing_else(engine: Engine) -> None:
    with listening(engine.settings(gateway="hears")) as (_, ears):
        for topic in ("sabot/v1/elsewhere/felt-7/event", "sabot/v1/site/felt-7/lamps", "sabot/v1/site/felt-7/ack"):
            engine.broker.send(topic, b"not for a gateway")
        engine.broker.send(EVENT, *TEN)
        engine.broker.send("sabot/v1/site/felt-8/status", b"on")
        ears.wait(lambda heard: len(heard.arrivals) >= 11)
    assert ears.payloads == [*TEN, b"on"]
    assert [arrival.topic for arrival in ears.arrivals[-2:]] == [EVENT, "sabot/v1/site/felt-8/status"]
    assert not any(arrival.retained for arrival in ears.arrivals)


def test_a_retained_status_is_marked_as_old(engine: Engine) -> None:
    topic = "sabot/v1/site/felt-9/status"
    engine.broker.send(topic, b"since yesterday", retain=True)
    with listening(engine.settings(gateway="late")) as (_, ears):
        ears.wait(lambda heard: bool(heard.arrivals))
    engine.broker.send(topic, b"", retain=True)
    assert [(arrival.payload, arrival.retained) for arrival in ears.arrivals] == [(b"since yesterday", True)]


def test_nagle_is_off(engine: Engine) -> None:
    with listening(engine.settings(gateway="nodelay")) as (broker, _):
        sock = broker._client.socket()
        assert isinstance(sock, socket.socket)
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_what_was_sent_while_the_gateway_was_away_arrives_when_it_is_back(engine: Engine) -> None:
    settings = engine.settings(gateway="away")
    with listening(settings) as (_, first):
        pass
    assert not first.links[0].is_resumed
    engine.broker.send(EVENT, *TEN)
    with listening(settings) as (_, ears):
        ears.wait(lambda heard: len(heard.arrivals) >= 10)
        assert ears.links[0].is_resumed
    assert ears.payloads == TEN


def test_what_was_not_settled_comes_again_and_what_was_settled_does_not(engine: Engine) -> None:
    settings = engine.settings(gateway="again")
    with listening(settings, settles=False) as (broker, ears):
        engine.broker.send(EVENT, *TEN)
        ears.wait(lambda heard: len(heard.arrivals) >= 10)
        broker.settle(arrival.token for arrival in ears.arrivals[:4])
    with listening(settings) as (_, again):
        again.wait(lambda heard: len(heard.arrivals) >= 6)
        engine.broker.send(EVENT, b"after")
        again.wait(lambda heard: b"after" in heard.payloads)
    assert again.payloads == [*TEN[4:], b"after"]


def test_a_token_of_an_earlier_connection_settles_nothing(engine: Engine) -> None:
    with listening(engine.settings(gateway="stale"), settles=False) as (broker, ears):
        engine.broker.send(EVENT, b"one")
        ears.wait(lambda heard: len(heard.arrivals) == 1)
        old = ears.arrivals[0].token
        for times in (2, 3):
            _cut(broker)
            ears.wait_up(times)
            ears.wait(lambda heard, times=times: len(heard.arrivals) == times)  # type: ignore[misc]  # bound per turn
            broker.settle([old])
        assert ears.payloads == [b"one"] * 3
        broker.settle([ears.arrivals[-1].token])
        broker.deliver("sabot/v1/elsewhere/marker/event", b"").result(PATIENCE_S)  # the broker has read so far
        _cut(broker)
        ears.wait_up(4)
        engine.broker.send(EVENT, b"two")
        ears.wait(lambda heard: b"two" in heard.payloads)
    assert ears.payloads == [b"one"] * 3 + [b"two"]


def test_birth_and_farewell_stand_retained_on_the_gateways_own_topic(engine: Engine) -> None:
    settings = engine.settings(gateway="newborn")
    with listening(settings) as (broker, _):
        broker.deliver("sabot/v1/site/marker/event", b"").result(PATIENCE_S)  # behind the birth
        birth = loads(engine.broker.comes_to_keep(settings.status_topic, lambda kept: b"newborn" in kept))
        assert (birth["site"], birth["gateway"], birth["state"]) == ("site", "newborn", "online")
    farewell = loads(engine.broker.comes_to_keep(settings.status_topic, lambda kept: b"stopped" in kept))
    assert (farewell["state"], farewell["since_ms"] >= birth["since_ms"]) == ("stopped", True)


def test_what_is_published_reaches_the_others_whole(engine: Engine) -> None:
    """Lengths on both sides of each boundary of MQTT's variable length."""
    sizes = (0, 1, 100, 127, 128, 16_000, 16_400, 300_000)
    payloads = [bytes([number]) * size for number, size in enumerate(sizes)]
    with (
        listening(engine.settings(gateway="from")) as (sender, _),
        listening(engine.settings(gateway="to")) as (_, ears),
    ):
        for payload in payloads:
            assert sender.publish(EVENT, payload)
        for payload in payloads:
            sender.deliver(EVENT, payload).result(PATIENCE_S)
        ears.wait(lambda heard: len(heard.arrivals) >= 2 * len(payloads))
    assert sorted(ears.payloads) == sorted(payloads * 2)


def test_a_delivery_is_done_when_the_broker_has_it_and_cancelled_by_stop(engine: Engine) -> None:
    settings = engine.settings(gateway="deliver")
    with listening(settings) as (broker, _):
        broker.deliver("sabot/v1/site/kept/status", b"kept", retain=True).result(PATIENCE_S)
        engine.broker.comes_to_keep("sabot/v1/site/kept/status", lambda kept: kept == b"kept")
        broker.deliver("sabot/v1/site/kept/status", b"", retain=True).result(PATIENCE_S)
    with pytest.raises(CancelledError):
        broker.deliver(EVENT, b"too late").result(PATIENCE_S)


@pytest.mark.parametrize(
    ("kind", "extra", "version", "own_maximum"),
    [
        (MosquittoProcess, "max_inflight_messages 1000", Version.V5, 5),
        (NatsProcess, "max_ack_pending: 5", Version.V311, 1000),
        (MosquittoProcess, "max_inflight_messages 1000", Version.V311, 5),  # the broker does not ask: the socket waits
    ],
)
def test_withheld_acknowledgements_bound_what_is_under_way(
    tmp_path: Path, kind: type[BrokerProcess], extra: str, version: Version, own_maximum: int
) -> None:
    broker_process = kind(tmp_path, extra)
    numbers = [b"%d" % number for number in range(23)]
    try:
        settings = broker_process.settings(version, receive_maximum=own_maximum)
        with listening(settings, settles=False) as (broker, ears):
            broker_process.send(EVENT, *numbers)  # all 23 are with the broker when this returns
            settled = 0
            while settled < len(numbers):
                upto = min(settled + 5, len(numbers))
                ears.wait(lambda heard, upto=upto: len(heard.arrivals) >= upto)  # type: ignore[misc]  # bound per turn
                broker_process.send("sabot/v1/elsewhere/marker/event", b"")  # a chance for the broker to send more
                assert len(ears.arrivals) == upto
                broker.settle(arrival.token for arrival in ears.arrivals[settled:])
                settled = upto
        assert ears.payloads == numbers
    finally:
        broker_process.stop()


def _cut(broker: PahoBroker) -> None:
    """Ends the connection as a broken cable would, without a word to the broker."""
    sock = broker._client.socket()
    assert isinstance(sock, socket.socket)
    sock.shutdown(socket.SHUT_RDWR)
