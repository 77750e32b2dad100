"""The state as plain data (lists, texts, numbers) with a version, and back to an equal state.

For the store beside the journal, never for a page: sealed cards are written
openly here. A ruleset is written by its digest and found again in the rulebook. The
registers of the house are large and change seldom: a snapshot may leave them out, and
then says only how many séances each deck has served, which the table itself counts.
Each dataclass or named tuple is a list led by its name, fields in order; a changed field is a
new VERSION, and a snapshot of another version is refused: replay the journal instead.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from sabot_gateway.model import alert, coup, effect, event, felt, game, holdem, money, person, settlement, tag
from sabot_gateway.model.card import Card
from sabot_gateway.model.registers import Registers
from sabot_gateway.model.tag import Tag
from sabot_gateway.rules import announcement, betting_state, hand, raise_limits
from sabot_gateway.rules.ruleset import Ruleset
from sabot_gateway.table import holdem_state, setup, state
from sabot_gateway.table.change import replace
from sabot_gateway.table.sealed import SealedCard, unsealed_for_snapshot
from sabot_gateway.table.state import TableState

VERSION: Final = 6

Rulebook = Callable[[str], Ruleset]  # by SHA-256


class SnapshotError(ValueError):
    """A snapshot that this release cannot read."""


def snapshot_of(table: TableState, *, registers: bool = True) -> dict[str, object]:
    """Plain data, ready for JSON or CBOR; without `registers`, chips, cards, decks and badges are left out."""
    uses = [[name, deck.uses] for name, deck in table.setup.decks.items() if deck.uses]
    if not registers:
        table = replace(table, setup=replace(table.setup, chips={}, cards={}, decks={}, badges={}))
    return {"version": VERSION, "registers": registers, "uses": uses, "state": _plain(table)}


def state_from_snapshot(
    data: Mapping[str, object], rulebook: Rulebook, registers: Registers | None = None
) -> TableState:
    """The state that was written, with `registers` where they are given; SnapshotError when it cannot be read."""
    if data.get("version") != VERSION:
        raise SnapshotError(f"the snapshot has version {data.get('version')}, this release reads {VERSION}")
    if registers is None and data.get("registers") is not True:
        raise SnapshotError("the snapshot was written without the registers, and none are given")
    try:
        table = _Reader(rulebook).read(data["state"])
        uses = dict(_pairs(data["uses"]))
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise SnapshotError(f"the snapshot cannot be read ({error!r})") from error
    if not isinstance(table, TableState):
        raise SnapshotError("the snapshot holds no table")
    if registers is None:
        return table
    return replace(table, setup=_registered(table.setup, registers, uses))


def _registered(written: setup.TableSetup, registers: Registers, uses: Mapping[str, int]) -> setup.TableSetup:
    """TCF-02: a deck has served at least the séances that this table counted."""
    decks = {
        name: replace(deck, uses=uses[name]) if uses.get(name, 0) > deck.uses else deck
        for name, deck in registers.decks.items()
    }
    return replace(written, chips=registers.chips, cards=registers.cards, decks=decks, badges=registers.badges)


def _pairs(data: Any) -> list[tuple[str, int]]:
    return [(str(name), int(count)) for name, count in data]


def _plain(value: object) -> object:
    """Texts, numbers and None as they are; everything else as a list led by its kind."""
    if isinstance(value, StrEnum):
        return ["=", type(value).__name__, str(value)]
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return ["t", *map(_plain, value)]
    if isinstance(value, frozenset):
        return ["s", *sorted((_plain(each) for each in value), key=repr)]
    if isinstance(value, Mapping):
        return ["m", *([_plain(key), _plain(each)] for key, each in value.items())]
    if isinstance(value, SealedCard):
        return ["c", *unsealed_for_snapshot(value)]
    if isinstance(value, Ruleset):
        return ["r", value.sha256]
    if isinstance(value, Fraction):
        return ["f", value.numerator, value.denominator]
    name = type(value).__name__
    if name not in _CLASSES:
        raise TypeError(f"{name} has no place in a snapshot")
    return ["o", name, *(_plain(getattr(value, each)) for each in _FIELDS[name])]


class _Reader:
    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook

    def read(self, data: Any) -> Any:
        if not isinstance(data, list | tuple):
            return data
        kind, *rest = data
        match kind:
            case "=":
                return _ENUMS[rest[0]](rest[1])
            case "t":
                return tuple(map(self.read, rest))
            case "s":
                return frozenset(map(self.read, rest))
            case "m":
                return {self.read(key): self.read(value) for key, value in rest}
            case "c":
                return SealedCard(None if rest[0] is None else Card(rest[0]), Tag(rest[1]))
            case "r":
                return self._rulebook(rest[0])
            case "f":
                return Fraction(rest[0], rest[1])
            case "o":
                name, *values = rest
                names = _FIELDS[name]
                if len(values) != len(names):
                    raise ValueError(f"{name} has {len(values)} fields instead of {len(names)}")
                return _CLASSES[name](**dict(zip(names, map(self.read, values), strict=True)))
            case _:
                raise ValueError(f"unknown kind {kind!r}")


def _exported(kind: Callable[[type], bool]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for module in _MODULES:
        for value in vars(module).values():
            if isinstance(value, type) and value.__module__ == module.__name__ and kind(value):
                assert value.__name__ not in found, f"two classes are called {value.__name__}"
                found[value.__name__] = value
    return found


_MODULES: Final = (
    alert,
    announcement,
    betting_state,
    coup,
    effect,
    event,
    felt,
    game,
    hand,
    holdem,
    holdem_state,
    money,
    person,
    raise_limits,
    settlement,
    setup,
    state,
    tag,
)
_ENUMS: Final[Mapping[str, Any]] = MappingProxyType(_exported(lambda cls: issubclass(cls, StrEnum)))
_CLASSES: Final[Mapping[str, Any]] = MappingProxyType(
    _exported(lambda cls: hasattr(cls, "__dataclass_fields__") or hasattr(cls, "_fields"))
)
_FIELDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        name: getattr(cls, "_fields", None) or tuple(field.name for field in fields(cls))
        for name, cls in _CLASSES.items()
    }
)
