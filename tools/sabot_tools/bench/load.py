"""A bare MQTT connection for the bench: sends ready packets as fast or as evenly as asked, and notes when answers came.

Owns the few bytes of MQTT 3.1.1 that this takes (CONNECT, SUBSCRIBE, PUBLISH with QoS 1). One thread, so that what is
measured is not the bench itself. Not a client for anything else: what it does not expect ends the bench.
"""

import select
import socket
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from sabot_tools.bench.evening import Message

_READ: Final = 1 << 18
_LIMIT_S: Final = 120.0  # for a broker on a crowded machine to take a backlog
_AHEAD: Final = 2_000  # messages under way to the broker

OnMessage = Callable[[str, bytes, float], None]


def packet_of(message: Message, number: int) -> bytes:
    """The PUBLISH of a message, QoS 1; `number` is its packet id."""
    topic = message.topic.encode()
    body = len(topic).to_bytes(2, "big") + topic + (number % 65_535 + 1).to_bytes(2, "big") + message.payload
    return b"\x32" + _length(len(body)) + body


class Load:
    def __init__(self, port: int, name: str, topics: Sequence[str] = ()) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._inbox = b""
        self._taken = 0  # PUBACKs
        self._on_message: OnMessage = _ignore
        client = name.encode()
        body = b"\x00\x04MQTT\x04\x02\x00\x00" + len(client).to_bytes(2, "big") + client
        self._socket.sendall(b"\x10" + _length(len(body)) + body)
        for number, topic in enumerate(topics, 1):
            text = topic.encode()
            body = number.to_bytes(2, "big") + len(text).to_bytes(2, "big") + text + b"\x00"
            self._socket.sendall(b"\x82" + _length(len(body)) + body)

    def close(self) -> None:
        self._socket.close()

    def send_all(self, messages: Sequence[Message]) -> None:
        """Everything at once; returns when the broker has it."""
        end = self._taken
        packets = [packet_of(message, number) for number, message in enumerate(messages)]
        for at in range(0, len(packets), _AHEAD):
            group = packets[at : at + _AHEAD]
            end += len(group)
            self._socket.sendall(b"".join(group))
            self._wait(partial(self._has_taken, end))

    def send_evenly(
        self, messages: Sequence[Message], per_s: int, on_message: OnMessage, is_done: Callable[[], bool]
    ) -> list[float]:
        """One message after the other at a rate; when each was sent. Goes on listening until `is_done`."""
        self._on_message = on_message
        sent: list[float] = []
        begin = time.perf_counter()
        for number, message in enumerate(messages):
            packet = packet_of(message, number)
            due = begin + number / per_s
            while (left := due - time.perf_counter()) > 0:
                self._read(left)
            sent.append(time.perf_counter())
            self._socket.sendall(packet)
        self._wait(is_done)
        return sent

    def _has_taken(self, count: int) -> bool:
        return self._taken >= count

    def _wait(self, is_done: Callable[[], bool]) -> None:
        limit = time.perf_counter() + _LIMIT_S
        while not is_done():
            if time.perf_counter() > limit:
                raise TimeoutError("nothing came back in time")
            self._read(0.05)

    def _read(self, seconds: float) -> None:
        if not select.select([self._socket], [], [], seconds)[0]:
            return
        data = self._socket.recv(_READ)
        at = time.perf_counter()
        if not data:
            raise ConnectionError("the broker ended the connection of the bench")
        inbox = self._inbox + data
        start = 0
        while (end := _end_of(inbox, start)) > 0:
            kind = inbox[start] >> 4
            if kind == 4:
                self._taken += 1
            elif kind == 3:
                self._publish(inbox[start:end], at)
            start = end
        self._inbox = inbox[start:]

    def _publish(self, packet: bytes, at: float) -> None:
        start = 2 if packet[1] < 0x80 else 3
        end = start + 2 + int.from_bytes(packet[start : start + 2], "big")
        self._on_message(packet[start + 2 : end].decode(), packet[end:], at)


def _ignore(topic: str, payload: bytes, at: float) -> None:
    """Until somebody listens."""


def _length(count: int) -> bytes:
    return bytes((count,)) if count < 0x80 else bytes((count & 0x7F | 0x80, count >> 7))


def _end_of(data: bytes, start: int) -> int:
    """Where the packet that begins at `start` ends; 0 when it is not all there. Packets below 16 KiB."""
    if len(data) < start + 3:
        return start + 2 if len(data) == start + 2 and data[start + 1] == 0 else 0
    first = data[start + 1]
    end = start + 2 + first if first < 0x80 else start + 3 + (first & 0x7F) + (data[start + 2] << 7)
    return end if end <= len(data) else 0
