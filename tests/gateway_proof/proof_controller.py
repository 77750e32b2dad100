"""A controller of the proof: the firmware's own outbox, drain and batches, a real MQTT client, and a night to tell.

What a board would do between its sensors and its socket is the firmware's code; only the network is paho's. The clock
of the drain runs faster than the world (`HURRY`), so that a lost ack costs a test less than a board's three seconds.
"""

import threading
import time
from collections.abc import Iterator
from hashlib import sha256
from queue import Empty, SimpleQueue
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from gateway_proof.proof_coups import Night, Said
from runtime.wire_device import WireEvent, hello
from sabot_firmware.fake.flash_store import FlashStore
from sabot_firmware.uplink import Uplink
from sabot_gateway.model.event import OperatorEvent
from sabot_protocol.codec import decode, encode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal, unseal
from sabot_protocol.errors import WireError
from sabot_protocol.messages import EVENTS
from sabot_protocol.schema import find_row
from sabot_protocol.topics import build_topic

SITE = "riviera"
HURRY = 10
WAITING = 48  # events in the outbox above which the table pauses: load, but no overflow


def badge_of(uid: bytes, table: str) -> bytes:
    """Each table has its own staff: a head at three tables would be an alert of the floor that never ends."""
    return sha256(uid + table.encode()).digest()[:7]


class Controller:
    """One table's controller; `turn` is called by one thread, as the firmware's loop is."""

    def __init__(self, table: str, secret: bytes, night: Night, pace_ms: int = 0) -> None:
        self.table = table
        self.name = f"{table}-a"
        self.key = DeviceKey(self.name, secret)
        self.night = night
        self._pace_ms = pace_ms  # from one thing that happens to the next; 0: as fast as it is acknowledged
        self._seen_ms = 0
        self.told: list[WireEvent] = []  # event n is at n - 1, with its device_ms
        self.rings = 0
        self.is_pausing = False  # tells nothing new once the ring under way is over
        self.acked_ahead = 0  # acks of what was never stored
        self.refused = ""
        self.lamps: dict[str, Any] = {"revision": 0, "picture": [], "display": []}
        self.orders = 0
        self._is_between = False
        self._now_ms = 5_000
        self._leapt_ms = 0
        self._began = time.monotonic()
        self.uplink = Uplink(FlashStore(4096, 64), self.key, SITE, lambda: self._now_ms)
        self._inbox: SimpleQueue[tuple[str, bytes]] = SimpleQueue()
        self._story = self._tell_night()
        self.waiting: list[OperatorEvent] = []  # what a person has to declare before the night goes on
        self._tell("hello", hello())

    @property
    def acked(self) -> int:
        return self.uplink.outbox.acked

    @property
    def newest(self) -> int:
        return self.uplink.outbox.newest

    @property
    def is_resting(self) -> bool:
        """It was told to pause, and the ring that was under way is over."""
        return self.is_pausing and self._is_between

    def topic(self, channel: str) -> str:
        return build_topic(SITE, self.name, channel)

    def hear(self, channel: str, data: bytes) -> None:
        """A sealed message came, on any thread."""
        self._inbox.put((channel, data))

    def turn(self, link: Any, *, is_seeing: bool = True) -> bool:
        """Hears, sees and sends a little; False when there is nothing to do now."""
        has_work = self._listen()
        passed_ms = int((time.monotonic() - self._began) * 1000)
        is_due = is_seeing and passed_ms - self._seen_ms >= self._pace_ms
        if is_due and not self.waiting and self.newest - self.acked < WAITING:
            self._seen_ms = passed_ms
            has_work |= self.see()
        return self.uplink.turn(passed_ms * HURRY, link) or has_work

    def see(self) -> bool:
        """The next thing happens at the table; False when the night is over, or a person's turn has come."""
        said = next(self._story, None)
        if said is None:
            return False
        if said.person is not None:
            self.waiting.append(said.person)
            return False
        self._advance()
        for name, fields in said.wire:
            own = {"uid": badge_of(fields["uid"], self.table)} if name == "badge_read" else {}
            self._tell(name, {**fields, **own})
        return True

    def jump(self, ms: int) -> None:
        """The board's clock leaps, forward or back."""
        self._leapt_ms += ms
        self._now_ms += ms

    def _advance(self) -> None:
        self._now_ms = max(self._now_ms + 1, 5_000 + self._leapt_ms + int((time.monotonic() - self._began) * 1000))

    def _tell_night(self) -> Iterator[Said | None]:
        yield from self.night.opening
        while True:
            while self.is_pausing:
                self._is_between = True
                yield None
            self._is_between = False
            yield from self.night.ring
            self.rings += 1

    def _tell(self, name: str, fields: dict[str, Any]) -> None:
        order = [field[1] for field in find_row(EVENTS, name)[2]]
        number = self.uplink.record(name, *(fields[field] for field in order if field in fields))
        self.told.append((name, {"device_ms": self._now_ms, **fields}))
        assert number == len(self.told), "the outbox lost something"

    def _listen(self) -> bool:
        heard = False
        while True:
            try:
                channel, data = self._inbox.get_nowait()
            except Empty:
                return heard
            heard = True
            try:
                _, values = decode(unseal(self.key, self.topic(channel), data), channel)
            except WireError:
                continue
            getattr(self, f"_take_{channel}")(values)

    def _take_ack(self, values: dict[str, Any]) -> None:
        self.refused = values.get("refused", "")
        if not self.uplink.acknowledge(values["boot"], values["upto"]):
            self.acked_ahead += 1

    def _take_lamps(self, values: dict[str, Any]) -> None:
        if values["revision"] > self.lamps["revision"]:
            self.lamps = values
            self._advance()
            self._tell("lamps_applied", {"revision": values["revision"]})

    def _take_command(self, values: dict[str, Any]) -> None:
        name, order = values["body"]
        self._advance()
        if values["number"] <= self.orders:
            self._tell("command_finished", {"number": values["number"], "outcome": "stale"})
            return
        self.orders = values["number"]
        if name == "resend":
            self.uplink.resend(order["from"])
        self._tell("command_finished", {"number": values["number"], "outcome": "done"})


