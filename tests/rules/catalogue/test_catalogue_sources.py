"""The original words: quoted as they stand, on the line that is cited, and no line left out."""

import pytest

from sabot_gateway.model.game import Game
from sabot_gateway.rules.catalogue import packaged
from sabot_gateway.rules.catalogue.reading import sentence_around


@pytest.mark.parametrize("game", list(Game))
def test_every_quote_stands_on_its_line(game: Game) -> None:
    book = packaged().books[game]
    for rule in book.rules:
        for quote in rule.quotes:
            assert quote.words in book.lines[quote.line - 1], rule.id
            assert quote.words in quote.sentence, rule.id
            assert quote.sentence in book.lines[quote.line - 1], rule.id


@pytest.mark.parametrize("game", list(Game))
def test_every_line_that_says_something_is_cited(game: Game) -> None:
    book = packaged().books[game]
    cited = {quote.line for rule in book.rules for quote in rule.quotes}
    assert [number for number, line in enumerate(book.lines, 1) if line.strip() and number not in cited] == []


@pytest.mark.parametrize(
    ("line", "words", "sentence"),
    [
        ("Un coup. Deux coups. Trois coups.", "Deux", "Deux coups."),
        ("Un coup. Deux coups. Trois coups.", "coup. Deux", "Un coup. Deux coups."),
        ("- il peut passer : il perd sa mise. Le reste.", "il peut", "il peut passer : il perd sa mise."),
        ("3. Le joueur relance. Puis il attend.", "relance", "Le joueur relance."),
        ("  - a. Abandonner; ou", "Abandonner", "Abandonner; ou"),
        ("La carte (as, roi, etc.) décide. Fin.", "décide", "La carte (as, roi, etc.) décide."),
        ("# Article 57", "Article 57", "Article 57"),
    ],
)
def test_the_sentence_around_quoted_words(line: str, words: str, sentence: str) -> None:
    assert sentence_around(line, words) == sentence
