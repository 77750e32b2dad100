"""The PN532 driver against a model of the chip, on SPI and on UART: cards, faults of the bus, faults of the chip."""

from firmware.on_both.seeded import Seeded
from sabot_firmware.core.ticks import MASK
from sabot_firmware.fake.clock import Clock
from sabot_firmware.fake.pn532_chip import Pn532Chip, SpiPort, UartPort
from sabot_firmware.fake.tag import Fields, Tag
from sabot_firmware.fake.wire import Pin, Spi, Uart
from sabot_firmware.hal.errors import CODES, ReaderError
from sabot_firmware.hal.pn532 import Pn532
from sabot_firmware.hal.pn532_link import Pn532Spi, Pn532Uart

FOUR = bytes([0x04, 0xA1, 0xB2, 0xC3])
SEVEN = bytes([0x04, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66])
TEN = bytes([0x04, 1, 2, 3, 4, 5, 6, 7, 8, 9])


class Bench:
    """A reader, its chip and the cards in front of it."""

    def __init__(self, kind: str, first_ms: int = 0) -> None:
        self.clock = Clock(first_ms)
        self.fields = Fields()
        reset = Pin()
        self.chip = Pn532Chip(self.clock, self.fields, reset)
        if kind == "spi":
            self.spi = Spi(self.clock)
            nss = Pin()
            self.spi.attach(nss, SpiPort(self.chip))
            self.reader = Pn532(Pn532Spi(self.spi, nss), reset)
        else:
            self.uart = Uart(self.clock, UartPort(self.chip, Uart))
            self.reader = Pn532(Pn532Uart(self.uart), reset)
        self.longest_us = 0

    def finish(self, limit_ms: int = 1000) -> "tuple[bytes, ...] | None":
        for _ in range(limit_ms):
            self.clock.pass_us(1000)
            before = self.clock.us
            try:
                found = self.reader.poll(self.clock.ticks())
            finally:
                self.longest_us = max(self.longest_us, self.clock.us - before)
            if found is not None:
                return found
        return None

    def inventory(self) -> "tuple[bytes, ...] | None":
        self.reader.start(0)
        return self.finish()

    def failure(self) -> str:
        try:
            return "none, but " + repr(self.inventory())
        except ReaderError as error:
            return error.code


def both() -> "list[Bench]":
    return [Bench("spi"), Bench("uart")]


def test_an_empty_field_is_an_empty_inventory() -> None:
    for bench in both():
        assert bench.inventory() == ()
        assert not bench.reader.is_busy
        assert bench.finish(50) is None


def test_uids_of_every_length_come_whole() -> None:
    for bench in both():
        for uid in (FOUR, SEVEN, TEN):
            bench.fields.clear(0)
            bench.fields.place(0, Tag(uid))
            assert bench.inventory() == (uid,)


def test_two_cards_of_any_lengths_come_both() -> None:
    for bench in both():
        for one in (FOUR, SEVEN, TEN):
            for other in (FOUR, SEVEN, TEN):
                if one != other:
                    bench.fields.clear(0)
                    bench.fields.place(0, Tag(one))
                    bench.fields.place(0, Tag(other))
                    assert bench.inventory() == (one, other)


def test_a_third_card_shows_as_a_full_reader() -> None:
    for bench in both():
        for uid in (FOUR, SEVEN, TEN):
            bench.fields.place(0, Tag(uid))
        found = bench.inventory()
        assert found is not None
        assert len(found) == bench.reader.limit


def test_the_same_cards_are_read_again_and_again() -> None:
    for bench in both():
        bench.fields.place(0, Tag(FOUR))
        bench.fields.place(0, Tag(SEVEN))
        for _ in range(20):
            assert bench.inventory() == (FOUR, SEVEN)
        assert bench.chip.resets == 1


def test_the_field_is_off_between_inventories() -> None:
    for bench in both():
        bench.fields.place(0, Tag(FOUR))
        bench.inventory()
        assert not bench.chip.field_on


def test_no_poll_takes_longer_than_two_milliseconds_of_bus() -> None:
    for bench in both():
        bench.fields.place(0, Tag(TEN))
        bench.fields.place(0, Tag(SEVEN))
        for _ in range(10):
            bench.inventory()
        assert bench.longest_us < 2000, bench.longest_us


def test_a_damaged_answer_is_asked_for_once_more() -> None:
    for bench in both():
        bench.fields.place(0, Tag(SEVEN))
        assert bench.inventory() == (SEVEN,)
        bench.chip.damaged = 1
        assert bench.inventory() == (SEVEN,)
        assert bench.reader.errors == 0


def test_an_answer_damaged_twice_is_an_error_and_then_all_is_well() -> None:
    for bench in both():
        bench.fields.place(0, Tag(SEVEN))
        bench.inventory()
        bench.chip.damaged = 2
        assert bench.failure() == "bad_checksum"
        assert bench.inventory() == (SEVEN,)
        assert bench.chip.resets == 2


def test_a_chip_that_hangs_is_reset() -> None:
    for bench in both():
        bench.fields.place(0, Tag(FOUR))
        bench.inventory()
        bench.chip.hangs = True
        assert bench.failure() == "no_ack"
        assert bench.inventory() == (FOUR,)


