"""docs/rules says what the catalogue says, and derived rules say that they are."""

import re
from pathlib import Path

import pytest

from sabot_gateway.model.game import Game
from sabot_gateway.rules.catalogue import ambiguities, packaged, rules
from sabot_tools.rule_docs import FOLDER, ambiguities_page, book_page, coverage_page, pages, readme_page

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("page", sorted(pages()))
def test_the_page_is_current(page: str) -> None:
    assert (ROOT / page).read_text(encoding="utf-8") == pages()[page], "run: make docs"


def test_every_rule_and_ambiguity_has_its_own_heading() -> None:
    catalogue = packaged()
    written = "".join(book_page(catalogue.books[game], catalogue) for game in Game) + ambiguities_page(catalogue)
    headings = re.findall(r"^#{2,3} ((?:A-)?[A-Z]{3}-\d+)$", written, re.MULTILINE)
    assert headings == [*(rule.id for rule in rules()), *(ambiguity.id for ambiguity in ambiguities())]


def test_every_derived_rule_is_shown_as_derived() -> None:
    catalogue = packaged()
    for game in Game:
        entries = book_page(catalogue.books[game], catalogue).split("\n### ")[1:]
        shown = {entry.split("\n")[0] for entry in entries if "**Derived, not the letter of the regulation**" in entry}
        assert shown == {rule.id for rule in catalogue.books[game].rules if rule.derived is not None}


def test_every_link_of_the_pages_leads_somewhere() -> None:
    written = pages()
    for page, text in written.items():
        for target in re.findall(r"\]\(([^)#]+)", text):
            assert ((ROOT / page).parent / target).exists() or f"{FOLDER}/{target}" in written, (page, target)


def test_the_coverage_page_counts_what_is_shown() -> None:
    page = coverage_page(packaged(), {"TCF-46": {"tests/cases/tcf.jsonl": 3}, "TCF-01": {"tests/test_deck.py": 1}})
    assert "1 of 151 COMPUTE rules" in page
    assert "2 of all 396 rules" in page
    assert "| [TCF-46](tcf.md#tcf-46) | COMPUTE | tcf.jsonl (3) |" in page


def test_a_readme_without_its_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="generated: begin"):
        readme_page("# The rules\n", packaged())
