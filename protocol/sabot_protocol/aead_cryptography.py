"""AES-CCM-16-128-128 on CPython: the `cryptography` package does all of it, tag compare included."""

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

TAG = 16


class Aead:
    """One key, ready to seal and open."""

    __slots__ = ("_ccm",)

    def __init__(self, secret: bytes) -> None:
        self._ccm = AESCCM(secret, tag_length=TAG)

    def seal(self, nonce: bytes, aad: bytes, plain: "bytes | memoryview") -> bytes:
        """Return ciphertext and tag."""
        return self._ccm.encrypt(nonce, plain, aad)

    def open(self, nonce: bytes, aad: bytes, sealed: "bytes | memoryview") -> "bytes | None":
        """Return the plaintext, or None if anything was altered."""
        try:
            return self._ccm.decrypt(nonce, sealed, aad)
        except InvalidTag:
            return None
