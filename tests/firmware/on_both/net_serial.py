"""The serial link over a line that loses and damages bytes: frames in, frames out, nothing stops it."""

import asyncio

from firmware.on_both.seeded import Seeded
from sabot_firmware.net.pause import sleep_ms
from sabot_firmware.net.serial_link import POLL_MS, SerialLink
from sabot_protocol.frames import Deframer, frame

# Turns after which whatever a step began is over: each moves one piece of one frame.
SETTLED = 20


class Line:
    """A UART whose other end is this test."""

    def __init__(self) -> None:
        self.sent = b""
        self.waiting = b""
        self.is_gone = False
        self.room = 1 << 20

    def any(self) -> int:
        if self.is_gone:
            raise OSError(5)
        return len(self.waiting)

    def readinto(self, room: "bytearray | memoryview", size: int) -> "int | None":
        got = min(size, len(self.waiting), len(room))
        room[:got] = self.waiting[:got]
        self.waiting = self.waiting[got:]
        return got

    def write(self, data: "bytes | bytearray | memoryview") -> int:
        took = min(len(data), self.room)
        self.sent += bytes(data[:took])
        return took


class Inbox:
    """What the link told."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, bytes]] = []
        self.refusals: list[str] = []

    def status(self, state: str, connection: int) -> bytes:
        return (state + " " + str(connection)).encode()

    def received(self, channel: str, data: bytes) -> None:
        self.messages.append((channel, data))

    def refused(self, channel: str, code: str) -> None:
        assert channel == "", "a damaged frame has no channel that could be trusted"
        self.refusals.append(code)


async def turns(link: SerialLink, inbox: Inbox, script: "list[object]") -> None:
    task = asyncio.create_task(link.run(inbox))
    for step in script:
        assert callable(step)
        step()
        for _ in range(SETTLED):
            await sleep_ms(POLL_MS)
    task.cancel()


def heard(line: Line) -> "list[tuple[str, bytes]]":
    return Deframer().feed(line.sent)


def test_the_birth_comes_first_and_messages_follow_in_order() -> None:
    line, inbox = Line(), Inbox()
    link = SerialLink(line)
    assert not link.send("event", b"too early")

    def send() -> None:
        assert link.send("event", b"one")
        assert link.send("event", b"two")

    asyncio.run(turns(link, inbox, [lambda: None, send]))
    assert heard(line) == [("status", b"online 1"), ("event", b"one"), ("event", b"two")]


def test_a_line_that_is_behind_takes_no_more() -> None:
    line, inbox = Line(), Inbox()
    line.room = 0
    link = SerialLink(line)
    taken = []

    def send() -> None:
        taken.append([link.send("event", b"x") for _ in range(10)].count(True))

    asyncio.run(turns(link, inbox, [lambda: None, send, send]))
    assert taken == [5, 0]
    assert not link.is_idle


def test_garbage_between_frames_is_counted_and_stops_nothing() -> None:
    line, inbox = Line(), Inbox()
    seeded = Seeded(3)
    wanted = []
    for number in range(30):
        message = seeded.bytes(seeded.below(200))
        wanted.append(("command", message))
        good = frame("command", message)
        bad = bytearray(frame("ack", seeded.bytes(20)))
        bad[5] ^= 1 + seeded.below(255) if number % 3 else 0
        line.waiting += good + (bytes(bad) if number % 3 else seeded.bytes(40))
    asyncio.run(turns(SerialLink(line), inbox, [lambda: None] * 4))
    assert [message for message in inbox.messages if message[0] == "command"] == wanted
    assert inbox.refusals


def test_a_port_that_goes_away_and_comes_back_is_a_new_connection() -> None:
    line, inbox = Line(), Inbox()
    link = SerialLink(line)

    def unplug() -> None:
        line.is_gone = True

    def plug() -> None:
        line.is_gone = False

    asyncio.run(turns(link, inbox, [lambda: None, unplug, plug]))
    assert link.drops >= 1
    assert link.is_up
    assert heard(line)[-1] == ("status", ("online " + str(link.connection)).encode())


class TwoWires(Line):
    """Two wires behind a transceiver: who writes without driving, or drives while another speaks, is not heard."""

    def __init__(self) -> None:
        super().__init__()
        self.is_driven = False
        self.is_busy = False
        self.takes = 0
        self.bits_left = 0

    def drive(self, level: "int | None" = None) -> "int | None":
        assert level is not None
        if level and not self.is_driven:
            self.takes += 1
            assert not self.is_busy, "two speak at once"
        assert level or not self.bits_left, "the last bits were cut off"
        self.is_driven = bool(level)
        return None

    def any(self) -> int:
        if self.is_busy:
            self.waiting += b"\x01"
        return super().any()

    def write(self, data: "bytes | bytearray | memoryview") -> int:
        assert self.is_driven, "nobody hears this"
        self.bits_left = 2
        return super().write(data)

    def txdone(self) -> bool:
        self.bits_left -= 1 if self.bits_left else 0
        return not self.bits_left


def test_two_wires_are_driven_only_for_a_frame_and_only_when_they_are_free() -> None:
    line, inbox = TwoWires(), Inbox()
    link = SerialLink(line, line.drive)
    line.is_busy = True
    sent_while_busy = []

    def free() -> None:
        sent_while_busy.append(line.sent)
        line.is_busy = False
        assert link.send("event", b"x" * 500)

    def end() -> None:
        assert not line.is_driven, "the line was not given back"

    asyncio.run(turns(link, inbox, [lambda: None, free, end, end]))
    assert sent_while_busy == [b""]
    assert heard(line) == [("status", b"online 1"), ("event", b"x" * 500)]
    assert line.takes == 2, "once for each frame"


def test_a_flood_ends_no_turn() -> None:
    line, inbox = TwoWires(), Inbox()
    line.is_busy = True  # there is always one byte more
    scans = []

    def scan() -> None:
        scans.append(1)

    asyncio.run(turns(SerialLink(line), inbox, [scan, scan]))
    assert len(scans) == 2
