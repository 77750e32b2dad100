"""The readable pages of docs/rules, written from the catalogue and from the claims of the tests.

    python -m sabot_tools.rule_docs --check   exit 1 and name every page that is not current
    python -m sabot_tools.rule_docs           write those pages (`make docs` writes all generated pages)

A page is a pure function of its data. README.md is written by hand but for the part between its marks.
"""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.catalogue import Ambiguity, Book, Catalogue, Latitude, Mark, Rule, Wording, packaged
from sabot_tools.generated import ROOT, between_markers
from sabot_tools.rule_coverage import Coverage, coverage
from sabot_tools.rule_text import DERIVED, Layout, choice_text

FOLDER: Final = "docs/rules"
WRITTEN: Final = "*Written from the rule catalogue by `make docs`; a test fails when it is not current.*"
PLAIN: Final = Layout(columns=100, language=None)


def pages(root: Path = ROOT) -> Mapping[str, str]:
    """Every page, by its path from the top of the tree."""
    catalogue = packaged()
    readme = (root / FOLDER / "README.md").read_text(encoding="utf-8")
    written = {
        "README": readme_page(readme, catalogue),
        **{game.lower(): book_page(catalogue.books[game], catalogue) for game in Game},
        "ambiguities": ambiguities_page(catalogue),
        "coverage": coverage_page(catalogue, coverage(root)),
    }
    return {f"{FOLDER}/{name}.md": text for name, text in written.items()}


def book_page(book: Book, catalogue: Catalogue) -> str:
    """The rules of one game with their original words."""
    text = f"../../gateway/sabot_gateway/rules/catalogue/texts/{book.text}.txt"
    parts = [
        f"# {book.game}: {book.title.en}",
        WRITTEN,
        f"{len(book.rules)} rules from *{book.document.en}* ([the text as kept]({text})). "
        "What the marks mean, and the words that differ between documents: [README](README.md).",
    ]
    for section in book.sections:
        parts.append(f"## {section.title.en} · {section.title.fr}")
        parts += [_rule_entry(rule, catalogue) for rule in section.rules]
    return _joined(parts)


def ambiguities_page(catalogue: Catalogue) -> str:
    """Every ambiguity with its keys, its resolution and the rules it touches."""
    parts = [
        "# Ambiguities and their resolutions",
        WRITTEN,
        "Where a text is silent or contradicts itself, Sabot does what stands here. "
        + " ".join(f"**{name}**: {wording.en}" for name, wording in catalogue.preamble.latitudes.items()),
    ]
    parts += [_ambiguity_entry(each) for each in catalogue.ambiguities.values()]
    return _joined(parts)


def coverage_page(catalogue: Catalogue, claims: Coverage) -> str:
    """Which test files and example coups show each rule."""
    compute = [rule for rule in catalogue.rules.values() if rule.mark is Mark.COMPUTE]
    shown = sum(rule.id in claims for rule in compute)
    parts = [
        "# Which test shows which rule",
        WRITTEN,
        f"{shown} of {len(compute)} COMPUTE rules are shown by a test, an example coup or a scenario script, and "
        f"{sum(rule in claims for rule in catalogue.rules)} of all {len(catalogue.rules)} rules. "
        "A test claims its rules with `@pytest.mark.rules`, an example coup with its `rules` list, "
        "a scenario script with its RULES line; the number says how often.",
    ]
    for game in Game:
        rows = [
            f"| [{rule.id}]({game.lower()}.md#{rule.id.lower()}) | {rule.mark} | {_claimed(claims.get(rule.id, {}))} |"
            for rule in catalogue.books[game].rules
        ]
        parts += [f"## {game}", "\n".join(["| rule | mark | shown by |", "| --- | --- | --- |", *rows])]
    return _joined(parts)


