"""The words of the pages, French beside English, from `words/*.toml`.

Owns the form of those files: `key = { fr = "…", en = "…" }` under a heading per page. A key that lacks a language,
stands in two files or is asked for and missing is a defect, found by a test and refused at start.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from sabot_gateway.settings.shape import Language

_LANGUAGES: Final = frozenset(Language)


class Words:
    """The words of one language: `words("floor.title")`, `words("floor.seats", n=3)`."""

    def __init__(self, language: Language, texts: Mapping[str, str]) -> None:
        self.language = language
        self._texts = texts

    def __call__(self, key: str, **values: object) -> str:
        text = self._texts[key]
        return text.format_map(values) if values else text

    def __contains__(self, key: str) -> bool:
        return key in self._texts


@cache
def words_in(language: Language) -> Words:
    return Words(language, {key: pair[language] for key, pair in all_words().items()})


@cache
def all_words() -> Mapping[str, Mapping[str, str]]:
    """Key to language to text, of all files."""
    found: dict[str, Mapping[str, str]] = {}
    for file in sorted(files("sabot_gateway.web").joinpath("words").iterdir(), key=lambda each: each.name):
        if not file.name.endswith(".toml"):
            continue
        for heading, entries in tomllib.loads(file.read_text("utf-8")).items():
            for name, pair in entries.items():
                key = f"{heading}.{name}"
                if key in found or not isinstance(pair, dict) or set(pair) != _LANGUAGES:
                    raise ValueError(f"{file.name}: {key} must stand once, in French and in English")
                found[key] = pair
    return found
