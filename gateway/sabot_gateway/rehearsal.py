"""What can be tried of a start without starting: certificates that fit their keys, programs that are there.

Owns the trying for `sabot gateway --check`. Connects to nothing and writes nothing.
"""

import ssl
from importlib.util import find_spec

from sabot_gateway.broker.program import find_program
from sabot_gateway.errors import SettingsError, StartError
from sabot_gateway.mqtt.port import BrokerError
from sabot_gateway.mqtt.tls import tls_context
from sabot_gateway.settings.shape import Settings


def rehearse(settings: Settings) -> None:
    """GatewayError, in one sentence, for what would keep a gateway from starting with them here."""
    if settings.broker is None:
        find_program(settings.embedded.program)
    elif settings.broker.tls is not None:
        try:
            tls_context(settings.broker.tls)
        except BrokerError as error:
            raise StartError(str(error)) from error
    if settings.store.postgresql and find_spec("psycopg") is None:
        raise StartError("psycopg is not installed; the extra `sabot[postgres]` has it.")
    shown = settings.web.certificate
    if shown is not None:
        try:
            ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(
                shown.certificate, shown.key, password=""
            )
        except OSError as error:  # SSLError is one
            reason = f"{shown.certificate} and {shown.key} are no certificate with its key"
            raise SettingsError(settings.file, "web.certificate", reason) from error
