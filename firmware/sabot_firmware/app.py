"""The application: everything a controller is made of, put together once, and what comes from the gateway.

Owns composition, the hello of a boot, faults and the inbox. The loops are in tasks.py; each part does its own work.
Nothing that comes from the air or from a bus raises out of here: bad bytes become message_refused, broken parts faults.
"""

import gc

from sabot_firmware.core.health import Faults, Health
from sabot_firmware.core.ticks import Uptime, ticks_diff
from sabot_firmware.face import Face
from sabot_firmware.inspection import Inspection
from sabot_firmware.memory import Memory
from sabot_firmware.orders import Orders
from sabot_firmware.release import Release, SlotFiles
from sabot_firmware.table import Table
from sabot_firmware.uplink import EVENT_BYTES, Uplink
from sabot_protocol.cbor import Writer
from sabot_protocol.codec import decode
from sabot_protocol.envelope import seal, unseal
from sabot_protocol.errors import WireError
from sabot_protocol.schema import put_message
from sabot_protocol.topics import DOWN, build_topic
from sabot_protocol.version import MAJOR, MINOR, schema_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from sabot_firmware.config import Config
    from sabot_firmware.hal.assembly import Hardware
    from sabot_firmware.host import Host
    from sabot_firmware.net.link import Link
    from sabot_firmware.renewal import Renewal
    from sabot_firmware.selftest import SelfTest
    from sabot_protocol.device_key import DeviceKey

# Faults for which the whole table shows the fault pattern: what the readers say can no longer be relied on.
SHOWN = ("reader", "antenna", "flash", "digest", "config", "memory", "outbox_full", "internal")

# An event is acknowledged within a tenth of a second, and a gateway that restarts takes some seconds. What stands on
# lamps and display for longer may be what it would no longer say. The words come a moment before the lamps.
SILENT_MS = 10000
WORDS_FIRST_MS = 1000

# A status message: map head, three keys, a choice and two numbers of five bytes.
STATUS_BYTES = 24

# Modules in one event. Six keep it within one of the uplink's messages (uplink.py). A board with an image has more
# modules than parts of six could name; eight are what the wire allows, and its heap has room for the longer message.
LISTED, PARTS, MOST = 6, 16, 8

# A refusal of the same kind is told at most this often: a flood of garbage must not push cards out of the outbox.
REFUSAL_MS = 10000

# (role of a reader in the config, its name on the wire)
_ROLES = (("shoe", "shoe"), ("spots", "spots"), ("discard", "discard"), ("badge", "badge"), ("seat", "seat_readers"))