class PahoLink:
    """The firmware's `Link` over paho: birth and will sealed for each connection, QoS 1, clean session."""

    def __init__(self, controller: Controller, port: int, client: str = "") -> None:
        self._controller = controller
        self.is_up = False
        self.connection = 0
        self.published = 0
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=client or controller.name, clean_session=True)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_pre_connect = self._connecting
        self._client.on_connect = self._connected
        self._client.on_disconnect = self._disconnected
        self._client.on_message = self._received
        self._client.connect_async("127.0.0.1", port, keepalive=10)
        self._client.loop_start()

    def send(self, channel: str, data: bytes) -> bool:
        if not self.is_up:
            return False
        self.published += 1
        self._client.publish(self._controller.topic(channel), data, qos=1)
        return True

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _status(self, state: str) -> bytes:
        controller = self._controller
        values = {"state": state, "boot": controller.uplink.outbox.boot, "connection": self.connection}
        return seal(controller.key, controller.topic("status"), encode("status", values))

    def _connecting(self, client: mqtt.Client, _data: object) -> None:
        self.connection += 1
        client.will_set(self._controller.topic("status"), self._status("lost"), qos=1, retain=True)

    def _connected(self, client: mqtt.Client, _data: object, _flags: object, reason: Any, _more: object) -> None:
        if reason.is_failure:
            return
        client.subscribe([(self._controller.topic(name), 1) for name in ("ack", "lamps", "command")])
        client.publish(self._controller.topic("status"), self._status("online"), qos=1, retain=True)
        self.is_up = True

    def _disconnected(self, *_: object) -> None:
        self.is_up = False

    def _received(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        self._controller.hear(message.topic.rsplit("/", 1)[1], bytes(message.payload))


class Floor:
    """All controllers of a test on one thread, each with its link, until `stop`."""

    def __init__(self, controllers: list[Controller], port: int, client: str = "") -> None:
        self.controllers = controllers
        self.links = {controller.name: PahoLink(controller, port, client) for controller in controllers}
        self.defect: BaseException | None = None
        self._is_stopping = False
        self._thread = threading.Thread(target=self._run, name="floor", daemon=True)
        self._thread.start()

    @property
    def events(self) -> int:
        return sum(controller.newest for controller in self.controllers)

    @property
    def acked(self) -> dict[str, int]:
        return {controller.table: controller.acked for controller in self.controllers}

    def finish(self, within_s: float = 120.0) -> None:
        """Every table ends the ring that it plays, and everything is acknowledged."""
        for controller in self.controllers:
            controller.is_pausing = True
        limit = time.monotonic() + within_s
        quiet = 0
        while quiet < 5:
            assert self.defect is None, self.defect
            assert time.monotonic() < limit, (
                f"not acknowledged: {[(c.table, c.acked, c.newest) for c in self.controllers]}"
            )
            done = all(c.acked == c.newest and c.is_resting for c in self.controllers)
            quiet = quiet + 1 if done else 0
            time.sleep(0.05)  # several looks in a row: a lamp picture may still be on its way

    def stop(self) -> None:
        self._is_stopping = True
        self._thread.join()
        for link in self.links.values():
            link.stop()

    def _run(self) -> None:
        try:
            while not self._is_stopping:
                turns = [each.turn(self.links[each.name]) for each in self.controllers]
                if not any(turns):
                    time.sleep(0.002)
        except BaseException as defect:
            self.defect = defect
            raise
