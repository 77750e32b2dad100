"""What a full table holds in its heap, part by part, on MicroPython and from its image.

    micropython start.py IMAGE full_table FOLDER TLS

FOLDER/modules lists what such a table has loaded, in an order in which each can be imported. A table of eight seats
with two spots each, lamps, display, keypad, badge and door is put together over models of its chips, says hello, reads
cards and chips, shows a picture and talks to a link without a network. From the hello on TLS bytes are held as a
handshake holds them. Prints in bytes `base`, `code`, `models`, `state`, the least that was `left` with all of that, and
the `room` of this heap beside the collector's own tables.
"""

# MicroPython has no pathlib, and what a script of the rig prints is its result.
# ruff: noqa: PTH123, T201

import gc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_gc: "Any" = gc

HEAD = """site = riviera
device = table-12-a
board = rig
link = ethernet
broker_host = 10.0.0.2
outbox_sectors = 64
pixels = 128
display = ssd1306
keypad_rows = 4
keypad_columns = 5
door = yes
reader = 0 shoe pn532 spi0 0
reader = 1 spots pn5180 spi1 0
reader = 2 badge pn532 uart1 0
"""
SPOTS = ("ante", "play")
SEATS = 8
CERTIFICATES = (600, 600, 140)  # bytes of an authority, a certificate and its key of P-256 in DER


def heap() -> int:
    gc.collect()
    return int(_gc.mem_alloc())


def config_text() -> bytes:
    rows = [HEAD]
    for number in range(SEATS * len(SPOTS)):
        seat, spot = 1 + number // len(SPOTS), SPOTS[number % len(SPOTS)]
        rows.append("spot = 1 " + str(number) + " " + str(seat) + " " + spot + " " + str(8 * number) + " 8\n")
    for key in range(SEATS):
        rows.append("key = " + str(key) + " " + str(1 + key) + "\n")
    return ("".join(rows) + "key = 8 bets_closed\nkey = 9 fold\nend\n").encode()


class Cable:
    """A network interface that is always there."""

    name = "ethernet"

    def poll(self, now_ms: int) -> bool:
        return now_ms >= 0

    def rssi(self) -> "int | None":
        return None


class Silence:
    """A link that takes everything; its gateway is play()."""

    is_up = True
    connection = 1
    drops = 0
    is_idle = True

    def send(self, _channel: str, data: bytes) -> bool:
        return bool(data)

    def rssi(self) -> "int | None":
        return None


def tls_pieces(size: int) -> "list[bytearray]":
    """What mbedTLS holds of a heap: 16 KiB in, 4 KiB out, each with its head, and a handshake's numbers."""
    pieces = [bytearray(16 * 1024 + 333), bytearray(4 * 1024 + 333)] if size else []
    while size > sum([len(piece) for piece in pieces]):
        pieces.append(bytearray(min(1024, size - sum([len(piece) for piece in pieces]))))
    return pieces


def play(app: "Any", ports: "Any", key: "Any", tls: int, gateway: bytearray) -> int:
    """A coup's worth of everything; the least that was left of the heap."""
    tag: Any = __import__("sabot_firmware.fake.tag", None, None, ("*",))
    cbor: Any = __import__("sabot_protocol.cbor", None, None, ("*",))
    schema: Any = __import__("sabot_protocol.schema", None, None, ("*",))
    envelope: Any = __import__("sabot_protocol.envelope", None, None, ("*",))
    topics: Any = __import__("sabot_protocol.topics", None, None, ("*",))

    def tell(channel: str, values: "dict[str, Any]") -> None:
        topic = topics.build_topic("riviera", "table-12-a", channel)
        writer = cbor.Writer(gateway)  # of which no board has to find a kilobyte in one piece
        schema.put_message(writer, channel, values)
        app.received(channel, envelope.seal(key, topic, bytes(memoryview(gateway)[: writer.at])))

    check = app.new_check()
    while not check.step():
        continue
    app.say_hello(check)
    lamps = [
        {"seat": 1 + at // 2, "spot": SPOTS[at % 2], "colour": "green", "pattern": "blink", "amount_cents": 500}
        for at in range(SEATS * 2)
    ]
    tell("lamps", {"revision": 1, "picture": lamps, "display": [{"fr": "Payez", "en": "Pay"}] * 4})
    link: Any = Silence()
    held = tls_pieces(tls)
    left = -1
    for card in range(12):
        ports.fields["spi0", 0].place(0, tag.Tag(b"\x04\x01\x02\x03\x04\x05" + bytes([card])))
        for antenna in range(SEATS * 2):
            chip = b"\x01" + bytes([card, antenna]) + b"\x04\x05\x06\x04\xe0"
            ports.fields["spi1", 0].place(antenna, tag.Tag(chip))
        for turn in range(200):
            if turn == 40:
                ports.fields["spi0", 0].clear(0)
            ports.clock.pass_us(5000)
            app.table.turn(ports.clock.ticks())
            app.face.turn(ports.clock.ticks())
            while app.uplink.turn(ports.clock.ticks(), link):
                continue
            for chip in ports.readers.values():
                chip.commands = chip.requests = []  # what a model remembers of its driver is no heap on a board
        tell("ack", {"boot": app.uplink.outbox.boot, "upto": app.uplink.outbox.newest})
        for antenna in range(SEATS * 2):
            ports.fields["spi1", 0].clear(antenna)
        gc.collect()
        free = int(_gc.mem_free())
        left = free if left < 0 else min(left, free)
    assert tls == sum([len(piece) for piece in held])
    return left


def main(arguments: "list[str]") -> None:
    folder, tls = arguments[0], int(arguments[1])
    base = heap()
    with open(folder + "/modules") as file:
        for line in file:
            __import__(line.strip(), None, None, ("*",))
    code = heap() - base
    from firmware.rig.file_flash import FileFlash
    from sabot_firmware.app import App
    from sabot_firmware.config import parse_config
    from sabot_firmware.fake.clock import Clock
    from sabot_firmware.fake.ports import FakePorts
    from sabot_firmware.hal.assembly import Hardware
    from sabot_firmware.host import Host
    from sabot_firmware.net.mqtt_link import MqttLink
    from sabot_firmware.net.stream import Certificates
    from sabot_firmware.release import Release
    from sabot_firmware.tasks import Tasks
    from sabot_protocol.device_key import DeviceKey
    from sabot_protocol.limits import MAX_PAYLOAD

    ports = FakePorts(Clock(), parse_config(config_text()), FileFlash(folder + "/flash", 64))
    __import__("sabot_firmware.fake.tag", None, None, ("*",))
    gateway = bytearray(MAX_PAYLOAD)
    rig = heap()
    config = parse_config(config_text())
    key = DeviceKey("table-12-a", bytes(16))
    certificates = Certificates(bytes(CERTIFICATES[0]), bytes(CERTIFICATES[1]), bytes(CERTIFICATES[2]), "broker.pit")
    link: Any = MqttLink("riviera", "table-12-a", ("10.0.0.2", 8883), Cable(), certificates)
    hardware = Hardware(config, ports, ports.clock.ticks())
    app = App(config, hardware, Host("rig"), key, link, Release(folder, "/rom"), ports.clock.ticks)
    tasks = Tasks(app)
    left = play(app, ports, key, tls, gateway)
    assert tasks.last_error is None
    print("base", base, "code", code, "models", rig - base - code, "state", heap() - rig)
    print("left", left, "room", _gc.mem_alloc() + _gc.mem_free())
