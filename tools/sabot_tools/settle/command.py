"""`sabot settle`: reads JSON lines, writes one decision per line, and tells by its exit code how it went.

Streams in constant memory. A bad line is answered and the run goes on; only an
input that cannot be read at all ends it.
"""

import argparse
import json
import sys
from collections.abc import Mapping
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import BinaryIO, Final

from sabot_gateway.model.game import Game
from sabot_gateway.rulebook import ruleset_from_file, shipped_rulesets
from sabot_gateway.rules.rejection import Fault
from sabot_gateway.rules.ruleset import Ruleset, RulesetError
from sabot_tools.choice import listed, one_of
from sabot_tools.progress import Progress
from sabot_tools.settle.line import settle_line
from sabot_tools.settle.refusal import rejected
from sabot_tools.settle.stream import InputError, Line, lines_of

NAME: Final = "settle"
SUMMARY: Final = "settle finished coups: JSON lines in, decisions as JSON lines out"

DONE, REFUSED, UNREADABLE = 0, 1, 2


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="coups and checks as JSON lines (default: standard input)"
    )
    parser.add_argument(
        "--game", type=one_of(Game), metavar=listed(Game), help="the game of lines that do not name one"
    )
    parser.add_argument(
        "--ruleset",
        action="append",
        default=[],
        metavar="FILE",
        type=Path,
        help="a house's ruleset in place of the shipped one of its game; may be repeated",
    )
    parser.add_argument("--summary", action="store_true", help="end with the counts as one JSON object on stderr")
    parser.epilog = "example: sabot settle coups.jsonl --ruleset house.toml > settled.jsonl"


def run(args: argparse.Namespace) -> int:
    """0 when every line was decided, 1 when any was rejected, 2 when input or ruleset could not be read."""
    try:
        rulesets = shipped_rulesets() | {ruleset.game: ruleset for ruleset in map(ruleset_from_file, args.ruleset)}
    except RulesetError as error:
        return _stop(str(error))
    if args.file in (None, "-"):
        if sys.stdin is None:
            return _stop("standard input is closed.")
        return _settle(sys.stdin.buffer, None, "standard input", rulesets, args)
    with ExitStack() as opened:
        try:
            file = opened.enter_context(Path(args.file).open("rb"))
        except (OSError, ValueError) as error:
            return _stop(f"{args.file} cannot be read: {getattr(error, 'strerror', None) or error}.")
        return _settle(file, Path(args.file).stat().st_size, args.file, rulesets, args)


def _settle(
    file: BinaryIO, size: int | None, name: str, rulesets: Mapping[Game, Ruleset], args: argparse.Namespace
) -> int:
    counts: dict[str, int] = {}
    unreadable = 0
    broken = ""
    output = sys.stdout.buffer
    # A bar between the lines of the answers would help nobody: it is drawn when those go elsewhere.
    shown = nullcontext() if sys.stdout.isatty() else Progress(size, f"settling {Path(name).name}", sys.stderr)
    with shown as progress:
        try:
            for line in lines_of(file):
                answer = _answer(line, rulesets, args.game)
                counts[str(answer["status"])] = counts.get(str(answer["status"]), 0) + 1
                unreadable += isinstance(line.content, Fault) and line.content.code == "NOT_TEXT"
                output.write(_encoded(answer))
                if progress is not None:
                    progress.advance(line.size)
        except InputError as error:
            broken = f"{name} cannot be read: {error}."
    output.flush()
    if args.summary:
        print(json.dumps({"lines": sum(counts.values()), **dict(sorted(counts.items()))}), file=sys.stderr)
    if broken:
        return _stop(broken)
    if unreadable:
        return _stop(f"{name} is not UTF-8 text throughout: {unreadable} lines could not be read.")
    return REFUSED if counts.get("rejected") else DONE


def _answer(line: Line, rulesets: Mapping[Game, Ruleset], game: str | None) -> dict[str, object]:
    if isinstance(line.content, Fault):
        return {"id": None, "line": line.number, "game": None, **rejected([line.content])}
    record = line.content
    if game is not None and "game" not in record:
        record["game"] = game
    return settle_line(record, rulesets)


def _encoded(answer: Mapping[str, object]) -> bytes:
    try:
        return json.dumps(answer, ensure_ascii=False).encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        # An id with half a character in it is echoed escaped, as it came.
        return json.dumps(answer).encode("ascii") + b"\n"


def _stop(sentence: str) -> int:
    print(f"sabot settle: {sentence}", file=sys.stderr)
    return UNREADABLE
