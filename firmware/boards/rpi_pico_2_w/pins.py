"""Pin map of the Raspberry Pi Pico 2 W: that of the Pico W, whose sockets fit it. GPIO numbers.

Source: Raspberry Pi Pico 2 W data sheet: GPIO 23, 24, 25 and 29 belong to the wireless chip. Erratum RP2350-E9: an
input's weak pull-down may hold 2.2 V; nothing here relies on one (every input is pulled up or driven).
"""

SERIAL = (0, 0, 1)  # UART number, TX, RX
SERIAL_DRIVE = 27
SPI = {"spi0": (0, 18, 19, 16, 1000000), "spi1": (1, 10, 11, 12, 4000000)}  # number, SCK, MOSI, MISO, baud
UART = {"uart1": (1, 8, 9)}  # number, TX, RX
I2C = (0, 5, 4)  # number, SCL, SDA

# Bus, select; NSS, BUSY, RESET (-1 = not wired).
SOCKETS = (("spi0", 0, 17, -1, 20), ("spi1", 0, 13, 14, 15), ("uart1", 0, -1, -1, 7))
MUX_SOCKET = ("spi1", 0)
MUX_LINES = (2, 3, 6, 22)
MUX_DISABLE = 26
LAMPS = 21
DOOR = 28
