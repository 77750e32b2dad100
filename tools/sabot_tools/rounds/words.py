"""The words of one line: split, numbers, seats, amounts and times, each refused with a sentence when it is not one."""

import re
from typing import Final

from sabot_tools.rounds.script import Line, ScriptError

_WORD: Final = re.compile(r'"([^"]*)"|(#.*)|([^\s"#][^\s"]*)')
_AMOUNT: Final = re.compile(r"(\d{1,9})(?:\.(\d{1,2}))?")
_TIME: Final = re.compile(r"(\d{1,9})(ms|s|min|h)")
_UNIT_MS: Final = {"ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000}


def split(line: Line) -> tuple[str, ...]:
    """The words of a line without its comment; a text in double quotes is one word."""
    words: list[str] = []
    rest = line.text
    while rest := rest.lstrip():
        found = _WORD.match(rest)
        if found is None:
            raise ScriptError(line, 'a text opens with " and does not close.')
        if found[2] is not None:
            break
        words.append(found[1] if found[1] is not None else found[3])
        rest = rest[found.end() :]
    return tuple(words)


def seat_from(word: str, line: Line) -> int:
    if word.isdecimal() and 1 <= int(word) <= 10:
        return int(word)
    raise ScriptError(line, f"{word!r} is not a seat: write a number from 1 to 10.")


def cents_from(word: str, line: Line) -> int:
    """`10` or `0.20` in the table's currency."""
    found = _AMOUNT.fullmatch(word)
    if found is None:
        raise ScriptError(line, f"{word!r} is not an amount: write 10 or 0.20.")
    return int(found[1]) * 100 + int((found[2] or "0").ljust(2, "0"))


def stack_from(word: str, line: Line) -> tuple[int, ...]:
    """`10+5` as the single chips of a stack; a plain amount is left to be made up of any chips."""
    return tuple(cents_from(part, line) for part in word.split("+"))


def signed_from(word: str, line: Line) -> int:
    """`+10`, `-5` or `0`."""
    sign = -1 if word.startswith("-") else 1
    return sign * cents_from(word.lstrip("+-"), line)


def milliseconds_from(word: str, line: Line) -> int:
    found = _TIME.fullmatch(word)
    if found is None:
        raise ScriptError(line, f"{word!r} is not a time: write 500ms, 5s, 3min or 1h.")
    return int(found[1]) * _UNIT_MS[found[2]]


def text_from_cents(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"
