"""One MQTT connection without its socket: bytes in, happenings out; packets to send wait in `out`.

Owns the order of things on a connection: CONNECT, its answer, subscription, messages, keepalive. No I/O, no clock:
time comes in as ticks. A Session serves one connection; the next one begins with open().
Happenings are tuples: ("connected",), ("subscribed",), ("message", topic, payload), ("too_long", topic).
Whatever breaks the protocol raises MqttError, and the shell closes the connection.
QoS 1 is used as transport only: a PUBACK counts down `in_flight` and nothing is sent again at this level, because
the outbox resends what the gateway has not acknowledged (and the session is clean: 3.1.2.4).
"""

from sabot_firmware.core.ticks import ticks_diff
from sabot_firmware.net import mqtt_packet as packet
from sabot_firmware.net.mqtt_packet import CONNACK, PINGRESP, PUBACK, PUBLISH, SUBACK, Finder, MqttError

TYPE_CHECKING = False
if TYPE_CHECKING:
    Happening = tuple[object, ...]

# The longest message (1,024) with the longest topic (82), its length and a packet id, rounded up.
ROOM = 1120

# Half of it without a word from the broker asks for a sign of life; a broker drops us after one and a half.
KEEPALIVE_S = 20

# A ping that is not answered for so long means a dead connection: Wi-Fi in a full room retries within 1 to 2 s.
SILENCE_MS = 5000

_CLOSED, _CONNECTING, _OPEN = range(3)


class Session:
    """The protocol state of one connection."""

    def __init__(self, keepalive_s: int = KEEPALIVE_S) -> None:
        self.out: "list[bytes | bytearray]" = []
        self.in_flight = 0
        self._keepalive_s = keepalive_s
        self._finder = Finder(ROOM)
        self._state = _CLOSED
        self._next_id = 1
        self._subscription = 0
        self._heard_ms = 0
        self._sent_ms = 0
        self._is_pinging = False
        self._topics: "tuple[str, ...]" = ()

    def open(
        self,
        now_ms: int,
        client_id: str,
        will_topic: str,
        will: bytes,
        topics: "tuple[str, ...]",
        login: "tuple[str, str]",
    ) -> None:
        """Begin a connection; when it stands, `topics` are subscribed."""
        self._finder.clear()
        self.in_flight = 0
        self._state = _CONNECTING
        self._is_pinging = False
        self._topics = topics
        self._heard_ms = now_ms
        self._sent_ms = now_ms
        self.out = [packet.connect(client_id, self._keepalive_s, will_topic, will, login[0], login[1])]

    def publish(self, now_ms: int, topic: str, payload: "bytes | memoryview", is_retained: bool = False) -> None:
        """Queue a message with QoS 1."""
        assert self._state == _OPEN, "published before the broker accepted us"
        self.in_flight += 1
        self._send(now_ms, packet.publish(topic, payload, self._take_id(), is_retained))

    def close(self, now_ms: int) -> None:
        """Queue an orderly goodbye: the broker forgets the will."""
        self._send(now_ms, packet.GOODBYE)
        self._state = _CLOSED

    def receive(self, now_ms: int, data: "bytes | bytearray | memoryview") -> "list[Happening]":
        """Take bytes as they came from the broker."""
        self._heard_ms = now_ms
        self._is_pinging = False
        happenings: "list[Happening]" = []
        finder = self._finder
        at = 0
        while finder.take(data, at):
            at = finder.at
            happening = self._understand(now_ms)
            if happening is not None:
                happenings.append(happening)
        return happenings

    def tick(self, now_ms: int) -> None:
        """Queue a ping when one is due; raise MqttError("no_answer") when the broker fell silent."""
        silent_ms = ticks_diff(now_ms, self._heard_ms)
        if self._state == _CONNECTING or self._is_pinging:
            since = self._sent_ms
            if ticks_diff(now_ms, since) >= SILENCE_MS and silent_ms >= SILENCE_MS:
                raise MqttError("no_answer")
        elif self._state == _OPEN:
            half_ms = self._keepalive_s * 500
            if silent_ms >= half_ms or ticks_diff(now_ms, self._sent_ms) >= half_ms:
                self._is_pinging = True
                self._send(now_ms, packet.PING)

    def _understand(self, now_ms: int) -> "Happening | None":
        finder = self._finder
        kind = finder.kind
        if self._state == _CONNECTING:
            return self._accepted(now_ms)
        if kind == PUBLISH:
            return self._message(now_ms)
        if finder.is_too_long:
            raise MqttError("bad_packet", "size")
        if kind == PUBACK and finder.size == 2:
            self.in_flight -= 1 if self.in_flight else 0
            return None
        if kind == PINGRESP and finder.size == 0:
            return None
        if kind == SUBACK and finder.size == 2 + len(self._topics) and self._id(0) == self._subscription:
            for at in range(2, finder.size):
                if finder.body[at] > 1:
                    raise MqttError("refused", "subscription")
            return ("subscribed",)
        raise MqttError("unexpected", str(kind))

    def _accepted(self, now_ms: int) -> "Happening":
        finder = self._finder
        if finder.kind != CONNACK or finder.size != 2:
            raise MqttError("unexpected", str(finder.kind))
        code = finder.body[1]
        if code:
            raise MqttError("refused", packet.REFUSALS[code] if code < len(packet.REFUSALS) else "unknown")
        self._state = _OPEN
        self._subscription = self._take_id()
        self._send(now_ms, packet.subscribe(self._subscription, self._topics))
        return ("connected",)

    def _message(self, now_ms: int) -> "Happening":
        finder = self._finder
        qos = finder.flags >> 1 & 3
        end = min(finder.size, len(finder.body))
        start = 2 + self._id(0) if finder.size >= 2 else 0
        payload = start + (2 if qos else 0)
        if qos > 1 or start < 3 or payload > end:
            raise MqttError("bad_packet", "publish")
        if qos:
            # 4.3.2: acknowledged as soon as it is here. What it orders is confirmed by an event of its own.
            self._send(now_ms, packet.puback(self._id(start)))
        topic = _text(finder.body, start)
        if finder.is_too_long:
            return ("too_long", topic)
        return ("message", topic, bytes(memoryview(finder.body)[payload:end]))

    def _id(self, at: int) -> int:
        body = self._finder.body
        return body[at] << 8 | body[at + 1]

    def _take_id(self) -> int:
        packet_id = self._next_id
        self._next_id = packet_id % 65535 + 1
        return packet_id

    def _send(self, now_ms: int, data: "bytes | bytearray") -> None:
        self._sent_ms = now_ms
        self.out.append(data)


def _text(body: bytearray, end: int) -> str:
    try:
        return str(body[2:end], "utf-8")
    except (UnicodeError, ValueError):
        raise MqttError("bad_packet", "topic") from None
