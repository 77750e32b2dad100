"""The shapes of the buses and pins that drivers are given: machine.SPI, UART, I2C and Pin, or their fakes.

Owns types for the checker only; on a board this module is empty and nothing imports it at run time.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    Data = bytes | bytearray | memoryview
    Room = bytearray | memoryview

    class Pin(Protocol):
        """machine.Pin, already configured: call it to read, call it with 0 or 1 to drive."""

        def __call__(self, level: int | None = None) -> int | None: ...

    class SpiBus(Protocol):
        """machine.SPI in mode 0, most significant bit first."""

        def write(self, data: Data) -> object: ...
        def readinto(self, room: Room, filler: int = 0) -> object: ...
        def write_readinto(self, data: Data, room: Room) -> object: ...

    class Uart(Protocol):
        """machine.UART with buffers for at least one frame each way."""

        def write(self, data: Data) -> object: ...
        def any(self) -> int: ...
        def readinto(self, room: Room, size: int) -> int | None: ...

    class I2cBus(Protocol):
        """machine.I2C; raises OSError when a device does not acknowledge."""

        def writeto(self, address: int, data: Data) -> object: ...
        def readfrom_mem_into(self, address: int, register: int, room: Room) -> object: ...
        def writeto_mem(self, address: int, register: int, data: Data) -> object: ...

    class Antennas(Protocol):
        """What a reader needs of an antenna multiplexer; see mux.py."""

        settle_ms: int

        def select(self, antenna: int) -> None: ...
        def off(self) -> None: ...
