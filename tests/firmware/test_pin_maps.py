"""Every board's pin map uses each pin once, and only pins that its chip has free for that use."""

import re
import runpy
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

from conftest import ROOT

BOARDS = ROOT / "firmware" / "boards"
MAPS = sorted(BOARDS.glob("*/pins.py"))

# RP2040 data sheet 1.4.3 and RP2350 data sheet 1.2.3: which GPIO can be which signal of which block.
RP2 = {
    "sck": {0: {2, 6, 18, 22}, 1: {10, 14, 26}},
    "mosi": {0: {3, 7, 19}, 1: {11, 15, 27}},
    "miso": {0: {0, 4, 16, 20}, 1: {8, 12, 28}},
    "tx": {0: {0, 12, 16, 28}, 1: {4, 8, 20}},
    "rx": {0: {1, 13, 17}, 1: {5, 9, 21}},
    "sda": {0: {0, 4, 8, 12, 16, 20, 28}, 1: {2, 6, 10, 14, 18, 22, 26}},
    "scl": {0: {1, 5, 9, 13, 17, 21}, 1: {3, 7, 11, 15, 19, 27}},
}
# Pico W and Pico 2 W data sheets: 23, 24, 25 and 29 belong to the wireless chip.
PICO = set(range(23)) | {26, 27, 28}
# ESP32-S3 data sheet: without strapping pins, USB, flash and octal PSRAM.
ESP32_S3 = ({1, 2} | set(range(4, 19)) | {21} | set(range(38, 49))) - {45, 46}


def load(path: Path) -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(path)))


def wires(pins: SimpleNamespace) -> list[int]:
    """Every wire of the map; buses count once."""
    used = [
        *pins.SERIAL[1:],
        pins.SERIAL_DRIVE,
        *pins.I2C[1:],
        *pins.MUX_LINES,
        pins.MUX_DISABLE,
        pins.LAMPS,
        pins.DOOR,
    ]
    for spi in pins.SPI.values():
        used += spi[1:4]
    for uart in pins.UART.values():
        used += uart[1:]
    for socket in pins.SOCKETS:
        used += socket[2:]
    used += getattr(pins, "ETHERNET", (0,))[1:]
    return [pin for pin in used if pin >= 0]


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.parent.name)
def test_no_pin_is_used_twice_or_belongs_to_the_board(path: Path) -> None:
    used = wires(load(path))
    assert len(used) == len(set(used)), sorted(used)
    assert set(used) <= (PICO if path.parent.name == "rp2" else ESP32_S3)


@pytest.mark.parametrize("path", [path for path in MAPS if path.parent.name == "rp2"], ids=lambda p: p.parent.name)
def test_a_picos_buses_lie_on_pins_that_can_carry_them(path: Path) -> None:
    pins = load(path)
    for number, sck, mosi, miso, _ in pins.SPI.values():
        assert sck in RP2["sck"][number]
        assert mosi in RP2["mosi"][number]
        assert miso in RP2["miso"][number]
    for number, tx, rx in [*pins.UART.values(), pins.SERIAL]:
        assert tx in RP2["tx"][number]
        assert rx in RP2["rx"][number]
    number, scl, sda = pins.I2C
    assert scl in RP2["scl"][number]
    assert sda in RP2["sda"][number]


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.parent.name)
def test_sockets_lie_on_buses_that_the_board_has(path: Path) -> None:
    pins = load(path)
    places = [socket[:2] for socket in pins.SOCKETS]
    assert len(places) == len(set(places))
    assert pins.MUX_SOCKET in places
    for bus, _, nss, _, _ in pins.SOCKETS:
        assert bus in (pins.UART if nss < 0 else pins.SPI)
    assert {number for number, *_ in pins.SPI.values()}.isdisjoint(getattr(pins, "ETHERNET", (-1,))[:1])


def test_the_partitions_of_the_esp32_lie_side_by_side_in_eight_megabytes() -> None:
    rows = []
    for line in (BOARDS / "esp32_s3_w5500" / "partitions.csv").read_text().splitlines():
        if not line.startswith("#"):
            name, _, _, offset, size = [word.strip() for word in line.split(",")]
            rows.append((name, int(offset, 16), int(size, 16)))
    for (_, start, length), (_, following, _) in pairwise(rows):
        assert start + length <= following
    assert rows[-1][1] + rows[-1][2] <= 8 * 1024 * 1024
    assert {name: size for name, _, size in rows}["outbox"] % 4096 == 0


def test_the_wiring_table_names_the_pins_of_the_maps() -> None:
    page = (ROOT / "firmware" / "README.md").read_text()
    table = {}
    for line in page.split("| signal |")[1].split("\n\n")[0].splitlines()[2:]:
        signal, pico, esp32, _ = [cell.strip() for cell in line.strip("|").split("|")]
        table[signal] = (numbers(pico), numbers(esp32))
    for column, folder in enumerate(("rp2", "esp32_s3_w5500")):
        pins = load(BOARDS / folder / "pins.py")
        shoe, chips, badge = sockets(pins)
        expected = {
            "shoe reader SCK, MOSI, MISO": [*pins.SPI[shoe[0]][1:4]],
            "shoe reader NSS, RSTPDN": [shoe[2], shoe[4]],
            "chip reader SCK, MOSI, MISO": [*pins.SPI[chips[0]][1:4]],
            "chip reader NSS, BUSY, RST": [*chips[2:]],
            "badge reader": [*pins.UART[badge[0]][1:]] if badge[2] < 0 else [badge[2]],
            "badge reader RSTPDN": [badge[4]],
            "antenna address S0…S3": [*pins.MUX_LINES],
            "antenna disable E": [pins.MUX_DISABLE],
            "I²C SCL, SDA": [*pins.I2C[1:]],
            "pixels": [pins.LAMPS],
            "door": [pins.DOOR],
            "RS-485 TX, RX, drive": [pin for pin in (*pins.SERIAL[1:], pins.SERIAL_DRIVE) if pin >= 0],
            "W5500 SCK, MOSI, MISO, CS, INT, RST": [*getattr(pins, "ETHERNET", (0,))[1:]],
        }
        assert {signal: cells[column] for signal, cells in table.items()} == expected


def numbers(cell: str) -> list[int]:
    """The GPIO numbers of a cell; resistors are not GPIOs."""
    return [int(word) for word in re.findall(r"\b\d+\b(?! kΩ)", cell)]


def sockets(pins: SimpleNamespace) -> tuple[tuple[str, int, int, int, int], ...]:
    """The sockets of shoe, chips and badge."""
    chips = next(socket for socket in pins.SOCKETS if socket[3] >= 0)
    shoe = next(socket for socket in pins.SOCKETS if socket[1] == 0 and socket[0] == "spi0")
    badge = next(socket for socket in pins.SOCKETS if socket not in (chips, shoe))
    return shoe, chips, badge
