"""A controller as the gateway meets it on the wire: numbers what happened, keeps it until acknowledged, sends it again.

The outbox is a list; everything else (sealing, batches, numbers over boots, acks, resends) is as the firmware does it.
"""

from typing import Any

from sabot_gateway.model import event as events
from sabot_gateway.model.tag import Tag
from sabot_protocol.codec import decode, encode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal, unseal
from sabot_protocol.topics import build_topic
from sabot_protocol.version import MAJOR, MINOR, schema_hash
from sabot_tools.rounds.rig import EVENING_MS

SITE = "house"
PART = 32  # UIDs of one event

WireEvent = tuple[str, dict[str, Any]]


class WireDevice:
    def __init__(self, name: str, secret: bytes = b"0123456789abcdef") -> None:
        self.name = name
        self.key = DeviceKey(name, secret)
        self.boot = 1
        self.connection = 1
        self.acked = 0
        self.lamps: list[dict[str, Any]] = []  # every picture that was taken, in order
        self.commands: list[dict[str, Any]] = []
        self._stored: list[tuple[int, WireEvent]] = []  # (boot, event); event n is at n - 1
        self.record("hello", EVENING_MS, **hello())

    @property
    def newest(self) -> int:
        return len(self._stored)

    def topic(self, channel: str) -> str:
        return build_topic(SITE, self.name, channel)

    def record(self, name: str, device_ms: int, **fields: Any) -> None:
        """Something happened; it is stored and has its number."""
        self._stored.append((self.boot, (name, {"device_ms": device_ms, **fields})))

    def see(self, fact: events.Event, device_ms: int) -> None:
        """A fact of the model as the wire events that say it."""
        for name, fields in wire_events(fact):
            self.record(name, device_ms, **fields)

    def batch(self, first: int, most: int = 8) -> bytes:
        """A sealed message with stored events from `first` on, all of one boot."""
        boot = self._stored[first - 1][0]
        chosen: list[WireEvent] = []
        for each, event in self._stored[first - 1 : first - 1 + most]:
            if each != boot:
                break
            chosen.append(event)
        while True:
            payload = encode("event", {"boot": boot, "first": first, "events": chosen})
            if len(payload) <= 900 or len(chosen) == 1:
                return seal(self.key, self.topic("event"), payload)
            chosen.pop()

    def status(self, state: str = "online") -> bytes:
        values = {"state": state, "boot": self.boot, "connection": self.connection}
        return seal(self.key, self.topic("status"), encode("status", values))

    def hear(self, topic: str, payload: bytes) -> None:
        """A message from the gateway."""
        channel = topic.rsplit("/", 1)[1]
        _, values = decode(unseal(self.key, topic, payload), channel)
        if channel == "ack":
            assert values["upto"] <= self.newest, "the gateway acknowledged what was never sent"
            self.acked = max(self.acked, values["upto"])
        elif channel == "lamps":
            if not self.lamps or values["revision"] > self.lamps[-1]["revision"]:
                self.lamps.append(values)
        else:
            self.commands.append(values)


def hello() -> dict[str, Any]:
    return {
        "major": MAJOR,
        "minor": MINOR,
        "schema": schema_hash(),
        "firmware": "test",
        "digest": bytes(32),
        "modules": 1,
        "board": "none",
        "capabilities": ["lamps"],
        "reset_cause": "power_on",
    }


def uid(tag: Tag) -> bytes:
    return bytes.fromhex(tag)


def wire_events(fact: events.Event) -> list[WireEvent]:
    """How a controller says it; long lists come in parts."""
    match fact:
        case events.CardScanned(reader, tag):
            return [("card_scanned", {"reader": reader, "uid": uid(tag)})]
        case events.CardDoubted(reader, tags, reason):
            return [("card_doubtful", {"reader": reader, "uids": [*map(uid, tags)], "reason": str(reason)})]
        case events.ChipsRead(seat, spot, tags):
            return [("chips_read", {"seat": seat, "spot": str(spot), **part}) for part in _parts(tags)]
        case events.ChipsDoubted(seat, spot, tags, reason):
            fields = {"seat": seat, "spot": str(spot), "uids": [*map(uid, tags)], "reason": str(reason)}
            return [("chips_doubtful", fields)]
        case events.KeyPressed(key, seat):
            return [("key_pressed", {"key": str(key), "seat": seat})]
        case events.BadgeRead(tag):
            return [("badge_read", {"uid": uid(tag)})]
        case events.CutCardSeen():
            return [("cut_card", {})]
        case events.DiscardRead(tags):
            return [("discard_read", part) for part in _parts(tags)]
        case events.SeatSensed(seat, occupied):
            return [("seat_sensed", {"seat": seat, "occupied": occupied})]
        case events.LampsApplied(revision):
            return [("lamps_applied", {"revision": revision})]
        case events.DoorMoved(is_open):
            return [("door", {"open": is_open})]
        case events.DeviceFaulted(code, part, active):
            return [("fault", {"code": str(code), "part": part, "active": active})]
    raise ValueError(f"{type(fact).__name__} is nothing that a controller says")


def _parts(tags: tuple[Tag, ...]) -> list[dict[str, Any]]:
    uids = [*map(uid, tags)]
    pieces = [uids[at : at + PART] for at in range(0, len(uids), PART)] or [[]]
    return [{"part": number, "of": len(pieces), "uids": piece} for number, piece in enumerate(pieces, 1)]
