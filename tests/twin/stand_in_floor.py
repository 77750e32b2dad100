"""The receiving end in this process: opens events, folds them with the live table, and sends lamps back.

No broker and no journal: what stands here is only what the real gateway does between its bytes in and its bytes out.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sabot_gateway.model.alert import Alert
from sabot_gateway.model.effect import CancelTimer, RaiseAlert, RecordSettlement, StartTimer
from sabot_gateway.model.event import (
    BadgeRead,
    CardDoubted,
    CardScanned,
    ChipsDoubted,
    ChipsRead,
    CutCardSeen,
    DeviceFaulted,
    DiscardRead,
    DoorMoved,
    Event,
    KeyPressed,
    LampsApplied,
    TimerFired,
)
from sabot_gateway.model.felt import DeviceFault, Doubt, FeltSpot, Key
from sabot_gateway.model.holdem import HoldemSettlement
from sabot_gateway.model.settlement import Status
from sabot_gateway.model.tag import Tag
from sabot_gateway.table.machine import new_table, step
from sabot_gateway.table.setup import TableSetup
from sabot_protocol.codec import decode, encode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal, unseal
from sabot_protocol.topics import build_topic
from sabot_tools.twin.book import Expected, Line

if TYPE_CHECKING:
    from sabot_firmware.net.link import Inbox


START_MS = 1_000_000


class StandInFloor:
    """A link whose other end is the live table of one setup."""

    def __init__(self, site: str, device: str, secret: bytes, setup: TableSetup) -> None:
        self.is_up = True
        self.connection = 1
        self.drops = 0
        self.state = new_table(setup)
        self.settled: list[Line] = []
        self.alerts: list[Alert] = []
        self.events: list[Event] = []
        self._key = DeviceKey(device, secret)
        self._site = site
        self._inbox: Inbox | None = None
        self._newest = 0
        self._parts: dict[tuple[object, ...], list[bytes]] = {}
        self._timers: dict[str, tuple[int, int]] = {}  # when each is due, and its token
        self.clock: Callable[[], int] = lambda: 0  # the controller's milliseconds when something arrives
        self._start_ms = START_MS

    def welcome(self, clock: Callable[[], int]) -> None:
        """Another controller in the place of the last, whose clock begins anew."""
        self._start_ms += self.clock()
        self.clock = clock
        self.is_up = True

    @property
    def is_idle(self) -> bool:
        return True

    @property
    def raised(self) -> list[Expected]:
        """Each alert once, however often its cause was repeated."""
        return [
            Expected(self.state.setup.table, each.code, each.seat, each.spot) for each in self.alerts if each.count == 1
        ]

    async def run(self, inbox: "Inbox") -> None:
        self._inbox = inbox
        self._show(self.state.lamps.revision)

    def rssi(self) -> int | None:
        return None

    async def close(self) -> None:
        self.is_up = False

    def send(self, channel: str, data: bytes) -> bool:
        if self._inbox is None:
            return False
        if channel == "event":
            _, batch = decode(unseal(self._key, self._topic("event"), data), "event")
            before = self.state.lamps.revision
            for number, (name, values) in enumerate(batch["events"], batch["first"]):
                if number > self._newest:
                    self._newest = number
                    self._take(name, values)
            self._tell("ack", {"boot": batch["boot"], "upto": self._newest})
            if self.state.lamps.revision != before:
                self._show(self.state.lamps.revision)
        return True

    def _take(self, name: str, values: Mapping[str, Any]) -> None:
        event = self._event(name, values)
        if event is None:
            return
        self._pass_time(event.at_ms)
        self._step(event)

    def _pass_time(self, now_ms: int) -> None:
        """Timers run in the table's own time, from the arrival of what started them to the next event."""
        while due := sorted((at, name) for name, (at, _) in self._timers.items() if at <= now_ms):
            at, name = due[0]
            _, token = self._timers.pop(name)
            self._step(TimerFired(name, token, at_ms=at))

    def _step(self, event: Event) -> None:
        self.events.append(event)
        done = step(self.state, event)
        self.state = done.state
        for effect in done.effects:
            if isinstance(effect, RaiseAlert):
                self.alerts.append(effect.alert)
            elif isinstance(effect, RecordSettlement):
                self.settled.append(line_of(self.state.setup.table, effect))
            elif isinstance(effect, StartTimer):
                self._timers[effect.timer] = (
                    max(event.at_ms, self._start_ms + self.clock()) + effect.after_ms,
                    effect.token,
                )
            elif isinstance(effect, CancelTimer):
                self._timers.pop(effect.timer, None)

    def _event(self, name: str, values: Mapping[str, Any]) -> Event | None:
        at = {"at_ms": self._start_ms + values["device_ms"]}
        match name:
            case "card_scanned":
                return CardScanned(values["reader"], _tag(values["uid"]), **at)
            case "card_doubtful":
                return CardDoubted(values["reader"], _tags(values["uids"]), Doubt(values["reason"]), **at)
            case "chips_doubtful":
                spot, tags = FeltSpot(values["spot"]), _tags(values["uids"])
                return ChipsDoubted(values["seat"], spot, tags, Doubt(values["reason"]), **at)
            case "key_pressed":
                return KeyPressed(Key(values["key"]), values["seat"], **at)
            case "badge_read":
                return BadgeRead(_tag(values["uid"]), **at)
            case "lamps_applied":
                return LampsApplied(values["revision"], **at)
            case "cut_card":
                return CutCardSeen(**at)
            case "door":
                return DoorMoved(values["open"], **at)
            case "fault":
                return DeviceFaulted(DeviceFault(values["code"]), values["part"], values["active"], **at)
            case "chips_read" | "discard_read":
                place = (name, values.get("seat"), values.get("spot"))
                parts = self._parts.setdefault(place, []) if values["part"] > 1 else []
                self._parts[place] = parts = [*parts, *values["uids"]]
                if values["part"] < values["of"]:
                    return None
                if name == "discard_read":
                    return DiscardRead(_tags(parts), **at)
                return ChipsRead(values["seat"], FeltSpot(values["spot"]), _tags(parts), **at)
            case _:
                return None

    def _show(self, revision: int) -> None:
        if not revision:
            return
        lamps = self.state.lamps
        picture = [
            {"seat": lamp.seat, "spot": str(lamp.spot), "colour": str(lamp.colour), "pattern": str(lamp.pattern)}
            for lamp in lamps.picture
        ]
        display = [{"fr": line.fr, "en": line.en} for line in lamps.display]
        self._tell("lamps", {"revision": revision, "picture": picture, "display": display})

    def _tell(self, channel: str, values: dict[str, Any]) -> None:
        assert self._inbox is not None
        self._inbox.received(channel, seal(self._key, self._topic(channel), encode(channel, values)))

    def _topic(self, channel: str) -> str:
        return build_topic(self._site, self._key.device, channel)


def line_of(table: str, effect: RecordSettlement) -> Line:
    """A settlement of the gateway in the words of the twin's book."""
    settlement = effect.settlement
    is_void = settlement.status is Status.VOID
    if isinstance(settlement, HoldemSettlement):
        gains = {(seat.seat, "bet"): seat.net for seat in settlement.seats}
        return Line(table, effect.number, gains, settlement.rake_total, is_void)
    bets = {(seat.seat, bet.spot): bet.net for seat in settlement.seats for bet in seat.bets}
    return Line(table, effect.number, bets, 0, is_void)


def _tag(uid: bytes) -> Tag:
    return Tag(uid.hex())


def _tags(uids: list[bytes]) -> tuple[Tag, ...]:
    return tuple(map(_tag, uids))
