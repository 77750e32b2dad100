"""Code, data and documentation cite ids that the catalogue has."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sabot_gateway.rules.catalogue import ambiguities, rules

ROOT = Path(__file__).resolve().parents[3]
READ = {".py", ".toml", ".md", ".txt", ".html", ".js", ".cddl", ".json"}
RULE = re.compile(r"(?<![-\w])(?:TCF|STU|TCP|THE|UTH)-\d{2,3}\b")
AMBIGUITY = re.compile(r"\bA-(?:GEN|TCF|STU|TCP|THE|UTH)-\d\d\b")


def cited_ids(text: str) -> set[str]:
    return set(RULE.findall(text)) | set(AMBIGUITY.findall(text))


def unknown_citations(folder: Path) -> Iterator[str]:
    known = {each.id for each in rules()} | {each.id for each in ambiguities()}
    for file in sorted(folder.rglob("*")):
        if file.suffix in READ and file.is_file():
            missing = cited_ids(file.read_text(encoding="utf-8")) - known
            yield from (f"{file.name}: {each}" for each in sorted(missing))


@pytest.mark.parametrize("folder", ["gateway", "tools", "protocol", "firmware", "docs"])
def test_every_cited_id_exists(folder: str) -> None:
    assert list(unknown_citations(ROOT / folder)) == []


def test_an_id_that_does_not_exist_is_found(tmp_path: Path) -> None:
    (tmp_path / "pots.py").write_text("# THE-129: no such rule. THE-128 and A-THE-19 exist, A-THE-20 does not.\n")
    assert list(unknown_citations(tmp_path)) == ["pots.py: A-THE-20", "pots.py: THE-129"]


def test_the_rules_code_does_cite_the_catalogue() -> None:
    """The walk above would pass over an empty tree."""
    sources = (ROOT / "gateway" / "sabot_gateway" / "rules").glob("*.py")
    cited = set().union(*(cited_ids(file.read_text(encoding="utf-8")) for file in sources))
    assert len(cited) > 50
