"""paho-mqtt's client with its system calls gathered: one read for many packets, one send for all that is waiting.

Owns the two buffers between paho and its socket, the reading of a PUBLISH, and the acknowledgements that go around
paho's packet queue. Knows no port and no meaning of a message. paho reads a packet in three system calls, writes each
in one of its own and makes several objects of each message; a PUBLISH that lies whole in what was read goes around all
of that.

It replaces four private methods of paho (`_sock_recv`, `_sock_send`, `_sock_close`, `_handle_publish`), whose meaning
is given by the socket and by MQTT, and looks at one of its fields (`_in_packet`: whether a packet is half read): the
tests show on real brokers that they are in use. All of it belongs to the network thread, but for what is sent: other
threads may do that too, one at a time (`sending`), so that a lamp does not wait for a thread to wake.
"""

import socket
import threading
from collections.abc import Callable, Iterable
from typing import Any, Final

import paho.mqtt.client as paho
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.exception import MalformedPacket
from paho.mqtt.packettypes import PacketTypes

_READ: Final = 1 << 16  # bytes: some 400 events, after which waiting acknowledgements get their turn
_SLACK: Final = 1 << 18  # bytes not taken by the network, above which paho's own queue holds the rest
_PUBLISH: Final = 0x30  # the kind of packet, with QoS 0 or 1: the bit of QoS 2 is not set
_WHOLE: Final = 1 << 14  # bytes: a length of two bytes says no more
_PUBACK: Final = b"\x40\x02"  # both versions: without a reason code it says success
_DISCONNECT: Final = PacketTypes.DISCONNECT << 4

OnPublish = Callable[[str, bytes, int, bool, bool], None]  # topic, payload, packet id (0: QoS 0), retained, again


def _ignore(topic: str, payload: bytes, packet_id: int, retained: bool, is_again: bool) -> None:
    """Until somebody listens."""


