"""What a scenario script is once it has been read: headers, then steps in order, each with its file and line.

Nothing here knows a verb or plays a step. A script that cannot be used leaves
as a `ScriptError` in one sentence that names file and line.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sabot_gateway.model.game import Game


class ScriptError(ValueError):
    """A script that says something impossible; the text is for the person who wrote it."""

    def __init__(self, where: "Line", reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Line:
    """Where a step was written; a step of a fragment keeps the fragment's name."""

    file: str
    number: int
    text: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.number}"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens (`verb` in small letters) or one expectation (`verb` is EXPECT)."""

    line: Line
    verb: str
    words: tuple[str, ...]
    depth: int = 0  # how many fragments it stands in

    @property
    def is_expectation(self) -> bool:
        return self.verb == "EXPECT"


@dataclass(frozen=True, slots=True)
class Script:
    """`ruleset` overrides what the house may choose; `fitted` names the optional sensors of the table."""

    name: str
    game: Game
    title: str
    rules: tuple[str, ...] = ()
    players: tuple[int, ...] = ()
    ruleset: Mapping[str, object] = field(default_factory=dict)
    fitted: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
