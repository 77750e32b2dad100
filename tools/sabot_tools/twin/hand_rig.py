"""Hands and eyes over a controller: how long things are left where they are, and how long one looks.

Owns the pace: hands are slow enough for the readers' debounce times, whatever the controller's clock does, and the
table's time follows the clock on the wall at `speed` times its rate (0: as fast as the work goes). A table that waits
for the gateway sleeps until something comes down its link.
"""

import asyncio
import time
from typing import Final

from sabot_tools.twin.controller import Controller
from sabot_tools.twin.layout import ANTENNAS, BADGE, RACK, SHOE, Layout, Place
from sabot_tools.twin.rig import PATIENCE_S, StuckError
from sabot_tools.twin.sight import Sight, is_trusted, lamps_seen

TICK_MS: Final = 20  # the scan period of the config
CARD_MS: Final = 130  # two readings of a card so far apart, and the next is no neighbour (core/shoe.py: APART_MS)
KEY_MS: Final = 25  # core/keypad.py: DEBOUNCE_MS
BADGE_LEFT_MS: Final = 1600  # core/badge.py: LEFT_MS
GLANCE_TICKS: Final = 4  # of the display, which draws a row in each
GLANCE_MS: Final = 40
# core/spots.py: a chip counts from its second reading and is told after two more and 0.4 s of rest; it is gone after
# three misses and 1.5 s, and that is told after two more. Reading every antenna once in 520 ms suits both.
STEP_MS: Final = 130
RACK_MS: Final = 400  # the rack has a reader of its own
COMES: Final = 4
GOES: Final = 5
WAKE_S: Final = 0.05  # people look up when something changes; this is for what changes by itself
REST_LOOKS: Final = 200
QUIET_LOOKS: Final = 10


class HandRig:
    def __init__(self, layout: Layout, controller: Controller, speed: int = 0, wake_s: float = WAKE_S) -> None:
        """`wake_s` is how long one waits for something to change; nothing, where the answer comes at once."""
        self._layout = layout
        self.controller = controller
        self._speed = speed
        self._wake_s = wake_s
        self._began = time.monotonic()
        self._due_ms = 0  # until then, what was moved last is not yet told
        self._lying: dict[Place, tuple[bytes, ...]] = {}
        self._badge = b""
        self._badge_ms = -BADGE_LEFT_MS

    @property
    def layout(self) -> Layout:
        return self._layout

    def now_ms(self) -> int:
        return self.controller.now_ms

    def lay(self, place: Place, uids: tuple[bytes, ...]) -> None:
        self.controller.put(*self._layout.antenna(place), uids)
        self._moved(place, uids, ANTENNAS * STEP_MS)

    def fill_rack(self, uids: tuple[bytes, ...]) -> None:
        self.controller.put(RACK, 0, uids)
        self._moved((0, "rack"), uids, RACK_MS)

    async def ready(self) -> None:
        ends = time.monotonic() + PATIENCE_S
        while not self.controller.is_up:
            if time.monotonic() >= ends:
                raise StuckError("a controller finds no broker, or is not let in.")
            await self.controller.wake(self._wake_s)
            await self.controller.pass_turns(1, TICK_MS)
        for _ in range(QUIET_LOOKS):
            await self.look()

    async def settle(self) -> None:
        await self.wait(self._due_ms - self.now_ms())

    async def draw(self, *uids: bytes) -> None:
        self.controller.put(SHOE, 0, uids)
        await self._pass(2, CARD_MS)
        self.controller.put(SHOE, 0, ())

    async def press(self, key: str, seat: int = 0) -> None:
        for name in (str(seat), key) if seat else (key,):
            self.controller.hold(self._layout.key(name))
            await self._pass(2, KEY_MS)
            self.controller.hold(-1)
            await self._pass(2, KEY_MS)

    async def hold_badge(self, uid: bytes) -> None:
        if uid == self._badge and self.now_ms() - self._badge_ms < BADGE_LEFT_MS:
            await self.wait(BADGE_LEFT_MS)
        self.controller.put(BADGE, 0, (uid,))
        await self._pass(3, TICK_MS)
        self.controller.put(BADGE, 0, ())
        self._badge, self._badge_ms = uid, self.now_ms()
        await self._pass(3, TICK_MS)

    async def move_door(self, is_open: bool) -> None:
        self.controller.move_door(is_open)
        await self._pass(3, KEY_MS)

    async def look(self) -> Sight:
        await self.controller.wake(self._wake_s)
        return await self.glance()

    async def glance(self) -> Sight:
        seen = await self.controller.look(GLANCE_TICKS, GLANCE_MS)
        await self._keep_pace()
        lamps: dict[Place, str] = {}
        for pixels in seen.pixels if is_trusted(seen.text) else ():
            lamps.update(lamps_seen(self._layout, pixels))
        return Sight(lamps, seen.text)

    def break_reader(self, reader: int, is_broken: bool) -> None:
        self.controller.break_reader(reader, is_broken)

    async def restart(self, cause: str) -> None:
        await self.controller.plug(False)
        await self.controller.restart(cause)
        await self.controller.plug(True)

    async def unplug(self, seconds: int) -> None:
        await self.controller.plug(False)
        await asyncio.sleep(seconds)
        await self.controller.plug(True)

    async def wait(self, ms: int) -> None:
        await self._pass(-(-max(0, ms) // STEP_MS), STEP_MS)

    def _moved(self, place: Place, uids: tuple[bytes, ...], cycle_ms: int) -> None:
        has_left = not set(self._lying.get(place, ())) <= set(uids)
        self._lying[place] = uids
        self._due_ms = max(self._due_ms, self.now_ms() + (GOES if has_left else COMES) * cycle_ms + STEP_MS)

    async def close(self) -> None:
        try:
            await self.rest()
        finally:
            await self.controller.leave()

    async def rest(self) -> None:
        quiet = 0
        for _ in range(REST_LOOKS):
            has_come = await self.controller.wake(self._wake_s)
            await self.glance()
            await self.controller.pass_turns(0, 0)
            quiet = 0 if has_come or self.controller.waiting else quiet + 1
            if quiet >= QUIET_LOOKS or not self.controller.is_up:
                return

    async def _pass(self, turns: int, step_ms: int) -> None:
        await self.controller.pass_turns(turns, step_ms)
        await self._keep_pace()

    async def _keep_pace(self) -> None:
        if self._speed:
            ahead = self.now_ms() / 1000 / self._speed - (time.monotonic() - self._began)
            await asyncio.sleep(max(0.0, ahead))
