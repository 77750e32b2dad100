"""docs/rounds.md tells the whole language, and its example is a script that passes."""

from pathlib import Path

import pytest

from sabot_tools.rounds.expectation import KINDS, NEGATED, NOT_BLOCKED
from sabot_tools.rounds.playing import VERBS, play
from sabot_tools.rounds.reading import HEADERS, script_from_text

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "rounds.md").read_text(encoding="utf-8")
FRAGMENTS = {path.name.split(".")[0] for path in (ROOT / "tools/sabot_tools/rounds/fragments").glob("*.part")}


@pytest.mark.parametrize("verb", VERBS.values(), ids=lambda verb: verb.name)
def test_every_step_is_on_the_page(verb: object) -> None:
    usage = getattr(verb, "usage", "")
    assert all(f"`{form.strip()}`" in PAGE for form in usage.split("·"))


@pytest.mark.parametrize("kind", [*KINDS.values(), *NEGATED.values(), NOT_BLOCKED], ids=lambda kind: kind.name)
def test_every_expectation_is_on_the_page(kind: object) -> None:
    usage = getattr(kind, "usage", "")
    assert all(f"`{form.strip()}`" in PAGE for form in usage.split("·"))


@pytest.mark.parametrize("word", [*HEADERS, *sorted(FRAGMENTS)])
def test_every_header_and_fragment_is_on_the_page(word: str) -> None:
    assert f"`{word}" in PAGE


def test_the_example_of_the_page_passes() -> None:
    example = PAGE.split("```round\n")[1].split("```")[0]
    played = play(script_from_text(example, "rounds.md"))
    assert played.failure is None, str(played.failure)
    assert played.held > 10
