"""A played script as a journal: what its controllers would have sent, and what the one fold makes of it.

The rig's hardware speaks the table's words; here they go out again as wire messages and come back through the
transcript, so that the journal is one that a gateway could have written. Tags of the rig are short names: each becomes
a UID of seven bytes. Times, numbers and bytes are functions of the script alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

from sabot_gateway.journal.port import Append, Journal
from sabot_gateway.journal.record import Entry, Kind, Owner, Stream
from sabot_gateway.model import event as facts
from sabot_gateway.model.registers import Registers
from sabot_gateway.model.tag import Tag
from sabot_gateway.table.setup import TableSetup
from sabot_gateway.transcript.decision import body_from_decision
from sabot_gateway.transcript.fact import SetupRecord, body_from_batch, body_from_event, body_from_setup
from sabot_gateway.transcript.fold import Fold, kept_steps, skip_decision, take
from sabot_gateway.transcript.house import bodies_from_registers, digest_of
from sabot_protocol.codec import encode
from sabot_tools.rounds.playing import Played
from sabot_tools.rounds.rig import EVENING_MS, Rig

OWNER: Final = Owner("rounds")
HOUSE: Final = Stream("house/rounds")
FENCE: Final = 1
DAY_MS: Final = 1_794_873_600_000  # 2026-11-17 00:00 UTC: a rig counts from midnight
UPTIME_MS: Final = 5_000  # a controller's clock counts from its start
_MOST_UIDS: Final = 32  # of one part of a list (protocol)


def uid_of(tag: Tag) -> bytes:
    return sha256(tag.encode()).digest()[:7]


def tag_on_wire(tag: Tag) -> Tag:
    return Tag(uid_of(tag).hex())


class RecordingError(ValueError):
    """A script with something in it that no journal holds in this form."""


class Recorder:
    """Writes played scripts into a journal, each as a table of its own."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._registers: dict[str, Registers] = {}
        self._waiting: dict[Stream, list[Entry]] = {}

    def record(self, table: str, played: Played) -> Fold:
        """The table's stream from its setup to the script's end; the fold that stands there."""
        rig_setup = Rig(played.script).setup
        registers = _registers(rig_setup, _chips_read(played))
        digest = digest_of(registers)
        if digest not in self._registers:
            self._registers[digest] = registers
            self._append(HOUSE, [Entry(Kind.FACT, body, DAY_MS) for body in bodies_from_registers(registers)])
        setup = SetupRecord(table, rig_setup.ruleset, digest, rig_setup.timing, rig_setup.fitted)
        stream = Stream(table)
        began_ms = DAY_MS + EVENING_MS
        fold = self._take(stream, Fold(self._registers.__getitem__), Entry(Kind.FACT, body_from_setup(setup), began_ms))
        numbers: dict[str, tuple[int, int]] = {}
        for entry in played.entries:
            for written in entries_of(_fitting(entry.event, fold), numbers):
                fold = self._take(stream, fold, written)
        self._write()
        return fold

    def _take(self, stream: Stream, fold: Fold, entry: Entry) -> Fold:
        """One fact, and the decision on it."""
        self._append(stream, [entry])
        taken = take(fold, entry.kind, entry.body, entry.received_ms)
        fold = taken.fold
        body = body_from_decision(fold.position, kept_steps(taken))
        if body:
            self._append(stream, [Entry(Kind.DECISION, body, entry.received_ms)])
            fold = skip_decision(fold)
        return fold

    def _append(self, stream: Stream, entries: list[Entry]) -> None:
        self._waiting.setdefault(stream, []).extend(entries)

    def _write(self) -> None:
        """Everything that waits, the house first, for tables name its registers."""
        for stream in sorted(self._waiting, key=lambda name: name != HOUSE):
            self._journal.append(Append(stream, OWNER, FENCE, self._waiting[stream])).result()
        self._waiting.clear()


def entries_of(event: facts.Event, numbers: dict[str, tuple[int, int]]) -> Iterator[Entry]:
    """The records of one event; `numbers` keeps boot and next number of each controller."""
    at_ms = DAY_MS + event.at_ms
    wire = wire_events_of(event)
    if wire is None:
        said = replace(_with_tags_of_the_wire(event), at_ms=at_ms)
        is_person = isinstance(event, facts.OperatorEvent)
        by = str(getattr(event, "by", "")) if is_person else ""
        kind = Kind.OPERATOR if is_person else Kind.FACT
        yield Entry(kind, body_from_event(said, by or ("C1" if is_person else "")), at_ms)  # type: ignore[arg-type]
        return
    boot, number = numbers.get(event.device, (event.boot, 1))
    boot = max(boot, event.boot)
    offset_ms = DAY_MS - UPTIME_MS
    for name, values in wire:
        happened = (name, {"device_ms": event.at_ms + UPTIME_MS, **values})
        payload = encode("event", {"boot": boot, "first": number, "events": [happened]})
        number += 1
        yield Entry(Kind.FACT, body_from_batch(event.device, 0, offset_ms, 20, payload), at_ms + 15, at_ms)
    numbers[event.device] = boot, number


