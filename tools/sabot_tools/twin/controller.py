"""What hands and eyes need of a controller, wherever it runs: in this process, or on MicroPython behind a pipe.

Owns the interface. Tags and keys change at once; time passes only in `pass_turns` and `look`.
"""

from typing import NamedTuple, Protocol


class Seen(NamedTuple):
    """Pixels at each tick of a look, and the text on the glass after it."""

    pixels: list[bytes]
    text: str


class Controller(Protocol):
    @property
    def now_ms(self) -> int:
        """The controller's time."""

    @property
    def waiting(self) -> int:
        """Events that the gateway has not acknowledged."""

    @property
    def is_up(self) -> bool:
        """Whether its link is up."""

    def put(self, reader: int, antenna: int, uids: tuple[bytes, ...]) -> None: ...
    def hold(self, key: int) -> None: ...
    def move_door(self, is_open: bool) -> None: ...
    def break_reader(self, reader: int, is_broken: bool) -> None: ...
    async def pass_turns(self, turns: int, step_ms: int) -> None: ...
    async def look(self, ticks: int, step_ms: int) -> Seen: ...
    async def wake(self, seconds: float) -> bool:
        """Wait until something comes down the link, not longer; True when it did."""

    async def restart(self, cause: str) -> None: ...
    async def plug(self, is_in: bool) -> None: ...
    async def leave(self) -> None:
        """Say goodbye and end."""
