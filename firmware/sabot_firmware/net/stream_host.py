"""Streams on CPython, for simulated floors: the counterpart of what stream.py does on a board. Never on a board.

Owns CPython's ssl, which takes a client certificate from a file only, and as PEM.
"""

import asyncio
import os
import ssl
import tempfile
from binascii import b2a_base64

from sabot_firmware.net.stream import set_no_delay

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sabot_firmware.net.stream import Certificates


async def open_on_host(address: str, port: int, certificates: "Certificates | None") -> "tuple[Any, Any]":
    """Connect as stream.open_stream() does."""
    context = _host_context(certificates) if certificates is not None else None
    name = (certificates.server_name or None) if certificates is not None else None
    reader, writer = await asyncio.open_connection(address, port, ssl=context, server_hostname=name)
    set_no_delay(writer.get_extra_info("socket"))
    return reader, writer


def _host_context(certificates: "Certificates") -> "Any":
    context = ssl.create_default_context(cadata=certificates.authority)
    context.check_hostname = bool(certificates.server_name)
    if certificates.key:
        handle, path = tempfile.mkstemp()
        with os.fdopen(handle, "w") as pem:
            pem.write(ssl.DER_cert_to_PEM_cert(certificates.certificate))
            pem.write(_pem(certificates.key))
        try:
            context.load_cert_chain(path)
        finally:
            os.remove(path)  # noqa: PTH107 - no pathlib in code that boards share
    return context


def _pem(key: bytes) -> str:
    return "-----BEGIN PRIVATE KEY-----\n" + b2a_base64(key).decode() + "-----END PRIVATE KEY-----\n"
