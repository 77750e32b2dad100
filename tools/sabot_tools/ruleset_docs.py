"""docs/rulesets.md: every ruleset key of every game, between the markers of a page written by hand."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.rules.key import Key, Kind
from sabot_gateway.rules.key_table import keys_of
from sabot_tools.generated import ROOT, between_markers

PAGE: Final = "docs/rulesets.md"


def pages(root: Path = ROOT) -> Mapping[str, str]:
    """The page with its tables of keys written anew."""
    written = (root / PAGE).read_text(encoding="utf-8")
    return {PAGE: between_markers(written, "\n\n".join(_section(game) for game in Game))}


def _section(game: Game) -> str:
    ruleset = shipped_ruleset(game)
    lines = [
        f"### {game}",
        "",
        f'`extends = "{game.lower()}"` · SHA-256 of the shipped values `{ruleset.sha256}`',
        "",
        "| key | type | shipped | set by | rules | meaning |",
        "| --- | --- | --- | --- | --- | --- |",
        *(_row(key, ruleset.values[key.name]) for key in keys_of(game)),
    ]
    return "\n".join(lines)


def _row(key: Key, value: object) -> str:
    cells = (f"`{key.name}`", _type(key), _value(value), _setter(key), ", ".join(key.rules) or "–", key.meaning)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _type(key: Key) -> str:
    if key.only is not None:
        return f"{key.kind}, fixed"
    text = " ".join(_type_parts(key))
    return f"{text}, or `none`" if key.nullable else text


def _type_parts(key: Key) -> Iterator[str]:
    if key.kind is Kind.CHOICE:
        yield ", ".join(f"`{choice}`" for choice in key.choices)
        return
    yield str(key.kind)
    if key.kind is Kind.INTEGER and key.least is not None:
        yield f"{key.least:,}" + (f" to {key.most:,}" if key.most is not None else " or more")
    if key.kind in (Kind.PAY_TABLE, Kind.PAY_TABLES):
        yield f"of {', '.join(key.hands)}"


def _value(value: object) -> str:
    if value is None:
        return "`none`"
    text = json.dumps(value, ensure_ascii=False)
    return f"`{text}`" if len(text) <= 60 else "see the file"


def _setter(key: Key) -> str:
    if not key.house:
        return "the law"
    return "**the house, REQUIRED**" if key.is_required else "the house"