def wire_events_of(event: facts.Event) -> list[tuple[str, dict[str, Any]]] | None:
    """What a controller sends for it, one event or the parts of a list; None for what no controller says."""
    match event:
        case facts.CardScanned(reader=reader, tag=tag):
            return [("card_scanned", {"reader": reader, "uid": uid_of(tag)})]
        case facts.CardDoubted(reader=reader, tags=tags, reason=reason):
            return [("card_doubtful", {"reader": reader, "uids": [*map(uid_of, tags)], "reason": str(reason)})]
        case facts.ChipsRead(seat=seat, spot=spot, tags=tags):
            return _parts("chips_read", {"seat": seat, "spot": str(spot)}, tags)
        case facts.ChipsDoubted(seat=seat, spot=spot, tags=tags, reason=reason):
            values = {"seat": seat, "spot": str(spot), "uids": [*map(uid_of, tags)], "reason": str(reason)}
            return [("chips_doubtful", values)]
        case facts.KeyPressed(key=key, seat=seat):
            return [("key_pressed", {"key": str(key), "seat": seat})]
        case facts.BadgeRead(tag=tag):
            return [("badge_read", {"uid": uid_of(tag)})]
        case facts.CutCardSeen():
            return [("cut_card", {})]
        case facts.DiscardRead(tags=tags):
            return _parts("discard_read", {}, tags)
        case facts.SeatSensed(seat=seat, occupied=occupied):
            return [("seat_sensed", {"seat": seat, "occupied": occupied})]
        case facts.LampsApplied(revision=revision):
            return [("lamps_applied", {"revision": revision})]
        case facts.DoorMoved(open=is_open):
            return [("door", {"open": is_open})]
        case facts.DeviceFaulted(code=code, part=part, active=active):
            return [("fault", {"code": str(code), "part": part, "active": active})]
        case _:
            return None


def _parts(name: str, lead: Mapping[str, Any], tags: tuple[Tag, ...]) -> list[tuple[str, dict[str, Any]]]:
    uids = [*map(uid_of, tags)]
    pieces = [uids[at : at + _MOST_UIDS] for at in range(0, len(uids), _MOST_UIDS)] or [[]]
    return [(name, {**lead, "part": nth, "of": len(pieces), "uids": piece}) for nth, piece in enumerate(pieces, 1)]


def _fitting(event: facts.Event | None, fold: Fold) -> facts.Event:
    """A new table counts pictures and timers from another number than the rig; hardware answers what it was told."""
    match event:
        case None:
            raise RecordingError("A script that configures its table anew cannot be recorded yet.")
        case facts.TimerFired(timer=timer) if timer in fold.timers:
            return replace(event, token=fold.timers[timer].token)
        case facts.LampsApplied() if fold.state is not None:
            return replace(event, revision=fold.state.lamps.revision)
        case _:
            return event


def _with_tags_of_the_wire(event: facts.Event) -> facts.Event:
    match event:
        case facts.DeckRegistered(cards=cards):
            return replace(event, cards={tag_on_wire(tag): card for tag, card in cards.items()})
        case facts.ChipsRegistered(chips=chips):
            return replace(event, chips={tag_on_wire(tag): chip for tag, chip in chips.items()})
        case facts.BadgeRegistered(tag=tag):
            return replace(event, tag=tag_on_wire(tag))
        case _:
            return event


def _chips_read(played: Played) -> frozenset[Tag]:
    """Every chip of the story: the rest of the house's chips would only make the journal long."""
    events = [entry.event for entry in played.entries]
    return frozenset(
        tag for event in events if isinstance(event, facts.ChipsRead | facts.ChipsDoubted) for tag in event.tags
    )


def _registers(setup: TableSetup, chips: frozenset[Tag]) -> Registers:
    return Registers(
        {tag_on_wire(tag): chip for tag, chip in setup.chips.items() if tag in chips},
        {tag_on_wire(tag): card for tag, card in setup.cards.items()},
        setup.decks,
        {tag_on_wire(tag): person for tag, person in setup.badges.items()},
    )
