"""A release as its maker hands it out: one folder for each board with its files, their manifest and its signature.

Owns the maker's key, the signature and the reading of such a folder. The secret half signs on the maker's machine and
goes nowhere else; the public half is every controller's setting `release_key`. ECDSA P-256 with SHA-256, as the
controllers check it (sabot_firmware/core/p256.py): 32 bytes of r, 32 of s. Touches no port and no broker.
"""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from sabot_firmware.core.manifest import Manifest, ManifestError
from sabot_firmware.core.selfcheck import digest_of
from sabot_tools.field.private_file import read_private, write_whole
from sabot_tools.field.trouble import StartError

MANIFEST: Final = "manifest"
SIGNATURE: Final = "manifest.sig"
_HALF: Final = 32
_HASH: Final = ec.ECDSA(SHA256())


@dataclass(frozen=True, slots=True)
class SignedRelease:
    """What a controller is offered; `files` are in the manifest's order, `digest` is what its hello will tell."""

    board: str
    name: str
    serial: int
    head: bytes
    signature: bytes
    files: tuple[tuple[str, bytes], ...]
    digest: bytes

    @property
    def size(self) -> int:
        return len(self.head) + sum(len(data) for _, data in self.files)


def open_key(file: Path) -> ec.EllipticCurvePrivateKey:
    """The maker's key; StartError when it is none, or not a secret."""
    try:
        key = load_pem_private_key(read_private(file), None)
    except (ValueError, TypeError) as error:
        raise StartError(f"{file} holds no release key.") from error
    if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
        raise StartError(f"{file} holds another kind of key than a release is signed with.")
    return key


def make_key(file: Path) -> ec.EllipticCurvePrivateKey:
    """A new key in a file of mode 0600; StartError when there is one already."""
    if file.exists():
        raise StartError(f"{file} is there already; every controller that knows its other half would be cut off.")
    key = ec.generate_private_key(ec.SECP256R1())
    write_whole(file, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return key


def public_half(key: ec.EllipticCurvePrivateKey) -> bytes:
    """What controllers get: the point's two coordinates."""
    numbers = key.public_key().public_numbers()
    return numbers.x.to_bytes(_HALF, "big") + numbers.y.to_bytes(_HALF, "big")


def sign(folder: Path, key: ec.EllipticCurvePrivateKey) -> None:
    """Sign the manifest of one board's folder."""
    r, s = decode_dss_signature(key.sign((folder / MANIFEST).read_bytes(), _HASH))
    write_whole(folder / SIGNATURE, r.to_bytes(_HALF, "big") + s.to_bytes(_HALF, "big"), 0o644)


def is_signed_by(release: SignedRelease, public: bytes) -> bool:
    """Whether a controller with this `release_key` would take it."""
    x, y = int.from_bytes(public[:_HALF], "big"), int.from_bytes(public[_HALF:], "big")
    signature = release.signature
    r, s = int.from_bytes(signature[:_HALF], "big"), int.from_bytes(signature[_HALF:], "big")
    try:
        key = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
        key.verify(encode_dss_signature(r, s), release.head, _HASH)
    except (ValueError, InvalidSignature):
        return False
    return True


def read_release(folder: Path) -> SignedRelease:
    """The release in one board's folder; StartError when it is not signed, or not what its manifest says."""
    try:
        head = (folder / MANIFEST).read_bytes()
    except OSError as error:
        raise StartError(f"{folder} holds no compiled release of a board.") from error
    try:
        signature = (folder / SIGNATURE).read_bytes()
    except OSError as error:
        raise StartError(f"The release in {folder} is not signed: `sabot release build` with --key does it.") from error
    try:
        manifest = Manifest(head)
    except ManifestError as error:
        raise StartError(f"{folder / MANIFEST}: {error}.") from error
    listed = [manifest.file(at) for at in range(manifest.count)]
    files = tuple((path, _whole(folder / path, size, digest)) for path, size, digest in listed)
    digest = digest_of([(path, expected) for path, _, expected in listed])
    return SignedRelease(manifest.board, manifest.release, manifest.serial, head, signature, files, digest)


def _whole(file: Path, size: int, digest: bytes) -> bytes:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise StartError(f"{file} is missing; build the release again.") from error
    if len(data) != size or sha256(data).digest() != digest:
        raise StartError(f"{file} is not what its manifest says; build the release again.")
    return data
