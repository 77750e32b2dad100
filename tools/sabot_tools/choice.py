"""Arguments that take one of a few names, in any case: read alike and refused alike by every command."""

import argparse
from collections.abc import Callable
from enum import StrEnum
from typing import TypeVar

_Name = TypeVar("_Name", bound=StrEnum)


def one_of(kind: type[_Name]) -> Callable[[str], _Name]:
    """A reader for `add_argument(type=…)`: the name that was meant, or a sentence with all there are."""
    names = {str(name).casefold(): name for name in kind}

    def read(word: str) -> _Name:
        if word.casefold() not in names:
            raise argparse.ArgumentTypeError(f"{word[:40]!r} is not one of {', '.join(kind)}")
        return names[word.casefold()]

    return read


def listed(kind: type[StrEnum]) -> str:
    """All names as a help page shows them."""
    return "{" + ",".join(kind) + "}"
