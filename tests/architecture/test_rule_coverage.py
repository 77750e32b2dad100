"""No rule that Sabot computes goes without a test, and no test claims a rule that does not exist."""

from pathlib import Path

import pytest

from sabot_gateway.rules.catalogue import Mark, packaged, rules
from sabot_tools.rule_coverage import ClaimError, claims_of_cases, claims_of_test, coverage

ROOT = Path(__file__).resolve().parents[2]


def test_every_compute_rule_is_shown_by_a_test_or_an_example_coup() -> None:
    claims = coverage(ROOT)
    uncovered = [rule.id for rule in rules() if rule.mark is Mark.COMPUTE and rule.id not in claims]
    assert uncovered == [], f"{len(uncovered)} COMPUTE rules without a test: {', '.join(uncovered)}"


def test_every_claimed_rule_exists() -> None:
    known = packaged().rules.keys() | packaged().ambiguities.keys()
    unknown = {rule: list(files) for rule, files in coverage(ROOT).items() if rule not in known}
    assert unknown == {}


def test_claims_are_found_wherever_a_mark_may_stand() -> None:
    source = """
import pytest
pytestmark = pytest.mark.rules("TCF-01")

@pytest.mark.rules("TCF-02", "TCF-03")
@pytest.mark.slow
class TestPlay:
    @pytest.mark.rules(*("TCF-04", "TCF-05"))
    def test_one(self): ...

@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.rules("TCF-06"))])
def test_two(x): assert rules("TCF-07")
"""
    assert sorted(claims_of_test(source)) == [f"TCF-0{number}" for number in range(1, 7)]


@pytest.mark.parametrize("call", ["rules(IDS)", "rules(*IDS)", "rules(f'TCF-{n}')", "rules(ids='TCF-01')"])
def test_a_claim_that_only_a_run_could_read_is_refused(call: str) -> None:
    with pytest.raises(ClaimError, match="test:1"):
        claims_of_test(f"@pytest.mark.{call}\ndef test_one(): ...")


def test_an_example_coup_claims_its_rules_once() -> None:
    lines = ['{"id": "1", "rules": ["TCF-46", "TCF-46", "TCF-48"]}', "", '{"id": "2"}', '{"rules": ["TCF-46"]}']
    assert claims_of_cases(lines) == ["TCF-46", "TCF-48", "TCF-46"]


def test_claims_are_counted_by_file(tmp_path: Path) -> None:
    (tmp_path / "tests" / "cases").mkdir(parents=True)
    (tmp_path / "tests" / "test_play.py").write_text('@pytest.mark.rules("TCF-46")\ndef test_one(): ...\n')
    (tmp_path / "tests" / "cases" / "tcf.jsonl").write_text('{"rules": ["TCF-46"]}\n{"rules": ["TCF-46", "TCF-48"]}\n')
    assert coverage(tmp_path) == {
        "TCF-46": {"tests/cases/tcf.jsonl": 2, "tests/test_play.py": 1},
        "TCF-48": {"tests/cases/tcf.jsonl": 1},
    }
