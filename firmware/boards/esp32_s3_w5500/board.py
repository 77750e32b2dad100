"""ESP32-S3 with a W5500, 8 MB of flash. Ports: machine_ports.py and what only the esp32 port has; pins: pins.py.

The outbox has a partition of its own (partitions.csv), and so has the image; one that is encrypted is read in clear.
"""

import esp32
import machine
import network
import pins
from machine_ports import MachinePorts, spi_on

NAME = "esp32_s3_w5500"
_BLOCK = 4096  # of a partition
_ETHERNET_BAUD = 20000000  # the W5500 takes 33 MHz for sure; short wires take 20


class Esp32Ports(MachinePorts):
    """The ports."""

    flash_page = 1

    def flash(self, _: int) -> esp32.Partition:
        """The outbox's partition, whole: its size was chosen when the board was flashed."""
        # block_size: documented since MicroPython 1.20, not yet in the stubs.
        found: list[esp32.Partition] = esp32.Partition.find(  # type: ignore[call-arg]
            esp32.Partition.TYPE_DATA, label="outbox", block_size=4096
        )
        return found[0]

    def read_image(self, offset: int, room: "bytearray | memoryview") -> None:
        """Fill `room` with the image's partition from `offset` on; OSError beyond its end."""
        # By number, as documented; the stubs know labels only.
        running = esp32.Partition(esp32.Partition.RUNNING)  # type: ignore[arg-type]
        if offset + len(room) > running.info()[3]:
            raise OSError(22)  # EINVAL
        running.readblocks(offset // _BLOCK, room, offset % _BLOCK)  # type: ignore[arg-type]  # any room does

    def ethernet(self) -> network.LAN:
        """The W5500."""
        number, sck, mosi, miso, select, interrupt, reset = pins.ETHERNET
        # The stubs know the built-in Ethernet only; these are the arguments documented for chips on SPI.
        return network.LAN(  # type: ignore[call-arg]
            spi=spi_on(number, sck, mosi, miso, _ETHERNET_BAUD),
            phy_type=network.PHY_W5500,
            phy_addr=0,
            cs=machine.Pin(select),
            int=machine.Pin(interrupt),
            reset=machine.Pin(reset),
        )

    def temperature(self) -> int:
        """Degrees inside the chip."""
        degrees: int = esp32.mcu_temperature()
        return degrees


def ports() -> Esp32Ports:
    """The ports of this board."""
    return Esp32Ports(pins)
