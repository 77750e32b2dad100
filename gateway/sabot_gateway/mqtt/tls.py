"""The TLS context of the connection to the broker: TLS 1.2 or newer, the broker's name checked, our certificate shown.

Owns the reading of the files that the settings name; what is wrong with one of them is a BrokerError, a sentence.
"""

import ssl

from sabot_gateway.mqtt.port import BrokerError, Tls
from sabot_gateway.mqtt.trouble import tls_file_sentence


class _Handshaker(ssl.SSLSocket):
    """Closes itself when the handshake fails: paho would leave it open until it is collected."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def tls_context(settings: Tls) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=settings.ca)
    except OSError as error:
        raise BrokerError(tls_file_sentence("authority's certificate", settings.ca, error)) from error
    context.sslsocket_class = _Handshaker
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if settings.certificate and settings.key:
        for what, path in (("certificate", settings.certificate), ("key", settings.key)):
            try:
                path.read_bytes()  # the library does not say which of the two it could not read
            except OSError as error:
                raise BrokerError(tls_file_sentence(what, path, error)) from error
        try:
            context.load_cert_chain(settings.certificate, settings.key, password="")
        except OSError as error:
            raise BrokerError(tls_file_sentence("certificate", settings.certificate, error)) from error
    return context
