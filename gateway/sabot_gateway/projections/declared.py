"""Facts that the views need: who stands at a table, how it is configured, and everything people declared.

A controller's batch is opened only if it can hold a badge: one look at the bytes tells. Whatever cannot be read is
passed over here; `sabot replay` names it.
"""

import re
import sqlite3
from typing import Final

from sabot_gateway.journal.record import Kind, Record
from sabot_gateway.model.event import BadgeRead, BadgeRegistered
from sabot_gateway.model.person import Person, Role
from sabot_gateway.model.registers import Registers
from sabot_gateway.model.review import AlertAcknowledged, AlertAssigned, AlertCommented, AlertEscalated
from sabot_gateway.model.tag import Tag
from sabot_gateway.projections.alerts import review_alert
from sabot_gateway.projections.configuration import keep_configuration
from sabot_gateway.projections.happening import Happening
from sabot_gateway.projections.house_sentences import action_sentence
from sabot_gateway.projections.left_table import take_action
from sabot_gateway.projections.rulesets import keep_ruleset
from sabot_gateway.projections.sentence import Scene, Sentence
from sabot_gateway.projections.sentences import sentence_of
from sabot_gateway.projections.sheet import Sheet, Waiting
from sabot_gateway.projections.staff import keep_action
from sabot_gateway.transcript.error import FactError
from sabot_gateway.transcript.fact import Batch, Configured, Said, SetupRecord, read_fact
from sabot_gateway.transcript.fold import Lookup
from sabot_gateway.transcript.house import House, take_house

# An event is an array [kind, device time, fields]; a badge has kind 8 and one field. Bytes that look like it by chance
# cost a decoding and nothing else.
_BADGE: Final = b"\x83\x08"
_SETUP: Final = b"setup"
_REGISTER: Final = b"register"
_SAID: Final = b"said"
_HEAD: Final = 12  # bytes in which the name of a body's form stands


def take_fact(db: sqlite3.Connection, lookup: Lookup, sheet: Sheet, record: Record, at: Happening) -> bool:
    """What a fact or an operator's record says to the views, nothing for most; whether it could be read."""
    body = record.body
    if record.kind is Kind.FACT and _BADGE not in body and body.find(_SETUP, 0, _HEAD) < 0:
        return True
    try:
        fact = read_fact(record.kind, body)
    except FactError:
        return False
    match fact:
        case Configured(setup=setup):
            _configure(db, lookup, sheet, setup, at)
        case Batch(skip=skip, events=events):
            for name, values in events[skip:]:
                if name == "badge_read":
                    _badge(db, lookup, sheet, BadgeRead(Tag(values["uid"].hex())), at)
        case Said() if record.kind is Kind.OPERATOR:
            _said(db, sheet, fact, at)
        case _:
            pass
    return True


def take_house_action(db: sqlite3.Connection, record: Record) -> bool:
    """What somebody did that concerns no table; whether the record could be read."""
    if record.body.find(_REGISTER, 0, _HEAD) >= 0:
        return True  # registers come in parts and are read by the shelf
    if record.body.find(_SAID, 0, _HEAD) >= 0:
        at = Happening(record.id, record.stream, record.position, record.position, record.received_ms)
        return take_fact(db, _no_registers, Sheet(), record, at)
    try:
        action = take_house(House(), record.body).action
    except FactError:
        return False
    if action is not None:
        at = Happening(record.id, record.stream, record.position, record.position, action.at_ms or record.received_ms)
        keep_action(db, None, at, action.name, action.by, action_sentence(action))
        take_action(db, action, at)
    return True


def _no_registers(digest: str) -> Registers:
    raise KeyError(digest)  # what people say about an alarm names no tag


def apply_waiting(lookup: Lookup, sheet: Sheet) -> None:
    """The configuration that came in the middle of a coup is in force from its end on."""
    waiting, sheet.waiting = sheet.waiting, None
    if waiting is None:
        return
    game, ruleset, sha256, seats, registers = waiting
    sheet.game, sheet.ruleset, sheet.ruleset_sha256 = game, ruleset, sha256
    sheet.seats, sheet.registers, sheet.badges = seats, registers, {}
    try:
        people = {person.id for person in lookup(registers).badges.values()}
    except (KeyError, FactError):
        return
    sheet.dealer = sheet.dealer if sheet.dealer in people else ""
    sheet.head = sheet.head if sheet.head in people else ""


def _configure(db: sqlite3.Connection, lookup: Lookup, sheet: Sheet, setup: SetupRecord, at: Happening) -> None:
    ruleset = setup.ruleset
    keep_ruleset(db, ruleset)
    keep_configuration(db, lookup, sheet, setup, at)
    seats = ruleset.values.get("seats_total")
    sheet.waiting = Waiting(
        str(ruleset.game), ruleset.id, ruleset.sha256, seats if isinstance(seats, int) else 0, setup.registers
    )
    if not sheet.coup:
        apply_waiting(lookup, sheet)


def _badge(db: sqlite3.Connection, lookup: Lookup, sheet: Sheet, event: BadgeRead, at: Happening) -> None:
    person = _person(lookup, sheet, event.tag)
    if person is None:
        return
    if person.role is Role.DEALER and sheet.dealer != person.id:
        sheet.dealer = person.id
        said = Sentence(f"{person.id} prend la table comme croupier.", f"{person.id} takes the table as dealer.")
        keep_action(db, sheet, at, "dealer_on", person.id, said)
    elif person.role is Role.TABLE_HEAD and sheet.head != person.id:
        sheet.head = person.id
        said = Sentence(f"{person.id} est chef de table.", f"{person.id} is table head.")
        keep_action(db, sheet, at, "head_on", person.id, said)


def _person(lookup: Lookup, sheet: Sheet, tag: Tag) -> Person | None:
    if tag in sheet.badges:  # changed at the table's own console since the registers were read
        name, role = sheet.badges[tag]
        return Person(name, Role(role)) if name else None
    try:
        return lookup(sheet.registers).badges.get(tag)
    except (KeyError, FactError):
        return None


def _said(db: sqlite3.Connection, sheet: Sheet, said: Said, at: Happening) -> None:
    event = said.event
    at = at._replace(at_ms=event.at_ms or at.at_ms)
    if isinstance(event, AlertAssigned | AlertCommented | AlertAcknowledged | AlertEscalated):
        review_alert(db, event, at)
    elif isinstance(event, BadgeRegistered):
        person = event.person
        sheet.badges[event.tag] = ("", "") if person is None else (person.id, str(person.role))
    by = said.by or str(getattr(event, "by", ""))
    keep_action(db, sheet, at, _snake(type(event).__name__), by, sentence_of(event, Scene(sheet.game_or_none)))


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
