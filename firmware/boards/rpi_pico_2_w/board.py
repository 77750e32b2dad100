"""The ports of a Raspberry Pi Pico 2 W. Interface: Ports in sabot_firmware/hal/assembly.py; pins: pins.py.

The only file here that imports machine and rp2. Makes each bus once and opens nothing before it is asked.
The last megabyte of the flash's storage is the outbox's (raw sectors); `_boot.py` keeps the file system off it.
"""

import framebuf
import machine
import pins
import rp2

NAME = "rpi_pico_2_w"

OUTBOX_BYTES = 1024 * 1024


class Board:
    """The ports."""

    sockets = pins.SOCKETS
    mux_socket = pins.MUX_SOCKET
    mux_lines = pins.MUX_LINES
    mux_disable = pins.MUX_DISABLE
    door_pin = pins.DOOR
    lamp_pin = pins.LAMPS
    flash_page = 256

    def __init__(self) -> None:
        self.bitstream = machine.bitstream
        self._buses: "dict[str, object]" = {}

    def spi(self, bus: str) -> machine.SPI:
        """The SPI bus of this name, mode 0."""
        if bus not in self._buses:
            number, sck, mosi, miso, baud = pins.SPI[bus]
            self._buses[bus] = machine.SPI(
                number, baudrate=baud, sck=machine.Pin(sck), mosi=machine.Pin(mosi), miso=machine.Pin(miso)
            )
        return self._buses[bus]

    def uart(self, bus: str) -> machine.UART:
        """The UART of this name, as a PN532 wants it; "serial" is the RS-485 line."""
        if bus not in self._buses:
            number, tx, rx = pins.SERIAL if bus == "serial" else pins.UART[bus]
            self._buses[bus] = machine.UART(
                number, 115200, tx=machine.Pin(tx), rx=machine.Pin(rx), txbuf=512, rxbuf=512, timeout=0
            )
        return self._buses[bus]

    def i2c(self) -> machine.I2C:
        """The I²C bus of display and keypad."""
        if "i2c" not in self._buses:
            number, scl, sda = pins.I2C
            self._buses["i2c"] = machine.I2C(number, scl=machine.Pin(scl), sda=machine.Pin(sda), freq=400000)
        return self._buses["i2c"]

    def output(self, pin: int, level: int) -> machine.Pin:
        """A pin that drives, from this level on."""
        return machine.Pin(pin, machine.Pin.OUT, value=level)

    def pulled_up(self, pin: int) -> machine.Pin:
        """A pin that reads, high when nothing drives it."""
        return machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP)

    def frame(self, buffer: bytearray) -> framebuf.FrameBuffer:
        """What draws into a display's buffer."""
        return framebuf.FrameBuffer(buffer, 128, 64, framebuf.MONO_VLSB)

    def flash(self, sectors: int) -> rp2.Flash:
        """The outbox's sectors."""
        size = min(sectors * 4096, OUTBOX_BYTES)
        return rp2.Flash(start=rp2.Flash().ioctl(4, 0) * 4096 - OUTBOX_BYTES, len=size)

    def watchdog(self, timeout_ms: int) -> machine.WDT:
        """The watchdog, armed for ever."""
        return machine.WDT(timeout=timeout_ms)
