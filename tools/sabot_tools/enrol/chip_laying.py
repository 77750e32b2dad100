"""Chips, stack by stack on a bet spot: each stable reading is shown with its count and taken when it is confirmed.

Owns which reading waits for its confirmation, and which were taken. Used to register chips as well as to withdraw them:
`why_not` says which tags belong here.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from sabot_gateway.model.event import ChipsDoubted, ChipsRead, DeviceEvent
from sabot_gateway.model.tag import Tag
from sabot_tools.enrol.dialogue import DONE, DOUBTS, QUIT, UNDO, WhyNot, stopped
from sabot_tools.field.trouble import FieldError


class Stack(NamedTuple):
    """What lies on one spot; `where` is how a person says it."""

    where: str
    tags: tuple[Tag, ...]


class ChipLaying:
    """Collects chips; `count` is how many there must be in the end, 0 for any number."""

    def __init__(self, what: str, count: int, why_not: WhyNot) -> None:
        self._what = what
        self._count = count
        self._why_not = why_not
        self._taken: list[Stack] = []
        self._waiting: Stack | None = None
        self.is_done = False

    @property
    def tags(self) -> list[Tag]:
        return [tag for stack in self._taken for tag in stack.tags]

    def opening(self) -> Sequence[str]:
        wanted = f", {self._count} in all" if self._count else ""
        return (
            f"{self._what}{wanted}: lay a stack on a spot, wait for the count, press Enter, take it away, and so on.",
            f"{DONE} and Enter when all were laid, {UNDO} takes the last stack back, {QUIT} stops.",
        )

    def heard(self, event: DeviceEvent) -> Sequence[str]:
        match event:
            case ChipsRead(seat=seat, spot=spot, tags=tags):
                return self._read(Stack(_spoken(seat, spot), tags))
            case ChipsDoubted(seat=seat, spot=spot, reason=reason):
                where = _spoken(seat, spot)
                if self._waiting is not None and self._waiting.where == where:
                    self._waiting = None
                return (f"{where}: doubtful, not taken: {DOUBTS[reason]}. Lay the stack again.",)
            case _:
                return ()

    def typed(self, word: str) -> Sequence[str]:
        if word == QUIT:
            raise stopped()
        if word == UNDO:
            return (self._undo(),)
        if word == DONE:
            return self._finish()
        if word:
            return (f"Enter takes the stack; {DONE}, {UNDO} or {QUIT} and Enter: done, take back, stop.",)
        if self._waiting is None:
            return ("There is no stack to take; lay one on a spot.",)
        if wrong := self._wrong(self._waiting):
            return (wrong,)
        self._taken.append(self._waiting)
        self._waiting = None
        return (f"Taken: {self._total()}.",)

    def ended(self) -> None:
        raise FieldError(f"The input ended before {DONE}; nothing was registered.")

    def _read(self, stack: Stack) -> Sequence[str]:
        waited = self._waiting is not None and self._waiting.where == stack.where
        if not stack.tags:
            if waited:
                self._waiting = None
                return (f"{stack.where}: taken away before Enter; {self._total()}.",)
            return ()
        if any(set(stack.tags) == set(known.tags) for known in self._taken):
            return (f"{stack.where}: this stack was taken already; lay the next.",)
        self._waiting = stack
        wrong = self._wrong(stack)
        return (wrong or f"{stack.where}: {_chips(len(stack.tags))}. Enter takes them.",)

    def _wrong(self, stack: Stack) -> str:
        known = set(self.tags)
        reasons = Counter("was taken already" if tag in known else self._why_not(tag) for tag in stack.tags)
        del reasons[""]
        if not reasons:
            return ""
        named = "; ".join(f"one {why}" if count == 1 else f"{count} times: one {why}" for why, count in reasons.items())
        return f"{stack.where}: {_chips(len(stack.tags))}, not taken: {named}. Take it out and lay the rest."

    def _undo(self) -> str:
        if not self._taken:
            return "There is no stack to take back."
        gone = self._taken.pop()
        return f"The last stack, {_chips(len(gone.tags))}, was taken back; {self._total()}."

    def _finish(self) -> Sequence[str]:
        if self._waiting is not None:
            return (f"{self._waiting.where}: a stack waits for Enter; take it, or take it away.",)
        count = len(self.tags)
        if not count:
            return (f"No stack was taken yet; {QUIT} and Enter stops.",)
        if self._count and count != self._count:
            return (f"There are {_chips(count)} instead of {self._count}; lay the others, or stop with {QUIT}.",)
        self.is_done = True
        return ()

    def _total(self) -> str:
        return f"{_chips(len(self.tags))} so far" + (f" of {self._count}" if self._count else "")


def _chips(count: int) -> str:
    return "1 chip" if count == 1 else f"{count} chips"


def _spoken(seat: int, spot: str) -> str:
    return f"{spot.replace('_', ' ')} of seat {seat}" if seat else spot.replace("_", " ")
