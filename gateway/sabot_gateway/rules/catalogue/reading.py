"""From the text of the data files to a catalogue. Pure: text in, catalogue out, or a CatalogueError that says where.

Must not know where the files lie. Refuses what would make a citation lie: an id twice, words
that do not stand on the cited line, a link to nothing, a rule that rests on nothing.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypeVar

from sabot_gateway.model.game import Game
from sabot_gateway.rules.catalogue.entry import (
    Ambiguity,
    AmbiguityId,
    Book,
    Catalogue,
    Choice,
    Latitude,
    Mark,
    Preamble,
    Quote,
    Rule,
    RuleId,
    Section,
    Wording,
)
from sabot_gateway.rules.catalogue.table import CatalogueError, Table

ELLIPSIS = "[…]"  # stands where a kept text leaves out what no rule cites

K = TypeVar("K")
V = TypeVar("V")


def catalogue_from_text(preamble: str, books: Iterable[str], ambiguities: str, texts: Mapping[str, str]) -> Catalogue:
    """The catalogue written in these files; `texts` holds the original documents by the name a book gives them."""
    read = [_book(_table(book, "a book"), texts) for book in books]
    found = [_ambiguity(item) for item in _table(ambiguities, "the ambiguities").tables("ambiguity")]
    catalogue = Catalogue(
        preamble=_preamble(_table(preamble, "the preamble")),
        books=_by_id(read, lambda book: book.game),
        rules=_by_id((rule for book in read for rule in book.rules), lambda rule: rule.id),
        ambiguities=_by_id(found, lambda item: item.id),
    )
    _check_links(catalogue)
    return catalogue


def sentence_around(line: str, words: str) -> str:
    """The sentence of `line` in which `words` begin, through the one in which they end, without list marks."""
    if ELLIPSIS in line:
        return words
    start = line.index(words)
    ends = [match.start() + 1 for match in re.finditer(r"(?<=[^\d\s])[.](?=\s)", line)]
    first = max((end for end in ends if end <= start), default=0)
    last = min((end for end in ends if end >= start + len(words)), default=len(line))
    return re.sub(r"^(?:[-#*]+|\d+\.|[a-z]\.|:)\s+", "", line[first:last].strip())


def _table(text: str, where: str) -> Table:
    try:
        return Table(where, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise CatalogueError(where, f"is not TOML: {error}") from error


def _book(table: Table, texts: Mapping[str, str]) -> Book:
    game = table.one_of("game", Game)
    name = table.text("text")
    if name not in texts:
        raise CatalogueError(game, f"names the text {name!r}, which is not kept")
    lines = tuple(texts[name].split("\n"))
    book = Book(
        game=game,
        title=table.wording("title_"),
        document=table.wording("document_"),
        text=name,
        lines=lines,
        sections=tuple(_section(section, game, lines) for section in table.tables("section")),
    )
    table.finish()
    return book


def _section(table: Table, game: Game, lines: tuple[str, ...]) -> Section:
    section = Section(table.wording(), tuple(_rule(rule, game, lines) for rule in table.tables("rule")))
    table.finish()
    return section


def _rule(table: Table, game: Game, lines: tuple[str, ...]) -> Rule:
    table.where = table.text("id")
    derived = table.text_or_none("derived")
    rule = Rule(
        id=RuleId(table.where),
        game=game,
        mark=table.one_of("mark", Mark),
        sentence=table.wording(),
        check=table.text("check"),
        quotes=tuple(_quote(source, table.where, lines) for source in table.tables("source")),
        derived=None if derived is None else AmbiguityId(derived),
    )
    table.finish()
    if not rule.id.startswith(f"{game}-"):
        raise CatalogueError(rule.id, f"does not belong to {game}")
    if not rule.quotes and rule.derived is None:
        raise CatalogueError(rule.id, "rests on no words and on no ambiguity")
    return rule


def _quote(table: Table, where: str, lines: tuple[str, ...]) -> Quote:
    line, words = table.number("line"), table.text("words")
    table.finish()
    if not 1 <= line <= len(lines) or words not in lines[line - 1]:
        raise CatalogueError(where, f"quotes {words!r}, which does not stand on line {line}")
    return Quote(line, words, sentence_around(lines[line - 1], words))


def _ambiguity(table: Table) -> Ambiguity:
    table.where = table.text("id")
    ambiguity = Ambiguity(
        id=AmbiguityId(table.where),
        latitude=table.one_of("class", Latitude),
        title=table.wording("title_"),
        resolution=table.wording("resolution_"),
        choices=tuple(_choice(choice) for choice in table.tables("choices")),
        rules=tuple(RuleId(rule) for rule in table.texts("rules")),
    )
    table.finish()
    return ambiguity


def _choice(table: Table) -> Choice:
    choice = Choice(
        key=table.text("key"),
        latitude=table.one_of("class", Latitude),
        values=table.texts("values"),
        domain=table.text_or_none("domain"),
        default=table.text_or_none("default"),
    )
    table.finish()
    if bool(choice.values) == bool(choice.domain):
        raise CatalogueError(table.where, f"must give {choice.key} either values or a domain")
    return choice


def _preamble(table: Table) -> Preamble:
    def entries(key: str) -> dict[str, Wording]:
        return {entry.text("id"): entry.wording() for entry in table.tables(key)}

    marks, latitudes = entries("mark"), entries("class")
    unexplained = [*(set(Mark) - marks.keys()), *(set(Latitude) - latitudes.keys())]
    if unexplained:
        raise CatalogueError("the preamble", f"does not explain {', '.join(sorted(unexplained))}")
    preamble = Preamble(
        marks=MappingProxyType({mark: marks[mark] for mark in Mark}),
        latitudes=MappingProxyType({latitude: latitudes[latitude] for latitude in Latitude}),
        principles=MappingProxyType(entries("principle")),
        outcomes=MappingProxyType(entries("outcome")),
    )
    table.finish()
    return preamble


def _by_id(items: Iterable[V], key: Callable[[V], K]) -> Mapping[K, V]:
    found: dict[K, V] = {}
    for item in items:
        if key(item) in found:
            raise CatalogueError(str(key(item)), "stands in the catalogue twice")
        found[key(item)] = item
    return MappingProxyType(found)


def _check_links(catalogue: Catalogue) -> None:
    for rule in catalogue.rules.values():
        if rule.derived is None:
            continue
        ambiguity = catalogue.ambiguities.get(rule.derived)
        if ambiguity is None or rule.id not in ambiguity.rules:
            raise CatalogueError(rule.id, f"is derived from {rule.derived}, which does not name it")
    for ambiguity in catalogue.ambiguities.values():
        for linked in ambiguity.rules:
            if linked not in catalogue.rules:
                raise CatalogueError(ambiguity.id, f"names the rule {linked}, which does not exist")
