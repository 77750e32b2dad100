"""The whole application over models of every chip, in virtual time and without a network: what it is told and tells.

Runs on CPython and, from the rig's image, on MicroPython; main() prints a line for each test, and the outputs are
compared.
"""

# MicroPython has no pathlib, and what a script of the rig prints is its result.
# ruff: noqa: PTH102, PTH123, T201

import os

from sabot_firmware.app import SILENT_MS, WORDS_FIRST_MS, App
from sabot_firmware.config import parse_config
from sabot_firmware.fake.clock import Clock
from sabot_firmware.fake.ports import FakePorts
from sabot_firmware.fake.tag import Tag
from sabot_firmware.hal.assembly import Hardware
from sabot_firmware.host import Host
from sabot_firmware.release import Release
from sabot_protocol.codec import decode, encode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal, unseal
from sabot_protocol.topics import build_topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CONFIG = b"""site = riviera
device = table-1
board = rig
link = serial
outbox_sectors = 8
pixels = 16
display = ssd1306
keypad_rows = 2
keypad_columns = 2
door = yes
reader = 0 shoe pn532 spi0 0
reader = 1 spots pn5180 spi1 0
spot = 1 0 1 ante 0 8
spot = 1 1 2 ante 8 8
key = 0 bets_closed
key = 1 2
cut_card = 04ffffffffffff
end
"""
CUT_CARD = b"\x04" + 6 * b"\xff"
GREEN = (0, 158 * 96 // 255, 115 * 96 // 255)  # Okabe and Ito's bluish green at the default brightness
FAULT, DARK = (213 * 96 // 255, 94 * 96 // 255, 0), (0, 0, 0)


class Line:
    """A link that keeps what it is given."""

    def __init__(self) -> None:
        self.is_up = True
        self.connection = 1
        self.drops = 0
        self.sent: list[tuple[str, bytes]] = []
        self.strength: int | None = None

    @property
    def is_idle(self) -> bool:
        return True

    async def run(self, inbox: object) -> None:
        assert inbox

    def send(self, channel: str, data: bytes) -> bool:
        self.sent.append((channel, data))
        return True

    def rssi(self) -> "int | None":
        return self.strength

    async def close(self) -> None:
        return


class Bench:
    """One controller on a bench; `folder` and `device` (raw flash) may be an earlier bench's."""

    def __init__(
        self,
        folder: str = "",
        more: bytes = b"",
        device: "Any" = None,
        name: str = "table-1",
        network: bytes = b"link = serial",
        image: bytes = b"",
    ) -> None:
        self.folder = folder or _fresh_folder()
        self.name = name
        self.clock = Clock()
        text = CONFIG.replace(b"device = table-1", b"device = " + name.encode()).replace(b"link = serial", network)
        config = parse_config(more + text)
        self.ports = FakePorts(self.clock, config, device)
        self.key = DeviceKey(name, bytes(range(16)))
        self.line = Line()
        self.host = Host("rig", "power_on")
        self.times: list[int] = []
        self.is_answering = True
        self.host.set_clock = self.times.append
        self.ports.image[:] = image
        self.host.read_image = self.ports.read_image
        hardware = Hardware(config, self.ports, self.clock.ticks())
        release = Release(self.folder, self.folder)
        self.app = App(config, hardware, self.host, self.key, self.line, release, self.clock.ticks)
        check = self.app.new_check()
        while not check.step():
            pass
        self.app.say_hello(check)
        self.events: list[tuple[str, dict[str, Any]]] = []

    def turn(self, turns: int = 1) -> None:
        """Let every loop of tasks.py have its turn, every 5 ms."""
        app = self.app
        for _ in range(turns):
            self.clock.pass_us(5000)
            now_ms = self.clock.ticks()
            if not app.is_refusing:
                app.table.turn(now_ms)
            revision = app.face.turn(now_ms)
            if revision:
                app.record("lamps_applied", revision)
            app.watch_outbox()
            app.mind_silence(now_ms)
            if app.selftest is not None:
                app.selftest.turn(now_ms)
            if app.renewal is not None and app.renewal.is_busy:
                app.renewal.turn()
            while app.uplink.turn(now_ms, self.line):
                pass
            self._open()

    def shown(self) -> str:
        """What the display says."""
        return " ".join(self.ports.oled.rows())

    def names(self) -> "list[str]":
        return [name for name, _ in self.events]

    def of(self, name: str) -> "list[dict[str, Any]]":
        return [values for each, values in self.events if each == name]

    def tell(self, channel: str, values: "dict[str, Any]") -> bytes:
        """Seal a message as the gateway does, and deliver it."""
        data = seal(self.key, build_topic("riviera", self.name, channel), encode(channel, values))
        self.app.received(channel, data)
        return data

    def command(self, number: int, name: str, **fields: "Any") -> None:
        self.tell("command", {"number": number, "body": (name, fields)})

    def _open(self) -> None:
        for channel, data in self.line.sent if self.is_answering else ():
            if channel == "event":
                _, values = decode(unseal(self.key, build_topic("riviera", self.name, "event"), data), "event")
                self.events += values["events"]
                upto = values["first"] + len(values["events"]) - 1
                self.tell("ack", {"boot": values["boot"], "upto": upto})
        self.line.sent = []


def _fresh_folder() -> str:
    # MicroPython has no tempfile; the name need only differ from run to run.
    name = "/tmp/sabot-bench-" + str(int.from_bytes(os.urandom(6), "big"))
    os.mkdir(name)
    return name


def picture(revision: int) -> "dict[str, Any]":
    lamp = {"seat": 1, "spot": "ante", "colour": "green", "pattern": "steady", "amount_cents": 500}
    return {"revision": revision, "picture": [lamp], "display": [{"fr": "Payez", "en": "Pay"}]}


def test_hello_comes_first_and_names_what_is_fitted() -> None:
    bench = Bench()
    bench.turn()
    assert bench.names()[0] == "hello"
    hello = bench.of("hello")[0]
    assert hello["capabilities"] == ["shoe", "spots", "keypad", "lamps", "display", "door", "serial"]
    assert (hello["board"], hello["reset_cause"]) == ("rig", "power_on")


def test_lamps_that_nobody_answers_for_are_taken_back_until_somebody_does() -> None:
    bench = Bench()
    bench.tell("lamps", picture(7))
    bench.turn(20)
    assert bench.ports.lamps.seen(0) == GREEN
    bench.clock.pass_us(1000 * SILENT_MS)
    bench.turn(400)
    assert bench.shown() == "Payez", "nothing waits for an answer"
    bench.is_answering = False
    bench.app.record("door", True)
    bench.turn(10)
    bench.clock.pass_us(1000 * (SILENT_MS - 100))
    bench.turn(2)
    assert bench.shown() == "Payez"
    bench.turn(60)
    assert (bench.shown()[:14], bench.ports.lamps.seen(0)) == ("Pas de reponse", GREEN), "the words come first"
    bench.clock.pass_us(1000 * WORDS_FIRST_MS)
    bench.turn(4)
    seen = set()
    for _ in range(400):
        bench.turn()
        seen.add(bench.ports.lamps.seen(0))
    assert seen == {DARK, FAULT}
    bench.is_answering = True
    bench.turn(800)  # it sends again after three seconds
    assert (bench.shown(), bench.ports.lamps.seen(0)) == ("Payez", GREEN)
    assert "fault" not in bench.names(), "what nobody hears is not told either"


def test_a_picture_shines_at_the_next_tick_and_is_told() -> None:
    bench = Bench()
    bench.turn(2)
    bench.tell("lamps", picture(7))
    assert bench.ports.lamps.seen(0) == (0, 0, 0)
    bench.turn()
    assert bench.ports.lamps.seen(0) == GREEN
    assert bench.of("lamps_applied") == [{"device_ms": bench.clock.ticks(), "revision": 7}]


def test_an_older_picture_is_ignored_and_the_same_one_is_not_told_again() -> None:
    bench = Bench()
    bench.tell("lamps", picture(7))
    bench.turn()
    bench.tell("lamps", {"revision": 6, "picture": [], "display": []})
    bench.tell("lamps", picture(7))
    bench.turn(3)
    assert bench.ports.lamps.seen(0) == GREEN
    assert len(bench.of("lamps_applied")) == 1


def test_cards_and_chips_become_events() -> None:
    bench = Bench()
    bench.turn(20)
    bench.ports.fields["spi0", 0].place(0, Tag(b"\x04\x01\x02\x03\x04\x05\x06"))
    bench.turn(40)
    bench.ports.fields["spi0", 0].clear(0)
    bench.ports.fields["spi1", 0].place(0, Tag(b"\x08\x07\x06\x05\x04\x03\x04\xe0"))
    bench.turn(600)
    assert [values["uid"] for values in bench.of("card_scanned")] == [b"\x04\x01\x02\x03\x04\x05\x06"]
    read = [(values["seat"], values["spot"], values["uids"]) for values in bench.of("chips_read")]
    assert (1, "ante", [b"\xe0\x04\x03\x04\x05\x06\x07\x08"]) in read
    assert (2, "ante", []) in read


def test_the_cut_card_is_told_as_such_each_time_it_leaves_the_shoe() -> None:
    bench = Bench()
    bench.turn(20)
    for uid in (b"\x04\x01\x02\x03\x04\x05\x06", CUT_CARD, b"\x04\x01\x02\x03\x04\x05\x07"):
        bench.ports.fields["spi0", 0].place(0, Tag(uid))
        bench.turn(40)
        bench.ports.fields["spi0", 0].clear(0)
        bench.turn(400)
    seen = [name for name in bench.names() if name in ("card_scanned", "cut_card", "card_doubtful")]
    assert seen == ["card_scanned", "cut_card", "card_scanned"]


def test_a_card_at_a_seat_that_bleeds_into_the_shoe_is_a_doubt() -> None:
    bench = Bench(more=b"reader = 2 seat pn532 uart1 0\n")
    bench.turn(20)
    card = b"\x04\x01\x02\x03\x04\x05\x06"
    for bus, turns in (("spi0", 20), ("uart1", 5000)):  # dealt, and 25 s later no shoe remembers it
        bench.ports.fields[bus, 0].place(0, Tag(card))
        bench.turn(turns)
        if bus == "spi0":
            bench.ports.fields[bus, 0].clear(0)
    bench.ports.fields["spi0", 0].place(0, Tag(card))
    bench.turn(100)
    assert [values["reader"] for values in bench.of("card_scanned")] == [0, 2]
    assert [(values["reader"], values["reason"]) for values in bench.of("card_doubtful")] == [(0, "neighbour")]


def test_a_cut_card_among_other_cards_is_a_doubt() -> None:
    bench = Bench()
    bench.turn(20)
    for uid in (CUT_CARD, b"\x04\x01\x02\x03\x04\x05\x06"):
        bench.ports.fields["spi0", 0].place(0, Tag(uid))
    bench.turn(400)
    assert bench.of("cut_card") == []
    assert [values["reason"] for values in bench.of("card_doubtful")] == ["two_cards"]


def test_an_old_picture_played_again_after_a_restart_stays_dark() -> None:
    bench = Bench()
    bench.turn(2)
    old = bench.tell("lamps", picture(7))
    bench.turn()
    bench.tell("lamps", {"revision": 8, "picture": [], "display": []})
    bench.turn()
    again = Bench(bench.folder, device=bench.ports.device)
    again.turn(2)
    while again.names().count("hello") > 1 or again.names()[0] != "hello":
        del again.events[0]  # what the earlier start had told, and may tell twice
    assert again.of("lamps_applied") == [], "nothing is lit before the gateway speaks"
    again.app.received("lamps", old)
    again.app.received("lamps", old)
    again.turn(3)
    assert again.ports.lamps.seen(0) == (0, 0, 0)
    refusals = [(values["channel"], values["code"]) for values in again.of("message_refused")]
    assert refusals == [("lamps", "out_of_range")]
    again.tell("lamps", picture(8))
    again.turn()
    assert again.ports.lamps.seen(0) == GREEN, "the picture that stands is taken from the broker again"
    assert [values["revision"] for values in again.of("lamps_applied")] == [8]


def test_a_key_with_its_seat_and_the_door_become_events() -> None:
    bench = Bench()
    bench.turn(20)
    for key in ((0, 1), (0, 0)):
        bench.ports.matrix.held.add(key)
        bench.turn(20)
        bench.ports.matrix.held.clear()
        bench.turn(20)
    bench.ports.door(1)
    bench.turn(20)
    pressed = bench.of("key_pressed")
    assert [(values["key"], values["seat"]) for values in pressed] == [("bets_closed", 2)]
    assert [values["open"] for values in bench.of("door")] == [False, True]


def test_commands_are_obeyed_once_also_after_a_restart() -> None:
    bench = Bench()
    bench.command(5, "time", utc_ms=1_790_000_000_000)
    bench.command(5, "time", utc_ms=1_790_000_000_000)
    bench.command(4, "restart")
    bench.turn()
    assert bench.times == [1_790_000_000]
    assert not bench.app.orders.wants_restart
    outcomes = [(values["number"], values["outcome"]) for values in bench.of("command_finished")]
    assert outcomes == [(5, "done"), (5, "stale"), (4, "stale")]
    again = Bench(bench.folder)
    again.command(5, "restart")
    again.turn()
    assert not again.app.orders.wants_restart
    assert again.app.memory.utc_s == 1_790_000_000
    again.command(6, "restart")
    assert again.app.orders.wants_restart


def test_orders_of_an_update_that_nobody_offered_are_refused_and_stop_nothing() -> None:
    bench = Bench()
    bench.turn()
    bench.command(1, "update_switch", update=9)
    bench.command(2, "update_block", update=9, file=1, offset=0, data=b"x")
    bench.command(3, "update_cancel", update=9)
    offer = {"release": "0.2.0", "size": 900, "manifest": bytes(32), "signature": bytes(64)}
    bench.command(4, "update_offer", update=9, **offer)  # there is no release_key
    bench.turn()
    assert [values["outcome"] for values in bench.of("command_finished")] == ["done"] * 4
    told = [(values["update"], values["state"]) for values in bench.of("update_progressed")]
    assert told == [(9, "refused"), (9, "refused")]


def test_a_date_that_no_clock_shows_is_refused() -> None:
    bench = Bench()
    bench.command(1, "time", utc_ms=0xFFFFFFFFFFFF)
    bench.turn()
    assert bench.times == []

    def stopped(_: int) -> None:
        raise OverflowError

    bench.host.set_clock = stopped
    bench.command(2, "time", utc_ms=1_790_000_000_000)
    bench.turn()
    assert [values["outcome"] for values in bench.of("command_finished")] == ["refused", "failed"]


def test_a_config_is_changed_at_once_and_for_ever_or_refused_with_a_reason() -> None:
    bench = Bench()
    bench.tell("lamps", picture(7))
    bench.turn(20)
    assert bench.ports.lamps.seen(0) == GREEN
    assert bench.ports.oled.rows() == ["Payez"]
    bench.command(1, "config", revision=3, settings=[{"name": "brightness", "value": "40"}])
    bench.command(2, "config", revision=3, settings=[{"name": "brightness", "value": "41"}])
    bench.command(3, "config", revision=4, settings=[{"name": "site", "value": "elsewhere"}])
    bench.command(4, "config", revision=4, settings=[{"name": "language", "value": "en"}])
    bench.command(5, "config", revision=5, settings=[{"name": "scan_ms", "value": "500"}])
    bench.turn()
    outcomes = [values["outcome"] for values in bench.of("command_finished")]
    assert outcomes == ["done", "stale", "refused", "done", "done"]
    assert bench.ports.lamps.seen(0) == (0, 158 * 40 // 255, 115 * 40 // 255)
    bench.turn(2400)
    assert bench.ports.oled.rows() == ["Pay"]
    shoe: Any = bench.ports.readers["spi0", 0]
    shoe.commands = []
    bench.turn(200)
    assert 2 <= len(shoe.commands) <= 6, "a second holds two scans of 500 ms"
    with open(bench.folder + "/sabot.conf", "rb") as file:
        assert parse_config(file.read()).number("brightness") == 40


def test_garbage_and_wrong_keys_are_told_once_in_a_while_and_stop_nothing() -> None:
    bench = Bench()
    topic = build_topic("riviera", "table-1", "command")
    stranger = DeviceKey("table-1", bytes(16))
    order = encode("command", {"number": 1, "body": ("restart", {})})
    for _ in range(50):
        bench.app.received("command", b"\x00garbage")
        bench.app.received("command", seal(stranger, topic, order))
        bench.app.received("lamps", seal(bench.key, topic, order))
        bench.app.received("event", b"our own")
        bench.app.refused("", "bad_crc")
    bench.turn()
    refusals = [(values["channel"], values["code"]) for values in bench.of("message_refused")]
    assert refusals == [("command", "bad_envelope"), ("command", "not_authentic"), ("lamps", "not_authentic")]
    assert not bench.app.orders.wants_restart
    bench.tell("lamps", picture(1))
    bench.turn()
    assert bench.of("lamps_applied")


def test_two_controllers_on_one_line_leave_each_other_in_peace() -> None:
    pair = [Bench(), Bench(name="table-2")]
    for turn in range(20):
        for bench, other in (pair, pair[::-1]):
            for channel, data in bench.line.sent:
                other.app.received(channel, data)  # two wires: all that one says, the other hears
            other.app.received("lamps", bench.tell("lamps", picture(turn + 1)))
            other.app.received("command", bench.tell("command", {"number": turn + 1, "body": ("time", {"utc_ms": 1})}))
            bench.turn()
    for bench in pair:
        bench.turn(10)
        assert bench.of("message_refused") == []
        assert bench.of("fault") == []
        assert bench.app.face.revision == 20
        assert [values["outcome"] for values in bench.of("command_finished")] == ["done"] * 20
        forged = seal(DeviceKey(bench.name, bytes(16)), build_topic("riviera", bench.name, "lamps"), b"x")
        bench.app.received("lamps", forged)
        bench.turn()
        assert [values["code"] for values in bench.of("message_refused")] == ["not_authentic"], "who uses our own name"


def test_where_nobody_shares_the_way_a_message_for_another_controller_is_told() -> None:
    for network in (b"link = ethernet\nbroker_host = 10.0.0.1", b"link = serial\nserial_port = usb"):
        bench = Bench(network=network)
        other = DeviceKey("table-2", bytes(16))
        bench.app.received("lamps", seal(other, build_topic("riviera", "table-2", "lamps"), b"x"))
        bench.turn()
        assert [values["code"] for values in bench.of("message_refused")] == ["wrong_device"]


def test_a_selftest_proves_every_part_and_finds_a_dead_reader() -> None:
    bench = Bench()
    bench.turn(50)
    bench.command(1, "selftest", test="all")
    bench.turn(900)
    passed = [values["test"] for values in bench.of("selftest_finished") if values["passed"]]
    assert passed == ["readers", "antennas", "lamps", "keypad", "display", "flash", "link", "digests"]
    bench.ports.spi("spi0").is_dead = True
    bench.command(2, "selftest", test="readers")
    bench.turn(900)
    last = bench.of("selftest_finished")[-1]
    assert (last["test"], last["passed"], last["part"]) == ("readers", False, 0)


def test_health_tells_radio_and_temperature_where_there_is_a_radio() -> None:
    bench = Bench()
    bench.host.temperature = lambda: 160
    bench.clock.pass_us(61000000)
    bench.app.tell_health(bench.clock.ticks())
    bench.line.strength = -61
    bench.clock.pass_us(61000000)
    bench.app.tell_health(bench.clock.ticks())
    bench.turn()
    told = [(values.get("rssi_dbm"), values.get("temperature_c")) for values in bench.of("health")]
    assert told == [(None, None), (-61, 150)]


def test_identify_runs_a_light_and_ends() -> None:
    bench = Bench()
    bench.command(1, "identify", seconds=1)
    bench.turn()
    assert any(bench.ports.lamps.received)
    bench.turn(400)
    assert not any(bench.ports.lamps.received)


def test_events_that_were_not_acknowledged_are_sent_again_on_a_new_connection() -> None:
    bench = Bench()
    bench.turn()
    bench.app.record("cut_card")
    number = bench.app.uplink.outbox.newest
    while bench.app.uplink.turn(0, bench.line):
        pass
    bench.line.sent = []  # lost on the way
    bench.line.connection = 2
    bench.turn()
    assert bench.names().count("cut_card") == 1
    assert bench.app.uplink.outbox.floor == number


def main(_: "list[str]") -> None:
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            test()
            print("ok", name)


if __name__ == "__main__":
    main([])
