"""The display driver against models of the SSD1306 and the SH1106."""

from sabot_firmware.core.ticks import MASK
from sabot_firmware.fake.clock import Clock
from sabot_firmware.fake.oled_chip import Frame, OledChip
from sabot_firmware.fake.wire import I2c
from sabot_firmware.hal.errors import BusError
from sabot_firmware.hal.oled import SIZE, Oled

ADDRESS = 0x3C


class Bench:
    """A display on its bus."""

    def __init__(self, kind: str, first_ms: int = 0) -> None:
        self.clock = Clock(first_ms)
        self.i2c = I2c(self.clock)
        self.chip = OledChip(kind)
        self.i2c.chips[ADDRESS] = self.chip
        buffer = bytearray(SIZE)
        self.oled = Oled(self.i2c, ADDRESS, kind, buffer, Frame(buffer))
        self.longest_us = 0
        self.failures = 0

    def run(self, polls: int, step_us: int = 1000) -> None:
        for _ in range(polls):
            self.clock.pass_us(step_us)
            before = self.clock.us
            try:
                self.oled.poll(self.clock.ticks())
            except BusError:
                self.failures += 1
            self.longest_us = max(self.longest_us, self.clock.us - before)


def both(first_ms: int = 0) -> "list[Bench]":
    return [Bench("ssd1306", first_ms), Bench("sh1106", first_ms)]


def test_rows_reach_the_glass() -> None:
    for bench in both():
        bench.oled.draw(["Banco", "12 seats", "", "pay 3"])
        bench.run(12)
        assert bench.chip.rows() == ["Banco", "12 seats", "pay 3"]


def test_every_column_of_the_glass_is_written() -> None:
    for bench in both():
        bench.oled.draw(["0123456789abcdef"])
        bench.run(12)
        assert bench.chip.glass()[120:128] == b"f" * 8
        assert bench.chip.glass()[0:8] == b"0" * 8


def test_no_poll_takes_longer_than_four_milliseconds() -> None:
    for bench in both():
        for text in ("one", "two", "three"):
            bench.oled.draw([text] * 4)
            bench.run(12)
        assert bench.longest_us < 4000, bench.longest_us


def test_only_pages_that_changed_are_sent() -> None:
    for bench in both():
        bench.oled.draw(["one", "two"])
        bench.run(20)
        before = bench.chip.writes
        bench.run(20)
        assert bench.chip.writes == before
        bench.oled.draw(["one", "three"])
        bench.run(20)
        assert bench.chip.writes == before + 2


def test_a_display_that_lost_power_comes_back_by_itself() -> None:
    for bench in both():
        bench.oled.draw(["still here"])
        bench.run(20)
        bench.chip.power_up()
        assert bench.chip.rows() == []
        bench.run(12, 1000000)
        bench.run(12)
        assert bench.chip.rows() == ["still here"]


def test_a_missing_display_is_told_once_a_second_and_comes_back() -> None:
    for bench in both():
        bench.chip.is_unplugged = True
        bench.oled.draw(["hello"])
        bench.run(3000)
        assert 3 <= bench.failures <= 4, bench.failures
        bench.chip.is_unplugged = False
        bench.run(1100)
        assert bench.chip.rows() == ["hello"]


def test_a_display_unplugged_in_mid_picture_comes_back() -> None:
    for pages in range(10):
        for bench in both():
            bench.oled.draw(["aaaa", "bbbb", "cccc", "dddd"])
            bench.run(pages)
            bench.chip.is_unplugged = True
            bench.run(30)
            bench.chip.is_unplugged = False
            bench.chip.power_up()
            bench.run(11000)
            assert bench.chip.rows() == ["aaaa", "bbbb", "cccc", "dddd"]


def test_ticks_may_wrap() -> None:
    for bench in both(MASK - 5):
        bench.oled.draw(["wrap"])
        bench.run(30)
        assert bench.chip.rows() == ["wrap"]


def test_more_rows_than_the_glass_holds_are_cut() -> None:
    for bench in both():
        bench.oled.draw(["1", "2", "3", "4", "5"])
        bench.run(20)
        assert bench.chip.rows() == ["1", "2", "3", "4"]
