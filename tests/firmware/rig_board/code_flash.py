"""The flash that a Pico's code runs from, on the unix port: a file, which stands in memory where the chip has it.

Takes the place of `uctypes` in sys.modules: there is nothing at that address here.
"""

# MicroPython has no pathlib.
# ruff: noqa: PTH123

PATH = "image"
_XIP = 0x10000000


def bytearray_at(address: int, size: int) -> bytearray:
    assert address >= _XIP
    room = bytearray(size)
    with open(PATH, "rb") as file:
        file.seek(address - _XIP)
        assert file.readinto(room) == size, "beyond the flash"
    return room
