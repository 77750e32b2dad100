"""A controller in this process: the real application on a shelf of tags, with its own MQTT client on this loop."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from sabot_firmware.net.mqtt_link import MqttLink
from sabot_tools.twin.board.bench import Bench
from sabot_tools.twin.board.pipe import Cable
from sabot_tools.twin.controller import Seen

if TYPE_CHECKING:
    from sabot_firmware.net.link import Link

WATCH_S = 0.02


class LocalController:
    """With a link of its own to the broker, or one that is given."""

    def __init__(
        self, conf: bytes, secret: bytes, folder: Path, link: "Link | MqttLink", cable: Cable | None = None
    ) -> None:
        self.bench = Bench(conf, secret, str(folder), link)
        self._link = link
        self._cable = cable or Cable()
        self._woken = asyncio.Event()
        self._runs = asyncio.create_task(link.run(_Inbox(self.bench, self._woken)))

    @property
    def now_ms(self) -> int:
        return self.bench.clock.us // 1000

    @property
    def waiting(self) -> int:
        return self.bench.waiting

    @property
    def is_up(self) -> bool:
        return self._link.is_up

    def put(self, reader: int, antenna: int, uids: tuple[bytes, ...]) -> None:
        self.bench.shelf.put(reader, antenna, uids)

    def hold(self, key: int) -> None:
        self.bench.shelf.hold(key)

    def move_door(self, is_open: bool) -> None:
        self.bench.shelf.door_pin(int(is_open))

    def break_reader(self, reader: int, is_broken: bool) -> None:
        self.bench.shelf.shelves[reader].is_broken = is_broken

    async def pass_turns(self, turns: int, step_ms: int) -> None:
        turn, step_us = self.bench.turn, step_ms * 1000
        for _ in range(turns):
            turn(step_us)
        self.bench.send()
        await asyncio.sleep(0)

    async def look(self, ticks: int, step_ms: int) -> Seen:
        bench = self.bench
        pixels = bench.glance(ticks, step_ms * 1000)
        bench.send()
        await asyncio.sleep(0)
        return Seen(pixels, " ".join(bench.shelf.rows()))

    async def wake(self, seconds: float) -> bool:
        if not self._woken.is_set():
            try:
                async with asyncio.timeout(seconds):
                    await self._woken.wait()
            except TimeoutError:
                self.bench.send()
                return False
        self._woken.clear()
        return True

    async def restart(self, cause: str) -> None:
        self.bench.restart(cause)

    async def plug(self, is_in: bool) -> None:
        """A link that is not the network's (in a test) has no cable to pull."""
        self._cable.is_plugged = is_in
        while isinstance(self._link, MqttLink) and self._link.is_up != is_in:
            await asyncio.sleep(WATCH_S)

    async def leave(self) -> None:
        if self._link.is_up:
            self._link.send("status", self.bench.app.status("leaving", self._link.connection))
        await self._link.close()
        self._runs.cancel()
        await asyncio.gather(self._runs, return_exceptions=True)
        self.bench.shelf.flash.close()


class _Inbox:
    """What the link tells, to whichever application runs on the bench now."""

    def __init__(self, bench: Bench, woken: asyncio.Event) -> None:
        self._bench = bench
        self._woken = woken

    def status(self, state: str, connection: int) -> bytes:
        return self._bench.app.status(state, connection)

    def received(self, channel: str, data: bytes) -> None:
        self._bench.app.received(channel, data)
        if channel == "ack":
            self._bench.send()  # there is room for more; nobody sees anything of it
        else:
            self._woken.set()

    def refused(self, channel: str, code: str) -> None:
        self._bench.app.refused(channel, code)
