"""ESP32-S3 with a W5500, 8 MB of flash. Ports: machine_ports.py and what only the esp32 port has; pins: pins.py.

The outbox has a partition of its own (partitions.csv).
"""

import esp32
import machine
import network
import pins
from machine_ports import MachinePorts, spi_on

NAME = "esp32_s3_w5500"
_ETHERNET_BAUD = 20000000  # the W5500 takes 33 MHz for sure; short wires take 20


class Esp32Ports(MachinePorts):
    """The ports."""

    flash_page = 1

    def flash(self, _: int) -> esp32.Partition:
        """The outbox's partition, whole: its size was chosen when the board was flashed."""
        return esp32.Partition.find(esp32.Partition.TYPE_DATA, label="outbox", block_size=4096)[0]

    def ethernet(self) -> network.LAN:
        """The W5500."""
        number, sck, mosi, miso, select, interrupt, reset = pins.ETHERNET
        return network.LAN(
            spi=spi_on(number, sck, mosi, miso, _ETHERNET_BAUD),
            phy_type=network.PHY_W5500,
            phy_addr=0,
            cs=machine.Pin(select),
            int=machine.Pin(interrupt),
            reset=machine.Pin(reset),
        )

    def temperature(self) -> int:
        """Degrees inside the chip."""
        return esp32.mcu_temperature()


def ports() -> Esp32Ports:
    """The ports of this board."""
    return Esp32Ports(pins)
