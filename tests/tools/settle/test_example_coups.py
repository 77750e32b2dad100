"""Every example coup of the rule book, run through `settle_line` as a user's file would be."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from sabot_gateway.rulebook import shipped_rulesets
from sabot_tools.settle.line import settle_line

CASES = Path(__file__).parents[2] / "cases"


def example_cases() -> Iterator[Mapping[str, object]]:
    for path in sorted(CASES.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def differences(expected: object, found: object, path: str = "") -> Iterator[str]:
    """Where `found` does not contain `expected`: mappings by key, seats by number, other lists item by item."""
    if isinstance(expected, dict):
        if path == ".seats" and isinstance(found, list):
            found = {str(seat["seat"]): seat for seat in found}
        if not isinstance(found, dict):
            yield f"{path}: {found!r} is no mapping"
            return
        for key, value in expected.items():
            if key not in found:
                yield f"{path}.{key}: missing"
            else:
                yield from differences(value, found[key], f"{path}.{key}")
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            yield f"{path}: {len(found)} items instead of {len(expected)}: {found!r}"
            return
        for index, (one, other) in enumerate(zip(expected, found, strict=True)):
            yield from differences(one, other, f"{path}[{index}]")
    elif expected != found or type(expected) is not type(found):
        yield f"{path}: {found!r} instead of {expected!r}"


@pytest.mark.parametrize("case", list(example_cases()), ids=lambda case: f"{case['id']} {case['title']}")
def test_example_coup_is_decided_as_the_rule_book_says(case: Mapping[str, object]) -> None:
    decided = settle_line(case, shipped_rulesets())
    assert list(differences(case["expect"], decided)) == []


def test_the_comparison_of_examples_finds_a_difference() -> None:
    assert list(differences({"a": [1]}, {"a": [2]})) == [".a[0]: 2 instead of 1"]
    assert list(differences({"seats": {"2": {"net": 5}}}, {"seats": [{"seat": 2, "net": 4}]}))
    assert list(differences({"ok": True}, {"ok": 1}))
