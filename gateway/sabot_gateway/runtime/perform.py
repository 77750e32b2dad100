"""Effects -> messages: acks, lamp pictures and commands, each sealed for its device and handed to the broker.

Owns what stands on each table's lamps and when it is sent again. Decides nothing: it is called only with what
is durable (law 2), and sends levels, never differences (law 6). Lamps go with QoS 0: a picture that is lost on the
way is sent again when the broker is back, when the controller is back, and as long as it is not confirmed.
"""

from typing import Any, Final

from sabot_gateway.link.device import Device, Registry
from sabot_gateway.model.effect import Effect, SetLamps
from sabot_gateway.mqtt.ingested import Ack, Order
from sabot_gateway.mqtt.port import Broker
from sabot_gateway.runtime.laggards import Applied, Laggards, Looked
from sabot_gateway.runtime.lamp_message import payload_from_lamps
from sabot_gateway.runtime.nonce import Nonces
from sabot_protocol.codec import encode
from sabot_protocol.envelope import seal
from sabot_protocol.topics import build_topic

FIRST_RESEND_MS: Final = 2_000  # as long as the table waits before it raises LAMPS_NOT_CONFIRMED
LONGEST_RESEND_MS: Final = 30_000


class _Standing:
    """The picture that should shine at one table."""

    __slots__ = ("is_confirmed", "payload", "resend_ms", "revision", "wait_ms")

    def __init__(self) -> None:
        self.revision = 0
        self.payload = b""
        self.is_confirmed = True
        self.resend_ms = 0
        self.wait_ms = FIRST_RESEND_MS


class Performer:
    """Speaks to the controllers of one site."""

    def __init__(self, site: str, registry: Registry, broker: Broker) -> None:
        self._site = site
        self._broker = broker
        self._devices: dict[str, Device] = {}
        self._by_table: dict[str, list[Device]] = {}
        self.use_registry(registry)
        self._acks: dict[str, Ack] = {}
        self._standing: dict[str, _Standing] = {}
        self._unconfirmed: set[str] = set()
        self._topics: dict[tuple[str, str], str] = {}
        self._nonces = Nonces()
        self.laggards = Laggards()
        self.sent = 0
        self.resent = 0

    def use_registry(self, registry: Registry) -> None:
        """The controllers as the settings name them now."""
        self._devices = {device.id: device for device in registry.devices()}
        self._by_table = {}
        for device in self._devices.values():
            self._by_table.setdefault(device.table, []).append(device)

    def note_ack(self, device: str, ack: Ack) -> None:
        """Everything up to here is durable; `flush_acks` says so once, however often this was called."""
        self._acks[device] = ack

    def flush_acks(self) -> None:
        """One ack per device."""
        for name, (boot, upto, refused) in self._acks.items():
            device = self._devices.get(name)
            if device is not None:
                values: dict[str, Any] = {"boot": boot, "upto": upto}
                if refused:
                    values["refused"] = refused
                self._send(device, "ack", encode("ack", values))
        self._acks.clear()

    def show(self, table: str, lamps: SetLamps, monotonic_ms: int) -> None:
        """Publishes a picture to every controller of the table, retained; older than what stands, it is ignored."""
        standing = self._standing.setdefault(table, _Standing())
        if lamps.revision < standing.revision:
            return
        standing.revision = lamps.revision
        standing.payload = payload_from_lamps(lamps)
        standing.is_confirmed = False
        standing.wait_ms = FIRST_RESEND_MS
        standing.resend_ms = monotonic_ms + FIRST_RESEND_MS
        self._unconfirmed.add(table)
        self._publish(table, standing)
        controllers = self._by_table.get(table, ())
        if len(controllers) > 1:
            self.laggards.shown(table, lamps.revision, tuple([each.id for each in controllers]), monotonic_ms)

    def confirm(self, table: str, applied: int) -> None:
        """The controllers have applied pictures up to this revision."""
        standing = self._standing.get(table)
        if standing is not None and applied >= standing.revision and not standing.is_confirmed:
            standing.is_confirmed = True
            self._unconfirmed.discard(table)

    def show_again(self, table: str) -> None:
        """The picture that stands, once more."""
        standing = self._standing.get(table)
        if standing is not None:
            self._publish(table, standing)

    def show_all_again(self) -> None:
        """Every picture: the broker is back, and may have forgotten what it kept."""
        for table, standing in self._standing.items():
            self._publish(table, standing)

    def resend(self, monotonic_ms: int) -> None:
        """Pictures that nobody confirmed in time, each time a little later."""
        for table in self._unconfirmed:
            standing = self._standing[table]
            if standing.resend_ms <= monotonic_ms:
                standing.wait_ms = min(2 * standing.wait_ms, LONGEST_RESEND_MS)
                standing.resend_ms = monotonic_ms + standing.wait_ms
                self.resent += 1
                self._publish(table, standing)

    def mind_laggards(self, applied: Applied, monotonic_ms: int) -> Looked:
        """Shows the picture again to single controllers that did not confirm it; who is late now, and who no more."""
        looked = self.laggards.look(applied, monotonic_ms)
        for table, name in looked.again:
            device, standing = self._devices.get(name), self._standing.get(table)
            if device is not None and standing is not None:
                self.resent += 1
                self._send(device, "lamps", standing.payload, retain=True)
        return looked

    def unconfirmed(self) -> int:
        """How many tables show a picture that was not confirmed."""
        return len(self._unconfirmed)

    def forget(self, table: str) -> None:
        """Another gateway speaks for this table now."""
        self._standing.pop(table, None)
        self._unconfirmed.discard(table)
        self.laggards.forget(table)

    def command(self, order: Order) -> None:
        """Sends a command."""
        known = self._devices.get(order.device)
        if known is not None:
            values = {"number": order.number, "body": (order.name, dict(order.values))}
            self._send(known, "command", encode("command", values))

    def _publish(self, table: str, standing: _Standing) -> None:
        for device in self._by_table.get(table, ()):
            self._send(device, "lamps", standing.payload, retain=True)

    def _send(self, device: Device, channel: str, payload: bytes, *, retain: bool = False) -> None:
        topic = self._topics.get((device.id, channel))
        if topic is None:
            topic = self._topics[(device.id, channel)] = build_topic(self._site, device.id, channel)
        self._broker.publish(topic, seal(device.keys[0], topic, payload, self._nonces.next()), retain=retain)
        self.sent += 1


def newest_lamps(effects: tuple[Effect, ...]) -> SetLamps | None:
    """The last picture among these effects: it is whole, so the ones before it need not be sent."""
    for effect in reversed(effects):
        if type(effect) is SetLamps:
            return effect
    return None
