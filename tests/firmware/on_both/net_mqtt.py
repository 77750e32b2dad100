"""The MQTT packets and the session, without a socket. Values are those of the standard (OASIS MQTT 3.1.1)."""

from firmware.on_both.seeded import Seeded
from sabot_firmware.net import mqtt_packet as packet
from sabot_firmware.net.mqtt import KEEPALIVE_S, ROOM, SILENCE_MS, Session
from sabot_firmware.net.mqtt_packet import Finder, MqttError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

TOPICS = ("sabot/v1/here/table-1/ack", "sabot/v1/here/table-1/command")
WILL_TOPIC = "sabot/v1/here/table-1/status"
CONNACK = b"\x20\x02\x00\x00"
SUBACK = b"\x90\x04\x00\x01\x01\x01"
WRAP = (1 << 30) - 3


def error_of(action: "Callable[[], object]") -> str:
    try:
        action()
    except MqttError as error:
        return str(error)
    raise AssertionError("nothing was refused")


def opened(now_ms: int = 0) -> Session:
    session = Session()
    session.open(now_ms, "table-1", WILL_TOPIC, b"lost", TOPICS, ("", ""))
    session.out.clear()
    assert session.receive(now_ms, CONNACK) == [("connected",)]
    assert session.receive(now_ms, SUBACK) == [("subscribed",)]
    session.out.clear()
    return session


def test_connect_is_laid_out_as_section_3_1_says() -> None:
    # 3.1.2.11, figure 3.6: user, password, will retain 0 there; here will QoS 1, retained, clean session: 0xEE.
    data = packet.connect("t1", 10, "w", b"xy", "u", "p")
    assert data == (
        b"\x10\x1b\x00\x04MQTT\x04\xee\x00\x0a" + b"\x00\x02t1" + b"\x00\x01w" + b"\x00\x02xy" + b"\x00\x01u\x00\x01p"
    )
    assert packet.connect("t1", 20) == b"\x10\x0e\x00\x04MQTT\x04\x02\x00\x14\x00\x02t1"


def test_publish_subscribe_and_puback_are_laid_out_as_the_standard_says() -> None:
    # 3.3.2.3 and 3.8.3: the standard's own topics a/b and c/d, packet identifier 10.
    assert packet.publish("a/b", b"hi", 10) == b"\x32\x09\x00\x03a/b\x00\x0ahi"
    assert packet.publish("a/b", b"hi", 0, True) == b"\x31\x07\x00\x03a/bhi"
    assert packet.subscribe(10, ("a/b", "c/d")) == b"\x82\x0e\x00\x0a\x00\x03a/b\x01\x00\x03c/d\x01"
    assert packet.puback(10) == b"\x40\x02\x00\x0a"


def test_lengths_follow_table_2_4() -> None:
    for size, head in (
        (0, b"\x00"),
        (127, b"\x7f"),
        (128, b"\x80\x01"),
        (16383, b"\xff\x7f"),
        (16384, b"\x80\x80\x01"),
    ):
        assert packet.publish("a", bytes(size - 3))[1 : 1 + len(head)] == head if size > 2 else True
        finder = Finder(16)
        assert finder.take(b"\xd0" + head + bytes(size), 0)
        assert (finder.kind, finder.size, finder.is_too_long) == (13, size, size > 16)
        assert finder.at == 1 + len(head) + size


def test_a_length_of_five_bytes_is_refused() -> None:
    finder = Finder(16)
    assert error_of(lambda: finder.take(b"\x30\x80\x80\x80\x80\x01", 0)) == "bad_packet: length"


def test_packets_are_found_however_the_stream_is_cut() -> None:
    seeded = Seeded(7)
    for _ in range(20):
        sizes = [seeded.below(300) for _ in range(12)]
        stream = b"".join([packet.publish("t", seeded.bytes(size), 1 + size) for size in sizes])
        whole = _messages(stream, [len(stream)])
        assert [len(message) for message in whole] == sizes
        assert _messages(stream, [1]) == whole
        assert _messages(stream, [1 + seeded.below(40) for _ in range(50)]) == whole


def _messages(stream: bytes, cuts: "list[int]") -> "list[bytes]":
    session = opened()
    found: list[bytes] = []
    at = turn = 0
    while at < len(stream):
        size = cuts[turn % len(cuts)]
        for happening in session.receive(0, stream[at : at + size]):
            assert happening[0] == "message"
            assert isinstance(happening[2], bytes)
            found.append(happening[2])
        at += size
        turn += 1
    return found


