"""Raspberry Pi Pico 2 W (RP2350, 4 MB of flash). Ports: rp2/rp2_ports.py; pins: rp2/pins.py.

Imported by _boot.py too, before there are files: it imports nothing itself.
"""

NAME = "rpi_pico_2_w"
OUTBOX_BYTES = 1024 * 1024
FLASH_BYTES = 4 * 1024 * 1024


TYPE_CHECKING = False
if TYPE_CHECKING:
    from rp2_ports import Rp2Ports


def ports() -> "Rp2Ports":
    """The ports of this board."""
    from rp2_ports import Rp2Ports

    return Rp2Ports(OUTBOX_BYTES, FLASH_BYTES)
