"""Ticks wrap around every 2**30 ms, and differences and uptime do not notice."""

from sabot_firmware.core.ticks import MASK, Uptime, ticks_add, ticks_diff


def test_differences_cross_the_wrap() -> None:
    assert ticks_diff(5, MASK - 4) == 10
    assert ticks_diff(MASK - 4, 5) == -10
    assert ticks_diff(7, 7) == 0
    assert ticks_add(MASK, 1) == 0
    assert ticks_add(0, -1) == MASK


def test_differences_agree_with_the_interpreter() -> None:
    import time

    if hasattr(time, "ticks_diff"):
        for later, earlier in ((0, 0), (5, MASK), (MASK, 5), (1 << 29, 0), ((1 << 29) - 1, 0), (123456, 987654321)):
            assert ticks_diff(later, earlier) == time.ticks_diff(later, earlier)


def test_uptime_never_wraps_and_never_goes_back() -> None:
    now = MASK - 1000
    uptime = Uptime(now)
    passed = 0
    for step in (0, 1, 999, 5000, 1 << 28, 1 << 28, 1 << 28, 1 << 28, 1 << 28):
        now = ticks_add(now, step)
        passed += step
        assert uptime.at(now) == passed
    assert uptime.at(ticks_add(now, -3)) == passed
