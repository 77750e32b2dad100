"""A list too long for one event: its parts carry one time, though flash takes its time for each."""

from typing import Any

from sabot_firmware.core.uid import parts_of
from sabot_firmware.fake.flash_store import FlashStore
from sabot_firmware.uplink import Uplink
from sabot_gateway.transcript.wire_events import Parts, joined
from sabot_protocol.codec import decode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import unseal
from sabot_protocol.topics import build_topic

KEY = DeviceKey("table-1", bytes(16))
DECK = tuple(b"\x04" + bytes(5) + bytes([number]) for number in range(1, 53))
WRITE_MS = 7  # an event in real flash


class Link:
    is_up = True
    is_idle = True
    connection = 1
    drops = 0

    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []

    def send(self, channel: str, data: bytes) -> bool:
        _, batch = decode(unseal(KEY, build_topic("riviera", KEY.device, channel), data), channel)
        self.events += batch["events"]
        return True

    async def run(self, inbox: object) -> None: ...

    def rssi(self) -> int | None:
        return None

    async def close(self) -> None: ...


class Clock:
    """Goes on with every event that is stored."""

    def __init__(self) -> None:
        self.ms = 0

    def uptime(self) -> int:
        self.ms += WRITE_MS
        return self.ms


def sent(*records: tuple[Any, ...]) -> list[tuple[str, dict[str, Any]]]:
    """The events as they leave."""
    uplink, link = Uplink(FlashStore(4096, 8), KEY, "riviera", Clock().uptime), Link()
    for name, *values in records:
        uplink.record(name, *values)
    while uplink.turn(0, link):
        pass
    return link.events


def whole(events: list[tuple[str, dict[str, Any]]]) -> Parts | None:
    """What the gateway makes of them."""
    parts: Parts | None = None
    for seq, (name, values) in enumerate(events, 1):
        parts = joined(parts, name, values, 1, seq)
    return parts


def test_the_parts_of_a_whole_deck_are_one_reading() -> None:
    deck = whole(sent(*(("discard_read", *part) for part in parts_of(DECK))))
    assert deck is not None
    assert (deck.part, deck.of, deck.items) == (2, 2, DECK)


def test_the_parts_of_a_large_stake_are_one_reading() -> None:
    stake = whole(sent(*(("chips_read", 3, "ante", *part) for part in parts_of(DECK))))
    assert stake is not None
    assert stake.items == DECK


def test_two_readings_carry_two_times() -> None:
    events = sent(("chips_read", 3, "ante", 1, 1, DECK[:2]), ("chips_read", 3, "ante", 1, 1, DECK[:3]))
    first, second = (values["device_ms"] for _, values in events)
    assert first < second


def test_the_list_of_modules_is_one_list() -> None:
    listed = [{"name": "app", "digest": bytes(31) + b"\x01"}]
    events = sent(("modules_listed", 1, 2, listed), ("modules_listed", 2, 2, listed))
    modules = whole(events)
    assert modules is not None
    assert modules.items == (*listed, *listed)
