"""Serial frames for wired controllers: 00, COBS(channel, sealed message, CRC-32), 00.

Owns framing only: what travels inside is the sealed message, and its channel (one byte) because a line has
no topics. Zero never occurs inside a frame, so a receiver is back in step at the next zero after any
garbage; the zero in front ends whatever noise came before. The buffer is bounded and allocated once.
The CRC (IEEE 802.3, big-endian) finds line noise; authenticity is the envelope's.
"""

import binascii

from sabot_protocol.errors import WireError
from sabot_protocol.limits import MAX_MESSAGE
from sabot_protocol.topics import CHANNELS

_CRC = 4
_BODY = 1 + MAX_MESSAGE + _CRC
# COBS adds one byte for each run of up to 254.
MAX_ENCODED = _BODY + _BODY // 254 + 1


def frame(channel: str, message: "bytes | memoryview") -> bytes:
    """Return a message framed for the line, zeros included."""
    if len(message) > MAX_MESSAGE:
        raise WireError("oversize")
    if channel not in CHANNELS:
        raise WireError("bad_frame")
    body = bytearray(1 + len(message) + _CRC)
    body[0] = CHANNELS.index(channel) + 1
    body[1:-_CRC] = message
    body[-_CRC:] = (binascii.crc32(memoryview(body)[:-_CRC]) & 0xFFFFFFFF).to_bytes(_CRC, "big")
    return b"\0" + _stuff(body) + b"\0"


def unframe(encoded: "bytes | bytearray | memoryview") -> "tuple[str, bytes]":
    """Return (channel, message) of what stood between two zeros."""
    if len(encoded) > MAX_ENCODED:
        raise WireError("oversize")
    body = _unstuff(encoded)
    if len(body) < 1 + _CRC:
        raise WireError("bad_frame")
    view = memoryview(body)
    if binascii.crc32(view[:-_CRC]) & 0xFFFFFFFF != int.from_bytes(view[-_CRC:], "big"):
        raise WireError("bad_crc")
    if not 1 <= body[0] <= len(CHANNELS):
        raise WireError("bad_frame")
    if len(body) > _BODY:
        raise WireError("oversize")
    return CHANNELS[body[0] - 1], bytes(view[1:-_CRC])


class Deframer:
    """Finds frames in a stream of bytes that may hold anything; counts what it refused."""

    def __init__(self) -> None:
        self._buffer = bytearray(MAX_ENCODED)
        self._size = 0
        self._overflowed = False
        self.frames = 0
        self.refused = 0
        self.refused_bytes = 0
        self.last_refusal = ""

    def feed(self, chunk: "bytes | bytearray") -> "list[tuple[str, bytes]]":
        """Take bytes as they come; return the (channel, message) pairs that they complete."""
        found = []
        at = 0
        while at < len(chunk):
            zero = chunk.find(b"\0", at)
            stop = len(chunk) if zero < 0 else zero
            self._keep(chunk, at, stop)
            if zero < 0:
                break
            pair = self._end()
            if pair is not None:
                found.append(pair)
            at = zero + 1
        return found

    def _keep(self, chunk: "bytes | bytearray", at: int, stop: int) -> None:
        room = MAX_ENCODED - self._size
        if stop - at > room or self._overflowed:
            # Too long to be a frame: forget it, and skip to the next zero.
            self.refused_bytes += self._size + stop - at
            self._size = 0
            self._overflowed = True
            return
        self._buffer[self._size : self._size + stop - at] = chunk[at:stop]
        self._size += stop - at

    def _end(self) -> "tuple[str, bytes] | None":
        size = self._size
        self._size = 0
        if self._overflowed:
            self._overflowed = False
            self._refuse("oversize", 0)
            return None
        if not size:
            return None  # the zero in front of a frame, or an idle line
        try:
            pair = unframe(memoryview(self._buffer)[:size])
        except WireError as error:
            self._refuse(error.code, size)
            return None
        self.frames += 1
        return pair

    def _refuse(self, code: str, size: int) -> None:
        self.refused += 1
        self.refused_bytes += size
        self.last_refusal = code


def _stuff(body: bytearray) -> bytearray:
    # Consistent Overhead Byte Stuffing (Cheshire and Baker 1999): each run of non-zero bytes is
    # preceded by its length plus one; a run of 254 stands for itself, without a zero after it.
    out = bytearray(len(body) + len(body) // 254 + 1)
    mark = 0
    at = 1
    for index in range(len(body)):
        byte = body[index]
        if byte:
            out[at] = byte
            at += 1
            if at - mark == 255 and index + 1 < len(body):
                out[mark] = 255
                mark = at
                at += 1
        else:
            out[mark] = at - mark
            mark = at
            at += 1
    out[mark] = at - mark
    return out[:at]


def _unstuff(encoded: "bytes | bytearray | memoryview") -> bytearray:
    size = len(encoded)
    out = bytearray(size)
    at = 0
    to = 0
    while at < size:
        run = encoded[at]
        stop = at + run
        if not run or stop > size:
            raise WireError("bad_frame")
        for index in range(at + 1, stop):
            byte = encoded[index]
            if not byte:
                raise WireError("bad_frame")
            out[to] = byte
            to += 1
        at = stop
        if run < 255 and at < size:
            to += 1  # the zero that this run stood for; out is zeroed already
    return out[:to]
