"""Generated files are current, and a file that drifts is named."""

import shutil
from pathlib import Path

import pytest

from conftest import ROOT
from sabot_tools.generated import BEGIN, END, between_markers, outdated


def test_every_generated_file_is_current() -> None:
    stale = [str(path.relative_to(ROOT)) for path, _ in outdated()]
    assert stale == [], "run `make docs` and commit what it writes"


def test_a_drifted_file_is_named(tmp_path: Path) -> None:
    for folder in ("docs", "protocol", "firmware"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    assert list(outdated(tmp_path)) == []
    page = tmp_path / "docs" / "commands.md"
    page.write_text(page.read_text() + "a line that no command prints\n")
    assert [path for path, _ in outdated(tmp_path)] == [page]


def test_markers_keep_the_text_around_them() -> None:
    page = f"above\n{BEGIN}\nold\n{END}\nbelow\n"
    assert between_markers(page, "new") == f"above\n{BEGIN}\n\nnew\n\n{END}\nbelow\n"
    with pytest.raises(ValueError, match="no <!-- generated"):
        between_markers("no markers here", "new")
