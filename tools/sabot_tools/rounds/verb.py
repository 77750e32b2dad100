"""What a verb of the script language is: how it is written, what it means, and what the rig does."""

from collections.abc import Callable
from dataclasses import dataclass

from sabot_tools.rounds.arguments import Arguments
from sabot_tools.rounds.rig import Rig


@dataclass(frozen=True, slots=True)
class Verb:
    name: str
    usage: str
    meaning: str
    act: Callable[[Rig, Arguments], None]
