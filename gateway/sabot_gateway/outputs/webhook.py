"""Telling by HTTP: one POST per message, signed, over a connection that is kept while it lasts.

Owns the request and the meaning of the answers. 2xx: the receiver has it. 400, 413, 415 and 422: it will never take
this message. Everything else, no answer among it, is tried again. Redirections are not followed: a message goes to
the address in the settings or nowhere.

    Sabot-Id: the message's id           Sabot-Timestamp: seconds since 1970, of this attempt
    Sabot-Signature: v1=HMAC-SHA256(secret, timestamp "." body), hexadecimal
"""

import hmac
import http.client
import socket
import ssl
import time
from typing import Final
from urllib.parse import urlsplit

from sabot_gateway.outputs.notice import Notice
from sabot_gateway.outputs.receiver import NotNowError, RefusedError, StoppedError
from sabot_gateway.settings.shape import WebhookSettings

TIMEOUT_S: Final = 10.0  # per step of the exchange
_NEVER: Final = frozenset({400, 413, 415, 422})
_MAX_ANSWER: Final = 1 << 16  # bytes; nobody reads more of it, and no receiver shall fill our memory


def signature(secret: bytes, timestamp: str, body: bytes) -> str:
    return "v1=" + hmac.digest(secret, timestamp.encode() + b"." + body, "sha256").hex()


class Webhook:
    """Used by one thread, except for `stop`."""

    def __init__(self, settings: WebhookSettings, timeout_s: float = TIMEOUT_S) -> None:
        self._settings = settings
        self._timeout_s = timeout_s
        address = urlsplit(settings.url)
        self._host, self._port, self._is_tls = address.hostname or "", address.port, address.scheme == "https"
        self._path = (address.path or "/") + (f"?{address.query}" if address.query else "")
        self._connection: http.client.HTTPConnection | None = None
        self._is_stopping = False

    @property
    def name(self) -> str:
        return f"webhook-{self._settings.name}"

    def wants(self, notice: Notice) -> bool:
        tables = self._settings.tables
        return notice.subject in self._settings.subjects and (not tables or notice.table in tables)

    def tell(self, notice: Notice) -> None:
        is_fresh = self._connection is None
        try:
            status = self._post(notice)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            if self._is_stopping:
                raise StoppedError from None
            if not is_fresh:  # the receiver may have closed a connection that lay idle
                return self.tell(notice)
            raise NotNowError(f"{self._who} {_reason(error)}.") from error
        if 200 <= status < 300:
            return None
        if status in _NEVER:
            raise RefusedError(f"{self._who} refuses message {notice.id} with status {status}.")
        raise NotNowError(f"{self._who} answers with status {status}.")

    def stop(self) -> None:
        self._is_stopping = True
        connection = self._connection
        sock = connection.sock if connection else None
        if sock is not None:
            try:
                sock.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits for an answer
            except OSError:
                return

    def close(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None

    @property
    def _who(self) -> str:
        return f"The webhook {self._settings.name} at {self._host}"

    def _post(self, notice: Notice) -> int:
        timestamp = str(int(time.time()))
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Sabot",
            "Sabot-Id": notice.id,
            "Sabot-Timestamp": timestamp,
            "Sabot-Signature": signature(self._settings.secret, timestamp, notice.body),
        }
        if self._connection is None:
            self._connection = self._connect()
        self._connection.request("POST", self._path, notice.body, headers)
        answer = self._connection.getresponse()
        answer.read(_MAX_ANSWER)
        if not answer.isclosed() or answer.will_close:
            self.close()
        return answer.status

    def _connect(self) -> http.client.HTTPConnection:
        if self._is_tls:
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(self._host, self._port, timeout=self._timeout_s, context=context)
        return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout_s)


def _reason(error: OSError | http.client.HTTPException) -> str:
    match error:
        case TimeoutError():
            return "does not answer"
        case ssl.SSLCertVerificationError():
            return f"has a certificate that cannot be trusted: {error.verify_message}"
        case ConnectionRefusedError():
            return "does not listen there"
        case socket.gaierror():
            return "cannot be found: its name has no address"
        case OSError():
            return f"cannot be reached: {error.strerror or type(error).__name__}"
        case _:
            return f"gives no proper answer: {type(error).__name__}"
