"""One badge, held to the reader twice: the same tag both times, so that no neighbour's badge is taken for it."""

from collections.abc import Sequence

from sabot_gateway.model.event import BadgeRead, DeviceEvent
from sabot_gateway.model.tag import Tag
from sabot_tools.enrol.dialogue import QUIT, WhyNot, stopped
from sabot_tools.field.trouble import FieldError


class BadgeHolding:
    """Collects one tag; `tag` is None until it was read twice."""

    def __init__(self, person: str, why_not: WhyNot) -> None:
        self.tag: Tag | None = None
        self._first: Tag | None = None
        self._person = person
        self._why_not = why_not

    @property
    def is_done(self) -> bool:
        return self.tag is not None

    def opening(self) -> Sequence[str]:
        return (f"Hold the badge of {self._person} to the reader. {QUIT} and Enter stops.",)

    def heard(self, event: DeviceEvent) -> Sequence[str]:
        if not isinstance(event, BadgeRead):
            return ()
        if why := self._why_not(event.tag):
            raise FieldError(f"This badge {why}.")
        if self._first is None:
            self._first = event.tag
            return ("Read. Take it away for two seconds, and hold it there again.",)
        if event.tag != self._first:
            self._first = None
            return ("That was another badge: not taken. Hold the right one there, twice.",)
        self.tag = event.tag
        return ()

    def typed(self, word: str) -> Sequence[str]:
        if word == QUIT:
            raise stopped()
        return self.opening()

    def ended(self) -> None:
        pass  # holding a badge needs no keyboard