def test_a_supply_dip_before_an_inventory_is_found_and_mended() -> None:
    for bench in both():
        bench.fields.place(0, Tag(TEN))
        bench.inventory()
        bench.chip.brown_out()
        assert bench.failure() in ("no_ack", "chip_error", "bad_response")
        assert bench.inventory() == (TEN,)


def test_a_supply_dip_at_any_moment_is_found_and_mended() -> None:
    for at_ms in range(1, 60):
        for bench in both():
            bench.fields.place(0, Tag(TEN))
            try:
                bench.reader.start(0)
                found = bench.finish(at_ms)
                bench.chip.brown_out()
                if found is None:
                    found = bench.finish()
                assert found == (TEN,), found
            except ReaderError:
                pass
            again = None
            for _ in range(2):
                try:
                    again = bench.inventory()
                    break
                except ReaderError:
                    pass
            assert again == (TEN,)


def test_another_chip_is_refused() -> None:
    for bench in both():
        bench.chip.ic = 0x33
        assert bench.failure() == "wrong_chip"


def test_a_dead_bus_is_an_error_and_comes_back() -> None:
    bench = Bench("spi")
    bench.spi.is_dead = True
    assert bench.failure() == "bus"
    bench.spi.is_dead = False
    assert bench.inventory() == ()
    bench = Bench("uart")
    bench.uart.is_dead = True
    assert bench.failure() == "bus"
    bench.uart.is_dead = False
    assert bench.inventory() == ()


def test_no_chip_at_all_is_an_error_each_time() -> None:
    clock = Clock()
    bench = Bench("spi")
    bench.reader = Pn532(Pn532Spi(Spi(clock), Pin()), Pin())
    for _ in range(3):
        assert bench.failure() == "no_ack"
    assert bench.reader.errors == 3


def test_answers_that_fit_no_manual_are_refused_whole() -> None:
    twisted = (
        b"\x4b\x03" + b"\x01\x00\x04\x08\x04" + FOUR,  # three targets
        b"\x4b\x01" + b"\x02\x00\x04\x08\x04" + FOUR,  # numbered wrongly
        b"\x4b\x01" + b"\x01\x00\x04\x08\x05" + FOUR + b"\x00",  # five bytes
        b"\x4b\x01" + b"\x01\x00\x44\x00\x07" + FOUR,  # cut short
        b"\x4b\x01" + b"\x01\x00\x04\x08\x04" + FOUR + b"\x05\x78",  # an ATS nobody asked for
        b"\x4b\x02" + b"\x01\x00\x04\x08\x04" + FOUR,  # one of two
        b"\x4b",
        b"\x4d\x00",  # another command's answer
    )
    for payload in twisted:
        for bench in both():
            bench.inventory()
            body = b"\xd5" + payload
            bench.chip.garbage = (
                b"\x00\x00\xff" + bytes([len(body), 256 - len(body)]) + body + bytes([-sum(body) & 0xFF, 0])
            )
            assert bench.failure() == "bad_response", payload
            assert bench.inventory() == ()


def test_a_broken_cascade_is_left_out_and_counted() -> None:
    for bench in both():
        bench.fields.place(0, Tag(b"\x88\x04\x11\x22"))
        bench.fields.place(0, Tag(SEVEN))
        assert bench.inventory() == (SEVEN,)
        assert bench.reader.refused == 1


def test_a_card_read_twice_in_one_answer_is_one_card() -> None:
    for bench in both():
        bench.fields.place(0, Tag(SEVEN))
        bench.fields.place(0, Tag(SEVEN))
        assert bench.inventory() == (SEVEN,)


def test_garbage_for_an_answer_never_escapes_as_another_exception() -> None:
    random = Seeded(532)
    for _ in range(60):
        for bench in both():
            bench.fields.place(0, Tag(FOUR))
            assert bench.inventory() == (FOUR,)
            bench.chip.garbage = random.bytes(1 + random.below(140))
            code = bench.failure()
            assert code in CODES, code
            assert bench.inventory() == (FOUR,)


def test_flipped_bits_on_the_wire_never_give_a_wrong_card() -> None:
    random = Seeded(41)
    failed = 0
    for _ in range(120):
        bench = Bench("spi")
        bench.fields.place(0, Tag(SEVEN))
        bench.inventory()
        bench.spi.flips = [0] * random.below(160) + [1 << random.below(8)]
        try:
            assert bench.inventory() in ((SEVEN,), None)
        except ReaderError:
            failed += 1
        bench.spi.flips = []
        bench.reader.reset()
        assert bench.inventory() == (SEVEN,)
    assert failed < 120


def test_a_new_start_abandons_the_old_inventory() -> None:
    for bench in both():
        bench.inventory()
        bench.reader.start(0)
        bench.finish(3)
        bench.fields.place(0, Tag(FOUR))
        assert bench.inventory() == (FOUR,)


def test_the_self_test_passes_and_fails() -> None:
    for bench in both():
        bench.reader.self_test()
        assert bench.finish() == ()
        assert b"\x00\x00Sabot" in bench.chip.commands
        bench.chip.garbage = b""
        bench.chip.ic = 0
        bench.reader.self_test()
        code = ""
        try:
            bench.finish()
        except ReaderError as error:
            code = error.code
        assert code == "wrong_chip"


def test_ticks_may_wrap_in_the_middle() -> None:
    for before_ms in range(0, 60, 3):
        bench = Bench("spi", MASK - before_ms)
        bench.fields.place(0, Tag(SEVEN))
        assert bench.inventory() == (SEVEN,)
