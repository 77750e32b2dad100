"""A broker's name -> its address, without ever waiting in a call: one question over UDP, asked again when it is lost.

Owns the DNS message (RFC 1035: one question of type A, names by pointer) and its asking. MicroPython's getaddrinfo
stands still for seconds when the network is bad, so it is never given a name. Loaded only when the config names one.
Not a cache: a link asks before each connection, so a broker that moves is found again.
Limits: IPv4; one server, as the network told it; an alias is followed only within one answer, as servers send it.
An answer is taken from that server and with the question's number alone; who forges one gains nothing, since the
broker must still prove its name by its certificate.
"""

import os
import socket
import struct

from sabot_firmware.net.pause import sleep_ms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PORT = 53
_TRIES = 3
_WAIT_MS = 1500  # of each try; a server in the house answers within some milliseconds
_LOOK_MS = 20
_ROOM = 512  # RFC 1035, 2.3.4: the longest message over UDP
_A, _IN = 1, 1

_socket: "Any" = socket


def question(number: int, name: str) -> bytes:
    """The question for a name's address."""
    out = struct.pack(">HHHHHH", number, 0x0100, 1, 0, 0, 0)
    for label in name.split("."):
        out += bytes([len(label)]) + label.encode()
    return out + struct.pack(">BHH", 0, _A, _IN)


def answer(number: int, data: bytes) -> str:
    """The address in an answer to question `number`; "" when it holds none or is no answer to it."""
    if len(data) < 12:
        return ""
    heard, flags, questions, answers = struct.unpack(">HHHH", data[:8])
    if heard != number or flags & 0x820F != 0x8000 or questions != 1:
        return ""
    at = _behind_name(data, 12) + 4
    for _ in range(min(answers, 16)):
        at = _behind_name(data, at)
        if at + 10 > len(data):
            return ""
        kind, group, _, size = struct.unpack(">HHIH", data[at : at + 10])
        at += 10
        if (kind, group, size) == (_A, _IN, 4) and at + 4 <= len(data):
            return ".".join([str(byte) for byte in data[at : at + 4]])
        at += size
    return ""


async def resolve(name: str, server: str, port: int = _PORT) -> str:
    """The address of a name. Raises OSError when the server does not know it, or does not answer."""
    asked: "Any" = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
    try:
        asked.setblocking(False)
        # Connected: what comes from elsewhere is dropped by the stack. Numeric: getaddrinfo looks nothing up.
        asked.connect(_socket.getaddrinfo(server, port, 0, _socket.SOCK_DGRAM)[0][-1])
        for _ in range(_TRIES):
            number = int.from_bytes(os.urandom(2), "big")
            asked.send(question(number, name))
            for _ in range(_WAIT_MS // _LOOK_MS):
                await sleep_ms(_LOOK_MS)
                data = _heard(asked)
                if data and (found := answer(number, data)):
                    return found
                if data[:2] == struct.pack(">H", number):
                    raise OSError(2)  # ENOENT: it answered, and knows no address
    finally:
        asked.close()
    raise OSError(110)  # ETIMEDOUT


def _heard(asked: "Any") -> bytes:
    try:
        return bytes(asked.recv(_ROOM) or b"")
    except OSError:
        return b""  # nothing yet, or nobody there: the next try tells


def _behind_name(data: bytes, at: int) -> int:
    while at < len(data):
        size = data[at]
        if size >= 0xC0:
            return at + 2
        at += 1 + size
        if not size:
            break
    return at
