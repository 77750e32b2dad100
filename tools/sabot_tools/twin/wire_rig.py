"""A table at the byte level: what its controller would have read is recorded at once, without readers and debounce.

Owns the short cut from hands to events and from messages to sight. Numbering, flash, batches, seals and resends are
the controllers' own (`uplink.py` and all below it); thousands fit into one process. Its hello says what it is:
no board, and one module, this file.
The table's time is the wall's and what people's hands would have taken, so it never lags behind and never leaps ahead
while somebody waits. Whoever waits for the gateway sleeps until something comes, and looks up ever more rarely.
"""

import asyncio
import time
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sabot_firmware.core.selfcheck import digest_of
from sabot_firmware.core.uid import DOUBT_SIZE, parts_of
from sabot_firmware.net.pause import ticks_ms
from sabot_firmware.uplink import Uplink
from sabot_protocol.cbor import Writer
from sabot_protocol.codec import decode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal, unseal
from sabot_protocol.schema import put_message
from sabot_protocol.topics import build_topic
from sabot_protocol.version import MAJOR, MINOR, schema_hash
from sabot_tools.twin.board.kept_flash import KeptFlash
from sabot_tools.twin.board.shelf import SECTOR
from sabot_tools.twin.layout import CUT_CARD, SHOE, Layout, Place
from sabot_tools.twin.rig import PATIENCE_S, StuckError
from sabot_tools.twin.sight import Sight, is_trusted

if TYPE_CHECKING:
    from sabot_firmware.net.link import Link

SECTORS: Final = 16  # as the layout gives a whole controller: both keep their numbers in one flash
STATUS_BYTES: Final = 24
SETTLE_MS: Final = 2_000
CARD_MS: Final = 300
KEY_MS: Final = 200
BADGE_MS: Final = 500
WAKE_S: Final = 0.02  # how long one waits for something to come down, doubled each time nothing did
WAKE_MOST_S: Final = 1.0  # what is not acknowledged is sent again after three
QUIET_LOOKS: Final = 3
REST_S: Final = 10  # of real time: a gateway that is gone acknowledges nothing more
HEALTH_S: Final = 60  # as often as the application tells it: a controller silent for longer is taken for lost
CAPABILITIES: Final = ("shoe", "spots", "discard", "badge", "keypad", "lamps", "display", "door", "ethernet")

RELEASE: Final = "wire only: no firmware"
BOARD: Final = "none"


@cache
def own_module() -> tuple[str, bytes]:
    """This file, as the one module that runs here."""
    return "sabot_tools/twin/wire_rig.py", sha256(Path(__file__).read_bytes()).digest()


