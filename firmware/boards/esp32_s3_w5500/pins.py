"""Pin map of an ESP32-S3 with a W5500, wired as on Waveshare's ESP32-S3-ETH. GPIO numbers.

Source: Espressif "ESP32-S3 Series Datasheet": 0, 3, 45 and 46 are strapping pins, 19 and 20 USB, 26 to 32 the flash,
33 to 37 the octal PSRAM; the matrix routes SPI, UART and I²C to any other pin. One SPI host belongs to the W5500, the
other to all readers: 2 MHz suits both of their chips.
"""

SERIAL = (0, 43, 44)  # UART number, TX, RX; RS-485 with automatic direction
SERIAL_DRIVE = -1
SPI = {"spi0": (2, 40, 41, 42, 2000000)}  # number, SCK, MOSI, MISO, baud
UART: "dict[str, tuple[int, int, int]]" = {}
I2C = (0, 2, 1)  # number, SCL, SDA

# Bus, select; NSS, BUSY, RESET (-1 = not wired).
SOCKETS = (
    ("spi0", 0, 48, -1, 21),  # the shoe's PN532
    ("spi0", 1, 17, -1, 18),  # the badge's PN532
    ("spi0", 2, 39, 38, 47),  # the PN5180 behind the multiplexer
)
MUX_SOCKET = ("spi0", 2)
MUX_LINES = (4, 5, 6, 7)
MUX_DISABLE = 15
LAMPS = 8
DOOR = 16

# The W5500: SPI number, SCK, MOSI, MISO, chip select, interrupt, reset.
ETHERNET = (1, 13, 11, 12, 14, 10, 9)
