"""Pin map of the Raspberry Pi Pico W; the Pico 2 W has the same pins. GPIO numbers, not pins of the package.

Source: Raspberry Pi Pico W data sheet: GPIO 23, 24, 25 and 29 belong to the wireless chip; SPI, UART and I²C may
use only the pins that table 2 of the RP2040 data sheet (section 1.4.3) gives them. firmware/README.md draws it.
"""

SERIAL = (0, 0, 1)  # UART number, TX, RX: RS-485 to the bridge; 27 switches the transceiver to sending
SERIAL_DRIVE = 27
SPI = {"spi0": (0, 18, 19, 16, 1000000), "spi1": (1, 10, 11, 12, 4000000)}  # number, SCK, MOSI, MISO, baud
UART = {"uart1": (1, 8, 9)}  # number, TX, RX
I2C = (0, 5, 4)  # number, SCL, SDA: display and keypad

# Bus, select; NSS, BUSY, RESET (-1 = not wired).
SOCKETS = (
    ("spi0", 0, 17, -1, 20),  # the shoe's PN532
    ("spi1", 0, 13, 14, 15),  # the PN5180 behind the multiplexer
    ("uart1", 0, -1, -1, 7),  # the badge's PN532
)
MUX_SOCKET = ("spi1", 0)
MUX_LINES = (2, 3, 6, 22)
MUX_DISABLE = 26
LAMPS = 21
DOOR = 28