def test_a_connection_subscribes_when_accepted_and_serves_messages() -> None:
    session = Session()
    session.open(0, "table-1", WILL_TOPIC, b"lost", TOPICS, ("user", "word"))
    assert session.out == [packet.connect("table-1", KEEPALIVE_S, WILL_TOPIC, b"lost", "user", "word")]
    assert session.receive(5, CONNACK) == [("connected",)]
    assert session.out[1:] == [packet.subscribe(1, TOPICS)]
    assert session.receive(6, SUBACK) == [("subscribed",)]
    session.out.clear()
    arrived = packet.publish(TOPICS[0], b"sealed", 300) + packet.publish(TOPICS[1], b"more")
    assert session.receive(7, arrived) == [("message", TOPICS[0], b"sealed"), ("message", TOPICS[1], b"more")]
    assert session.out == [packet.puback(300)]


def test_published_messages_count_until_acknowledged() -> None:
    session = opened()
    session.publish(1, "a/b", b"one")
    session.publish(1, "a/b", b"two", True)
    assert session.out == [packet.publish("a/b", b"one", 2), packet.publish("a/b", b"two", 3, True)]
    assert session.in_flight == 2
    assert session.receive(2, packet.puback(2) + packet.puback(3) + packet.puback(9)) == []
    assert session.in_flight == 0


def test_packet_ids_never_become_zero() -> None:
    session = opened()
    for _ in range(65540):
        session.publish(0, "t", b"")
        assert session.out.pop()[-2:] != b"\x00\x00"


def test_a_refusal_says_why() -> None:
    session = Session()
    session.open(0, "table-1", "", b"", TOPICS, ("", ""))
    assert error_of(lambda: session.receive(0, b"\x20\x02\x00\x05")) == "refused: not authorised"
    session.open(0, "table-1", "", b"", TOPICS, ("", ""))
    session.receive(0, CONNACK)
    assert error_of(lambda: session.receive(0, b"\x90\x04\x00\x01\x01\x80")) == "refused: subscription"


def test_what_the_standard_forbids_ends_the_connection_and_nothing_else() -> None:
    for bad in (
        b"\x20\x02\x00\x00",  # a second CONNACK
        b"\x34\x06\x00\x01t\x00\x01x",  # QoS 2, never subscribed to
        b"\x36\x06\x00\x01t\x00\x01x",  # QoS 3
        b"\x30\x00",  # PUBLISH without a topic
        b"\x30\x02\x00\x00",  # an empty topic
        b"\x30\x04\x00\x09ab",  # a topic longer than its packet
        b"\x32\x03\x00\x01t",  # QoS 1 without an id
        b"\x30\x05\x00\x02\xff\xfex",  # a topic that is not UTF-8
        b"\x40\x01\x00",
        b"\x90\x03\x00\x01\x01",
        b"\x10\x00",
        b"\x00\x00",
        b"\xf0\x00",
    ):
        session = opened()
        assert error_of(lambda: session.receive(0, bad)).split(":")[0] in ("bad_packet", "unexpected"), bad  # noqa: B023 - called at once
        session.open(0, "table-1", "", b"", TOPICS, ("", ""))
        assert session.receive(0, CONNACK) == [("connected",)]


def test_garbage_never_raises_anything_but_an_mqtt_error() -> None:
    seeded = Seeded(11)
    for _ in range(400):
        session = opened()
        data = seeded.bytes(1 + seeded.below(60))
        try:
            session.receive(0, data)
        except MqttError:
            continue


def test_a_message_longer_than_the_room_is_skipped_whole() -> None:
    session = opened()
    long = packet.publish(TOPICS[0], bytes(5000), 7)
    short = packet.publish(TOPICS[0], b"after")
    assert session.receive(0, long + short) == [("too_long", TOPICS[0]), ("message", TOPICS[0], b"after")]
    fits = packet.publish(TOPICS[0], bytes(1024), 8)
    assert len(fits) <= ROOM
    assert session.receive(0, fits)[0][0] == "message"


def test_silence_is_broken_by_a_ping_and_ends_the_connection() -> None:
    for start in (0, WRAP):
        session = opened(start)
        half = KEEPALIVE_S * 500
        session.tick((start + half - 1) & ((1 << 30) - 1))
        assert session.out == []
        asked = (start + half) & ((1 << 30) - 1)
        session.tick(asked)
        assert session.out == [packet.PING]
        session.tick((asked + SILENCE_MS - 1) & ((1 << 30) - 1))
        assert error_of(lambda: session.tick((asked + SILENCE_MS) & ((1 << 30) - 1))) == "no_answer"  # noqa: B023 - called at once
        assert session.receive((asked + SILENCE_MS) & ((1 << 30) - 1), b"\xd0\x00") == []
        session.tick((asked + SILENCE_MS + 1) & ((1 << 30) - 1))


def test_a_broker_that_never_welcomes_us_is_left() -> None:
    session = Session()
    session.open(0, "table-1", "", b"", TOPICS, ("", ""))
    session.tick(SILENCE_MS - 1)
    assert error_of(lambda: session.tick(SILENCE_MS)) == "no_answer"
