"""`WebServer`: uvicorn in a thread of its own, on a socket that is bound before anything else depends on it.

Owns the thread and the socket. An address that is taken or a certificate that does not fit is known at the start, as a
sentence; signals stay with the main thread.
"""

import os
import socket
import ssl
import threading
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from sabot_gateway.errors import StartError
from sabot_gateway.settings.shape import Address, Certificate

_BACKLOG: Final = 512
_FAREWELL_S: Final = 2  # for pages that are being sent; live streams are cut, and browsers come back
_JOIN_S: Final = 10.0


class WebServer:
    """Serves `application` from `start` to `stop`."""

    def __init__(self, application: ASGIApp, listen: Address, certificate: Certificate | None = None) -> None:
        config = uvicorn.Config(
            application,
            loop="asyncio",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_FAREWELL_S,
            ssl_certfile=certificate.certificate if certificate else None,
            ssl_keyfile=certificate.key if certificate else None,
        )
        try:
            config.load()
        except (OSError, ssl.SSLError) as error:
            raise StartError(f"The web certificate cannot be used ({error.strerror or error}).") from error
        self._socket = _bound(listen)
        host, port = self._socket.getsockname()[:2]
        self.address = Address(host, port)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread and frees the address; safe before `start`, too."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(_JOIN_S)
        self._socket.close()

    def _run(self) -> None:
        self._server.run(sockets=[self._socket])


def _bound(listen: Address) -> socket.socket:
    try:
        family = socket.getaddrinfo(listen.host, listen.port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((listen.host, listen.port), family=family, backlog=_BACKLOG)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        raise StartError(f"The pages cannot listen on {listen} ({reason}).") from error
