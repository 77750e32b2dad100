"""WS2812 lamps against a chain that decodes pulses and latches on silence."""

from sabot_firmware.core.ticks import MASK
from sabot_firmware.fake.clock import Clock
from sabot_firmware.fake.lamp_chain import LampChain
from sabot_firmware.fake.wire import Pin
from sabot_firmware.hal.lamps import LampStrip


class Bench:
    """Eight lamps on a pin."""

    def __init__(self, first_ms: int = 0) -> None:
        self.clock = Clock(first_ms)
        self.chain = LampChain(self.clock, 8)
        self.strip = LampStrip(self.chain.bitstream, Pin(0), 8)
        self.pixels = bytearray(24)

    def show(self, wait_ms: int = 1) -> bool:
        self.clock.pass_us(wait_ms * 1000)
        return self.strip.show(self.clock.ticks(), self.pixels)


def test_green_red_blue_reach_the_eye_as_red_green_blue() -> None:
    bench = Bench()
    bench.pixels[0:3] = bytes([10, 20, 30])
    bench.pixels[21:24] = bytes([1, 2, 3])
    assert bench.show()
    assert bench.chain.seen(0) == (20, 10, 30)
    assert bench.chain.seen(7) == (2, 1, 3)
    assert bench.chain.seen(3) == (0, 0, 0)


def test_dark_is_dark_whatever_shone() -> None:
    bench = Bench()
    bench.pixels[:] = b"\xff" * 24
    bench.show()
    bench.clock.pass_us(5000)
    bench.strip.dark(bench.clock.ticks())
    assert [bench.chain.seen(lamp) for lamp in range(8)] == [(0, 0, 0)] * 8


def test_pictures_in_a_hurry_still_latch() -> None:
    bench = Bench()
    for value in range(1, 200):
        bench.pixels[0] = value
        bench.clock.pass_us(100)
        if bench.strip.show(bench.clock.ticks(), bench.pixels):
            assert bench.chain.seen(0) == (0, value, 0)
        assert bench.chain.seen(8) == (0, 0, 0)
        assert len(bench.chain.received) == 24
    assert bench.chain.sends > 5


def test_a_picture_shown_once_is_not_sent_again_at_once_but_soon() -> None:
    bench = Bench()
    bench.pixels[0] = 9
    for _ in range(400):
        assert bench.show()
    assert bench.chain.sends == 1
    for _ in range(200):
        bench.show()
    assert bench.chain.sends == 2


def test_lamps_that_were_unplugged_shine_again_within_half_a_second() -> None:
    bench = Bench()
    bench.chain.is_unplugged = True
    bench.pixels[0] = 9
    bench.show()
    bench.chain.is_unplugged = False
    for _ in range(501):
        bench.show()
    assert bench.chain.seen(0) == (0, 9, 0)


def test_ticks_may_wrap() -> None:
    bench = Bench(MASK - 3)
    for value in range(1, 20):
        bench.pixels[0] = value
        while not bench.show():
            pass
        assert bench.chain.seen(0) == (0, value, 0)
