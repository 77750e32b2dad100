"""Pins and buses of the fake table: what machine.Pin, SPI, UART and I2C are to drivers, with virtual time.

Owns levels, selection, bit times and the faults of wires: flipped bits, dead buses, missing acknowledges.
Knows no chip. A chip on SPI has select(), deselect() and exchange(byte); on UART take(byte) and an outbox of
(ready_us, byte); on I²C write(bytes) and read(size), and is_deaf() when it does not acknowledge.
Two chips selected at once on one SPI bus is a driver's bug and an assertion here.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from sabot_firmware.fake.clock import Clock

    class SpiChip(Protocol):
        def select(self) -> None: ...
        def deselect(self) -> None: ...
        def exchange(self, byte: int) -> int: ...

    class UartChip(Protocol):
        @property
        def sent(self) -> list[tuple[int, int]]: ...
        def take(self, byte: int) -> None: ...

    class I2cChip(Protocol):
        def is_deaf(self) -> bool: ...
        def write(self, data: bytes) -> None: ...
        def read(self, size: int) -> bytes: ...


_EIO = 5
_ENODEV = 19
_ETIMEDOUT = 110


class Pin:
    """A pin: called with a level it is driven, called without it is read (from `source` if it has one)."""

    def __init__(self, level: int = 1) -> None:
        self.level = level
        self.on_change: "Callable[[int], None] | None" = None
        self.source: "Callable[[], int] | None" = None

    def __call__(self, level: "int | None" = None) -> "int | None":
        if level is None:
            return self.level if self.source is None else self.source()
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

    def write(self, data: "bytes | bytearray | memoryview") -> None:
        for byte in data:
            self._exchange(byte)

    def readinto(self, room: "bytearray | memoryview", filler: int = 0) -> None:
        for at in range(len(room)):
            room[at] = self._exchange(filler)

    def write_readinto(self, data: "bytes | bytearray | memoryview", room: "bytearray | memoryview") -> None:
        for at in range(len(data)):
            room[at] = self._exchange(data[at])

    def _exchange(self, byte: int) -> int:
        if self.is_dead:
            raise OSError(_EIO)
        self._clock.pass_us(self._byte_us)
        selected = [chip for nss, chip in self._chips if not nss.level]
        assert len(selected) < 2, "two chips drive the bus"
        answer = selected[0].exchange(byte) if selected else 0xFF
        return answer ^ self.flips.pop(0) if self.flips and selected else answer


class Uart:
    """A UART at 115,200 baud with a receive buffer as long as the board's."""

    BYTE_US = 87

    def __init__(self, clock: "Clock", chip: "UartChip", room: int = 256) -> None:
        self._clock = clock
        self._chip = chip
        self._room = room
        self.is_dead = False
        self.lost = 0

    def write(self, data: "bytes | bytearray | memoryview") -> int:
        if self.is_dead:
            raise OSError(_EIO)
        for byte in data:
            self._chip.take(byte)
        return len(data)

    def any(self) -> int:
        waiting = 0
        for ready_us, _ in self._chip.sent:
            if ready_us > self._clock.us:
                break
            waiting += 1
        while waiting > self._room:
            self._chip.sent.pop(0)
            self.lost += 1
            waiting -= 1
        return waiting

    def readinto(self, room: "bytearray | memoryview", size: int) -> "int | None":
        got = min(size, self.any(), len(room))
        for at in range(got):
            room[at] = self._chip.sent.pop(0)[1]
        return got if got else None


class I2c:
    """An I²C bus at 400 kHz."""

    def __init__(self, clock: "Clock", baud: int = 400000) -> None:
        self._clock = clock
        self._byte_us = max(1, 9000000 // baud)
        self.chips: "dict[int, I2cChip]" = {}
        self.is_stuck = False

    def writeto(self, address: int, data: "bytes | bytearray | memoryview") -> None:
        self._chip(address, len(data)).write(bytes(data))

    def writeto_mem(self, address: int, register: int, data: "bytes | bytearray | memoryview") -> None:
        self._chip(address, len(data) + 1).write(bytes([register]) + bytes(data))

    def readfrom_mem_into(self, address: int, register: int, room: "bytearray | memoryview") -> None:
        chip = self._chip(address, len(room) + 2)
        chip.write(bytes([register]))
        room[:] = chip.read(len(room))

    def _chip(self, address: int, size: int) -> "I2cChip":
        if self.is_stuck:
            raise OSError(_ETIMEDOUT)
        self._clock.pass_us(self._byte_us * (size + 1))
        chip = self.chips.get(address)
        if chip is None:
            raise OSError(_ENODEV)
        if chip.is_deaf():
            raise OSError(_EIO)
        return chip
