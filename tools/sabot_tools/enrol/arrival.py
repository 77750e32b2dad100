"""What can reach an enrolment from outside, and where it waits: one queue for the reader and the keyboard."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from sabot_tools.field.trouble import FieldError


class Message(NamedTuple):
    """A sealed message as it came from the line, on one of a controller's channels."""

    channel: str
    data: bytes


class Typed(NamedTuple):
    """One line from the keyboard; None when there will be no more."""

    word: str | None


class Note(NamedTuple):
    """Something about the line itself that the person should know."""

    sentence: str


class Lost(NamedTuple):
    """The line is gone for good."""

    error: FieldError


Arrival = Message | Typed | Note | Lost
Put = Callable[[Arrival], None]


class Line(Protocol):
    """A way to hear controllers; `open` raises StartError when there is none."""

    @property
    def is_acknowledged(self) -> bool:
        """Whether somebody else on the line acknowledges what the controller says."""

    def open(self, put: Put) -> None: ...

    def send(self, channel: str, data: bytes) -> None: ...

    def close(self) -> None: ...