class BatchedPaho(paho.Client):
    """`paho.Client` driven from outside by `read`, `write` and `loop_misc`."""

    on_arrival: OnPublish = staticmethod(_ignore)
    most_under_way: int = 1 << 16  # messages that may wait to be acknowledged; with as many nothing more is read
    trouble: OSError | None = None  # what ended the last read, where paho keeps silent about it
    _inbox: bytes = b""
    _read_to: int = 0
    _outbox: bytearray = bytearray()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.sending = threading.RLock()
        self.under_way: set[int] = set()  # packet ids handed over and not acknowledged

    def begin_connection(self) -> None:
        """To be called for every new socket: what is left in the buffers belongs to the old one."""
        with self.sending:
            self._inbox, self._read_to, self._outbox, self.trouble = b"", 0, bytearray(), None

    @property
    def is_paused(self) -> bool:
        """Whoever takes the messages has as many as he can have for now."""
        return len(self.under_way) >= self.most_under_way

    @property
    def is_plain(self) -> bool:
        """The connection may be written by a thread while another reads it; with TLS it may not."""
        return type(self.socket()) is socket.socket

    @property
    def backlog(self) -> int:
        """How many bytes the network has not taken yet."""
        return len(self._outbox)

    def send_packets(self, packets: Iterable[bytes]) -> None:
        """Queues whole packets as `publish_packet` makes them; `write` or `send_now` sends them."""
        with self.sending:
            self._outbox += b"".join(packets)

    def read(self) -> MQTTErrorCode:
        """Handles what one read of the socket brings, or as much of it as comes before a pause."""
        while True:
            outcome = MQTTErrorCode.MQTT_ERR_SUCCESS
            if not self._read_publishes():
                outcome = self.loop_read()
            if outcome or self.is_paused or not self.has_input or self.socket() is None:
                return outcome

    def _read_publishes(self) -> bool:
        """Handles the PUBLISH packets that stand next, whole, in what was read; False if what stands next is not one.

        All else is read paho's way: other packets, those in pieces, those of more than 16 KiB, malformed ones, errors.
        """
        if self._in_packet["command"]:
            return False  # paho has begun to read a packet that came in pieces
        if not self.has_input:
            try:
                self._inbox, self._read_to = super()._sock_recv(_READ), 0
            except OSError as error:
                if not isinstance(error, BlockingIOError):
                    self.trouble = error
                return False
        inbox, begin = self._inbox, self._read_to
        at, size = begin, len(inbox)
        while at + 2 < size and inbox[at] & 0xF4 == _PUBLISH and not self.is_paused:
            left, start = inbox[at + 1], at + 2
            if left > 0x7F:
                left, start = left & 0x7F | inbox[at + 2] << 7, at + 3
            if start + left > size or left >= _WHOLE:
                break
            try:
                arrived = self._publish_from(inbox[at], inbox[start : start + left])
            except MalformedPacket:
                break
            at = self._read_to = start + left
            self.on_arrival(*arrived)
        return at > begin

    @property
    def has_input(self) -> bool:
        """Whether something was read from the socket that is not handled yet."""
        return self._read_to < len(self._inbox)

    def acknowledge(self, packet_ids: Iterable[int]) -> None:
        """Queues a PUBACK for each, without a paho packet for each; `write` or `send_now` sends them."""
        with self.sending:
            self._outbox += b"".join([_PUBACK + packet_id.to_bytes(2, "big") for packet_id in packet_ids])

    def send_now(self) -> bool:
        """From any thread, on a plain connection: sends what is queued; False if it is left to `write`."""
        try:
            self._flush()
        except OSError:
            return False  # the connection is gone, and the network thread is about to see it
        return not self._outbox

    @property
    def has_output(self) -> bool:
        return bool(self._outbox) or self.want_write()

    def write(self) -> None:
        """Sends all that is waiting, as far as the network takes it now; OSError if the connection is gone."""
        if self.want_write():
            self.loop_write()
        self._flush()

    def _flush(self) -> None:
        with self.sending:
            while self._outbox and self.socket() is not None:
                try:
                    sent = super()._sock_send(self._outbox)
                except BlockingIOError:
                    return
                del self._outbox[:sent]

    def _sock_close(self) -> None:
        with self.sending:  # not under the hands of a thread that sends
            super()._sock_close()

    def _handle_publish(self) -> MQTTErrorCode:
        header, packet = self._in_packet["command"], self._in_packet["packet"]
        if header & 0x04:  # QoS 2, which the gateway never asks for
            return super()._handle_publish()
        self.on_arrival(*self._publish_from(header, packet))
        return MQTTErrorCode.MQTT_ERR_SUCCESS

    def _publish_from(self, header: int, packet: bytes | bytearray) -> tuple[str, bytes, int, bool, bool]:
        """Topic, payload, packet id, whether it was retained or comes again, of a PUBLISH with QoS 0 or 1."""
        try:
            end = 2 + (packet[0] << 8) + packet[1]
            # A topic that is no UTF-8 must be refused like any other bad topic, not end the connection again and again.
            topic = packet[2:end].decode("utf-8", "replace")
            packet_id = 0
            if header & 0x02:
                packet_id = (packet[end] << 8) + packet[end + 1]
                end += 2
            if self.protocol == paho.MQTTv5:
                end = _behind_properties(packet, end)
        except IndexError:
            raise MalformedPacket("a PUBLISH that ends early") from None
        if end > len(packet):
            raise MalformedPacket("a topic that ends behind its packet")
        return topic, bytes(packet[end:]), packet_id, bool(header & 0x01), bool(header & 0x08)

    def _sock_recv(self, bufsize: int) -> bytes:
        start = self._read_to
        if start >= len(self._inbox):
            try:
                self._inbox, start = super()._sock_recv(_READ), 0
            except BlockingIOError:
                raise
            except OSError as error:
                self.trouble = error
                raise
        end = start + bufsize
        self._read_to = end  # may lie behind the end: then the next call reads the socket
        return self._inbox[start:end]

    def _sock_send(self, buf: bytes | bytearray) -> int:
        if buf[0] == _DISCONNECT:  # paho closes the socket right after it, so it goes out behind everything else
            self._flush()
            if not self._outbox:
                return super()._sock_send(buf)
        with self.sending:
            if len(self._outbox) > _SLACK:
                raise BlockingIOError
            self._outbox += buf
        return len(buf)


def publish_packet(topic: str, payload: bytes, *, retain: bool, is_v5: bool) -> bytes:
    """The bytes of a PUBLISH with QoS 0."""
    name = topic.encode()
    properties = b"\x00" if is_v5 else b""
    left = 2 + len(name) + len(properties) + len(payload)
    length = bytearray()
    while left > 0x7F:
        length.append(left & 0x7F | 0x80)
        left >>= 7
    length.append(left)
    first = b"\x31" if retain else b"\x30"
    return b"".join((first, length, len(name).to_bytes(2, "big"), name, properties, payload))


def _behind_properties(packet: bytes | bytearray, start: int) -> int:
    """MQTT 5: the offset behind the properties, whose length is a number of one to four bytes of seven bits."""
    length, shift = 0, 0
    while True:
        byte = packet[start]
        start += 1
        length |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
        if shift > 21:
            raise MalformedPacket("a property length of more than four bytes")
    if start + length > len(packet):
        raise MalformedPacket("properties that end behind their packet")
    return start + length
