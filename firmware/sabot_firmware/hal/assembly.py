"""A config and a board's ports -> the drivers of this controller. The same for every board and for the fake one.

Owns the choice of drivers. Knows no machine module: `ports` makes buses and pins, from a board's pin map (boards/)
or from models (fake/ports.py). Constructing drivers moves no bus; chips that are missing show when they are polled.
A driver is loaded when the config names its part: together they cost 20 KiB of heap where code is not frozen.
A config that asks for what the board does not have is a HardwareError: one sentence, fit for the display.
"""

from sabot_firmware.hal.flash import FlashStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from sabot_firmware.config import Config
    from sabot_firmware.hal.bus import I2cBus, Pin, SpiBus, Uart
    from sabot_firmware.hal.door import DoorSwitch
    from sabot_firmware.hal.flash import BlockDevice
    from sabot_firmware.hal.keypad_mcp23017 import Mcp23017Keypad
    from sabot_firmware.hal.lamps import Bitstream, LampStrip
    from sabot_firmware.hal.mux import AntennaMux
    from sabot_firmware.hal.oled import Frame, Oled
    from sabot_firmware.hal.pn532 import Pn532
    from sabot_firmware.hal.reader import Reader

    class Ports(Protocol):
        """A board's pin map and what makes buses of it."""

        @property
        def sockets(self) -> tuple[tuple[str, int, int, int, int], ...]: ...  # bus, select; NSS, BUSY, RESET or -1
        @property
        def mux_socket(self) -> tuple[str, int]: ...
        @property
        def mux_lines(self) -> tuple[int, ...]: ...
        @property
        def mux_disable(self) -> int: ...
        @property
        def door_pin(self) -> int: ...
        @property
        def lamp_pin(self) -> int: ...
        @property
        def flash_page(self) -> int: ...
        @property
        def bitstream(self) -> Bitstream: ...

        def spi(self, bus: str) -> SpiBus: ...
        def uart(self, bus: str) -> Uart: ...
        def i2c(self) -> I2cBus: ...
        def output(self, pin: int, level: int) -> Pin: ...
        def pulled_up(self, pin: int) -> Pin: ...
        def frame(self, buffer: bytearray) -> Frame: ...
        def flash(self, sectors: int) -> BlockDevice: ...


EXPANDER = 0x20  # MCP23017 with A0..A2 to ground
DISPLAY = 0x3C  # SSD1306 and SH1106 modules with SA0 to ground


class HardwareError(ValueError):
    """What the config asks for and this board cannot give: one sentence."""


class Hardware:
    """The drivers; None stands for a part that the config does not name."""

    def __init__(self, config: "Config", ports: "Ports", now_ms: int) -> None:
        self.lamps = lamps_of(config, ports)
        self.display = _display(config, ports)
        self.keypad = _keypad(config, ports)
        self.door = _door(ports, now_ms) if config.flag("door") else None
        self.flash = FlashStore(ports.flash(config.number("outbox_sectors")), ports.flash_page)
        self.readers: "dict[int, Reader]" = {}
        for number, _, chip, bus, select in config.readers:
            self.readers[number] = _reader(number, chip, bus, select, ports)


def lamps_of(config: "Config", ports: "Ports") -> "LampStrip | None":
    """The lamps alone: they go dark before anything else is tried."""
    pixels = config.number("pixels")
    if not pixels:
        return None
    from sabot_firmware.hal.lamps import LampStrip

    return LampStrip(ports.bitstream, ports.output(ports.lamp_pin, 0), pixels)


def _door(ports: "Ports", now_ms: int) -> "DoorSwitch":
    from sabot_firmware.hal.door import DoorSwitch

    return DoorSwitch(ports.pulled_up(ports.door_pin), now_ms)


def _display(config: "Config", ports: "Ports") -> "Oled | None":
    kind = config.text("display")
    if kind == "none":
        return None
    from sabot_firmware.hal.oled import SIZE, Oled

    buffer = bytearray(SIZE)
    return Oled(ports.i2c(), DISPLAY, kind, buffer, ports.frame(buffer))


def _keypad(config: "Config", ports: "Ports") -> "Mcp23017Keypad | None":
    rows = config.number("keypad_rows")
    columns = config.number("keypad_columns")
    if not rows or not columns:
        return None
    from sabot_firmware.hal.keypad_mcp23017 import Mcp23017Keypad

    return Mcp23017Keypad(ports.i2c(), EXPANDER, rows, columns)


def _reader(number: int, chip: str, bus: str, select: int, ports: "Ports") -> "Reader":
    for socket in ports.sockets:
        if socket[0] == bus and socket[1] == select:
            break
    else:
        raise HardwareError(f"Config: reader {number} has no socket {bus} {select} on this board.")
    nss, busy, reset = socket[2:]
    antennas = _mux(ports) if (bus, select) == ports.mux_socket else None
    reset_pin = ports.output(reset, 1)
    if chip == "pn532":
        return _pn532(bus, nss, reset_pin, antennas, ports)
    if busy < 0:
        raise HardwareError(f"Config: reader {number} is a PN5180, and {bus} {select} has no BUSY line.")
    from sabot_firmware.hal.pn5180 import Pn5180
    from sabot_firmware.hal.pn5180_host import Pn5180Host

    host = Pn5180Host(ports.spi(bus), ports.output(nss, 1), ports.pulled_up(busy))
    return Pn5180(host, reset_pin, antennas)


def _mux(ports: "Ports") -> "AntennaMux":
    from sabot_firmware.hal.mux import AntennaMux

    lines = tuple([ports.output(pin, 0) for pin in ports.mux_lines])
    return AntennaMux(lines, ports.output(ports.mux_disable, 1))


def _pn532(bus: str, nss: int, reset: "Pin", antennas: "AntennaMux | None", ports: "Ports") -> "Pn532":
    from sabot_firmware.hal.pn532 import Pn532
    from sabot_firmware.hal.pn532_link import Pn532Spi, Pn532Uart

    link = Pn532Uart(ports.uart(bus)) if nss < 0 else Pn532Spi(ports.spi(bus), ports.output(nss, 1))
    return Pn532(link, reset, antennas)
