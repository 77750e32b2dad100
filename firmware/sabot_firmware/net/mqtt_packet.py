"""MQTT 3.1.1 control packets: written as bytes, and found in a stream that may be cut anywhere.

Source: OASIS "MQTT Version 3.1.1" (2014): 2.2 fixed header, 2.2.3 remaining length, 3.1 CONNECT, 3.3 PUBLISH,
3.8 SUBSCRIBE. Owns layout only: no session, no socket, no clock.
Limits: QoS 0 and 1; a packet longer than the finder's room is skipped whole and said to be too long, so that a
stranger's huge retained message can neither take memory nor end the connection for ever.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    Data = bytes | bytearray | memoryview

CONNECT, CONNACK, PUBLISH, PUBACK, SUBSCRIBE, SUBACK, PINGREQ, PINGRESP, DISCONNECT = 1, 2, 3, 4, 8, 9, 12, 13, 14

PING = b"\xc0\x00"
GOODBYE = b"\xe0\x00"

# Each code of CONNACK (3.2.2.3) in words, for the technician.
REFUSALS = (
    "accepted",
    "unacceptable protocol version",
    "client id rejected",
    "broker unavailable",
    "bad user name or password",
    "not authorised",
)

_NAME = b"\x00\x04MQTT\x04"  # protocol name and level 4
_CLEAN = 0x02
_WILL = 0x04
_WILL_QOS_1 = 0x08
_WILL_RETAIN = 0x20
_PASSWORD = 0x40
_USER = 0x80


class MqttError(Exception):
    """The peer broke the protocol, refused us or fell silent; `code` is one of CODES."""

    CODES = ("bad_packet", "unexpected", "refused", "no_answer", "closed")

    def __init__(self, code: str, detail: str = "") -> None:
        assert code in MqttError.CODES
        super().__init__(code + ": " + detail if detail else code)
        self.code = code


def connect(
    client_id: str,
    keepalive_s: int,
    will_topic: str = "",
    will: "Data" = b"",
    user: str = "",
    password: str = "",
) -> bytes:
    """CONNECT with a clean session; the will, if any, is retained and sent with QoS 1."""
    flags = _CLEAN
    body = _text(client_id)
    if will_topic:
        flags |= _WILL | _WILL_QOS_1 | _WILL_RETAIN
        body += _text(will_topic) + len(will).to_bytes(2, "big") + bytes(will)
    if user:
        flags |= _USER
        body += _text(user)
        if password:
            flags |= _PASSWORD
            body += _text(password)
    return _packet(0x10, _NAME + bytes([flags]) + keepalive_s.to_bytes(2, "big") + body)


def publish(topic: str, payload: "Data", packet_id: int = 0, is_retained: bool = False) -> bytearray:
    """PUBLISH: QoS 1 with a packet id, QoS 0 without."""
    name = topic.encode()
    size = 2 + len(name) + (2 if packet_id else 0) + len(payload)
    head = _length(size)
    # One buffer, filled once: an event message is the largest thing that a controller makes.
    out = bytearray(1 + len(head) + size)
    out[0] = 0x30 | (0x02 if packet_id else 0) | (0x01 if is_retained else 0)
    at = 1 + len(head)
    out[1:at] = head
    out[at : at + 2] = len(name).to_bytes(2, "big")
    out[at + 2 : at + 2 + len(name)] = name
    at += 2 + len(name)
    if packet_id:
        out[at : at + 2] = packet_id.to_bytes(2, "big")
        at += 2
    out[at:] = payload
    return out


def subscribe(packet_id: int, topics: "tuple[str, ...]") -> bytes:
    """SUBSCRIBE to each topic with QoS 1."""
    body = packet_id.to_bytes(2, "big")
    for topic in topics:
        body += _text(topic) + b"\x01"
    return _packet(0x82, body)


def puback(packet_id: int) -> bytes:
    """PUBACK of a received PUBLISH."""
    return b"\x40\x02" + packet_id.to_bytes(2, "big")


class Finder:
    """Finds packets in a stream; after take() gave True, `kind`, `flags`, `size` and `body` hold one."""

    def __init__(self, room: int) -> None:
        self.body = bytearray(room)
        self.kind = 0
        self.flags = 0
        self.size = 0
        self.is_too_long = False
        self._got = 0
        self._shift = -1  # -1: the first byte comes next; then the bits of the length so far
        self.at = 0

    def clear(self) -> None:
        """Forget a half packet: the connection is new."""
        self._shift = -1
        self._got = 0

    def take(self, data: "Data", at: int) -> bool:
        """Go on from data[at]; `at` says how far it read. True when a packet is whole."""
        end = len(data)
        while at < end:
            if self._shift < 28 and self._head(data[at]):
                at += 1
                if self._shift == 28 and not self.size:
                    return self._whole(at)
                continue
            room = len(self.body)
            count = min(end - at, self.size - self._got)
            if self._got < room:
                kept = min(count, room - self._got)
                self.body[self._got : self._got + kept] = data[at : at + kept]
            self._got += count
            at += count
            if self._got == self.size:
                return self._whole(at)
        self.at = at
        return False

    def _whole(self, at: int) -> bool:
        self.at = at
        self._shift = -1
        self._got = 0
        self.is_too_long = self.size > len(self.body)
        return True

    def _head(self, byte: int) -> bool:
        if self._shift < 0:
            self.kind = byte >> 4
            self.flags = byte & 15
            self.size = 0
            self._shift = 0
            return True
        self.size |= (byte & 127) << self._shift
        self._shift += 7
        if byte & 128:
            if self._shift == 28:
                raise MqttError("bad_packet", "length")
        else:
            self._shift = 28
        return True


def _text(text: str) -> bytes:
    data = text.encode()
    return len(data).to_bytes(2, "big") + data


def _packet(first: int, body: bytes) -> bytes:
    return bytes([first]) + _length(len(body)) + body


def _length(size: int) -> bytes:
    out = b""
    while True:
        size, digit = size >> 7, size & 127
        out += bytes([digit | (128 if size else 0)])
        if not size:
            return out
