"""The border between people and hardware: hands on the fake table, eyes on its lamps and display.

Owns the interface of every way to run a table's controllers. Whoever plays sees
and moves things only through a rig; what lies on an antenna is laid there and
stays until it is moved. Time is the table's own and passes inside these calls.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final, Protocol

from sabot_tools.twin.layout import Layout, Place
from sabot_tools.twin.sight import Sight

PATIENCE_S: Final = 60  # of real time: a gateway that says nothing for so long is not going to


GLANCES: Final = 4  # further ones, each long enough that together they outlast the dark half of a blink


class StuckError(Exception):
    """The table does not go on as it should: one sentence."""


class Rig(Protocol):
    """Hands and eyes."""

    @property
    def layout(self) -> Layout: ...
    def now_ms(self) -> int:
        """Milliseconds of the table's time."""

    def lay(self, place: Place, uids: tuple[bytes, ...]) -> None:
        """Let exactly these chips lie on a spot; they are read as time passes."""

    def fill_rack(self, uids: tuple[bytes, ...]) -> None:
        """Let exactly these cards lie in the discard rack."""

    async def ready(self) -> None:
        """Wait until the controller is connected and shows what the gateway last told it."""

    async def settle(self) -> None:
        """Wait as long as people do until the readers must have seen where chips and cards lie."""

    async def draw(self, *uids: bytes) -> None:
        """Pull cards out of the shoe, one after the other; several tags in one call pass it at once."""

    async def press(self, key: str, seat: int = 0) -> None: ...
    async def hold_badge(self, uid: bytes) -> None: ...
    async def move_door(self, is_open: bool) -> None: ...
    async def look(self) -> Sight:
        """One glance at lamps and display, as soon as something may have changed."""

    async def glance(self) -> Sight:
        """One glance, now."""

    def break_reader(self, reader: int, is_broken: bool) -> None:
        """Let a reader's chip fall silent, or answer again."""

    async def restart(self, cause: str) -> None:
        """Power fails and returns; flash and tags are where they were."""

    async def unplug(self, seconds: int) -> None:
        """Pull the network cable for so many seconds of the wall clock."""

    async def wait(self, ms: int) -> None:
        """Let this much of the table's time pass."""

    async def rest(self) -> None:
        """Let what is under way arrive: events acknowledged, the last picture lit and told."""

    async def close(self) -> None:
        """Switch the table off in order."""


async def see(rig: Rig, is_seen: Callable[[Sight], bool], what: str, patience_s: int = PATIENCE_S) -> Sight:
    """Look until it is there; StuckError when it never comes."""
    ends = time.monotonic() + patience_s
    while True:
        sight = await rig.look()
        for _ in range(GLANCES):
            if is_seen(sight):
                return sight
            sight = await rig.glance()  # lamps pulse and pages turn: once is not enough
        if time.monotonic() >= ends:
            lamps = ", ".join(f"{seat} {spot} {colour}" for (seat, spot), colour in sight.lamps.items())
            raise StuckError(f"waited for {what}; the display says {sight.text!r}, lamps: {lamps or 'dark'}")
        await asyncio.sleep(0)


async def look_around(rig: Rig) -> Sight:
    """Look for more than half a second: what blinks is seen too."""
    first = await rig.look()
    lamps, texts = dict(first.lamps), [first.text]
    for _ in range(GLANCES):
        sight = await rig.glance()
        lamps = {**lamps, **sight.lamps}
        texts.append(sight.text)
    return Sight(lamps, texts[-1] if texts[-1] == texts[0] else " ".join(dict.fromkeys(texts)))


async def see_says(rig: Rig, *words: str) -> Sight:
    """Look until the display says one of these."""
    return await see(rig, lambda sight: any(word in sight.text for word in words), " or ".join(map(repr, words)))
