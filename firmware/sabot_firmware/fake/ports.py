"""The ports of a table that is not there: every socket holds a model of the chip that the config names.

Owns the fake board's pin map and the world behind it: `fields` (tags on antennas, by bus and select), `readers` (chips,
likewise), `matrix` (keys), `lamps`, `oled`, `door` (the pin), `device` (raw flash), `image` (the flash that code runs
from). Same shape as boards/.
Numbers of pins mean nothing here but which is which.
"""

from sabot_firmware.fake.block_device import BlockDevice
from sabot_firmware.fake.key_matrix import KeyMatrix, Mcp23017Chip
from sabot_firmware.fake.lamp_chain import LampChain
from sabot_firmware.fake.mux_chip import MuxChip
from sabot_firmware.fake.oled_chip import Frame, OledChip
from sabot_firmware.fake.pn532_chip import Pn532Chip, SpiPort, UartPort
from sabot_firmware.fake.pn5180_chip import Pn5180Chip
from sabot_firmware.fake.tag import Fields
from sabot_firmware.fake.wire import I2c, Pin, Spi, Uart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.config import Config
    from sabot_firmware.fake.clock import Clock
    from sabot_firmware.hal.bus import Pin as Input
    from sabot_firmware.hal.flash import BlockDevice as Device

_EXPANDER = 0x20
_DISPLAY = 0x3C


class FakePorts:
    """A board with two SPI buses of three sockets each, a UART socket, and one multiplexer at spi1 0."""

    sockets = (
        ("spi0", 0, 10, 11, 12),
        ("spi0", 1, 13, 14, 15),
        ("spi0", 2, 16, 17, 18),
        ("spi1", 0, 20, 21, 22),
        ("spi1", 1, 23, 24, 25),
        ("spi1", 2, 26, 27, 28),
        ("uart1", 0, -1, -1, 30),
    )
    mux_socket = ("spi1", 0)
    mux_lines = (40, 41, 42, 43)
    mux_disable = 44
    door_pin = 50
    lamp_pin = 51
    flash_page = 256

    def __init__(self, clock: "Clock", config: "Config", device: "Device | None" = None) -> None:
        """`device` is the raw flash; without one it lies in memory."""
        self.clock = clock
        self.fields: "dict[tuple[str, int], Fields]" = {}
        self.readers: "dict[tuple[str, int], Pn532Chip | Pn5180Chip]" = {}
        self.matrix = KeyMatrix()
        self.lamps = LampChain(clock, config.number("pixels"))
        self.bitstream = self.lamps.bitstream
        self.device = device
        self.image = bytearray()
        self._pins: "dict[int, Pin]" = {}
        self._outputs: "dict[int, Input]" = {}  # of chips
        self.door = self._pin(self.door_pin, 0)
        self._i2c = I2c(clock)
        self._i2c.chips[_EXPANDER] = Mcp23017Chip(self.matrix)
        kind = config.text("display")
        self.oled = OledChip("ssd1306" if kind == "none" else kind)
        self._i2c.chips[_DISPLAY] = self.oled
        self._spi = {"spi0": Spi(clock, 4000000), "spi1": Spi(clock, 4000000)}
        self._uart: "dict[str, Uart]" = {}
        for _, _, chip, bus, select in config.readers:
            self._plug(chip, bus, select)

    def spi(self, bus: str) -> Spi:
        return self._spi[bus]

    def uart(self, bus: str) -> Uart:
        return self._uart[bus]

    def i2c(self) -> I2c:
        return self._i2c

    def read_image(self, offset: int, room: "bytearray | memoryview") -> None:
        if offset + len(room) > len(self.image):
            raise OSError(22)
        room[:] = self.image[offset : offset + len(room)]

    def output(self, pin: int, level: int) -> Pin:
        made = self._pin(pin, level)
        made(level)
        return made

    def pulled_up(self, pin: int) -> "Input":
        # A driver looks at BUSY thousands of times for an inventory: straight at the chip.
        return self._outputs.get(pin) or self._pin(pin, 1)

    def frame(self, buffer: bytearray) -> Frame:
        return Frame(buffer)

    def flash(self, sectors: int) -> "Device":
        # Kept: a controller that starts again finds its flash as it left it.
        if self.device is None:
            self.device = BlockDevice(self.flash_page, sectors)
        return self.device

    def _pin(self, number: int, level: int) -> Pin:
        return self._pins.setdefault(number, Pin(level))

    def _plug(self, chip: str, bus: str, select: int) -> None:
        for socket in self.sockets:
            if socket[:2] == (bus, select) and (chip == "pn532" or socket[3] >= 0):
                nss, busy, reset = [self._pin(pin, 1) for pin in socket[2:]]
                fields = self.fields[bus, select] = Fields()
                if chip == "pn5180":
                    self._outputs[socket[3]] = self._plug_pn5180(bus, select, (nss, busy, reset), fields).busy
                    return
                pn532 = Pn532Chip(self.clock, fields, reset)
                self.readers[bus, select] = pn532
                if socket[2] < 0:
                    self._uart[bus] = Uart(self.clock, UartPort(pn532, Uart))
                else:
                    self._spi[bus].attach(nss, SpiPort(pn532))
                self._mux(bus, select, pn532, fields)

    def _plug_pn5180(self, bus: str, select: int, pins: "tuple[Pin, Pin, Pin]", fields: Fields) -> Pn5180Chip:
        chip = Pn5180Chip(self.clock, fields, pins[1], pins[2])
        self.readers[bus, select] = chip
        self._spi[bus].attach(pins[0], chip)
        self._mux(bus, select, chip, fields)
        return chip

    def _mux(self, bus: str, select: int, chip: "Pn532Chip | Pn5180Chip", fields: Fields) -> None:
        if (bus, select) == self.mux_socket:
            mux = MuxChip(fields, lambda: chip.field_on)
            for number in range(4):
                self._pins[self.mux_lines[number]] = mux.lines[number]
            self._pins[self.mux_disable] = mux.disable
