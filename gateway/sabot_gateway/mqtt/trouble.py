"""Why there is no connection to the broker, in one sentence for the person who runs the gateway.

Owns the words. Translates the library's codes and the system's errors at the border; no sentence carries a password.
"""

import socket
import ssl
from typing import Final

from sabot_gateway.mqtt.port import BrokerSettings

# Reason codes of MQTT 5, to which paho also maps the return codes of 3.1.1.
_REFUSALS: Final = {
    0x84: "it does not speak MQTT {version}",
    0x85: "it refuses the client id {client}",
    0x86: "it does not know this user name and password",
    0x87: "this user or certificate may not connect",
    0x88: "it is not available",
    0x89: "it is too busy",
    0x8A: "this client is banned there",
    0x8C: "it wants another way to log in",
    0x95: "it refuses the size of our messages",
    0x9F: "it takes no more connections at this rate",
}
_TAKEN_OVER: Final = 0x8E


def refusal_sentence(settings: BrokerSettings, reason: int, text: str) -> str:
    """The broker answered the connection with a refusal."""
    why = _REFUSALS.get(reason, f"it says: {text}").format(version=settings.version, client=settings.client_id)
    return f"The broker at {address(settings)} refuses the gateway: {why}."


def loss_sentence(settings: BrokerSettings, reason: int | None = None, text: str = "") -> str:
    """An established connection ended."""
    if reason == _TAKEN_OVER:
        return f"Another client named {settings.client_id} took over at the broker at {address(settings)}."
    said = f": it says {text}" if reason else ""
    return f"The connection to the broker at {address(settings)} was lost{said}."


def connect_sentence(settings: BrokerSettings, error: OSError | ValueError | None) -> str:
    """No connection came about: an attempt failed, or the broker hung up before it accepted the gateway (None)."""
    where = f"The broker at {address(settings)}"
    match error:
        case ssl.SSLCertVerificationError():
            return f"{where} has a certificate that cannot be trusted: {error.verify_message}."
        case ssl.SSLError():
            return f"{where} ended the TLS handshake: {_tls_reason(error)}."
        case socket.gaierror():
            return f"{where} cannot be found: its name has no address."
        case TimeoutError():
            return f"{where} does not answer."
        case ConnectionRefusedError():
            return f"{where} does not listen there."
        case None | ConnectionError() if settings.tls:  # what is left of a refused certificate, if we wrote first
            return f"{where} ended the TLS handshake: the connection was closed."
        case None | ConnectionError():
            return f"{where} hangs up before it accepts the gateway; it may not speak MQTT {settings.version}."
        case OSError():
            return f"{where} cannot be reached: {error.strerror or error}."
        case _:
            return f"{where} cannot be reached: {error}."


def subscription_sentence(settings: BrokerSettings, topic_filter: str) -> str:
    return f"The broker at {address(settings)} refuses the subscription to {topic_filter}."


def tls_file_sentence(what: str, path: object, error: OSError) -> str:
    """A file of the settings cannot be used."""
    if isinstance(error, ssl.SSLError):
        return f"The {what} {path} cannot be used: {_tls_reason(error)}."
    return f"The {what} {path} cannot be read: {error.strerror or error}."


def address(settings: BrokerSettings) -> str:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"{host}:{settings.port}"


def _tls_reason(error: ssl.SSLError) -> str:
    reason = (error.reason or "").lower().replace("_", " ")
    return reason or "the connection was closed"
