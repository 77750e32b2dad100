"""The receiving end for one controller at a broker that others use too: hears that controller's branch alone."""

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from firmware.stand_in_gateway import Receiver
from sabot_protocol.topics import UP, parse_topic


class DeviceGateway(Receiver):
    def __init__(self, device: str, secret: bytes, port: int) -> None:
        super().__init__("riviera", device, secret)
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=f"gateway-of-{device}")
        self._client.on_connect = lambda client, *_: client.subscribe([(self._topic(each), 1) for each in UP])
        self._client.on_message = self._received
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def send_raw(self, channel: str, data: bytes) -> None:
        self._client.publish(self._topic(channel), data, qos=1, retain=channel == "lamps")

    def show(self, revision: int) -> None:
        """Sends an empty lamp picture until it is confirmed."""
        picture = {"revision": revision, "picture": [], "display": []}
        self.until(lambda: self.send("lamps", picture), "lamps_applied", revision=revision)

    def order(self, number: int) -> None:
        """Has the controller show itself, until it says that it did."""
        self.until(
            lambda: self.command(number, "identify", seconds=1), "command_finished", number=number, outcome="done"
        )

    def refuses_what_is_stale(self) -> None:
        """An older lamp picture and an older order, genuinely sealed but recorded long ago, change nothing."""
        self.order(500)
        self.send("lamps", {"revision": 6, "picture": [], "display": []})
        self.until(lambda: self.command(400, "restart"), "command_finished", number=400, outcome="stale")
        self.show(8)
        shown = [values["revision"] for name, values in self.events if name == "lamps_applied"]
        assert 6 not in shown, shown
        assert [name for name, _ in self.events].count("hello") == 1, "an old order was obeyed"

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _received(self, _client: mqtt.Client, _user: object, message: mqtt.MQTTMessage) -> None:
        self._opened(parse_topic(message.topic)[2], bytes(message.payload))
