"""Scenario scripts count for the coverage of the rules they cite."""

from pathlib import Path

from sabot_tools.rule_coverage import coverage


def test_the_rules_header_of_a_script_is_a_claim(tmp_path: Path) -> None:
    folder = tmp_path / "tests" / "rounds"
    folder.mkdir(parents=True)
    (folder / "one.round").write_text("GAME tcf\nTITLE one\nRULES TCF-46, TCF-48\nRULES TCF-46\n")
    (folder / "two.round").write_text("GAME tcf\nTITLE two\nRULES TCF-46\n")
    assert coverage(tmp_path) == {
        "TCF-46": {"tests/rounds/one.round": 1, "tests/rounds/two.round": 1},
        "TCF-48": {"tests/rounds/one.round": 1},
    }
