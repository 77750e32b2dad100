"""A hundred thousand events through the whole core leave the heap as it was."""

import gc

from sabot_firmware.core.drain import Drain
from sabot_firmware.core.keypad import Keypad, SeatKeys
from sabot_firmware.core.lamps import Lamps
from sabot_firmware.core.outbox import Outbox
from sabot_firmware.core.shoe import Shoe
from sabot_firmware.core.spots import Spots
from sabot_firmware.core.ticks import MASK, Uptime, ticks_add
from sabot_firmware.fake.flash_store import FlashStore
from sabot_protocol.batch import Batch, write_event
from sabot_protocol.cbor import Writer

# MicroPython tells what its heap holds; CPython does not, and only shows that the same run works there.
EVENTS = 100000 if hasattr(gc, "mem_alloc") else 5000
TURNS = 10


def lost_event(first: int, last: int) -> bytes:
    raise AssertionError("nothing is lost while the gateway acknowledges")


class Table:
    """A controller's core, with a gateway that acknowledges at once."""

    def __init__(self) -> None:
        self.now = MASK - 60000
        self.uptime = Uptime(self.now)
        self.writer = Writer(bytearray(400))
        self.outbox = Outbox(FlashStore(1024, 4), lost_event)
        self.batch = Batch()
        self.drain = Drain()
        self.drain.restart(self.outbox.floor)
        self.spots = Spots(((1, "ante"), (1, "play")), self.now)
        self.shoe = Shoe(self.spots.has)
        self.keypad = Keypad(4, 4)
        self.keys = SeatKeys((1, 2, "fold", "call"))
        self.lamps = Lamps({(1, "ante"): (0, 8), (1, "play"): (8, 8)}, 16)
        self.uid = bytearray(b"\x04\x00\x00\x00\x00\x00\x01")
        self.chips = (b"\xe0chip-01", b"\xe0chip-02")
        self.turn = 0

    def wait(self, ms: int) -> None:
        self.now = ticks_add(self.now, ms)

    def store(self, name: str, *values: object) -> None:
        self.writer.at = 0
        write_event(self.writer, name, self.uptime.at(self.now), *values)
        self.outbox.append(memoryview(self.writer.buffer)[: self.writer.at])

    def play(self) -> None:
        """A card, two keys, now and then chips and a picture; then everything is sent and acknowledged."""
        self.turn += 1
        self.draw()
        self.press(0)
        self.press(2)
        if self.turn % 20 == 0:
            self.bet(self.turn // 20 & 1)
        if self.turn % 10 == 0:
            self.lamps.show(self.turn, [(1, "ante", "green", "steady"), (1, "play", "white", "chase")])
            self.lamps.render(self.now)
        self.send()

    def draw(self) -> None:
        uid = self.uid
        uid[1], uid[2], uid[3] = self.turn & 255, self.turn >> 8 & 255, self.turn >> 16
        for _ in range(2):
            for output in self.shoe.feed(self.now, (bytes(uid),)):
                assert output[0] == "card_scanned"
                self.store("card_scanned", 0, output[1])
            self.wait(20)
        self.wait(300)

    def press(self, key: int) -> None:
        for mask in (1 << key, 1 << key, 0, 0):
            for pressed in self.keypad.scan(self.now, mask):
                meaning = self.keys.press(self.now, pressed)
                if meaning:
                    self.store("key_pressed", meaning[0], meaning[1])
            self.wait(25)

    def bet(self, is_on: int) -> None:
        for _ in range(6):
            self.spots.feed(self.now, 0, self.chips if is_on else ())
            self.spots.feed(self.now, 1, ())
            self.wait(600)
            for seat, spot, uids in self.spots.due(self.now):
                self.store("chips_read", seat, spot, 1, 1, uids)
            assert self.spots.doubts(self.now) == ()

    def send(self) -> None:
        outbox = self.outbox
        while True:
            first = self.drain.ready(self.now, outbox.floor, outbox.newest)
            if not first:
                return
            self.batch.clear()
            boot, start, count = outbox.fill(first, self.batch.add_encoded)
            assert len(self.batch.finish(boot, start)) > 10
            self.drain.sent(self.now, start, count)
            outbox.ack(boot, start + count - 1)


def test_a_hundred_thousand_events_leave_the_heap_as_it_was() -> None:
    table = Table()
    held = []
    for turn in range(TURNS):
        while table.outbox.newest < EVENTS * (turn + 1) // TURNS:
            table.play()
        gc.collect()
        if hasattr(gc, "mem_alloc"):
            held.append(gc.mem_alloc())
    if held:
        print("# heap after each tenth of", EVENTS, "events:", held)  # noqa: T201 - a figure to read
        # The first tenth fills what is bounded (cards that passed, lists that grew); after it nothing may grow.
        assert max(held[1:]) - min(held[1:]) <= 512, held
        assert held[-1] - held[1] <= 256, held
    assert table.outbox.acked == table.outbox.newest >= EVENTS
