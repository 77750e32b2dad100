"""What the client makes of a broker's bytes, however they are cut, and which bytes it answers with."""

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqtt.ears import Ears, listening
from mqtt.scripted_broker import Peer, publish, scripted
from sabot_gateway.mqtt.client import PahoBroker
from sabot_gateway.mqtt.port import Version


@settings(max_examples=25, deadline=None)
@given(
    payloads=st.lists(st.binary(max_size=300), min_size=1, max_size=20),
    piece=st.sampled_from([1, 2, 3, 7, 50, 1 << 20]),
)
def test_messages_are_the_same_however_the_stream_is_cut(payloads: list[bytes], piece: int) -> None:
    acknowledged: list[bytes] = []

    def script(peer: Peer) -> None:
        peer.welcome()
        stream = b"".join(publish(payload, number) for number, payload in enumerate(payloads, 1))
        peer.say(stream, piece)
        acknowledged.extend(body for kind, body in peer.packets_until_farewell() if kind == 0x40)

    with scripted(script) as address, listening(address) as (_, ears):
        ears.wait(lambda heard: len(heard.arrivals) == len(payloads))
    assert ears.payloads == payloads
    assert acknowledged == [number.to_bytes(2, "big") for number in range(1, len(payloads) + 1)]


def test_a_copy_of_a_message_under_way_is_not_handed_over_twice() -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        peer.say(publish(b"one", 1) + publish(b"one", 1, dup=True) + publish(b"two", 2))
        peer.packets_until_farewell()

    with scripted(script) as address, listening(address, settles=False) as (_, ears):
        ears.wait(lambda heard: b"two" in heard.payloads)
    assert ears.payloads == [b"one", b"two"]


def test_a_packet_id_is_free_for_the_next_message_once_it_was_settled() -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        for payload in (b"one", b"two", b"three"):
            peer.say(publish(payload, 7))
            while peer.packet() != (0x40, b"\x00\x07"):
                pass
        peer.packets_until_farewell()

    with scripted(script) as address, listening(address) as (_, ears):
        ears.wait(lambda heard: len(heard.arrivals) == 3)
    assert ears.payloads == [b"one", b"two", b"three"]


# None; payload format; a user property whose two lengths and texts make 128 bytes: a length of two bytes.
PROPERTIES = [b"\x00", b"\x02\x01\x01", b"\x80\x01\x26" + b"\x00\x3b" + b"k" * 59 + b"\x00\x40" + b"v" * 64]


@pytest.mark.parametrize("properties", PROPERTIES)
def test_mqtt_5_properties_are_passed_over(properties: bytes) -> None:
    """MQTT 5, 2.2.2: a length of one to four bytes, then the properties; the payload begins behind them."""

    def script(peer: Peer) -> None:
        peer.welcome()
        peer.say(publish(properties + b"payload", 1))
        peer.packets_until_farewell()

    with scripted(script, Version.V5) as address, listening(address) as (_, ears):
        ears.wait(lambda heard: bool(heard.arrivals))
    assert ears.payloads == [b"payload"]


def test_a_topic_that_is_no_text_is_handed_over_and_not_taken_for_a_broken_connection() -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        peer.say(publish(b"bad", 1, topic=b"sabot/v1/\xff\xfe/x/event") + publish(b"good", 2))
        peer.packets_until_farewell()

    with scripted(script) as address, listening(address) as (_, ears):
        ears.wait(lambda heard: len(heard.arrivals) == 2)
    assert ears.payloads == [b"bad", b"good"]
    assert "\N{REPLACEMENT CHARACTER}" in ears.arrivals[0].topic
    assert all(link.is_up for link in ears.links)


@pytest.mark.parametrize(
    ("version", "bad"),
    [
        (Version.V311, b"\x32\x01\x00"),  # ends within the length of its topic
        (Version.V311, b"\x32\x04\x00\x09ab"),  # the topic is longer than the packet
        (Version.V311, b"\x30\x04\x00\x09ab"),  # the same with QoS 0
        (Version.V5, publish(b"\x05ab", 1)),  # the properties are longer than the packet
        (Version.V5, publish(b"\xff\xff\xff\xff\xff\x00", 1)),  # a length of five bytes
        (Version.V311, b"\xf0\x00"),  # a kind of packet that 3.1.1 does not have
        (Version.V311, b"\x32\xff\xff\xff\xff\xff"),  # a packet length of five bytes
    ],
)
def test_bytes_that_are_no_mqtt_end_the_connection_and_are_said(version: Version, bad: bytes) -> None:
    ended = threading.Event()

    def script(peer: Peer) -> None:
        peer.welcome()
        peer.say(bad)
        peer.wait_until_closed()
        ended.set()

    with scripted(script, version) as address, listening(address) as (_, ears):
        assert "lost" in ears.wait_down()
        assert ended.wait(60)
    assert ears.payloads == []


def test_many_tokens_settle_in_the_order_given_by_one_call() -> None:
    count = 2_000
    acknowledged: list[int] = []

    def script(peer: Peer) -> None:
        peer.welcome()
        peer.say(b"".join(publish(b"x", number) for number in range(1, count + 1)))
        acknowledged.extend(int.from_bytes(body, "big") for kind, body in peer.packets_until_farewell() if kind == 0x40)

    with scripted(script) as address, listening(address, settles=False) as (broker, ears):
        ears.wait(lambda heard: len(heard.arrivals) == count)
        broker.settle(arrival.token for arrival in reversed(ears.arrivals))
    assert acknowledged == list(range(count, 0, -1))


def test_nothing_but_farewell_is_sent_after_stop_and_a_late_settle_does_no_harm() -> None:
    packets: list[tuple[int, bytes]] = []

    def script(peer: Peer) -> None:
        peer.welcome()
        peer.say(publish(b"one", 1))
        packets.extend(peer.packets_until_farewell())

    with scripted(script) as address:
        broker, ears = PahoBroker(address), Ears(settles=False)
        broker.start(ears.on_arrival, ears.on_link)
        ears.wait(lambda heard: bool(heard.arrivals) and bool(heard.links))
        broker.stop()
        broker.settle([ears.arrivals[0].token])
        assert not broker.publish("sabot/v1/site/felt-1/lamps", b"late")
    assert [kind for kind, _ in packets if kind == 0x40] == []
    assert b'"stopped"' in packets[-2][1]