class App:
    """One controller. `ticks` is the table's clock, `root` the folder of config, memory and slots."""

    def __init__(
        self,
        config: "Config",
        hardware: "Hardware",
        host: "Host",
        key: "DeviceKey",
        link: "Link",
        release: "Release",
        ticks: "Callable[[], int]",
    ) -> None:
        self.config = config
        self.host = host
        self.link = link
        self.ticks = ticks
        self.root = release.root
        self.release = release
        self._key = key
        now_ms = ticks()
        self._uptime = Uptime(now_ms)
        self._site = config.text("site")
        # On an RS-485 line all hear what goes to one; a USB cable has one end.
        self._has_neighbours = config.text("link") == "serial" and config.text("serial_port") == "rs485"
        self.faults = Faults()
        self.health = Health(now_ms)
        self.memory = Memory(self.root + "/memory")
        self.uplink = Uplink(hardware.flash, key, self._site, self.uptime_ms)
        self.record = self.uplink.record
        self.face = Face(config, hardware, self.report, self.uplink.outbox.mark)
        self.table = Table(config, hardware, now_ms, self.record, self.report)
        self.slots = SlotFiles(self.root)
        self.renewal: "Renewal | None" = None
        self.orders = Orders(self)
        self.selftest: "SelfTest | None" = None
        self.is_refusing = False
        self._refusals: "dict[tuple[str, str], int]" = {}
        self._hears_gateway = False
        self._is_deaf = False

    def uptime_ms(self) -> int:
        """Milliseconds since the start, which events carry."""
        return self._uptime.at(self.ticks())

    # What the self-check found, told first of all in a boot.

    def new_check(self) -> Inspection:
        """A walk over every module of the release."""
        return Inspection(self.release, self.host.read_image)

    def say_hello(self, check: Inspection) -> None:
        """Record the first events of this boot; a module that is not what it should be stops the table."""
        self.record(
            "hello",
            MAJOR,
            MINOR,
            schema_hash(),
            self.release.name,
            check.digest,
            max(1, check.count),
            self.host.board,
            self._capabilities(),
            self.host.reset_cause,
        )
        self._list_modules(check)
        if self.host.reset_cause in ("update", "rollback"):
            state = "rolled_back" if self.host.reset_cause == "rollback" else "switched"
            self._tell_update(max(1, self.slots.slots.update), state, 0, 0)
        self.judge_check(check)

    def judge_check(self, check: Inspection) -> None:
        """Take the outcome of a self-check: with a wrong module nothing that is scanned can be trusted."""
        self.report("digest", 0, bool(check.wrong))
        self.is_refusing = bool(check.wrong)
        self.face.stand("Refused: " + sorted(check.wrong)[0] + " was altered." if check.wrong else "")

    def _list_modules(self, check: Inspection) -> None:
        # Consecutive events; what could not be read has a digest of zeros.
        size = LISTED if check.count <= LISTED * PARTS else MOST
        of = (check.count + size - 1) // size
        part = 1
        listed: "list[dict[str, Any]]" = []
        for name, expected in self.release.modules():
            listed.append({"name": name, "digest": check.wrong.get(name, expected) or bytes(32)})
            if len(listed) == size:
                self.record("modules_listed", part, of, listed)
                listed = []
                part += 1
        if listed:
            self.record("modules_listed", part, of, listed)

    def _capabilities(self) -> "list[str]":
        config = self.config
        fitted = [reader[1] for reader in config.readers]
        found = [name for role, name in _ROLES if role in fitted]
        found += ["keypad"] if config.keys else []
        found += ["lamps"] if config.number("pixels") else []
        found += ["display"] if config.text("display") != "none" else []
        found += ["door"] if config.flag("door") else []
        found += ["update"] if config.data("release_key") else []
        found.append(config.text("link"))
        found += ["tls"] if config.flag("tls") and config.text("link") != "serial" else []
        return found

    # Faults and health.

    def report(self, code: str, part: int, is_active: bool) -> None:
        """Raise or clear a fault; told when that changed anything."""
        change = self.faults.set(code, part, is_active)
        if change is not None:
            self.record("fault", *change)
            self.show_faults()

    def show_faults(self) -> None:
        """Light the fault pattern if the readers can no longer be relied on."""
        self.face.set_fault(self._is_deaf or any(code in SHOWN for code, _ in self.faults.active()))

    def tell_health(self, now_ms: int) -> None:
        """Record a health event if one is due."""
        if not self.health.is_due(now_ms):
            return
        outbox = self.uplink.outbox
        self.health.reader_errors = self.table.reader_errors
        self.health.link_drops = self.link.drops
        free, used = _heap_free(), outbox.newest - outbox.floor
        values: "tuple[Any, ...]" = self.health.fields(free, used, outbox.free_bytes // EVENT_BYTES)
        rssi = self.link.rssi()
        if rssi is not None:
            values += (rssi,)
            if self.host.temperature is not None:  # behind the radio's strength on the wire, so only with a radio
                values += (max(-55, min(150, self.host.temperature())),)
        self.record("health", *values)

    def mind_silence(self, now_ms: int) -> None:
        """Follow how long events have been waiting for their ack: nobody may pay by lamps that no one answers for."""
        silent_ms = self.uplink.silent_ms(now_ms)
        self.face.hush(silent_ms >= SILENT_MS)
        is_deaf = silent_ms >= SILENT_MS + WORDS_FIRST_MS
        if is_deaf != self._is_deaf:
            self._is_deaf = is_deaf
            self.show_faults()

    def watch_outbox(self) -> None:
        """Follow the outbox: a loss is a fault until the gateway has been told."""
        self.report("outbox_full", 0, self.uplink.outbox.has_overflowed)

    # The inbox: see net/link.py.

    def status(self, state: str, connection: int) -> bytes:
        """The sealed status message of a connection."""
        writer = Writer(bytearray(STATUS_BYTES))
        put_message(writer, "status", {"state": state, "boot": self.uplink.outbox.boot, "connection": connection})
        status = bytes(memoryview(writer.buffer)[: writer.at])
        return seal(self._key, build_topic(self._site, self._key.device, "status"), status)

    def received(self, channel: str, data: bytes) -> None:
        """One sealed message came."""
        if channel not in DOWN:
            return  # an echo of our own, or noise: nobody sends these down
        try:
            topic = build_topic(self._site, self._key.device, channel)
            _, values = decode(unseal(self._key, topic, data), channel)
        except WireError as error:
            if error.code != "wrong_device" or not self._has_neighbours:
                self.refused(channel, error.code)
            return  # on a shared line most messages are the neighbours'
        if channel == "ack":
            self._acknowledged(values)
        elif channel == "lamps":
            self._show(values)
        else:
            self.orders.obey(values["number"], values["body"][0], values["body"][1])

    def refused(self, channel: str, code: str) -> None:
        """Something came that is no message; told, but not more often than REFUSAL_MS."""
        if channel not in DOWN:
            return  # noise on a line has no channel; the link counts it
        now_ms = self.ticks()
        kind = (channel, code)
        if kind in self._refusals and ticks_diff(now_ms, self._refusals[kind]) < REFUSAL_MS:
            return
        self._refusals[kind] = now_ms
        self.record("message_refused", channel, code)

    def _show(self, values: "dict[str, Any]") -> None:
        # The revision outlives a restart in the outbox's flash: an old picture played again then is as old as before.
        if self.face.show(values["revision"], values["picture"], values["display"]):
            self.uplink.outbox.remember(values["revision"])
        else:
            self.refused("lamps", "out_of_range")

    def _acknowledged(self, values: "dict[str, Any]") -> None:
        self.uplink.acknowledge(values["boot"], values["upto"])
        reason = values.get("refused", "")
        if values["boot"] == self.uplink.outbox.boot:
            if reason or not self.is_refusing:
                self.face.stand("Gateway refuses: " + reason if reason else "")
            if not self._hears_gateway and not reason and not self.is_refusing:
                self._hears_gateway = True
                self._confirm_release()

    def begin_selftest(self, test: str) -> None:
        """Start a self-test; its code is loaded with the first, and costs no heap before."""
        if self.selftest is None:
            from sabot_firmware.selftest import SelfTest

            checks = {
                "keypad": lambda: not self.table.stuck_keys,
                "display": lambda: not self._is_faulty("display"),
                "flash": self._proves_flash,
                "link": lambda: self.link.is_up,
            }
            self.selftest = SelfTest(self.table, self.face, checks, self.new_check, self._tell_test)
        self.selftest.begin(test)

    def begin_renewal(self) -> "Renewal":
        """The update under way; its code is loaded with the first offer, and costs no heap before."""
        if self.renewal is None:
            from sabot_firmware.core.update import Update
            from sabot_firmware.renewal import Renewal

            last = self.slots.slots.update
            update = Update(self.host.board, self.release.serial, self.config.data("release_key"), last)
            self.renewal = Renewal(update, self.slots, self._tell_update, self.report)
        return self.renewal

    def _confirm_release(self) -> None:
        # A release on trial is healthy once its modules are whole and the gateway took its hello.
        proven = self.slots.slots.confirm()
        if proven is not None:
            try:
                self.slots.keep(proven)
            except OSError:
                self.report("flash", 1, True)

    def _tell_update(self, update: int, state: str, file: int, offset: int) -> None:
        self.record("update_progressed", update, state, file, offset)

    def _tell_test(self, test: str, is_passed: bool, part: int) -> None:
        self.record("selftest_finished", test, is_passed, part)

    def _is_faulty(self, code: str) -> bool:
        return any(each == code for each, _ in self.faults.active())

    def _proves_flash(self) -> bool:
        # Every append is read back before it counts (core/ring.py), so recording is the proof.
        before = self.uplink.outbox.newest
        return self.record("health", *self.health.fields(_heap_free(), 0, 0)) > before and not self._is_faulty("flash")


def _heap_free() -> int:
    # CPython has no such figure; 0 says so, and a floor of simulated controllers is spared the collections.
    free: "Any" = getattr(gc, "mem_free", None)
    if free is None:
        return 0
    gc.collect()
    return int(free())
