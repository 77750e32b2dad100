"""One controller's events as they pass the house's broker, heard beside the gateway.

Owns the connection. It only listens: with a client id and a session of its own, so that the gateway misses nothing.
The broker's settings are the gateway's. Where clients are known by certificate, the gateway's own would make the broker
drop the gateway as its second self; a technician's is asked for.
"""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Final

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from sabot_gateway.mqtt import trouble
from sabot_gateway.mqtt.port import BrokerError, BrokerSettings, Tls, Version
from sabot_gateway.mqtt.tls import tls_context
from sabot_gateway.settings.shape import Settings
from sabot_protocol.topics import build_topic, parse_topic
from sabot_tools.enrol.arrival import Message, Note, Put
from sabot_tools.field.trouble import StartError

_ANSWER_S: Final = 15.0
_ANYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - a listener's address, read as ours to call


def broker_of(settings: Settings, certificate: Path | None, key: Path | None) -> BrokerSettings:
    """How to reach the broker without being taken for the gateway."""
    broker = settings.broker
    if broker is None:
        listen = settings.embedded.listen
        host = _ANYWHERE.get(listen.host, listen.host)
        return BrokerSettings(settings.site, settings.gateway, host, listen.port)
    if certificate is not None and key is not None:
        if broker.tls is None:
            raise StartError("--certificate is for a broker with TLS; the settings name one without.")
        return replace(broker, tls=Tls(broker.tls.ca, certificate, key))
    if broker.tls is not None and broker.tls.certificate is not None:
        raise StartError(
            "The broker knows clients by certificate, and the gateway's own would push the gateway off: "
            "give a technician's with --certificate and --key."
        )
    return broker


class BrokerLine:
    """Hears one controller of the site."""

    is_acknowledged = True

    def __init__(self, broker: BrokerSettings, device: str, name: str) -> None:
        self._broker = broker
        self._topics = [build_topic(broker.site, device, channel) for channel in ("event", "status")]
        self._settled = threading.Event()
        self._is_listening = False
        self._refusal = ""
        is_v5 = broker.version is Version.V5
        self._client = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            client_id=name,
            clean_session=None if is_v5 else True,
            protocol=mqtt.MQTTv5 if is_v5 else mqtt.MQTTv311,
        )
        self._client.on_connect = self._connected
        self._client.on_subscribe = self._subscribed
        self._client.on_message = self._arrived
        self._client.on_disconnect = self._disconnected

    def open(self, put: Put) -> None:
        """Returns when the broker has taken the subscription."""
        self._put = put
        broker = self._broker
        try:
            if broker.tls is not None:
                self._client.tls_set_context(tls_context(broker.tls))
            if broker.username:
                self._client.username_pw_set(broker.username, broker.password)
            self._client.connect_timeout = broker.connect_timeout_s
            self._client.connect(broker.host, broker.port, broker.keepalive_s)
        except BrokerError as error:
            raise StartError(str(error)) from error
        except (OSError, ValueError) as error:
            raise StartError(trouble.connect_sentence(broker, error)) from error
        self._client.loop_start()
        if not self._settled.wait(_ANSWER_S):
            self._refusal = f"The broker at {trouble.address(broker)} does not answer."
        if self._refusal:
            self.close()
            raise StartError(self._refusal)

    def send(self, channel: str, data: bytes) -> None:
        """Nothing: the gateway speaks to the controller here."""

    def close(self) -> None:
        self._is_listening = False
        self._client.disconnect()
        self._client.loop_stop()

    # What paho calls, on its own thread.

    def _connected(self, client: mqtt.Client, _data: object, _flags: object, reason: ReasonCode, _more: object) -> None:
        if reason.is_failure:
            self._end(f"The broker at {trouble.address(self._broker)} refuses to be listened to: {reason}.")
            return
        client.subscribe([(topic, 1) for topic in self._topics])

    def _subscribed(
        self, _client: mqtt.Client, _data: object, _mid: int, reasons: list[ReasonCode], _more: object
    ) -> None:
        if reasons[0].is_failure:
            self._end(trouble.subscription_sentence(self._broker, self._topics[0]))
            return
        if self._settled.is_set():
            self._put(Note("The broker is back."))
        self._is_listening = True
        self._settled.set()

    def _arrived(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        self._put(Message(parse_topic(message.topic)[2], bytes(message.payload)))

    def _disconnected(
        self, _client: mqtt.Client, _data: object, _flags: object, _reason: ReasonCode, _more: object
    ) -> None:
        if self._is_listening:
            self._is_listening = False
            self._put(Note("The connection to the broker was lost; it is tried again."))
        elif not self._settled.is_set():
            self._end(trouble.connect_sentence(self._broker, None))

    def _end(self, sentence: str) -> None:
        self._refusal = self._refusal or sentence
        self._settled.set()