class WireRig:
    def __init__(self, layout: Layout, site: str, key: DeviceKey, link: "Link", folder: Path, speed: int = 0) -> None:
        """`speed`: times the wall clock; 0: as fast as it goes."""
        self._layout = layout
        self._site = site
        self._key = key
        self._link = link
        self._speed = speed
        self._began = time.monotonic()
        self._ahead_ms = 1000  # of the wall
        self._wake_s = WAKE_S
        self._flash = KeptFlash(str(folder / "flash"), SECTOR, SECTORS)
        self._uplink = Uplink(self._flash, key, site, self.now_ms)
        self._lying: dict[Place, tuple[bytes, ...]] = dict.fromkeys(layout.places, ())
        self._told: dict[Place, tuple[bytes, ...]] = {}
        self._doubted: set[Place] = set()
        self._rack: tuple[bytes, ...] = ()
        self._told_rack: tuple[bytes, ...] | None = None
        self._revision = 0
        self._sight = Sight({}, "")
        self._woken = asyncio.Event()
        self._hello("power_on")
        self._runs = asyncio.create_task(link.run(self))
        self._lives = asyncio.create_task(self._live())

    @property
    def layout(self) -> Layout:
        return self._layout

    def now_ms(self) -> int:
        return self._ahead_ms + int((time.monotonic() - self._began) * 1000)

    def lay(self, place: Place, uids: tuple[bytes, ...]) -> None:
        self._lying[place] = uids

    def fill_rack(self, uids: tuple[bytes, ...]) -> None:
        self._rack = uids

    async def ready(self) -> None:
        ends = time.monotonic() + PATIENCE_S
        while self._is_waiting:
            if time.monotonic() >= ends:
                raise StuckError("the gateway acknowledges nothing.")
            await self.look()
        await self.look()

    async def settle(self) -> None:
        """Tell what has moved, old places before new ones."""
        await self._spend(SETTLE_MS)
        doubtful = self._doubtful()
        for place in sorted(doubtful - self._doubted):
            both = tuple(sorted(self._lying[place]))[:DOUBT_SIZE]
            self._uplink.record("chips_doubtful", place[0], place[1], both, "neighbour")
        settled, self._doubted = self._doubted - doubtful, doubtful
        changed = [
            place
            for place, uids in self._lying.items()
            if place not in doubtful and (place in settled or uids != self._told.get(place))
        ]
        for place in sorted(changed, key=lambda place: len(self._lying[place]) >= len(self._told.get(place, ()))):
            self._told[place] = self._lying[place]
            for part, of, piece in parts_of(tuple(sorted(self._lying[place]))):
                self._uplink.record("chips_read", place[0], place[1], part, of, piece)
        if self._rack != self._told_rack:
            self._told_rack = self._rack
            for part, of, piece in parts_of(tuple(sorted(self._rack))):
                self._uplink.record("discard_read", part, of, piece)
        self._send()

    def _doubtful(self) -> set[Place]:
        """Spots whose chips another antenna reads too."""
        seen: dict[bytes, Place] = {}
        found: set[Place] = set()
        for place, uids in self._lying.items():
            for uid in uids:
                if seen.setdefault(uid, place) != place:
                    found |= {place, seen[uid]}
        return found

    async def draw(self, *uids: bytes) -> None:
        await self._spend(CARD_MS)
        if uids == (CUT_CARD,):
            self._uplink.record("cut_card")
        elif len(uids) > 1:
            self._uplink.record("card_doubtful", SHOE, tuple(sorted(uids)), "two_cards")
        else:
            self._uplink.record("card_scanned", SHOE, uids[0])
        self._send()

    async def press(self, key: str, seat: int = 0) -> None:
        await self._spend(KEY_MS)
        self._uplink.record("key_pressed", key, seat)
        self._send()

    async def hold_badge(self, uid: bytes) -> None:
        await self._spend(BADGE_MS)
        self._uplink.record("badge_read", uid)
        self._send()

    async def move_door(self, is_open: bool) -> None:
        self._uplink.record("door", is_open)
        self._send()

    async def look(self) -> Sight:
        await self._hear()
        return await self.glance()

    async def glance(self) -> Sight:
        """Nothing pulses at the byte level: what came last is all there is to see."""
        return self._sight

    def break_reader(self, reader: int, is_broken: bool) -> None:
        self._uplink.record("fault", "reader", reader, is_broken)

    async def restart(self, cause: str) -> None:
        raise NotImplementedError("A table at the byte level has no power to fail.")

    async def unplug(self, seconds: int) -> None:
        raise NotImplementedError("A table at the byte level has no cable.")

    async def wait(self, ms: int) -> None:
        await self._spend(max(0, ms))
        self._send()

    async def rest(self) -> None:
        quiet, ends = 0, time.monotonic() + REST_S
        while quiet < QUIET_LOOKS and self._link.is_up and time.monotonic() < ends:
            has_come = await self._hear()
            quiet = 0 if has_come or self._is_waiting else quiet + 1

    async def close(self) -> None:
        await self.rest()
        if self._link.is_up:
            self._link.send("status", self.status("leaving", self._link.connection))
        await self._link.close()
        for task in (self._runs, self._lives):
            task.cancel()
        await asyncio.gather(self._runs, self._lives, return_exceptions=True)
        self._flash.close()

    # The inbox of the link (net/link.py).

    def status(self, state: str, connection: int) -> bytes:
        writer = Writer(bytearray(STATUS_BYTES))
        put_message(writer, "status", {"state": state, "boot": self._uplink.outbox.boot, "connection": connection})
        message = bytes(memoryview(writer.buffer)[: writer.at])
        return seal(self._key, build_topic(self._site, self._key.device, "status"), message)

    def received(self, channel: str, data: bytes) -> None:
        topic = build_topic(self._site, self._key.device, channel)
        _, values = decode(unseal(self._key, topic, data), channel)
        if channel == "ack":
            self._uplink.acknowledge(values["boot"], values["upto"])
            self._send()  # there is room for more; nobody sees anything of it
            if not self._is_waiting:
                self._woken.set()
            return
        if channel == "lamps" and values["revision"] > self._revision:
            self._show(values)
        elif channel == "command":
            self._uplink.record("command_finished", values["number"], "done")
        self._send()  # also where everybody waits for his turn and nobody looks
        self._woken.set()

    def refused(self, channel: str, code: str) -> None:
        self._uplink.record("message_refused", channel, code)

    def _show(self, values: dict[str, Any]) -> None:
        self._revision = values["revision"]
        lamps = {(lamp["seat"], lamp["spot"]): lamp["colour"] for lamp in values["picture"]}
        lit = {place: colour for place, colour in lamps.items() if place in self._layout.places}
        text = " ".join(line["en"] for line in values["display"])
        self._sight = Sight(lit if is_trusted(text) else {}, text)
        self._uplink.record("lamps_applied", self._revision)

    def _hello(self, cause: str) -> None:
        digest, fitted = digest_of([own_module()]), list(CAPABILITIES)
        self._uplink.record("hello", MAJOR, MINOR, schema_hash(), RELEASE, digest, 1, BOARD, fitted, cause)
        name, module = own_module()
        self._uplink.record("modules_listed", 1, 1, [{"name": name, "digest": module}])

    @property
    def _is_waiting(self) -> bool:
        """Something is not yet acknowledged."""
        outbox = self._uplink.outbox
        return outbox.newest != outbox.floor

    async def _hear(self) -> bool:
        """Wait until something has come down, or for a while; whether it has."""
        if self._runs.done():
            self._runs.result()  # a connection that broke says so here
        has_come = True
        if not self._woken.is_set():
            try:
                async with asyncio.timeout(self._wake_s):
                    await self._woken.wait()
            except TimeoutError:
                has_come = False
        self._woken.clear()
        self._wake_s = WAKE_S if has_come else min(2 * self._wake_s, WAKE_MOST_S)
        self._send()
        return has_come

    async def _live(self) -> None:
        while True:
            await asyncio.sleep(HEALTH_S)
            outbox = self._uplink.outbox
            self._uplink.record("health", 0, outbox.used_bytes, outbox.free_bytes, 0, self._link.drops, 0)
            self._send()

    async def _spend(self, ms: int) -> None:
        """Let hands take their time."""
        slept_ms = ms // self._speed if self._speed else 0
        self._ahead_ms += ms - slept_ms
        self._wake_s = WAKE_S
        await asyncio.sleep(slept_ms / 1000)

    def _send(self) -> None:
        while self._uplink.turn(ticks_ms(), self._link):
            pass
