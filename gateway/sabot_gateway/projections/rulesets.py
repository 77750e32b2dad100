"""The rulesets that tables were configured with, by digest: theory is that of the rules that were played."""

import json
import sqlite3
from collections.abc import Mapping
from functools import lru_cache

from sabot_gateway.model.game import Game
from sabot_gateway.rules.ruleset import Ruleset


def keep_ruleset(db: sqlite3.Connection, ruleset: Ruleset) -> None:
    db.execute(
        "INSERT INTO ruleset (sha256, id, game, content) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (ruleset.sha256, ruleset.id, str(ruleset.game), json.dumps(ruleset.values, default=_plain)),
    )


def stored_ruleset(db: sqlite3.Connection, sha256: str) -> Ruleset | None:
    row = db.execute("SELECT id, game, content FROM ruleset WHERE sha256 = ?", (sha256,)).fetchone()
    return None if row is None else _ruleset(sha256, *row)


@lru_cache(maxsize=256)
def _ruleset(sha256: str, name: str, game: str, content: str) -> Ruleset:
    """One object per content, for a ruleset serves as a cache key."""
    return Ruleset(name, Game(game), json.loads(content), sha256)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no place in a ruleset")
