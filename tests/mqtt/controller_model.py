"""A controller for tests of the gateway's end: the real outbox, drain and uplink over a flash in memory.

Records numbered key presses, sends them by the firmware's own rules, obeys acks and resends, loses power and flash
as told. `recorded[n]` is what event n was when it was stored: (boot, device time, name).
"""

from typing import Any, Final

from sabot_firmware.fake.flash_store import FlashStore
from sabot_firmware.uplink import Uplink
from sabot_protocol.cbor import decode
from sabot_protocol.codec import encode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal
from sabot_protocol.messages import EVENTS
from sabot_protocol.topics import build_topic
from sabot_protocol.version import MAJOR, MINOR, schema_hash

SITE: Final = "riviera"
DIGEST: Final = bytes(range(32))


def hello_values(digest: bytes = DIGEST, schema: bytes | None = None, minor: int = MINOR) -> tuple[Any, ...]:
    return (MAJOR, minor, schema or schema_hash(), "1.0", digest, 1, "bench", ["shoe"], "power_on")


class Controller:
    """`sent` holds the sealed event messages that left; whoever plays the network takes them from there."""

    def __init__(self, device: str, secret: bytes, sectors: int = 16, now_ms: int = 0, says_hello: bool = True) -> None:
        self.key = DeviceKey(device, secret)
        self.device = device
        self.topic = build_topic(SITE, device, "event")
        self.store = FlashStore(1024, sectors)
        self.now_ms = now_ms
        self.recorded: dict[int, tuple[int, int, str]] = {}
        self.sent: list[bytes] = []
        self.is_up = True
        self.connection = 0
        self.drops = 0
        self.number = 0
        self._says_hello = says_hello
        self.start()

    def start(self) -> None:
        """A boot: after power came, or after a watchdog."""
        self.store.power_on()
        self._started_ms = self.now_ms
        self.uplink = Uplink(self.store, self.key, SITE, lambda: self.now_ms - self._started_ms)
        self.connection += 1
        self._note_losses()
        if self._says_hello:
            self.record("hello", *hello_values())

    def record(self, name: str, *values: Any) -> int:
        self._note_losses()
        number = self.uplink.record(name, *values)
        self._note_losses()
        self.recorded[number] = (self.uplink.outbox.boot, self.now_ms - self._started_ms, name)
        return number

    def turn(self, times: int = 12) -> None:
        """Lets the uplink send what it may now."""
        for _ in range(times):
            self.uplink.turn(self.now_ms, self)  # type: ignore[arg-type] # the link is this model: what turn() asks is here

    def obey(self, number: int, name: str, values: Any) -> None:
        """A command, by the rules of orders.py."""
        if number <= self.number:
            self.record("command_finished", number, "stale")
            return
        self.number = number
        if name == "resend":
            if values["boot"] > self.uplink.outbox.boot or values["from"] > values["to"]:
                self.record("command_finished", number, "refused")
                return
            self.uplink.resend(values["from"])
        self.record("command_finished", number, "done")

    def status(self, state: str) -> bytes:
        values = {"state": state, "boot": self.uplink.outbox.boot, "connection": self.connection}
        return seal(self.key, build_topic(SITE, self.device, "status"), encode("status", values))

    def send(self, channel: str, data: bytes) -> bool:
        if not self.is_up:
            return False
        assert channel == "event"
        self.sent.append(data)
        return True

    def _note_losses(self) -> None:
        # Numbers that the outbox gave to its own reports of a loss are read back from the flash.
        outbox = self.uplink.outbox
        for number in range(outbox.floor + 1, outbox.newest + 1):
            if number not in self.recorded:
                boot, first, events = outbox.pending(number, 1_000_000)
                for at, event in enumerate(events, first):
                    tree: Any = decode(event)
                    self.recorded.setdefault(at, (boot, tree[1], EVENTS[tree[0] - 1][1]))
