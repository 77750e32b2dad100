"""The ports of an ESP32-S3 with a W5500. Interface: Ports in sabot_firmware/hal/assembly.py; pins: pins.py.

The only file here that imports machine, network and esp32. Makes each bus once and opens nothing before it is asked.
The outbox has a partition of its own (partitions.csv).
"""

import esp32
import framebuf
import machine
import network
import pins

NAME = "esp32_s3_w5500"


class Board:
    """The ports."""

    sockets = pins.SOCKETS
    mux_socket = pins.MUX_SOCKET
    mux_lines = pins.MUX_LINES
    mux_disable = pins.MUX_DISABLE
    door_pin = pins.DOOR
    lamp_pin = pins.LAMPS
    flash_page = 1

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

    def flash(self, _: int) -> esp32.Partition:
        """The outbox's partition, whole: its size was chosen when the board was flashed."""
        return esp32.Partition.find(esp32.Partition.TYPE_DATA, label="outbox", block_size=4096)[0]

    def ethernet(self) -> network.LAN:
        """The W5500."""
        number, sck, mosi, miso, select, interrupt, reset = pins.ETHERNET
        spi = machine.SPI(
            number, baudrate=20000000, sck=machine.Pin(sck), mosi=machine.Pin(mosi), miso=machine.Pin(miso)
        )
        return network.LAN(
            spi=spi,
            phy_type=network.PHY_W5500,
            phy_addr=0,
            cs=machine.Pin(select),
            int=machine.Pin(interrupt),
            reset=machine.Pin(reset),
        )

    def watchdog(self, timeout_ms: int) -> machine.WDT:
        """The watchdog, armed for ever."""
        return machine.WDT(timeout=timeout_ms)
