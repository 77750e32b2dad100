"""A field tool's own connection to the broker: options on the command line, and paho set up by them.

Owns the options and the client's construction. Certificates come from files; no password is ever on a command line.
"""

import argparse
import socket
import ssl
from pathlib import Path
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from sabot_gateway.mqtt.port import MQTT_PORT, MQTT_TLS_PORT
from sabot_tools.field.trouble import StartError


def configure_broker(parser: argparse.ArgumentParser, *, required: bool) -> None:
    parser.add_argument(
        "--broker",
        metavar="URL",
        required=required,
        help="the broker: mqtts://host:port, or mqtt://host:port without TLS",
    )
    parser.add_argument("--ca", metavar="FILE", type=Path, help="the authority that signed the broker's certificate")
    parser.add_argument("--certificate", metavar="FILE", type=Path, help="this tool's own certificate, in PEM")
    parser.add_argument("--key", metavar="FILE", type=Path, help="the key of that certificate, in PEM (mode 0600)")


def client_from(args: argparse.Namespace, name: str, *, keeps_session: bool = False) -> tuple[mqtt.Client, str, int]:
    """A client that is not connected yet, with the broker's host and port; StartError for what can never work."""
    parts = urlsplit(args.broker)
    try:
        port = parts.port
    except ValueError:
        port = None
    if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or parts.path not in ("", "/"):
        raise StartError("--broker must be mqtts://host:port or mqtt://host:port.")
    client = mqtt.Client(
        CallbackAPIVersion.VERSION2, client_id=name, clean_session=not keeps_session, manual_ack=keeps_session
    )
    client.reconnect_delay_set(1, 15)
    client.on_socket_open = _without_waiting
    if parts.scheme == "mqtts":
        client.tls_set_context(_context(args))
    return client, parts.hostname, port or (MQTT_TLS_PORT if parts.scheme == "mqtts" else MQTT_PORT)


def _context(args: argparse.Namespace) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=str(args.ca) if args.ca else None)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        if args.certificate is not None:
            if args.key is not None and args.key.stat().st_mode & 0o077:
                raise StartError(f"Others may read {args.key}; its mode must be 0600.")
            context.load_cert_chain(str(args.certificate), str(args.key) if args.key else None)
    except (OSError, ssl.SSLError) as error:
        raise StartError(f"The certificates cannot be used ({error}).") from error
    return context


def _without_waiting(_client: mqtt.Client, _user: object, sock: object) -> None:
    # A small packet must not wait for company (Nagle): a lamp would be ten milliseconds late.
    if isinstance(sock, socket.socket):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