def readme_page(readme: str, catalogue: Catalogue) -> str:
    """The hand-written page with the part between its marks written anew."""
    preamble = catalogue.preamble
    parts = [
        _meanings("mark", preamble.marks),
        "**Classes** of ambiguities and of ruleset keys:",
        _meanings("class", preamble.latitudes),
        "**Outcomes** of a bet:",
        _meanings("outcome", preamble.outcomes),
        "**Principles**, applied in this order where a text is silent or contradicts itself:",
        _meanings("principle", preamble.principles),
        "**Counts**:",
        _counts(catalogue),
    ]
    return between_markers(readme, "\n\n".join(parts))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m sabot_tools.rule_docs", description="Write docs/rules.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a page is not current")
    args = parser.parse_args(arguments)
    stale = stale_pages()
    for page, text in stale.items():
        if args.check:
            print(f"{page} is not current.", file=sys.stderr)
        else:
            (ROOT / page).write_text(text, encoding="utf-8")
            print(f"wrote {page}")
    return 1 if args.check and stale else 0


def stale_pages(root: Path = ROOT) -> dict[str, str]:
    """The pages whose file differs from what it should hold, with what it should hold."""
    return {page: text for page, text in pages(root).items() if _held(root / page) != text}


def _held(file: Path) -> str | None:
    return file.read_text(encoding="utf-8") if file.exists() else None


def _rule_entry(rule: Rule, catalogue: Catalogue) -> str:
    lines = [f"### {rule.id}", "", f"**{rule.mark}** · {rule.sentence.en}", "", f"*{rule.sentence.fr}*"]
    if rule.derived is not None:
        lines += ["", f"**{_capital(DERIVED.en)}**: {_link(rule.derived)}."]
    if rule.quotes:
        lines += ["", *(f"- «\u00a0{_escaped(each.sentence)}\u00a0» (line {each.line})" for each in rule.quotes)]
    lines += ["", f"Check: {rule.check}"]
    also = [each.id for each in catalogue.ambiguities_of(rule.id) if each.id != rule.derived]
    if also:
        lines += ["", "See " + ", ".join(_link(each) for each in also) + "."]
    return "\n".join(lines)


def _ambiguity_entry(ambiguity: Ambiguity) -> str:
    lines = [f"## {ambiguity.id}", "", f"**{ambiguity.title.en}** · *{ambiguity.title.fr}* · {ambiguity.latitude}"]
    if ambiguity.choices:
        lines += ["", *(f"- `{choice.key}` {choice_text(choice, PLAIN)}" for choice in ambiguity.choices)]
    lines += ["", ambiguity.resolution.en, "", f"*{ambiguity.resolution.fr}*"]
    if ambiguity.rules:
        rules = ", ".join(f"[{rule}]({rule[:3].lower()}.md#{rule.lower()})" for rule in ambiguity.rules)
        lines += ["", f"Rules: {rules}"]
    return "\n".join(lines)


def _meanings(name: str, meanings: Mapping[str, Wording] | Mapping[Mark, Wording] | Mapping[Latitude, Wording]) -> str:
    rows = [f"| {key} | {wording.en} | {wording.fr} |" for key, wording in meanings.items()]
    return "\n".join([f"| {name} | meaning | en français |", "| --- | --- | --- |", *rows])


def _counts(catalogue: Catalogue) -> str:
    head = ["game", *Mark, "rules"]
    rows = []
    for game in Game:
        rules = catalogue.books[game].rules
        marks = [str(sum(rule.mark is mark for rule in rules)) for mark in Mark]
        rows.append([f"[{game}]({game.lower()}.md)", *marks, str(len(rules))])
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def _claimed(files: Mapping[str, int]) -> str:
    return ", ".join(f"{Path(file).name} ({times})" for file, times in files.items()) or "–"


def _link(ambiguity: str) -> str:
    return f"[{ambiguity}](ambiguities.md#{ambiguity.lower()})"


def _escaped(text: str) -> str:
    """Original words must read as they stand: their asterisks are not ours to interpret."""
    return text.replace("\\", "\\\\").replace("*", "\\*")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.exit(main())
