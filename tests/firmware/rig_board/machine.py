"""What MicroPython's `machine` is to the boards' own code, on the unix port: pins without wires, buses without chips.

A UART is whatever pseudo-terminal the file `uart` in the working folder names; without that file the line is cut.
reset() ends the process with code 3: whoever started it starts it again, as power does.
"""

# MicroPython has no pathlib, and what a script of the rig prints is its result.
# ruff: noqa: ARG002, PTH123, T201

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PWRON_RESET, HARD_RESET, WDT_RESET = 1, 2, 3
RESET = 3
_READ_WRITE_NOW = 2 | 0o4000 | 0o400  # O_RDWR, O_NONBLOCK, O_NOCTTY
_libc: "Any" = __import__("ffi").open("libc.so.6")
_open = _libc.func("i", "open", "si")
_read = _libc.func("i", "read", "ipi")
_write = _libc.func("i", "write", "ipi")
_close = _libc.func("i", "close", "i")


class Pin:
    OUT, IN, PULL_UP = 1, 0, 2

    def __init__(self, number: int, mode: int = 0, pull: int = -1, value: int = 1) -> None:
        assert mode in (0, 1)
        assert pull in (-1, 2)
        self.number = number
        self.level = value
        self.changes = 0

    def __call__(self, level: "int | None" = None) -> "int | None":
        if level is None:
            return self.level
        self.changes += level != self.level
        self.level = level
        if self.number == 27 and self.changes == 2:
            print("drive: taken and given back")
        return None


class SPI:
    def __init__(self, number: int, **settings: "Any") -> None:
        assert number in (0, 1)
        assert (settings["polarity"], settings["phase"]) == (0, 0)

    def write(self, data: bytes) -> None:
        assert data

    def readinto(self, room: bytearray, filler: int = 0) -> None:
        assert filler >= 0
        for at in range(len(room)):
            room[at] = 0xFF

    def write_readinto(self, data: bytes, room: bytearray) -> None:
        assert len(data) == len(room)
        self.readinto(room)


class I2C:
    def __init__(self, number: int, **settings: "Any") -> None:
        assert number in (0, 1)
        assert settings["freq"] == 400000

    def writeto(self, address: int, data: bytes) -> None:
        assert address
        assert data

    def writeto_mem(self, address: int, register: int, data: bytes) -> None:
        raise OSError(5)

    def readfrom_mem_into(self, address: int, register: int, room: bytearray) -> None:
        raise OSError(5)


class UART:
    def __init__(self, number: int, baud: int, **settings: "Any") -> None:
        assert baud == 115200
        assert settings["rxbuf"] >= 256
        self._number = number
        self._handle = -1
        self._path = ""
        self._room = bytearray(512)
        self._waiting = b""

    def any(self) -> int:
        if self._number == 0 and not self._waiting:
            got = _read(self._line(), self._room, len(self._room))
            if got == 0:
                raise OSError(5)
            self._waiting = bytes(self._room[: max(0, got)])
        return len(self._waiting)

    def readinto(self, room: bytearray, size: int) -> int:
        got = min(size, len(self._waiting), len(room))
        room[:got] = self._waiting[:got]
        self._waiting = self._waiting[got:]
        return got

    def write(self, data: bytes) -> int:
        if self._number:
            return len(data)
        return max(0, int(_write(self._line(), bytes(data), len(data))))

    def txdone(self) -> bool:
        return True

    def _line(self) -> int:
        try:
            with open("uart") as file:
                path = file.read()
        except OSError:
            path = ""
        if path != self._path:
            self._path = path
            if self._handle >= 0:
                _close(self._handle)
            self._handle = _open(path, _READ_WRITE_NOW) if path else -1
        if self._handle < 0:
            raise OSError(19)
        return self._handle


class WDT:
    def __init__(self, timeout: int) -> None:
        print("watchdog", timeout)

    def feed(self) -> None:
        return


class RTC:
    def datetime(self, moment: "tuple[int, ...]") -> None:
        print("clock", *moment[:3])


class ADC:
    CORE_TEMP = 4

    def __init__(self, channel: int) -> None:
        assert channel == self.CORE_TEMP

    def read_u16(self) -> int:
        return 14020  # 706 mV of 3.3 V: 27 degrees, as the data sheet says


def bitstream(_pin: Pin, encoding: int, timing: "tuple[int, ...]", data: bytearray) -> None:
    assert (encoding, len(timing)) == (0, 4)
    assert len(data) % 3 == 0


def reset_cause() -> int:
    return PWRON_RESET


def reset() -> None:
    print("reset")
    sys.exit(RESET)
