"""Pin map of the Raspberry Pi Pico W and Pico 2 W, which take the same harness. GPIO numbers, not package pins.

Source: Raspberry Pi Pico W and Pico 2 W data sheets: GPIO 23, 24, 25 and 29 belong to the wireless chip; SPI, UART
and I²C lie where the RP2040 (1.4.3) and RP2350 (1.2.3) data sheets allow them. Erratum RP2350-E9: an input's weak
pull-down may hold 2.2 V; nothing here relies on one. firmware/README.md draws the wiring.
"""

SERIAL = (0, 0, 1)  # UART number, TX, RX: RS-485 to the bridge; SERIAL_DRIVE switches its transceiver to sending
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
