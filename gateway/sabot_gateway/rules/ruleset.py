"""A ruleset: every key of one game with its value, an id, and a digest that each settlement carries.

Pure: it takes what a TOML reader produced and never opens a file. Everything
wrong with a file is one sentence that names file, key and reason. The digest is
the SHA-256 of the effective values in canonical JSON (sorted keys, no spaces,
ASCII): comments, order and layout of the file do not change it, any value does.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.key import Key, Kind
from sabot_gateway.rules.key_table import keys_of
from sabot_gateway.rules.rejection import Fault
from sabot_gateway.rules.relation import relation_problem
from sabot_gateway.rules.return_promise import broken_promises

NONE: Final = "none"  # TOML has no null: a key that may be empty is emptied with this word


class RulesetError(ValueError):
    """A ruleset that cannot be used; the text is the sentence for the person at the console."""

    def __init__(self, source: str, key: str, reason: str) -> None:
        super().__init__(f"{source}: {key}: {reason}.")
        self.source = source
        self.key = key
        self.reason = reason


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset:
    """The effective values of one game's rules, never changed once built, so identity serves as a cache key."""

    id: str
    game: Game
    values: Mapping[str, object]
    sha256: str


def ruleset_from_mapping(written: Mapping[str, object], source: str) -> Ruleset:
    """A complete ruleset, as the law's own files are: every REQUIRED key is set, nothing is unknown."""
    identity = _identity(written, source)
    game = _game(written, source)
    keys = {key.name: key for key in keys_of(game)}
    values: dict[str, object] = {}
    for name, value in written.items():
        if name == "id":
            continue
        values[name] = _checked(keys, name, value, source)
    for key in keys.values():
        if key.name in values:
            continue
        if key.is_required:
            raise RulesetError(source, key.name, f"must be set, it has no safe default ({_cited(key)})")
        values[key.name] = key.default
    return _sealed(identity, game, values, source)


def house_ruleset(written: Mapping[str, object], law: Ruleset, source: str) -> Ruleset:
    """A house's own file over the law it extends: only keys that the law leaves open, and every REQUIRED one."""
    identity = _identity(written, source)
    keys = {key.name: key for key in keys_of(law.game)}
    values = dict(law.values)
    for name, value in written.items():
        if name in ("id", "extends"):
            continue
        checked = _checked(keys, name, value, source)
        if not keys[name].house and checked != law.values[name]:
            raise RulesetError(source, name, f"is not open to the house ({_cited(keys[name])})")
        values[name] = checked
    for key in keys.values():
        # A house never inherits what has no safe default: it says so itself, or does not open.
        if key.is_required and key.house and key.name not in written:
            raise RulesetError(source, key.name, f"must be set by the house, it has no safe default ({_cited(key)})")
    return _sealed(identity, law.game, values, source)


def overridden(ruleset: Ruleset, config: Mapping[str, object]) -> Ruleset | tuple[Fault, ...]:
    """The ruleset with one coup's own values; what cannot stand is returned as faults."""
    keys = {key.name: key for key in keys_of(ruleset.game)}
    values = dict(ruleset.values)
    faults = []
    for name, value in config.items():
        key = keys.get(name)
        if key is None:
            faults.append(Fault("UNKNOWN_KEY", "", f"config.{name[:40]}"))
            continue
        problem = key.problem(value)
        if problem:
            faults.append(_config_fault(key, value, problem))
        values[name] = value
    if faults:
        return tuple(faults)
    if _exceeds(values, "table_min", "table_max") or _exceeds(values, "side_min", "side_max"):
        return (Fault("BAD_VALUE", "", "config", sentence="A minimum of the config is above its maximum."),)
    _resolve_choices(keys, values)
    return Ruleset(ruleset.id, ruleset.game, values, digest(ruleset.game, values))


def check_published_returns(ruleset: Ruleset, source: str) -> None:
    """RulesetError when a pay table does not return what its document publishes (TCP-45 to TCP-47)."""
    for key, reason in broken_promises(ruleset.game, ruleset.values):
        raise RulesetError(source, key, reason)


def digest(game: Game, values: Mapping[str, object]) -> str:
    """SHA-256 of the canonical form; the id is a name, not a rule, and stays out of it."""
    canonical = json.dumps({"game": game, "values": values}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def _identity(written: Mapping[str, object], source: str) -> str:
    identity = written.get("id")
    if not isinstance(identity, str) or not identity or len(identity) > 64 or not identity.isprintable():
        raise RulesetError(source, "id", "must be a short name")
    return identity


def _game(written: Mapping[str, object], source: str) -> Game:
    try:
        return Game(str(written.get("game")))
    except ValueError:
        raise RulesetError(source, "game", f"must be one of {', '.join(Game)}") from None


def _checked(keys: Mapping[str, Key], name: str, value: object, source: str) -> object:
    key = keys.get(name)
    if key is None:
        raise RulesetError(source, name, "is not a key of this game")
    if key.nullable and value == NONE:
        return None
    problem = key.problem(value)
    if problem:
        raise RulesetError(source, name, f"{problem} ({_cited(key)})")
    return value


def _sealed(identity: str, game: Game, values: dict[str, object], source: str) -> Ruleset:
    found = relation_problem(game, values)
    if found:
        name, reason = found
        raise RulesetError(source, name, reason)
    _resolve_choices({key.name: key for key in keys_of(game)}, values)
    return Ruleset(identity, game, values, digest(game, values))


def _resolve_choices(keys: Mapping[str, Key], values: dict[str, object]) -> None:
    """A pay table chosen by name is replaced by the table of that name (A-STU-01)."""
    for key in keys.values():
        chosen = values.get(key.name)
        if key.kind is Kind.PAY_TABLE and isinstance(chosen, str):
            tables = values[f"{key.name}s"]
            assert isinstance(tables, Mapping)
            values[key.name] = tables[chosen]


def _config_fault(key: Key, value: object, problem: str) -> Fault:
    rule = next((rule for rule in key.rules if not rule.startswith("A-")), "")
    detail = value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**18 else key.name
    return Fault(key.code, rule, detail, sentence=f"In the config, {key.name} {problem}.")


def _exceeds(values: Mapping[str, object], low: str, high: str) -> bool:
    least, most = values.get(low), values.get(high)
    return isinstance(least, int) and isinstance(most, int) and least > most


def _cited(key: Key) -> str:
    return ", ".join(key.rules) or "form of the file"
