"""Reads ruleset files: those that ship with Sabot, and a house's own.

The only place where rules meet a file system. A house file either stands alone
(a complete ruleset) or says `extends = "tcf"` and overrides what the law leaves
open. Whatever is wrong leaves as a RulesetError in one sentence.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.ruleset import (
    Ruleset,
    RulesetError,
    check_published_returns,
    house_ruleset,
    ruleset_from_mapping,
)

MOST_BYTES: Final = 1_000_000  # a ruleset is a page of text; anything larger was handed over by mistake


@cache
def shipped_ruleset(game: Game) -> Ruleset:
    """The law of one game as this release knows it."""
    name = f"{game.lower()}.toml"
    resource = files("sabot_gateway.rules").joinpath("rulesets", name)
    return ruleset_from_mapping(mapping_from_toml(resource.read_bytes(), name), name)


def shipped_rulesets() -> dict[Game, Ruleset]:
    """The law of all five games."""
    return {game: shipped_ruleset(game) for game in Game}


def ruleset_from_file(path: Path) -> Ruleset:
    """A house's file; RulesetError when it cannot be read or used."""
    source = str(path)
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise RulesetError(source, "file", f"cannot be read ({error.strerror or error})") from error
    if len(content) > MOST_BYTES:
        raise RulesetError(source, "file", "is too long to be a ruleset")
    return ruleset_from_bytes(content, source)


def ruleset_from_bytes(content: bytes, source: str) -> Ruleset:
    """The ruleset that a house's file describes, over the shipped law if it extends one."""
    written = mapping_from_toml(content, source)
    if "extends" in written:
        ruleset = house_ruleset(written, _extended(written["extends"], source), source)
    else:
        ruleset = ruleset_from_mapping(written, source)
    # The shipped files are held to this by a test; a house's table is held to it when it opens.
    check_published_returns(ruleset, source)
    return ruleset


def mapping_from_toml(content: bytes, source: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RulesetError(source, "file", f"is not UTF-8 text (byte {error.start})") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise RulesetError(source, "file", f"is not TOML ({error})") from error


def _extended(name: object, source: str) -> Ruleset:
    for game in Game:
        if name == game.lower():
            return shipped_ruleset(game)
    raise RulesetError(source, "extends", f"must be one of {', '.join(game.lower() for game in Game)}")
