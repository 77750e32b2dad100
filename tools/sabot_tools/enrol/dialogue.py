"""What passes between the person at the reader and an enrolment: readings and typed words in, sentences out.

Owns the shape that deck, chips and badge share. A dialogue is pure: no reader, no terminal, no clock. It collects; what
is registered is decided when it is done, in one piece.
"""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from sabot_gateway.model.event import DeviceEvent
from sabot_gateway.model.felt import Doubt
from sabot_gateway.model.tag import Tag
from sabot_tools.field.trouble import FieldError

UNDO: Final = "u"
DONE: Final = "d"
QUIT: Final = "q"

# Why a tag cannot be taken; empty when it can.
WhyNot = Callable[[Tag], str]

DOUBTS: Final = {
    Doubt.TWO_CARDS: "two cards passed at once",
    Doubt.DRAWN_BACK: "it was drawn back, or passed a moment ago (wait twenty seconds)",
    Doubt.READ_AGAIN: "it passed a moment ago (wait twenty seconds)",
    Doubt.NEIGHBOUR: "another antenna sees it too",
    Doubt.UNREADABLE: "a tag could not be read",
    Doubt.UNSTABLE: "it does not lie still",
    Doubt.TOO_MANY: "there are too many tags at once",
}


class StoppedError(FieldError):
    """The person stopped; nothing was registered."""


class Dialogue(Protocol):
    @property
    def is_done(self) -> bool:
        """Everything is there."""

    def opening(self) -> Sequence[str]:
        """What the person reads first."""

    def heard(self, event: DeviceEvent) -> Sequence[str]:
        """A reader saw something."""

    def typed(self, word: str) -> Sequence[str]:
        """The person typed something and pressed Enter."""

    def ended(self) -> None:
        """Nothing more will be typed; FieldError when the dialogue cannot go on without."""


def stopped() -> StoppedError:
    return StoppedError("Stopped; nothing was registered.")
