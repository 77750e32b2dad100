"""A device's key: an object that seals and opens, and never shows what it holds.

Owns the choice of AES back end. The secret enters once and leaves in no form: not by repr, str, format,
pickle or copy, nor as an attribute on CPython. A key is bound to its device's name, the COSE `kid`.
"""

import sys

from sabot_protocol.errors import WireError
from sabot_protocol.topics import is_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Aead(Protocol):
        def seal(self, nonce: bytes, aad: bytes, plain: "bytes | memoryview") -> "bytes | bytearray": ...
        def open(self, nonce: bytes, aad: bytes, sealed: "bytes | memoryview") -> "bytes | None": ...


KEY_SIZE = 16


class DeviceKey:
    """The AES-128 key that one device shares with the gateway."""

    __slots__ = ("aead", "contexts", "device", "kid", "prefix")

    def __init__(self, device: str, secret: bytes) -> None:
        if not is_name(device):
            raise WireError("bad_topic", "device")
        if len(secret) != KEY_SIZE:
            raise ValueError("a device key has 16 bytes")
        self.device = device
        self.kid = device.encode()
        self.aead = _aead(secret)
        # What the envelope computes once per key; nothing secret.
        self.prefix = b""
        self.contexts: "dict[str, bytes]" = {}

    def __repr__(self) -> str:
        return f"DeviceKey({self.device!r}, sealed)"

    def __str__(self) -> str:
        return self.__repr__()

    def __format__(self, spec: str) -> str:
        return self.__repr__()

    def __reduce__(self) -> "tuple[object, ...]":
        raise TypeError("a device key cannot be copied or pickled")


def _aead(secret: bytes) -> "Aead":
    if sys.implementation.name == "micropython":
        from sabot_protocol import aead_cryptolib

        return aead_cryptolib.Aead(secret)
    from sabot_protocol import aead_cryptography

    return aead_cryptography.Aead(secret)
