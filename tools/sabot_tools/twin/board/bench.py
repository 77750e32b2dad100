"""One controller on a bench: the whole application over a shelf of tags, in time that passes when it is told to.

Owns the turn: every loop of tasks.py has its part in it, in the same order, without a sleep between. So a second at
the table costs what its work costs, and every debounce still waits its milliseconds. Shared subset of both Pythons.
"""

from sabot_firmware.app import App
from sabot_firmware.config import parse_config
from sabot_firmware.fake.clock import Clock
from sabot_firmware.host import Host
from sabot_firmware.net.pause import ticks_ms
from sabot_firmware.release import Release
from sabot_protocol.device_key import DeviceKey
from sabot_tools.twin.board.shelf import Shelf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sabot_firmware.net.link import Link

# Where a controller finds what it runs, beside its flash. Never a slot: an update empties slots.
RELEASE = "release"

# The outbox is tended and health is told every so many turns: as keep() does every 50 ms.
KEEP_TURNS = 8


class Bench:
    """A controller in the folder of its files (flash, memory, slots), with the link it is given."""

    def __init__(self, conf: bytes, secret: bytes, folder: str, link: "Link", cause: str = "power_on") -> None:
        config = parse_config(conf)
        self.clock = Clock(1000)
        self.shelf = Shelf(self.clock, config, folder)
        self.link = link
        self._conf = conf
        self._secret = secret
        self._folder = folder
        self._turns = 0
        self.app = self._start(cause)

    def turn(self, step_us: int) -> None:
        """Let time pass, and give each loop one turn."""
        app = self.app
        self.clock.us += step_us
        now_ms = self.clock.ticks()
        if not app.is_refusing:
            app.table.turn(now_ms)
        self._turns += 1
        if self._turns % KEEP_TURNS == 0:
            outbox = app.uplink.outbox
            if outbox.needs_tending:
                outbox.tend()
            app.watch_outbox()
            app.tell_health(now_ms)
            self.show()

    def glance(self, ticks: int, step_us: int) -> "list[bytes]":
        """Let time pass before somebody's eyes: what the lamps show at each tick. Readers get one turn in all of it."""
        seen = []
        for tick in range(ticks):
            if tick == ticks - 1:
                self.turn(step_us)
            else:
                self.clock.us += step_us
            self.show()
            seen.append(self.shelf.pixels())
        return seen

    def show(self) -> None:
        """One tick of lamps and display."""
        revision = self.app.face.turn(self.clock.ticks())
        if revision:
            self.app.record("lamps_applied", revision)

    def send(self) -> None:
        """Hand what was recorded to the link, as far as it takes it."""
        uplink, link = self.app.uplink, self.link
        while uplink.turn(ticks_ms(), link):
            pass
        self.app.mind_silence(ticks_ms())

    def restart(self, cause: str) -> None:
        """Power fails and returns: flash and tags are where they were."""
        self.app = self._start(cause)

    @property
    def waiting(self) -> int:
        """Events that the gateway has not acknowledged."""
        outbox = self.app.uplink.outbox
        return outbox.newest - outbox.floor

    def _start(self, cause: str) -> App:
        config = parse_config(self._conf)
        key = DeviceKey(config.text("device"), self._secret)
        hardware: Any = self.shelf
        release = Release(self._folder, self._folder + "/" + RELEASE)
        app = App(config, hardware, Host("twin", cause), key, self.link, release, self.clock.ticks)
        check = app.new_check()
        while not check.step():
            pass
        app.say_hello(check)
        return app
