"""Pins and buses of the fake table: what machine.Pin, SPI, UART and I2C are to drivers, with virtual time.

Owns levels, selection, bit times and the faults of wires: flipped bits, dead buses, missing acknowledges.
Knows no chip. A chip on SPI has select(), deselect() and exchange(byte); on UART take(byte) and give(now_us), the next
byte that is out by then or -1; on I²C write(bytes) and read(room), and is_deaf() when it does not acknowledge.
Two chips selected at once on one SPI bus is a driver's bug and an assertion here.
Every byte goes to the chip by itself and takes its time. A night of twenty thousand tags moves millions of them, so
what a byte needs is looked up once for each transfer, and nothing is allocated: a small heap is soon full of crumbs.
MicroPython takes a call's variables and intermediate results from the heap too when they are more than eleven; so the
functions that are called for bytes, looks and edges, here and in the models, are short.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from sabot_firmware.fake.clock import Clock
    from sabot_firmware.hal.bus import Data, Room

    class SpiChip(Protocol):
        @property
        def exchange(self) -> Callable[[int], int]: ...
        def select(self) -> None: ...
        def deselect(self) -> None: ...

    class UartChip(Protocol):
        def take(self, byte: int) -> None: ...
        def give(self, now_us: int) -> int: ...

    class I2cChip(Protocol):
        def is_deaf(self) -> bool: ...
        def write(self, data: Data) -> None: ...
        def read(self, room: Room) -> None: ...


_EIO = 5
_ENODEV = 19
_ETIMEDOUT = 110

# What a transfer costs on a board beside its bits: the driver's steps around it, its calls, the select line. With this
# an instruction of a PN5180 takes the 0.2 ms that its driver counts with.
_CALL_US = 50


class Pin:
    """A pin: called with a level it is driven, called without it is read (from `source` if it has one)."""

    def __init__(self, level: int = 1) -> None:
        self.level = level
        self.on_change: "Callable[[int], None] | None" = None
        self.source: "Callable[[], int] | None" = None

    def __call__(self, level: "int | None" = None) -> "int | None":
        if level is None:
            source = self.source
            return self.level if source is None else source()
        if level != self.level:
            self.level = level
            if self.on_change is not None:
                self.on_change(level)
        return None


class Spi:
    """An SPI bus in mode 0, most significant bit first."""

    def __init__(self, clock: "Clock", baud: int = 1000000) -> None:
        self._clock = clock
        self._byte_us = max(1, 8000000 // baud)
        self._chips: "list[tuple[Pin, SpiChip]]" = []
        self.is_dead = False
        self.flips: "list[int]" = []  # XORed onto the next bytes that a chip sends, one each

    def attach(self, nss: Pin, chip: "SpiChip") -> None:
        """Wire a chip to the bus and to its select line."""
        self._chips.append((nss, chip))
        nss.on_change = lambda level: chip.deselect() if level else chip.select()

    def write(self, data: "Data") -> None:
        exchange, clock, byte_us = self._begin(), self._clock, self._byte_us
        for at in range(len(data)):
            clock.us += byte_us
            exchange(data[at])

    def readinto(self, room: "Room", filler: int = 0) -> None:
        _fill(room, filler, self._begin(), self._clock, self._byte_us)

    def write_readinto(self, data: "Data", room: "Room") -> None:
        exchange = self._begin()
        for at in range(len(data)):
            self._clock.us += self._byte_us
            room[at] = exchange(data[at])

    def _begin(self) -> "Callable[[int], int]":
        """Where the bytes of this transfer go."""
        if self.is_dead:
            raise OSError(_EIO)
        selected = None
        for nss, chip in self._chips:
            if not nss.level:
                assert selected is None, "two chips drive the bus"
                selected = chip
        if selected is None:
            return _nobody
        self._clock.us += _CALL_US
        return self._flipping(selected) if self.flips else selected.exchange

    def _flipping(self, chip: "SpiChip") -> "Callable[[int], int]":
        return lambda byte: chip.exchange(byte) ^ (self.flips.pop(0) if self.flips else 0)


def _fill(room: "Room", filler: int, exchange: "Callable[[int], int]", clock: "Clock", byte_us: int) -> None:
    for at in range(len(room)):
        clock.us += byte_us
        room[at] = exchange(filler)


def _nobody(_: int) -> int:
    return 0xFF  # the line is pulled up


class Uart:
    """A UART at 115,200 baud with a receive buffer as long as the board's."""

    BYTE_US = 87

    def __init__(self, clock: "Clock", chip: "UartChip", room: int = 256) -> None:
        self._clock = clock
        self._chip = chip
        self._arrived = bytearray(room)  # a ring
        self._first = 0
        self._count = 0
        self.is_dead = False
        self.lost = 0

    def write(self, data: "Data") -> int:
        if self.is_dead:
            raise OSError(_EIO)
        take = self._chip.take
        for byte in data:
            take(byte)
        return len(data)

    def any(self) -> int:
        now_us = self._clock.us
        byte = self._chip.give(now_us)
        while byte >= 0:
            self._arrive(byte)
            byte = self._chip.give(now_us)
        return self._count

    def _arrive(self, byte: int) -> None:
        size = len(self._arrived)
        if self._count == size:
            self.lost += 1
            self._count -= 1
            self._first = (self._first + 1) % size
        self._arrived[(self._first + self._count) % size] = byte
        self._count += 1

    def readinto(self, room: "Room", size: int) -> "int | None":
        got = min(size, self.any(), len(room))
        for at in range(got):
            room[at] = self._arrived[self._first]
            self._first = (self._first + 1) % len(self._arrived)
        self._count -= got
        return got if got else None


class I2c:
    """An I²C bus at 400 kHz."""

    def __init__(self, clock: "Clock", baud: int = 400000) -> None:
        self._clock = clock
        self._byte_us = max(1, 9000000 // baud)
        self._register = bytearray(1)
        self._registered = bytearray(2)  # one and a byte for it
        self.chips: "dict[int, I2cChip]" = {}
        self.is_stuck = False

    def writeto(self, address: int, data: "Data") -> None:
        self._chip(address, len(data)).write(data)

    def writeto_mem(self, address: int, register: int, data: "Data") -> None:
        whole = self._registered
        if len(data) > 1:
            whole = bytearray(1) + data
        whole[0] = register
        whole[1] = data[0]
        self._chip(address, len(whole)).write(whole)

    def readfrom_mem_into(self, address: int, register: int, room: "Room") -> None:
        chip = self._chip(address, len(room) + 2)
        self._register[0] = register
        chip.write(self._register)
        chip.read(room)

    def _chip(self, address: int, size: int) -> "I2cChip":
        if self.is_stuck:
            raise OSError(_ETIMEDOUT)
        self._clock.us += self._byte_us * (size + 1)
        chip = self.chips.get(address)
        if chip is None:
            raise OSError(_ENODEV)
        if chip.is_deaf():
            raise OSError(_EIO)
        return chip
