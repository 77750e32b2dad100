"""Reads a script file into headers and steps, and puts fragments in where they are named.

A line is a header (a word in capitals with its value), a fragment (one word in
capitals alone), an expectation (EXPECT …) or a step (a verb in small letters).
Fragments are scripts without headers: `OPEN` is first looked for beside the
script (OPEN.tcf.part, then OPEN.part), then among those that ship with Sabot.
Whether a verb exists is for the rig to say.
"""

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from sabot_gateway.model.game import Game
from sabot_tools.rounds.script import Line, Script, ScriptError, Step
from sabot_tools.rounds.words import seat_from, split

HEADERS: Final = ("GAME", "TITLE", "RULES", "SEATS", "RULESET", "FITTED")
MOST_BYTES: Final = 100_000  # a script is a page; anything larger was handed over by mistake
DEEPEST: Final = 4  # a fragment that names itself must end somewhere


def script_from_file(path: Path) -> Script:
    """The script in a file; ScriptError when it cannot be read or makes no sense."""
    return script_from_text(_text(path, Line(str(path), 0)), path.name, path.parent)


def script_from_text(text: str, name: str, folder: Path | None = None) -> Script:
    """`folder` is where the script's own fragments lie."""
    written: dict[str, list[tuple[Line, tuple[str, ...]]]] = {}
    body: list[tuple[Line, tuple[str, ...]]] = []
    for line, words in _lines(text, name):
        if words[0] in HEADERS:
            if body:
                raise ScriptError(line, f"the header {words[0]} stands after the first step.")
            written.setdefault(words[0], []).append((line, words[1:]))
        else:
            body.append((line, words))
    first = Line(name, 1)
    for needed in ("GAME", "TITLE", "RULES"):
        if needed not in written:
            raise ScriptError(first, f"the header {needed} is missing.")
    for once in ("GAME", "TITLE"):
        if len(written[once]) > 1:
            raise ScriptError(written[once][1][0], f"the header {once} stands twice.")
    game = _game(*written["GAME"][0])
    return Script(
        name=name,
        game=game,
        title=" ".join(written["TITLE"][0][1]),
        rules=tuple(rule.strip(",") for _, words in written["RULES"] for rule in words),
        players=tuple(seat_from(word, line) for line, words in written.get("SEATS", ()) for word in words),
        ruleset=_ruleset(written.get("RULESET", [])),
        fitted=tuple(word for _, words in written.get("FITTED", ()) for word in words),
        steps=tuple(_steps(body, game, folder, 0)),
    )


def rules_of_script(text: str) -> list[str]:
    """The ids in the RULES headers of a script, once each: what it claims to show."""
    claimed = (words[1:] for _, words in _lines(text, "script") if words[0] == "RULES")
    return list(dict.fromkeys(rule.strip(",") for words in claimed for rule in words))


def _lines(text: str, name: str) -> Iterator[tuple[Line, tuple[str, ...]]]:
    for number, content in enumerate(text.splitlines(), start=1):
        line = Line(name, number, content.strip())
        if words := split(line):
            yield line, words


def _steps(body: list[tuple[Line, tuple[str, ...]]], game: Game, folder: Path | None, depth: int) -> Iterator[Step]:
    for line, (verb, *words) in body:
        if verb == "EXPECT" or not verb.isupper():
            yield Step(line, verb, tuple(words), depth)
        elif words:
            raise ScriptError(line, f"{verb} is neither a header nor EXPECT; a fragment stands alone on its line.")
        elif depth == DEEPEST:
            raise ScriptError(line, f"the fragment {verb} stands in itself.")
        else:
            source = _fragment(verb, game, folder, line)
            yield from _steps(list(_lines(_text(source, line), source.name)), game, folder, depth + 1)


def _fragment(name: str, game: Game, folder: Path | None, line: Line) -> Path | Traversable:
    shipped = files("sabot_tools.rounds").joinpath("fragments")
    places: tuple[Path | Traversable, ...] = (shipped,) if folder is None else (folder, shipped)
    for place in places:
        for candidate in (f"{name}.{game.lower()}.part", f"{name}.part"):
            if (found := place.joinpath(candidate)).is_file():
                return found
    raise ScriptError(line, f"there is no fragment {name} ({name}.{game.lower()}.part or {name}.part).")


def _text(source: Path | Traversable, line: Line) -> str:
    try:
        with source.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ScriptError(line, f"{source.name} cannot be read ({error.strerror or error}).") from error
    if len(content) > MOST_BYTES:
        raise ScriptError(line, f"{source.name} is too long to be a script.")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ScriptError(line, f"{source.name} is not UTF-8 text (byte {error.start}).") from error


def _game(line: Line, words: tuple[str, ...]) -> Game:
    names = [game.lower() for game in Game]
    if len(words) != 1 or words[0] not in names:
        raise ScriptError(line, f"GAME must be one of {', '.join(names)}.")
    return Game(words[0].upper())


def _ruleset(written: list[tuple[Line, tuple[str, ...]]]) -> dict[str, object]:
    values: dict[str, object] = {}
    for line, _ in written:
        try:
            values |= tomllib.loads(line.text.removeprefix("RULESET"))
        except tomllib.TOMLDecodeError as error:
            raise ScriptError(
                line, f"RULESET takes a key of the ruleset and its value, key = value ({error})."
            ) from None
    return values
