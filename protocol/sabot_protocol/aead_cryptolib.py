"""AES-CCM-16-128-128 (RFC 3610, M = 16, L = 2) on MicroPython, from `cryptolib`'s ECB and CBC.

Four C calls a message: CBC over the formatted blocks gives the MAC, ECB over a run of counter blocks
the key stream, and the XOR is one of big integers. Two scratch buffers serve every key, so nothing here
is re-entrant: one task seals or opens at a time. The tag compare looks at every byte in any case.
"""

from sabot_protocol.limits import MAX_PAYLOAD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_cryptolib = __import__("cryptolib")  # exists on MicroPython only; type checkers need not find it

TAG = 16
_ECB, _CBC = 1, 2
_ZERO = bytes(16)
_XOR = 128  # bytes per step: bounds the size of the integers

_MAX_AAD = 128  # Encrypt0 context (16 bytes) and the longest topic (82)
_blocks = bytearray(16 + 2 + _MAX_AAD + 16 + MAX_PAYLOAD + 16)
_stream = bytearray(16 + MAX_PAYLOAD + 16)
_blocks_view = memoryview(_blocks)
_stream_view = memoryview(_stream)


class Aead:
    """One key, ready to seal and open."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != 16:
            raise ValueError("AES-128 takes a key of 16 bytes")
        self._secret = secret
        self._ecb = _cryptolib.aes(secret, _ECB)

    def seal(self, nonce: bytes, aad: bytes, plain: "bytes | memoryview") -> "bytes | bytearray":
        """Return ciphertext and tag."""
        size = len(plain)
        tag = self._mac(nonce, aad, plain)
        self._make_stream(nonce, size)
        sealed = bytearray(size + TAG)
        _xor(memoryview(sealed), plain, _stream_view[16:], size)
        _xor(memoryview(sealed)[size:], tag, _stream_view, TAG)
        return sealed

    def open(self, nonce: bytes, aad: bytes, sealed: "bytes | memoryview") -> "bytes | None":
        """Return the plaintext, or None if anything was altered."""
        size = len(sealed) - TAG
        if size < 0 or size > MAX_PAYLOAD:
            return None
        view = memoryview(sealed)
        self._make_stream(nonce, size)
        plain = bytearray(size)
        _xor(memoryview(plain), view, _stream_view[16:], size)
        tag = self._mac(nonce, aad, plain)
        difference = 0
        for at in range(TAG):
            difference |= tag[at] ^ _stream[at] ^ view[size + at]
        return None if difference else bytes(plain)

    def _mac(self, nonce: bytes, aad: bytes, plain: "bytes | bytearray | memoryview") -> memoryview:
        # RFC 3610 section 2.2: B0, the length of the AAD, AAD and message, each padded to whole blocks.
        size = len(plain)
        blocks = _blocks
        if len(aad) > _MAX_AAD or size > MAX_PAYLOAD:
            raise ValueError("longer than the scratch buffer")
        blocks[0] = 0x79  # AAD present, M = 16, L = 2
        blocks[1:14] = nonce
        blocks[14] = size >> 8
        blocks[15] = size & 255
        blocks[16] = len(aad) >> 8
        blocks[17] = len(aad) & 255
        at = _fill(18, aad)
        at = _fill(at, plain)
        used = _blocks_view[:at]
        _cryptolib.aes(self._secret, _CBC, _ZERO).encrypt(used, used)
        return used[at - 16 :]

    def _make_stream(self, nonce: bytes, size: int) -> None:
        # RFC 3610 section 2.3: block 0 covers the tag, blocks 1.. the message.
        stream = _stream
        end = 16 + (size + 15) // 16 * 16
        for at in range(0, end, 16):
            stream[at] = 1
            stream[at + 1 : at + 14] = nonce
            stream[at + 14] = 0  # at most 60 blocks
            stream[at + 15] = at >> 4
        used = _stream_view[:end]
        self._ecb.encrypt(used, used)


def _fill(at: int, data: "bytes | bytearray | memoryview") -> int:
    # Copy, then pad with zeros to the next whole block.
    end = at + len(data)
    _blocks[at:end] = data
    while end & 15:
        _blocks[end] = 0
        end += 1
    return end


def _xor(out: memoryview, left: "Any", right: memoryview, size: int) -> None:
    left = memoryview(left)
    for at in range(0, size, _XOR):
        stop = min(at + _XOR, size)
        mixed = int.from_bytes(left[at:stop], "little") ^ int.from_bytes(right[at:stop], "little")
        out[at:stop] = mixed.to_bytes(stop - at, "little")
