"""The Ed25519 key that signs checkpoints, anchors and snapshots.

Owns the key files: `signing.key` (PKCS #8, mode 0600, made at first start, never replaced) and `signing.pub`,
the public half for those who verify. Invariant: a key that others may read signs nothing.
"""

import os
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from sabot_gateway.journal.error import ErrorCode, JournalError

PRIVATE: Final = "signing.key"
PUBLIC: Final = "signing.pub"
_FOR_OWNER_ONLY: Final = 0o600


class Signer:
    """Signs; the key never leaves it."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = key.public_key().public_bytes_raw()

    def sign(self, data: bytes) -> bytes:
        return self._key.sign(data)


def load_or_make_signer(folder: Path) -> Signer:
    """The signer whose key is in `folder`, made on the first call; the public key stands beside it."""
    path = folder / PRIVATE
    try:
        if not path.exists():
            _make(path)
        if path.stat().st_mode & 0o077:
            raise JournalError(ErrorCode.KEY, f"Others may read {path}; its mode must be 0600.")
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError) as error:
        raise JournalError(ErrorCode.KEY, f"{path}: {error}") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise JournalError(ErrorCode.KEY, f"{path} is no Ed25519 key.")
    public = folder / PUBLIC
    pem = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )  # fmt: skip
    if not public.exists() or public.read_bytes() != pem:
        public.write_bytes(pem)
    return Signer(key)


def load_public_key(path: Path) -> bytes:
    """The raw 32 bytes of a public key in PEM."""
    try:
        key = serialization.load_pem_public_key(path.read_bytes())
    except (OSError, ValueError) as error:
        raise JournalError(ErrorCode.KEY, f"{path}: {error}") from error
    if not isinstance(key, Ed25519PublicKey):
        raise JournalError(ErrorCode.KEY, f"{path} is no Ed25519 key.")
    return key.public_bytes_raw()


def is_signed(public: bytes, signature: bytes, data: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True


def fingerprint(public: bytes) -> str:
    """Sixteen hexadecimal digits to tell keys apart by eye."""
    return sha256(public).hexdigest()[:16]


def _make(path: Path) -> None:
    pem = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    # Written aside and renamed: a power cut leaves a whole key or none.
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FOR_OWNER_ONLY)
    with os.fdopen(descriptor, "wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(path)
