"""Opens a TCP or TLS stream without ever waiting in a call: (reader, writer) as asyncio has them on both Pythons.

Owns sockets and certificates. Knows no MQTT.
- The broker is a numeric address: a name would be looked up by getaddrinfo, which stands still for seconds on a
  board when the network is bad; name.py asks for it beforehand. The name in the broker's certificate is checked.
- TCP_NODELAY, and one packet in one write: with Nagle's algorithm a packet waits for the ack of the one before,
  10 ms instead of 0.8. A stack without the option (older lwIP) only loses that.
- TLS 1.2 with certificates in DER. A board's mbedTLS computes a handshake in one go: some 100 ms on an RP2350, more on
  an RP2040. The connection is therefore opened only when `may_pause()` says that no card is under way; the seal of
  every message does not rest on TLS, so a house with a wired network of its own may leave it out.
- A certificate's dates are checked by the board's clock: memory.py keeps the last known time over a restart.
"""

import asyncio
import socket
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_IPPROTO_TCP = 6
_TCP_NODELAY = 1
_EINPROGRESS = (115, 119, 36)  # Linux, ESP-IDF and lwIP, BSD

_asyncio: "Any" = asyncio
_socket: "Any" = socket


class Certificates:
    """What proves the broker to us and us to the broker, each in DER; an empty key means no client certificate."""

    def __init__(self, authority: bytes, certificate: bytes = b"", key: bytes = b"", server_name: str = "") -> None:
        self.authority = authority
        self.certificate = certificate
        self.key = key
        self.server_name = server_name


async def open_stream(address: str, port: int, certificates: "Certificates | None") -> "tuple[Any, Any]":
    """Connect; (reader, writer). Raises OSError."""
    if sys.implementation.name == "micropython":
        return await _open_on_board(address, port, certificates)
    from sabot_firmware.net.stream_host import open_on_host

    return await open_on_host(address, port, certificates)


async def _open_on_board(address: str, port: int, certificates: "Certificates | None") -> "tuple[Any, Any]":
    at: "Any" = _socket.getaddrinfo(address, port, 0, _socket.SOCK_STREAM)[0][-1]
    plain: "Any" = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    try:
        plain.setblocking(False)
        set_no_delay(plain)
        try:
            plain.connect(at)
        except OSError as error:
            if error.errno not in _EINPROGRESS:
                raise
        stream = _asyncio.StreamReader(plain)
        await _writable(plain)
        if certificates is not None:
            context = _board_context(certificates)
            wrapped = context.wrap_socket(
                plain, server_hostname=certificates.server_name or None, do_handshake_on_connect=False
            )
            stream = _asyncio.StreamReader(wrapped)
    except OSError:
        plain.close()
        raise
    return stream, stream


def _writable(plain: "Any") -> "Any":
    # How MicroPython's asyncio waits for a socket; it has no public name.
    yield _asyncio.core._io_queue.queue_write(plain)


def set_no_delay(plain: "Any") -> None:
    """Send each packet when it is written."""
    try:
        plain.setsockopt(_IPPROTO_TCP, _TCP_NODELAY, 1)
    except OSError:
        return  # this stack has no such option


def _board_context(certificates: Certificates) -> "Any":
    tls: "Any" = __import__("tls")
    context = tls.SSLContext(tls.PROTOCOL_TLS_CLIENT)
    context.verify_mode = tls.CERT_REQUIRED
    context.load_verify_locations(certificates.authority)
    if certificates.key:
        context.load_cert_chain(certificates.certificate, certificates.key)
    return context
