"""Stories of the table's own tests as records of a journal: tags as UIDs, events as controllers send them."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from random import Random
from typing import Any, TypeVar

from sabot_gateway.journal.record import Kind
from sabot_gateway.model import event as model
from sabot_gateway.model.event import DeviceEvent, Event
from sabot_gateway.model.game import Game
from sabot_gateway.model.registers import Registers
from sabot_gateway.model.tag import Tag
from sabot_gateway.table.setup import TableSetup
from sabot_gateway.transcript.fact import SetupRecord, body_from_batch, body_from_event, body_from_setup
from sabot_gateway.transcript.house import digest_of
from sabot_protocol.codec import encode
from table.holdem.holdem_crowd import HoldemCrowd
from table.table_crowd import Crowd

V = TypeVar("V")
OFFSET_MS = 1_790_000_000_000
Written = tuple[Kind, bytes, int]


def played(game: Game, seed: int, moves: int) -> Any:
    """The stage after so many moves, some of them mischief."""
    random = Random(seed)
    crowd = HoldemCrowd(random) if game is Game.THE else Crowd(game, random).open()
    for _ in range(moves):
        crowd.act()
    return crowd.stage


def uid_of(tag: Tag) -> bytes:
    return sha256(tag.encode()).digest()[:8]


def tagged(event: Event) -> Event:
    """The event with tags as the wire has them."""
    changes: dict[str, Any] = {}
    if hasattr(event, "tag"):
        changes["tag"] = Tag(uid_of(event.tag).hex())
    if hasattr(event, "tags"):
        changes["tags"] = tuple(Tag(uid_of(tag).hex()) for tag in event.tags)
    if hasattr(event, "chips"):
        changes["chips"] = _tagged_keys(event.chips)
    if hasattr(event, "cards") and isinstance(event.cards, Mapping):
        changes["cards"] = _tagged_keys(event.cards)
    return replace(event, **changes)


def registers_of(setup: TableSetup) -> Registers:
    return Registers(
        _tagged_keys(setup.chips), _tagged_keys(setup.cards), dict(setup.decks), _tagged_keys(setup.badges)
    )


def setup_record(setup: TableSetup) -> SetupRecord:
    return SetupRecord(setup.table, setup.ruleset, digest_of(registers_of(setup)), setup.timing, setup.fitted)


def told(setup: TableSetup, events: list[Event], random: Random) -> tuple[list[Event], list[Written]]:
    """The events as the table hears them, and the records of a stream in which they happened.

    Controllers' messages are batched at random, long readings come in parts; what no wire can say is left out.
    """
    direct: list[Event] = []
    written: list[Written] = [(Kind.FACT, body_from_setup(setup_record(setup)), OFFSET_MS)]
    waiting: list[tuple[str, dict[str, Any]]] = []
    number = 0

    def send() -> None:
        if waiting:
            payload = encode("event", {"boot": 1, "first": number - len(waiting) + 1, "events": list(waiting)})
            at_ms = waiting[-1][1]["device_ms"] + OFFSET_MS
            written.append((Kind.FACT, body_from_batch("t1", 0, OFFSET_MS, 50, payload), at_ms))
            waiting.clear()

    for event in events:
        if not 0 <= getattr(event, "seat", 0) <= 10 and isinstance(event, DeviceEvent):
            continue
        at_ms = event.at_ms + OFFSET_MS
        if not isinstance(event, DeviceEvent):
            send()
            heard = replace(
                tagged(event), at_ms=at_ms, device="" if event.device == "t1" else event.device, boot=0, seq=0
            )
            assert not isinstance(heard, DeviceEvent)
            written.append((Kind.OPERATOR, body_from_event(heard, "H1"), at_ms))
            direct.append(heard)
            continue
        heard = tagged(event)
        parts = parts_of(heard)
        if len(waiting) + len(parts) > 8:
            send()
        for part in parts:
            number += 1
            waiting.append(part)
            if len(waiting) >= 8 or random.random() < 0.4:
                send()
        direct.append(replace(heard, at_ms=at_ms, device="t1", boot=1, seq=number))
    send()
    return direct, written


def parts_of(event: Event) -> list[tuple[str, dict[str, Any]]]:
    """The event on the wire, in several parts when it is long."""
    lead = {"device_ms": event.at_ms}
    match event:
        case model.CardScanned(reader=reader, tag=tag):
            return [("card_scanned", {**lead, "reader": reader, "uid": bytes.fromhex(tag)})]
        case model.CardDoubted(reader=reader, tags=tags, reason=reason):
            return [("card_doubtful", {**lead, "reader": reader, "uids": _uids(tags), "reason": str(reason)})]
        case model.ChipsRead(seat=seat, spot=spot, tags=tags):
            return _split("chips_read", {**lead, "seat": seat, "spot": str(spot)}, tags)
        case model.ChipsDoubted(seat=seat, spot=spot, tags=tags, reason=reason):
            values = {**lead, "seat": seat, "spot": str(spot), "uids": _uids(tags), "reason": str(reason)}
            return [("chips_doubtful", values)]
        case model.KeyPressed(key=key, seat=seat):
            return [("key_pressed", {**lead, "key": str(key), "seat": seat})]
        case model.BadgeRead(tag=tag):
            return [("badge_read", {**lead, "uid": bytes.fromhex(tag)})]
        case model.CutCardSeen():
            return [("cut_card", lead)]
        case model.DiscardRead(tags=tags):
            return _split("discard_read", lead, tags)
        case model.SeatSensed(seat=seat, occupied=occupied):
            return [("seat_sensed", {**lead, "seat": seat, "occupied": occupied})]
        case model.LampsApplied(revision=revision):
            return [("lamps_applied", {**lead, "revision": revision})]
        case model.DoorMoved(open=is_open):
            return [("door", {**lead, "open": is_open})]
        case model.DeviceFaulted(code=code, part=part, active=active):
            return [("fault", {**lead, "code": str(code), "part": part, "active": active})]
    raise AssertionError(event)


def _split(name: str, values: dict[str, Any], tags: tuple[Tag, ...]) -> list[tuple[str, dict[str, Any]]]:
    uids = _uids(tags)
    pieces = [uids[at : at + 4] for at in range(0, len(uids), 4)] or [[]]
    return [(name, {**values, "part": part, "of": len(pieces), "uids": piece}) for part, piece in enumerate(pieces, 1)]


def _uids(tags: tuple[Tag, ...]) -> list[bytes]:
    return [bytes.fromhex(tag) for tag in tags]


def _tagged_keys(mapping: Mapping[Tag, V]) -> dict[Tag, V]:
    return {Tag(uid_of(tag).hex()): value for tag, value in mapping.items()}
