"""Facts on their way up: recorded in the outbox at once, sent in sealed batches, kept until acknowledged.

Owns the passage from an event's fields to flash, and from flash to the link. When to send is drain.py's decision, how
bytes travel is the link's. record() never waits for the network; turn() takes a step of one batch.
The parts of one list carry one time, however long flash takes for each: by it the gateway knows what belongs together.
"""

import gc

from sabot_firmware.core.drain import Drain
from sabot_firmware.core.outbox import MAX_EVENT, Outbox
from sabot_firmware.core.ticks import ticks_diff
from sabot_protocol.batch import Batch, write_event
from sabot_protocol.cbor import Writer
from sabot_protocol.envelope import seal
from sabot_protocol.topics import build_topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from sabot_firmware.core.ring import Store
    from sabot_firmware.net.link import Link
    from sabot_protocol.device_key import DeviceKey

# Events of one message. The wire allows 944 bytes, but a message is copied some four times on its way out, and pieces
# of 1 KiB are the first that a small heap runs out of; half of it still carries about twenty events.
BATCH_BYTES = 480

# outbox_overflow: array head, kind, eight bytes of time, two numbers, rounded up.
_LOSS = 32

# Lists that come in parts, and which of their values says which part this is.
_PART_AT = {"modules_listed": 0, "chips_read": 2, "discard_read": 0}

# What an event costs in flash on average (record head, time, one UID), to tell bytes as a number of events.
EVENT_BYTES = 36


class Uplink:
    """The outbox of one controller and its way out; `uptime` gives the milliseconds that events carry."""

    def __init__(self, store: "Store", key: "DeviceKey", site: str, uptime: "Callable[[], int]") -> None:
        self._key = key
        self._uptime = uptime
        self._topic = build_topic(site, key.device, "event")
        self._buffer = bytearray(MAX_EVENT)
        self._view = memoryview(self._buffer)
        self._writer = Writer(self._buffer)
        self._loss = Writer(bytearray(_LOSS))
        self.outbox = Outbox(store, self._loss_event)
        self._drain = Drain()
        self._batch = Batch()
        self._filled = (0, 0, 0)  # boot, first number and count of the events in the batch
        self._left = 0
        self._connection = 0
        self._device_ms = 0  # of the event recorded last
        self._heard = (-1, 0)  # the last event acknowledged, and since when nothing more was

    def record(self, name: str, *values: "Any") -> int:
        """Store one event, its fields in the table's order; its number."""
        part_at = _PART_AT.get(name)
        if part_at is None or values[part_at] == 1:
            self._device_ms = self._uptime()
        self._writer.at = 0
        write_event(self._writer, name, self._device_ms, *values)
        return self.outbox.append(self._view[: self._writer.at])

    def acknowledge(self, boot: int, upto: int) -> bool:
        """The gateway has everything up to here."""
        return self.outbox.ack(boot, upto)

    def resend(self, first: int) -> None:
        """The gateway misses events from here on."""
        self._drain.rewind(first, self.outbox.floor)

    def silent_ms(self, now_ms: int) -> int:
        """For how long the gateway has been owing an acknowledgement; asked again and again."""
        floor, since = self._heard
        outbox = self.outbox
        if outbox.floor == outbox.newest or outbox.floor != floor:
            self._heard = outbox.floor, now_ms
            return 0
        return ticks_diff(now_ms, since)

    def turn(self, now_ms: int, link: "Link") -> bool:
        """Take one step towards sending a batch, if it is time; True when there is more to do at once."""
        if not link.is_up:
            return False
        if link.connection != self._connection:
            self._connection = link.connection
            self._drain.restart(self.outbox.floor)
            self._filled = (0, 0, 0)
        # Finding the events in flash and sealing them are two steps, so that the scan loop has its turn between.
        if not self._filled[2]:
            return self._fill(now_ms)
        return self._send(now_ms, link)

    def _fill(self, now_ms: int) -> bool:
        outbox = self.outbox
        first = self._drain.ready(now_ms, outbox.floor, outbox.newest)
        if not first:
            return False
        self._batch.clear()
        self._left = BATCH_BYTES
        self._filled = outbox.fill(first, self._add)
        return self._filled[2] > 0

    def _send(self, now_ms: int, link: "Link") -> bool:
        boot, first, count = self._filled
        self._filled = (0, 0, 0)
        try:
            if not link.send("event", seal(self._key, self._topic, self._batch.finish(boot, first))):
                return False
        except MemoryError:
            gc.collect()
            return False  # no room for a message between what lives; the outbox keeps it for the next turn
        self._drain.sent(now_ms, first, count)
        return True

    def _add(self, event: "memoryview | bytes") -> bool:
        self._left -= len(event)
        if self._batch.count and self._left < 0:
            return False
        return self._batch.add_encoded(event)

    def _loss_event(self, first: int, last: int) -> bytes:
        # Called from within append(): it must not touch the buffer of the event that waits there.
        self._loss.at = 0
        write_event(self._loss, "outbox_overflow", self._uptime(), first, last)
        return bytes(memoryview(self._loss.buffer)[: self._loss.at])
