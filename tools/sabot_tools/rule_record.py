"""Rules and ambiguities as JSON values, for programs that ask `sabot rules --json`."""

from collections import Counter

from sabot_gateway.model.game import Game
from sabot_gateway.rules.catalogue import Ambiguity, Catalogue, Latitude, Mark, Rule, Wording
from sabot_gateway.rules.vocabulary import Language


def rule_record(rule: Rule, catalogue: Catalogue, language: Language | None = None) -> dict[str, object]:
    book = catalogue.books[rule.game]
    return {
        "id": rule.id,
        "game": rule.game,
        "mark": rule.mark,
        "sentence": _wording(rule.sentence, language),
        "derived": rule.derived,
        "check": rule.check,
        "document": _wording(book.document, language),
        "source": [{"line": each.line, "words": each.words, "sentence": each.sentence} for each in rule.quotes],
        "ambiguities": [ambiguity_record(each, language) for each in catalogue.ambiguities_of(rule.id)],
    }


def ambiguity_record(ambiguity: Ambiguity, language: Language | None = None) -> dict[str, object]:
    return {
        "id": ambiguity.id,
        "class": ambiguity.latitude,
        "title": _wording(ambiguity.title, language),
        "choices": [
            {
                "key": each.key,
                "class": each.latitude,
                "values": list(each.values),
                "domain": each.domain,
                "default": each.default,
            }
            for each in ambiguity.choices
        ],
        "resolution": _wording(ambiguity.resolution, language),
        "rules": list(ambiguity.rules),
    }


def counts_record(catalogue: Catalogue) -> dict[str, object]:
    def by_mark(game: Game) -> dict[str, int]:
        marks = Counter(rule.mark for rule in catalogue.books[game].rules)
        return {mark: marks[mark] for mark in Mark}

    classes = Counter(each.latitude for each in catalogue.ambiguities.values())
    return {
        "rules": {game: by_mark(game) for game in Game},
        "ambiguities": {latitude: classes[latitude] for latitude in Latitude},
    }


def _wording(wording: Wording, language: Language | None) -> dict[str, str]:
    return {each: wording.said_in(each) for each in Language if language in (None, each)}
