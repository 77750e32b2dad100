"""Full tables for the bench of the gateway, as their controllers put it on the wire: sealed messages, made beforehand.

Owns the way from a night's events (`night`) to messages. All tables of one game see the same; each has its own
controller, key and staff. A controller confirms every picture, so `lamps_applied` stands among the events.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from sabot_gateway.model.effect import CancelTimer, StartTimer
from sabot_gateway.model.event import (
    BadgeRead,
    CardScanned,
    ChipsRead,
    CutCardSeen,
    DiscardRead,
    Event,
    KeyPressed,
    LampsApplied,
)
from sabot_gateway.model.game import Game
from sabot_gateway.table.machine import new_table, step
from sabot_gateway.table.state import TableState
from sabot_protocol.codec import encode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal
from sabot_protocol.topics import build_topic
from sabot_protocol.version import MAJOR, MINOR, schema_hash
from sabot_tools.bench.night import coup, opened, opening

GAMES: Final = (Game.TCF, Game.STU, Game.TCP, Game.UTH)
FIRST_MS: Final = 60_000  # of a controller's clock when it is first heard
MOST_BYTES: Final = 900  # of a payload, so that its sealed message keeps within the wire's 1,024
_PART: Final = 32  # UIDs of one event
_DEVICE: Final = "table-{:04d}"

WireEvent = tuple[str, dict[str, Any]]


class Seen(NamedTuple):
    """One event of a controller; `revision`: the picture that it leads to, 0 if it leads to none."""

    name: str
    fields: dict[str, Any]
    revision: int = 0
    is_decided: bool = False  # something of it is journaled beside the event itself


class Message(NamedTuple):
    topic: str
    payload: bytes
    events: int
    revision: int  # the picture that answers it, 0 for none
    records: int  # that it leaves in the journal


def device_name(number: int) -> str:
    return _DEVICE.format(number)


def game_of(number: int) -> Game:
    return GAMES[number % len(GAMES)]


def badges_of(number: int) -> tuple[bytes, bytes]:
    """The tags of a table's head and its dealer."""
    own = bytes((4, 0xBD, 0)) + number.to_bytes(3, "big")
    return own + b"\x01", own + b"\x02"


class Story:
    """What every table of a game sees: part 0 is the opening, part n the n-th coup. Grows as it is asked for."""

    def __init__(self, game: Game) -> None:
        self._state, first = _seen(new_table(opened(game).setup), opening(game))
        self._parts = [(Seen("hello", _hello()), *first)]

    def part(self, number: int) -> tuple[Seen, ...]:
        while len(self._parts) <= number:
            self._state, seen = _seen(self._state, coup(self._state))
            self._parts.append(seen)
        return self._parts[number]


story = cache(Story)


def payloads(number: int, count: int, ms: int) -> Iterator[bytes]:
    """What a table's controller says from its first word on, one event in each of `count` messages, not sealed."""
    first, part = 1, 0
    while first <= count:
        for seen in story(game_of(number)).part(part):
            yield _payload(number, first, (seen,), ms)
            first += 1
        part += 1


class Teller:
    """One controller's numbers and clock; `tell` makes the next messages."""

    def __init__(self, site: str, number: int, key: DeviceKey) -> None:
        self._number = number
        self.key = key
        self._site = site
        self._first = 1
        self.topic = build_topic(site, device_name(number), "event")

    def tell(self, events: Sequence[Seen], most: int, ms: int) -> list[Message]:
        """Messages of at most so many events, which happened at `ms` of the controller's clock."""
        return [self._message(group, ms) for group in _groups(events, most)]

    def _message(self, group: Sequence[Seen], ms: int) -> Message:
        payload = _payload(self._number, self._first, group, ms)
        self._first += len(group)
        records = 1 + any(seen.is_decided for seen in group)
        sealed = seal(self.key, self.topic, payload)
        return Message(self.topic, sealed, len(group), max(seen.revision for seen in group), records)


def _payload(number: int, first: int, group: Sequence[Seen], ms: int) -> bytes:
    events = []
    for seen in group:
        fields = seen.fields
        if seen.name == "badge_read":
            fields = {"uid": badges_of(number)[fields["uid"]]}
        events.append((seen.name, {"device_ms": ms, **fields}))
    return encode("event", {"boot": 1, "first": first, "events": events})


def _groups(events: Sequence[Seen], most: int) -> Iterator[Sequence[Seen]]:
    group: list[Seen] = []
    size = 0
    for seen in events:
        # Twelve bytes more than its UIDs is a generous bound for every event of a night but the hello.
        more = 30 + 9 * len(seen.fields.get("uids", ()))
        if group and (len(group) >= most or size + more > MOST_BYTES):
            yield group
            group, size = [], 0
        group.append(seen)
        size += more
    if group:
        yield group


def _seen(state: TableState, events: Sequence[Event]) -> tuple[TableState, tuple[Seen, ...]]:
    found: list[Seen] = []
    for event in events:
        before = state.lamps.revision
        state, effects = step(state, event)
        is_decided = any(not isinstance(effect, StartTimer | CancelTimer) for effect in effects)
        revision = state.lamps.revision if state.lamps.revision > before else 0
        *parts, last = _wire(event)
        found += [Seen(*part) for part in parts]
        found.append(Seen(*last, revision, is_decided))
        if revision:
            state = step(state, LampsApplied(revision, at_ms=event.at_ms)).state
            found.append(Seen("lamps_applied", {"revision": revision}))
    return state, tuple(found)


def _wire(event: Event) -> list[WireEvent]:
    """How a controller says it; long lists come in parts."""
    match event:
        case CardScanned(reader, tag):
            return [("card_scanned", {"reader": reader, "uid": bytes.fromhex(tag)})]
        case ChipsRead(seat, spot, tags):
            return [("chips_read", {"seat": seat, "spot": str(spot), **part}) for part in _parts(tags)]
        case DiscardRead(tags):
            return [("discard_read", part) for part in _parts(tags)]
        case KeyPressed(key, seat):
            return [("key_pressed", {"key": str(key), "seat": seat})]
        case BadgeRead(tag):
            return [("badge_read", {"uid": ("b0", "b1").index(tag)})]
        case CutCardSeen():
            return [("cut_card", {})]
    raise AssertionError(f"{type(event).__name__} is not of a bank game's night")


def _parts(tags: Sequence[str]) -> list[dict[str, Any]]:
    uids = [bytes.fromhex(tag) for tag in tags]
    pieces = [uids[at : at + _PART] for at in range(0, len(uids), _PART)] or [[]]
    return [{"part": number, "of": len(pieces), "uids": piece} for number, piece in enumerate(pieces, 1)]


def _hello() -> dict[str, Any]:
    return {
        "major": MAJOR,
        "minor": MINOR,
        "schema": schema_hash(),
        "firmware": "bench",
        "digest": bytes(32),
        "modules": 1,
        "board": "bench",
        "capabilities": ["shoe", "spots", "lamps"],
        "reset_cause": "power_on",
    }
