"""`sabot rules`: what a rule says, where it is written and which ambiguity stands behind it.

Owns the command line and the choice of entries; rule_text and rule_record give them their form.
"""

import argparse
import difflib
import json
import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.catalogue import Ambiguity, Mark, Rule, ambiguities, packaged, rules
from sabot_gateway.rules.vocabulary import Language
from sabot_tools.choice import listed, one_of
from sabot_tools.rule_record import ambiguity_record, counts_record, rule_record
from sabot_tools.rule_text import Layout, ambiguity_text, counts_text, line_text, rule_text

NAME: Final = "rules"
SUMMARY: Final = "show a rule: our sentence, the original words, and what was decided where the text is silent"

WIDEST: Final = 100  # columns; longer lines are hard to read on any screen
NARROWEST: Final = 40

Entry = Rule | Ambiguity


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="*", metavar="ID", help="rules or ambiguities, such as TCF-69 or A-TCF-05")
    parser.add_argument("--game", type=one_of(Game), metavar=listed(Game), help="list the rules of one game")
    parser.add_argument("--mark", type=one_of(Mark), metavar=listed(Mark), help="list the rules with one mark")
    parser.add_argument("--search", nargs="+", metavar="WORD", help="list what holds all these words, in any language")
    parser.add_argument(
        "--language", type=one_of(Language), metavar=listed(Language), help="one language only (default: both)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
    parser.epilog = (
        "examples:\n"
        "  sabot rules TCF-69 STU-69\n"
        "  sabot rules --game UTH --mark COMPUTE --language fr\n"
        "  sabot rules --search bonus qualified"
    )


def run(args: argparse.Namespace) -> int:
    """0 when everything asked for was shown, 1 when something is unknown or nothing fits, 2 for a muddled question."""
    filtered = bool(args.game or args.mark or args.search)
    if args.ids and filtered:
        return _refuse("give ids or filters (--game, --mark, --search), not both", code=2)
    if args.ids:
        return _show(args.ids, args)
    if filtered:
        return _list(args)
    if args.json:
        _print_json(counts_record(packaged()))
    else:
        print(counts_text(packaged(), _layout(args.language)))
    return 0


def nearest(wanted: str) -> list[str]:
    """The ids most like one that does not exist: by number inside a known series, else by spelling."""
    known = _ids()
    match = re.fullmatch(r"((?:A-)?[A-Z]{3})-(\d+)", wanted)
    if match:
        series, number = match[1], int(match[2][:9])
        mates = [each for each in known if each.rpartition("-")[0] == series]
        if mates:
            return sorted(sorted(mates, key=lambda each: abs(int(each.rpartition("-")[2]) - number))[:3])
    return difflib.get_close_matches(wanted, known, n=3, cutoff=0.5)


def canonical(written: str) -> str:
    """The id as the catalogue writes it: `tcf69`, `TCF 69` and `tcf-069` are all TCF-69."""
    match = re.fullmatch(r"\s*(A?)[-_ ]?([A-Z]{3})[-_ ]?0*(\d{1,4})\s*", written.upper(), re.ASCII)
    if not match:
        return written.strip().upper()
    return f"{'A-' if match[1] else ''}{match[2]}-{match[3]:0>2}"


def folded(text: str) -> str:
    """Text without case, accents and no-break spaces, so that `payee` finds `payée`."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "'"))
    return "".join(char for char in plain if not unicodedata.combining(char)).casefold()


def _show(ids: Sequence[str], args: argparse.Namespace) -> int:
    wanted = list(dict.fromkeys(canonical(each) for each in ids))
    known = _ids()
    found = [known[each] for each in wanted if each in known]
    layout = _layout(args.language)
    if args.json:
        _print_json([_record(entry, args.language) for entry in found])
    elif found:
        print("\n\n".join(_page(entry, layout) for entry in found))
    unknown = [each for each in wanted if each not in known]
    if not unknown:
        return 0
    names = ", ".join(_printable(each) for each in unknown)
    like = ", ".join(dict.fromkeys(near for each in unknown for near in nearest(each)))
    hint = f"the nearest ids are {like}" if like else "ids look like TCF-69 or A-TCF-05"
    return _refuse(f"there is no {names} in the catalogue; {hint}", code=1)


def _list(args: argparse.Namespace) -> int:
    found = list(_chosen(args))
    if args.json:
        _print_json([_record(entry, args.language) for entry in found])
    elif found:
        layout = _layout(args.language)
        print("\n".join(line_text(entry, layout) for entry in found))
    return 0 if found else _refuse("no rule fits", code=1)


def _chosen(args: argparse.Namespace) -> Iterable[Entry]:
    words = [folded(word) for word in args.search or ()]
    for rule in rules():
        fits = (args.game is None or rule.game == args.game) and (args.mark is None or rule.mark == args.mark)
        if fits and _holds(words, _rule_words(rule)):
            yield rule
    if args.mark is not None:
        return  # an ambiguity has no mark
    for ambiguity in ambiguities():
        series = ambiguity.id.split("-")[1]
        if (args.game is None or series == args.game) and _holds(words, _ambiguity_words(ambiguity)):
            yield ambiguity


def _holds(words: Sequence[str], texts: Iterable[str]) -> bool:
    if not words:
        return True
    content = folded(" ".join(texts))
    return all(word in content for word in words)


def _rule_words(rule: Rule) -> Iterable[str]:
    return (rule.id, rule.sentence.en, rule.sentence.fr, *(quote.sentence for quote in rule.quotes))


def _ambiguity_words(item: Ambiguity) -> Iterable[str]:
    keys = (choice.key for choice in item.choices)
    return (item.id, item.title.en, item.title.fr, item.resolution.en, item.resolution.fr, *keys)


def _ids() -> dict[str, Entry]:
    entries: list[Entry] = [*rules(), *ambiguities()]
    return {entry.id: entry for entry in entries}


def _page(entry: Entry, layout: Layout) -> str:
    return rule_text(entry, packaged(), layout) if isinstance(entry, Rule) else ambiguity_text(entry, layout)


def _record(entry: Entry, language: Language | None) -> dict[str, object]:
    if isinstance(entry, Rule):
        return rule_record(entry, packaged(), language)
    return ambiguity_record(entry, language)


def _layout(language: Language | None) -> Layout:
    columns = shutil.get_terminal_size(fallback=(WIDEST, 24)).columns
    bold = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    return Layout(max(NARROWEST, min(WIDEST, columns)), language, bold)


def _print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


def _printable(text: str) -> str:
    """What a person typed, safe to echo on a terminal and never longer than an id could be."""
    shown = "".join(char if char.isprintable() else "?" for char in text)
    return (shown or "''") if len(shown) <= 24 else f"{shown[:23]}…"


def _refuse(sentence: str, code: int) -> int:
    print(f"sabot rules: {sentence}.", file=sys.stderr)
    return code
