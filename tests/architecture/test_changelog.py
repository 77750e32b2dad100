"""The changelog's newest entry is the version that pyproject.toml builds."""

import re
import tomllib

import pytest

from conftest import ROOT

HEADINGS = ("### Protocol", "### Rules", "### Journal")


def newest_entry(changelog: str) -> tuple[str, str]:
    """The first version heading and the text below it, up to the next one."""
    found = re.search(r"^## (\d+\.\d+\.\d+)\b.*?$(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    assert found, "the changelog has no version heading"
    return found[1], found[2]


def test_changelog_and_version_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    version, text = newest_entry((ROOT / "CHANGELOG.md").read_text())
    assert version == project["version"]
    assert [heading for heading in HEADINGS if heading not in text] == []


def test_the_newest_entry_is_the_first_one() -> None:
    version, text = newest_entry("# Changelog\n\n## 1.2.0\nnew\n\n## 1.1.0\nold\n")
    assert version == "1.2.0"
    assert "old" not in text


def test_a_changelog_without_a_version_is_refused() -> None:
    with pytest.raises(AssertionError, match="no version heading"):
        newest_entry("# Changelog\n\nsoon\n")
