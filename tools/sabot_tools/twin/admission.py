"""How simulated controllers get to their broker, and past one that asks for certificates: each has its own then.

Owns those certificates and the wait for a broker that is just being started. The house's own authority issues them
(`field/authority.py`); they are kept beside the controller's flash and serve until they expire, so that nobody's list
of certificates grows with every night.
"""

import socket
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from sabot_firmware.net.stream import Certificates
from sabot_gateway.settings.shape import Settings
from sabot_tools.field.authority import Authority, Purpose, open_authority
from sabot_tools.field.house import AUTHORITY
from sabot_tools.field.job import AUTHORITY_FILE, CERTIFICATE_FILE, CERTIFICATE_KEY_FILE
from sabot_tools.field.private_file import write_whole
from sabot_tools.twin.house import HouseError

AWAITED_S: Final = 30  # a gateway that is started at the same moment has its broker up by then
_AGAIN_S: Final = 0.2


class BrokerAddress(NamedTuple):
    host: str
    port: int
    is_tls: bool = False


class Admission:
    """Certificates for the controllers of one house; `trusted` (DER) has signed the broker's."""

    def __init__(self, authority: Authority, trusted: bytes, server_name: str) -> None:
        self._authority = authority
        self._trusted = trusted
        self.server_name = server_name

    def certificates(self, device: str, home: Path) -> Certificates:
        """A controller's own, in its folder under the names that it has on a board."""
        file, key = home / CERTIFICATE_FILE, home / CERTIFICATE_KEY_FILE
        if not (file.exists() and key.exists() and _is_valid(file)):
            issued = self._authority.issue(device, Purpose.CLIENT)
            write_whole(key, issued.key_der)
            write_whole(file, issued.der)
        write_whole(home / AUTHORITY_FILE, self._trusted)
        return Certificates(self._trusted, file.read_bytes(), key.read_bytes(), self.server_name)


def await_broker(broker: BrokerAddress, awaited_s: float = AWAITED_S) -> None:
    """Returns as soon as somebody answers at this address; HouseError when nobody does."""
    ends = time.monotonic() + awaited_s
    while True:
        try:
            socket.create_connection(broker[:2], timeout=max(1.0, awaited_s)).close()
        except OSError as error:
            if time.monotonic() >= ends:
                raise HouseError(
                    f"no broker answers at {broker.host}:{broker.port} ({error.strerror or error});"
                    " start the gateway, or name another broker (--broker)."
                ) from error
            time.sleep(_AGAIN_S)
        else:
            return


def admission_to(broker: BrokerAddress, settings: Settings) -> Admission | None:
    """None where the broker asks for no certificates; HouseError where nobody can issue them."""
    if not broker.is_tls:
        return None
    folder = settings.file.parent / AUTHORITY
    if not (folder / "ca.pem").exists():
        raise HouseError(
            f"the broker at {broker.host} asks for certificates, and {folder} is not there to issue them"
            " (sabot broker-config and sabot provision make it)."
        )
    authority = open_authority(folder, settings.site)
    tls = settings.broker.tls if settings.broker is not None else None
    own = tls.ca if tls is not None else None
    return Admission(authority, authority.der if own is None else _der_from_pem(own), broker.host)


def _is_valid(file: Path) -> bool:
    return datetime.now(UTC) < x509.load_der_x509_certificate(file.read_bytes()).not_valid_after_utc


def _der_from_pem(file: Path) -> bytes:
    try:
        return x509.load_pem_x509_certificate(file.read_bytes()).public_bytes(Encoding.DER)
    except (OSError, ValueError) as error:
        raise HouseError(f"{file} is no certificate of an authority.") from error
