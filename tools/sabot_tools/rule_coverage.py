"""Which tests, example coups and scenario scripts show which rule: read from their sources, never from a run.

A test claims rules with `@pytest.mark.rules("TCF-48", …)`; an example coup with its `rules` list; a scenario
script with its RULES header (`RULES TCF-48 TCF-49`, one or more lines).
Claims are read, not trusted: that a claimed id exists is for the caller to check.
"""

import ast
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from sabot_tools.rounds.reading import rules_of_script

Coverage = Mapping[str, Mapping[str, int]]  # rule -> file (relative to the root, posix) -> number of claims


class ClaimError(ValueError):
    """A claim that cannot be read without running the test."""


def coverage(root: Path) -> Coverage:
    """Every claim under `root`/tests."""
    found: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for file, claimed in _claims(root / "tests"):
        for rule in claimed:
            found[rule][file.relative_to(root).as_posix()] += 1
    return {rule: dict(sorted(files.items())) for rule, files in sorted(found.items())}


def claims_of_test(source: str, name: str = "test") -> list[str]:
    """The ids in every `pytest.mark.rules(…)` of a test file, as decorator, `pytestmark` or `marks=` alike."""
    claims: list[str] = []
    for node in ast.walk(ast.parse(source, name)):
        if isinstance(node, ast.Call) and _is_rules_mark(node.func):
            if node.keywords:
                raise ClaimError(f"{name}:{node.lineno}: rules() takes ids only.")
            claims += _literals(node.args, f"{name}:{node.lineno}")
    return claims


def claims_of_cases(lines: Iterable[str]) -> list[str]:
    """The ids in the `rules` lists of example coups, once per coup."""
    return [rule for line in lines if line.strip() for rule in dict.fromkeys(json.loads(line).get("rules", ()))]


def _claims(tests: Path) -> Iterator[tuple[Path, list[str]]]:
    for file in sorted(tests.rglob("*.py")):
        yield file, claims_of_test(file.read_text(encoding="utf-8"), str(file))
    for file in sorted((tests / "cases").glob("*.jsonl")):
        with file.open(encoding="utf-8") as lines:
            yield file, claims_of_cases(lines)
    for file in sorted((tests / "rounds").glob("*.round")):
        yield file, rules_of_script(file.read_text(encoding="utf-8"))


def _is_rules_mark(func: ast.expr) -> bool:
    return (
        isinstance(func, ast.Attribute)
        and func.attr == "rules"
        and isinstance(func.value, ast.Attribute)
        and func.value.attr == "mark"
    )


def _literals(args: Iterable[ast.expr], where: str) -> list[str]:
    """The texts among `args`; a starred literal tuple counts, anything computed does not."""
    found: list[str] = []
    for arg in args:
        match arg:
            case ast.Constant(value=str(text)):
                found.append(text)
            case ast.Starred(value=ast.Tuple(elts=parts) | ast.List(elts=parts)):
                found += _literals(parts, where)
            case _:
                raise ClaimError(f"{where}: rules() must be given ids as plain texts.")
    return found
