"""A controller's decoded events as the table's events: the border where the wire's words become the model's.

UIDs become hexadecimal tags, choices become enums, lists that came in parts are joined. What concerns only the
controller itself (health, self-tests, updates, commands) becomes a Report and never reaches the table.
A set of parts that is not complete is not a reading (protocol): it is dropped and reported.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, cast

from sabot_gateway.model.event import (
    BadgeRead,
    CardDoubted,
    CardScanned,
    ChipsDoubted,
    ChipsRead,
    CutCardSeen,
    DeviceEvent,
    DeviceFaulted,
    DiscardRead,
    DoorMoved,
    KeyPressed,
    LampsApplied,
    SeatSensed,
)
from sabot_gateway.model.felt import DeviceFault, Doubt, FeltSpot, Key
from sabot_gateway.model.tag import Tag
from sabot_gateway.table.change import maker

Values = dict[str, Any]
Numbered = tuple[int, str, int, int]  # at_ms, device, boot, seq


class Report(NamedTuple):
    """What a controller said about itself; `values` as on the wire, modules joined."""

    device: str
    boot: int
    seq: int
    at_ms: int
    name: str
    values: Values


class Parts(NamedTuple):
    """The beginning of a list that comes in parts: `of` parts of equal `device_ms`, the next with number `seq`."""

    name: str
    seat: int
    spot: str
    boot: int
    seq: int
    device_ms: int
    part: int
    of: int
    items: tuple[Any, ...]


def event_from_wire(name: str, values: Values, lead: Numbered) -> DeviceEvent | None:
    """The table's event; None for what is a report, or a list that may come in parts."""
    make = _EVENTS.get(name)
    if make is None:
        return None
    return make(values, *lead)


def is_in_parts(name: str) -> bool:
    return name in _LISTS


def joined(parts: Parts | None, name: str, values: Values, boot: int, seq: int) -> Parts | None:
    """The list so far with this part; None when it does not follow what came before, and so is no reading."""
    part, of, device_ms = values["part"], values["of"], values["device_ms"]
    items = tuple(values[_LISTS[name]])
    seat, spot = values.get("seat", 0), values.get("spot", "")
    if part == 1:
        return Parts(name, seat, spot, boot, seq + 1, device_ms, 1, of, items)
    if parts is None or (name, seat, spot, boot, seq, device_ms, part, of) != (
        *parts[:6],
        parts.part + 1,
        parts.of,
    ):
        return None
    return parts._replace(seq=seq + 1, part=part, items=parts.items + items)


def event_from_parts(parts: Parts, lead: Numbered) -> DeviceEvent | None:
    """The reading of a complete list; None for a list of modules."""
    at_ms, device, boot, seq = lead
    if parts.name == "chips_read":
        tags = _tags(parts.items)
        spot = _SPOT[parts.spot]
        return _chips_read(seat=parts.seat, spot=spot, tags=tags, at_ms=at_ms, device=device, boot=boot, seq=seq)
    if parts.name == "discard_read":
        return DiscardRead(_tags(parts.items), at_ms=at_ms, device=device, boot=boot, seq=seq)
    return None


def _tags(uids: "tuple[bytes, ...] | list[bytes]") -> tuple[Tag, ...]:
    return cast("tuple[Tag, ...]", tuple([uid.hex() for uid in uids]))  # a call of Tag for each costs as much again


_SPOT: Final = {str(word): word for word in FeltSpot}
_KEY: Final = {str(word): word for word in Key}

Make = Callable[[Values, int, str, int, int], DeviceEvent]


def _card_scanned(values: Values, at_ms: int, device: str, boot: int, seq: int) -> CardScanned:
    tag = Tag(values["uid"].hex())
    return _card_read(reader=values["reader"], tag=tag, at_ms=at_ms, device=device, boot=boot, seq=seq)


def _key_pressed(values: Values, at_ms: int, device: str, boot: int, seq: int) -> KeyPressed:
    key = _KEY[values["key"]]
    return _pressed(key=key, seat=values["seat"], at_ms=at_ms, device=device, boot=boot, seq=seq)


def _lamps_applied(values: Values, at_ms: int, device: str, boot: int, seq: int) -> LampsApplied:
    return _applied(revision=values["revision"], at_ms=at_ms, device=device, boot=boot, seq=seq)


def _rare(make: Callable[..., DeviceEvent]) -> Make:
    """For events that are seldom enough to be made as anything else is."""

    def made(values: Values, at_ms: int, device: str, boot: int, seq: int) -> DeviceEvent:
        return make(values, at_ms=at_ms, device=device, boot=boot, seq=seq)

    return made


# The commonest events, made without their constructors (change.py).
_card_read: Final = maker(CardScanned)
_pressed: Final = maker(KeyPressed)
_applied: Final = maker(LampsApplied)
_chips_read: Final = maker(ChipsRead)

_EVENTS: Final[dict[str, Make]] = {
    "card_scanned": _card_scanned,
    "key_pressed": _key_pressed,
    "lamps_applied": _lamps_applied,
    "card_doubtful": _rare(
        lambda values, **lead: CardDoubted(values["reader"], _tags(values["uids"]), Doubt(values["reason"]), **lead)
    ),
    "chips_doubtful": _rare(
        lambda values, **lead: ChipsDoubted(
            values["seat"], _SPOT[values["spot"]], _tags(values["uids"]), Doubt(values["reason"]), **lead
        )
    ),
    "badge_read": _rare(lambda values, **lead: BadgeRead(Tag(values["uid"].hex()), **lead)),
    "cut_card": _rare(lambda _, **lead: CutCardSeen(**lead)),
    "seat_sensed": _rare(lambda values, **lead: SeatSensed(values["seat"], values["occupied"], **lead)),
    "door": _rare(lambda values, **lead: DoorMoved(values["open"], **lead)),
    "fault": _rare(
        lambda values, **lead: DeviceFaulted(DeviceFault(values["code"]), values["part"], values["active"], **lead)
    ),
}
# Where the items of a list that comes in parts are.
_LISTS: Final = {"chips_read": "uids", "discard_read": "uids", "modules_listed": "modules"}
