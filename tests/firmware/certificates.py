"""A certificate authority of P-256 keys for one test run, and what a TLS broker and its clients need of it."""

from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

BROKER_NAME = "broker.sabot.test"


class Authority:
    """Signs certificates and writes them into a folder, as PEM and as DER."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name(name)
        self.file = self._write(name, self._certificate(self._name, self._key, is_authority=True), self._key)

    def issue(self, name: str) -> Path:
        """The path of a new certificate in PEM; .key, .der and .key.der lie beside it."""
        key = ec.generate_private_key(ec.SECP256R1())
        return self._write(name, self._certificate(_name(name), key, is_authority=False), key)

    def broker_settings(self) -> str:
        """Mosquitto's settings: TLS 1.2, the one suite that boards prefer, client certificates required."""
        broker = self.issue(BROKER_NAME)
        return (
            f"cafile {self.file}\ncertfile {broker}\nkeyfile {broker.with_suffix('.key')}\nrequire_certificate true\n"
            "tls_version tlsv1.2\nciphers ECDHE-ECDSA-AES128-GCM-SHA256\n"
        )

    def _certificate(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, *, is_authority: bool
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=2))
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        )
        if is_authority:
            usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
            builder = builder.add_extension(usage, critical=True)
        else:
            name = subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value
            names = [x509.DNSName(str(name)), x509.IPAddress(IPv4Address("127.0.0.1"))]
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        return builder.sign(self._key, SHA256())

    def _write(self, name: str, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> Path:
        path = self._folder / f"{name}.pem"
        path.write_bytes(certificate.public_bytes(Encoding.PEM))
        path.with_suffix(".der").write_bytes(certificate.public_bytes(Encoding.DER))
        for suffix, encoding in ((".key", Encoding.PEM), (".key.der", Encoding.DER)):
            secret = key.private_bytes(encoding, PrivateFormat.PKCS8, NoEncryption())
            path.with_suffix(suffix).write_bytes(secret)
        return path


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])
