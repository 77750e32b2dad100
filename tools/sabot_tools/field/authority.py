"""The house's small certificate authority: who may connect to the broker, and until when.

Owns a folder (mode 0700): `ca.key`, `ca.pem`, the public half of every certificate it issued, and a mark beside each
one that was withdrawn. All keys are P-256: a board can check those. Knows no broker and no board.

A certificate is named for its holder: CN is the client id, OU the holder's generation (1, 2, …), so that two of one
holder have different subjects, and a broker that knows no revocation list can still tell them apart. `withdraw` may
name a moment to come: until then old and new are both good.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from sabot_tools.field.private_file import private_folder, read_private, write_whole
from sabot_tools.field.trouble import FieldError, StartError

AUTHORITY_DAYS: Final = 20 * 365  # longer than any table lives
CLIENT_DAYS: Final = 2 * 365
SERVER_DAYS: Final = 2 * 365
# A board's clock may be late by as long as it lay on a shelf without power; a list that ends would shut everybody out.
_EARLIER: Final = timedelta(days=30)
_LIST_DAYS: Final = 10 * 365


class Purpose(StrEnum):
    CLIENT = "client"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class Issued:
    """A certificate with its key, in the forms that boards (DER) and servers (PEM) read."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(Encoding.PEM)

    @property
    def der(self) -> bytes:
        return self.certificate.public_bytes(Encoding.DER)

    @property
    def key_pem(self) -> bytes:
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    @property
    def key_der(self) -> bytes:
        return self.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())


@dataclass(frozen=True, slots=True)
class Known:
    """A certificate that was issued here; `withdrawn` is the moment from which it is no longer good."""

    certificate: x509.Certificate
    withdrawn: datetime | None

    @property
    def name(self) -> str:
        return _first(self.certificate, NameOID.COMMON_NAME)

    @property
    def generation(self) -> int:
        return int(_first(self.certificate, NameOID.ORGANIZATIONAL_UNIT_NAME))

    @property
    def subject(self) -> str:
        """As a broker writes it that maps certificates to users (RFC 2253)."""
        return f"OU={self.generation},CN={self.name}"

    @property
    def sha256(self) -> str:
        return self.certificate.fingerprint(SHA256()).hex()

    @property
    def ends(self) -> str:
        """The day on which it ends by itself."""
        return self.certificate.not_valid_after_utc.date().isoformat()

    def is_good(self, now: datetime) -> bool:
        is_withdrawn = self.withdrawn is not None and self.withdrawn <= now
        return not is_withdrawn and now < self.certificate.not_valid_after_utc


class Authority:
    """One authority in its folder; made by `open_authority`."""

    def __init__(self, folder: Path, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> None:
        self._folder = folder
        self._certificate = certificate
        self._key = key

    @property
    def file(self) -> Path:
        """The authority's own certificate, in PEM: whom servers and clients trust."""
        return self._folder / "ca.pem"

    @property
    def der(self) -> bytes:
        """The same for boards."""
        return self._certificate.public_bytes(Encoding.DER)

    def issue(
        self,
        name: str,
        purpose: Purpose,
        hosts: Sequence[str] = (),
        days: int = CLIENT_DAYS,
        now: datetime | None = None,
    ) -> Issued:
        """A new certificate, on record before it is handed out; earlier ones of the same name stay as they are."""
        begin = now or datetime.now(UTC)
        generation = 1 + max((known.generation for known in self.known() if known.name == name), default=0)
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name(
            [
                x509.NameAttribute(NameOID.COMMON_NAME, name),
                x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, str(generation)),
            ]
        )
        usage = ExtendedKeyUsageOID.SERVER_AUTH if purpose is Purpose.SERVER else ExtendedKeyUsageOID.CLIENT_AUTH
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._certificate.subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(begin - _EARLIER)
            .not_valid_after(begin + timedelta(days=days))
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        )
        if hosts:
            builder = builder.add_extension(
                x509.SubjectAlternativeName([_host(each) for each in hosts]), critical=False
            )
        issued = Issued(builder.sign(self._key, SHA256()), key)
        write_whole(self._record(issued.certificate), issued.pem, 0o644)
        return issued

    def known(self) -> list[Known]:
        """Every certificate that was issued here, in no order."""
        found = []
        for file in (self._folder / "issued").glob("*.pem"):
            mark = file.with_suffix(".withdrawn")
            withdrawn = datetime.fromisoformat(mark.read_text().strip()) if mark.exists() else None
            found.append(Known(x509.load_pem_x509_certificate(file.read_bytes()), withdrawn))
        return found

    def withdraw(self, name: str, when: datetime, spare: str = "") -> int:
        """Ends every certificate of a holder at `when`, or earlier where that was said; how many. `spare` is kept."""
        count = 0
        for known in self.known():
            if known.name != name or known.sha256 == spare:
                continue
            if known.withdrawn is None or known.withdrawn > when:
                mark = self._record(known.certificate).with_suffix(".withdrawn")
                write_whole(mark, when.astimezone(UTC).isoformat().encode(), 0o644)
                count += 1
        return count

    def revocation_list(self, now: datetime) -> bytes:
        """The certificates that are withdrawn by now, signed, in PEM."""
        builder = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self._certificate.subject)
            .last_update(now - _EARLIER)
            .next_update(now + timedelta(days=_LIST_DAYS))
        )
        for known in self.known():
            if known.withdrawn is not None and known.withdrawn <= now:
                entry = x509.RevokedCertificateBuilder().serial_number(known.certificate.serial_number)
                builder = builder.add_revoked_certificate(entry.revocation_date(known.withdrawn).build())
        return builder.sign(self._key, SHA256()).public_bytes(Encoding.PEM)

    def _record(self, certificate: x509.Certificate) -> Path:
        return self._folder / "issued" / f"{_first(certificate, NameOID.COMMON_NAME)}.{certificate.serial_number:x}.pem"


def open_authority(folder: Path, site: str) -> Authority:
    """The authority of this folder; the first use makes it."""
    private_folder(folder)
    private_folder(folder / "issued")
    if not (folder / "ca.pem").exists():
        _make(folder, site)
    try:
        certificate = x509.load_pem_x509_certificate((folder / "ca.pem").read_bytes())
        key = load_pem_private_key(read_private(folder / "ca.key"), None)
    except (OSError, ValueError) as error:
        raise StartError(f"The authority in {folder} cannot be read: ca.pem or ca.key is damaged.") from error
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
        raise StartError(f"The authority in {folder} cannot be used: ca.key is not the key of ca.pem.")
    return Authority(folder, certificate, key)


def _make(folder: Path, site: str) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Sabot {site} {os.urandom(3).hex()}")])
    now = datetime.now(UTC)
    usage = x509.KeyUsage(
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _EARLIER)
        .not_valid_after(now + timedelta(days=AUTHORITY_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .sign(key, SHA256())
    )
    # The key first: an authority exists from the moment its certificate does.
    write_whole(folder / "ca.key", key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    write_whole(folder / "ca.pem", certificate.public_bytes(Encoding.PEM), 0o644)


def _host(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        pass
    try:
        return x509.DNSName(name)
    except ValueError as error:
        raise FieldError(f"{name} is neither an address nor a name of a host.") from error


def _first(certificate: x509.Certificate, oid: x509.ObjectIdentifier) -> str:
    return str(certificate.subject.get_attributes_for_oid(oid)[0].value)
