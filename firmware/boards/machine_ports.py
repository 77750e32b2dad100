"""What is alike on every board with MicroPython's machine module. Interface: Ports in sabot_firmware/hal/assembly.py.

Makes each bus once and opens nothing before it is asked. A board's pins come in as its pins module; what only one
family of boards has (flash, network) is in that family's subclass.
"""

import time

import framebuf
import machine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from usb_port import UsbPort

    class Pins(Protocol):
        """What a board's pins module says."""

        SOCKETS: Any
        MUX_SOCKET: Any
        MUX_LINES: Any
        MUX_DISABLE: Any
        DOOR: Any
        LAMPS: Any
        SPI: dict[str, tuple[int, int, int, int, int]]
        UART: dict[str, tuple[int, int, int]]
        SERIAL: tuple[int, int, int]
        SERIAL_DRIVE: int
        I2C: tuple[int, int, int]


# Seconds from 1970 to the epoch of this port: 0 on the rp2, thirty years on the esp32.
_EPOCH_S = 946684800 if time.gmtime(0)[0] == 2000 else 0


class MachinePorts:
    """The ports of a board, without its flash."""

    def __init__(self, pins: "Pins") -> None:
        self.sockets = pins.SOCKETS
        self.mux_socket = pins.MUX_SOCKET
        self.mux_lines = pins.MUX_LINES
        self.mux_disable = pins.MUX_DISABLE
        self.door_pin = pins.DOOR
        self.lamp_pin = pins.LAMPS
        self.bitstream = machine.bitstream
        self._pins = pins
        self._spis: dict[str, machine.SPI] = {}
        self._uarts: dict[str, machine.UART] = {}
        self._i2c: machine.I2C | None = None

    def spi(self, bus: str) -> machine.SPI:
        """The SPI bus of this name, mode 0."""
        if bus not in self._spis:
            self._spis[bus] = spi_on(*self._pins.SPI[bus])
        return self._spis[bus]

    def uart(self, bus: str) -> machine.UART:
        """The UART of this name at 115,200 baud; "serial" is the RS-485 line."""
        if bus not in self._uarts:
            number, tx, rx = self._pins.SERIAL if bus == "serial" else self._pins.UART[bus]
            self._uarts[bus] = machine.UART(
                number, 115200, tx=machine.Pin(tx), rx=machine.Pin(rx), txbuf=512, rxbuf=512, timeout=0
            )
        return self._uarts[bus]

    def serial_drive(self) -> machine.Pin | None:
        """The pin that switches the RS-485 transceiver to sending; None where it switches itself."""
        return self.output(self._pins.SERIAL_DRIVE, 0) if self._pins.SERIAL_DRIVE >= 0 else None

    def usb(self) -> "UsbPort":
        """The USB cable, taken over from the console."""
        from usb_port import UsbPort

        return UsbPort()

    def i2c(self) -> machine.I2C:
        """The I²C bus of display and keypad."""
        if self._i2c is None:
            number, scl, sda = self._pins.I2C
            # A display that holds the line must not hold the scan loop: 2 ms without progress is an error.
            self._i2c = machine.I2C(number, scl=machine.Pin(scl), sda=machine.Pin(sda), freq=400000, timeout=2000)
        return self._i2c

    def output(self, pin: int, level: int) -> machine.Pin:
        """A pin that drives, from this level on."""
        return machine.Pin(pin, machine.Pin.OUT, value=level)

    def pulled_up(self, pin: int) -> machine.Pin:
        """A pin that reads, high when nothing drives it."""
        return machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP)

    def frame(self, buffer: bytearray) -> framebuf.FrameBuffer:
        """What draws into a display's buffer."""
        return framebuf.FrameBuffer(buffer, 128, 64, framebuf.MONO_VLSB)

    def watchdog(self, timeout_ms: int) -> machine.WDT:
        """The watchdog, armed for ever."""
        return machine.WDT(timeout=timeout_ms)

    def reset_cause(self) -> str:
        """Why the board started, in the wire's words."""
        cause = machine.reset_cause()
        for name, word in (
            ("PWRON_RESET", "power_on"),
            ("HARD_RESET", "hard"),
            ("WDT_RESET", "watchdog"),
            ("SOFT_RESET", "soft"),
            ("DEEPSLEEP_RESET", "deep_sleep"),
        ):
            if hasattr(machine, name) and getattr(machine, name) == cause:
                return word
        return "unknown"

    def restart(self) -> None:
        """Reset the board; does not return."""
        machine.reset()

    def set_clock(self, utc_s: int) -> None:
        """Set the board's clock to these seconds since 1970."""
        year, month, day, hour, minute, second, weekday, _ = time.gmtime(utc_s - _EPOCH_S)[:8]
        machine.RTC().datetime((year, month, day, weekday, hour, minute, second, 0))


def spi_on(number: int, sck: int, mosi: int, miso: int, baud: int) -> machine.SPI:
    """An SPI bus on these pins, mode 0, most significant bit first."""
    return machine.SPI(
        number,
        baudrate=baud,
        polarity=0,
        phase=0,
        sck=machine.Pin(sck),
        mosi=machine.Pin(mosi),
        miso=machine.Pin(miso),
    )
