"""How tables were set up: what changed with each configuration, the old value beside the new.

Owns what of a setup is compared. Ruleset, patience and sensors value by value, by the names of their documentation; of
the registers who holds which role, the decks, and how many chips of each value: single tags tell nobody anything.
A configuration comes from the gateway's settings, so no person of the floor is its author.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Final, NamedTuple

from sabot_gateway.model.registers import Registers
from sabot_gateway.projections.happening import Happening
from sabot_gateway.projections.sentence import Sentence
from sabot_gateway.projections.sheet import Sheet
from sabot_gateway.projections.staff import CONFIGURED, keep_action
from sabot_gateway.transcript.error import FactError
from sabot_gateway.transcript.fact import SetupRecord
from sabot_gateway.transcript.fold import Lookup


class Change(NamedTuple):
    """One value; None where there was none before, or is none any more."""

    what: str
    before: str | None
    after: str | None


def keep_configuration(db: sqlite3.Connection, lookup: Lookup, sheet: Sheet, setup: SetupRecord, at: Happening) -> None:
    """Writes down what is new; the same setup once more is nothing new."""
    values = {**_values_of(setup), **_register_values(lookup, setup.registers)}
    row = db.execute("SELECT content FROM setup WHERE stream = ?", (at.stream,)).fetchone()
    known: Mapping[str, str] | None = None if row is None else json.loads(row[0])
    changes = [] if known is None else list(changes_between(known, values))
    if known is not None and not changes:
        return
    db.execute("INSERT OR REPLACE INTO setup (stream, content) VALUES (?, ?)", (at.stream, json.dumps(values)))
    said = _first(setup) if known is None else _changed(len(changes), is_waiting=bool(sheet.coup))
    keep_action(db, sheet, at, CONFIGURED, "", said, json.dumps(changes, ensure_ascii=False) if changes else "")


def changes_between(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Change]:
    for what in sorted(before.keys() | after.keys()):
        if before.get(what) != after.get(what):
            yield Change(what, before.get(what), after.get(what))


def _first(setup: SetupRecord) -> Sentence:
    name = setup.ruleset.id
    return Sentence(f"La table est configurée, règlement {name}.", f"The table is set up, ruleset {name}.")


def _changed(count: int, *, is_waiting: bool) -> Sentence:
    fr = f"La configuration change : {count} {'valeurs' if count > 1 else 'valeur'}"
    en = f"The configuration changes: {count} {'values' if count > 1 else 'value'}"
    return Sentence(
        f"{fr}{', en vigueur à la fin du coup' if is_waiting else ''}.",
        f"{en}{', in force when the coup is over' if is_waiting else ''}.",
    )


def _values_of(setup: SetupRecord) -> dict[str, str]:
    ruleset = setup.ruleset
    rules = {"id": ruleset.id, "game": str(ruleset.game), "sha256": ruleset.sha256, **ruleset.values}
    told = {"ruleset": rules, "timing": asdict(setup.timing), "fitted": _fitted(setup), "registers": setup.registers}
    return dict(_flat("", told))


def _fitted(setup: SetupRecord) -> dict[str, object]:
    fitted = setup.fitted
    plain = {name: getattr(fitted, name) for name in fitted.__slots__ if name != "seat_readers"}
    return plain | {"seat_readers": {str(reader): seat for reader, seat in fitted.seat_readers.items()}}


def _flat(name: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(f"{name}.{key}" if name else str(key), inner)
    else:
        yield name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _register_values(lookup: Lookup, digest: str) -> Mapping[str, str]:
    """Content-addressed, so that a house of a thousand tables counts its chips once."""
    known = _REGISTERS.get(digest)
    if known is None:
        try:
            known = dict(_told(lookup(digest)))
        except (KeyError, FactError):
            return {}  # `sabot replay` names it
        if len(_REGISTERS) >= _MOST_REGISTERS:
            _REGISTERS.clear()
        _REGISTERS[digest] = known
    return known


def _told(registers: Registers) -> Iterator[tuple[str, str]]:
    for person in registers.badges.values():
        yield f"badges.{person.id}", str(person.role)
    for name, deck in registers.decks.items():
        yield f"decks.{name}", f"{deck.name}, {deck.colour}"
    counts = Counter((chip.value_cents, str(chip.state)) for chip in registers.chips.values())
    for (cents, state), count in counts.items():
        yield f"chips.{cents}.{state}", str(count)


_MOST_REGISTERS: Final = 64
_REGISTERS: dict[str, Mapping[str, str]] = {}
