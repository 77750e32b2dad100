"""A broker of a few lines that says exactly the bytes a test wants, in the pieces it wants."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sabot_gateway.mqtt.port import BrokerSettings, Version


class Peer:
    """The broker's end of one accepted connection."""

    def __init__(self, sock: socket.socket, version: Version) -> None:
        self._sock = sock
        self._is_v5 = version is Version.V5
        self._input = sock.makefile("rb")

    def welcome(self) -> None:
        """CONNACK and SUBACK, read from what MQTT says of each packet."""
        assert self.packet()[0] == 0x10
        self.say(b"\x20\x03\x00\x00\x00" if self._is_v5 else b"\x20\x02\x00\x00")
        kind, body = self.packet()
        assert kind == 0x82
        count = body.count(b"sabot/v1/")
        suback = body[:2] + (b"\x00" if self._is_v5 else b"") + b"\x01" * count
        self.say(bytes([0x90, len(suback)]) + suback)

    def say(self, data: bytes, piece: int = 1 << 20) -> None:
        for start in range(0, len(data), piece):
            self._sock.sendall(data[start : start + piece])

    def packet(self) -> tuple[int, bytes]:
        """The next packet that the client sent."""
        first = self._input.read(1)
        if not first:
            raise EOFError
        length = shift = 0
        while True:
            byte = self._input.read(1)[0]
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return first[0], self._input.read(length)

    def wait_until_closed(self) -> None:
        """Until the client has hung up."""
        try:
            while True:
                self.packet()
        except (EOFError, ConnectionError):
            return

    def packets_until_farewell(self) -> list[tuple[int, bytes]]:
        packets = []
        while True:
            packets.append(self.packet())
            if packets[-1][0] == 0xE0:
                return packets


@contextmanager
def scripted(script: Callable[[Peer], None], version: Version = Version.V311) -> Iterator[BrokerSettings]:
    """Runs `script` for the first connection; its failure fails the test."""
    failures: list[BaseException] = []
    server = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        try:
            sock, _ = server.accept()
            with sock:
                peer = Peer(sock, version)
                script(peer)
                peer._input.close()
        except BaseException as failure:  # noqa: BLE001  # carried over to the test's thread
            failures.append(failure)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield BrokerSettings("site", "pit-1", "127.0.0.1", server.getsockname()[1], version, longest_retry_ms=250)
    finally:
        thread.join(60)
        server.close()
    if failures:
        raise failures[0]


def publish(
    payload: bytes, packet_id: int, *, topic: bytes = b"sabot/v1/site/felt-1/event", dup: bool = False
) -> bytes:
    """MQTT 3.1.1, 3.3: a PUBLISH with QoS 1."""
    body = len(topic).to_bytes(2, "big") + topic + packet_id.to_bytes(2, "big") + payload
    assert len(body) < 128 * 128
    length = bytes([len(body)]) if len(body) < 128 else bytes([len(body) & 127 | 128, len(body) >> 7])
    return bytes([0x3A if dup else 0x32]) + length + body
