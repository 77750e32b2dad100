"""Each board's ports assemble a whole controller, with stand-ins for the modules that only its MicroPython has."""

import importlib
import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import ROOT
from sabot_firmware.config import parse_config
from sabot_firmware.hal.assembly import Hardware

BOARDS = ROOT / "firmware" / "boards"
PICO = "reader = 0 shoe pn532 spi0 0\nreader = 1 spots pn5180 spi1 0\nreader = 2 badge pn532 uart1 0\n"
ESP32 = "reader = 0 shoe pn532 spi0 0\nreader = 1 spots pn5180 spi0 2\nreader = 2 badge pn532 spi0 1\n"
CASES = [
    ("rpi_pico_w", ["rp2"], PICO, 64, 256),
    ("rpi_pico_2_w", ["rp2"], PICO, 200, 256),
    ("esp32_s3_w5500", [], ESP32, 256, 1),
]
# Flash before the files: 2 MB and 4 MB less the storage of the stand-in, and the partition of partitions.csv.
CODE = {"rpi_pico_w": 640 * 1024, "rpi_pico_2_w": 2688 * 1024, "esp32_s3_w5500": 0x1F0000}
OWN_MODULES = ("board", "pins", "machine_ports", "rp2_ports")


class Made:
    """Whatever a port's module makes: remembers how it was made, and is callable as a pin is."""

    OUT = IN = PULL_UP = TYPE_DATA = CORE_TEMP = RUNNING = 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args = args
        self.kwargs = kwargs

    def __call__(self, *_: int) -> int:
        return 0

    def ioctl(self, operation: int, _: int) -> int:
        size = self.kwargs.get("len", 1408 * 1024)
        return 4096 if operation == 5 else int(size) // 4096

    @staticmethod
    def find(_: int, **kwargs: object) -> "list[Made]":
        assert kwargs == {"label": "outbox", "block_size": 4096}
        return [Made(len=0x100000)]

    @staticmethod
    def info() -> tuple[int, int, int, int, str, bool]:
        return (0, 0, 0x10000, CODE["esp32_s3_w5500"], "factory", False)

    @staticmethod
    def readblocks(block: int, room: bytearray, offset: int) -> None:
        room[:] = flash_at(block * 4096 + offset, len(room))


def flash_at(address: int, size: int) -> bytearray:
    """What lies there: every four bytes, their own address."""
    return bytearray(b"".join(at.to_bytes(4, "big") for at in range(address, address + size, 4)))


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("machine", "framebuf", "rp2", "esp32", "network", "uctypes"):
        module = types.ModuleType(name)
        for made in ("SPI", "UART", "I2C", "Pin", "WDT", "RTC", "ADC", "FrameBuffer", "Flash", "Partition", "LAN"):
            setattr(module, made, type(made, (Made,), {}))
        vars(module).update(MONO_VLSB=0, PHY_W5500=8, PWRON_RESET=1, WDT_RESET=3, reset_cause=lambda: 3)
        vars(module).update(bitstream=lambda *_: None, bytearray_at=lambda at, size: flash_at(at - 0x10000000, size))
        monkeypatch.setitem(sys.modules, name, module)
    yield
    for name in OWN_MODULES:
        sys.modules.pop(name, None)


@pytest.mark.parametrize(("name", "shared", "readers", "sectors", "page"), CASES)
@pytest.mark.usefixtures("modules")
def test_a_full_config_is_assembled(
    monkeypatch: pytest.MonkeyPatch, name: str, shared: list[str], readers: str, sectors: int, page: int
) -> None:
    for folder in (".", *shared, name):
        monkeypatch.syspath_prepend(str(BOARDS / folder))
    board = importlib.import_module("board")
    assert name == board.NAME
    text = (
        f"site = riviera\ndevice = table-1\nboard = {name}\nlink = wifi\nwifi_ssid = x\nbroker_host = b\n"
        f"outbox_sectors = {sectors}\npixels = 64\ndisplay = ssd1306\nkeypad_rows = 4\nkeypad_columns = 5\ndoor = yes\n"
        f"{readers}end\n"
    )
    ports = board.ports()
    parts = Hardware(parse_config(text.encode()), ports, 0)
    assert sorted(parts.readers) == [0, 1, 2]
    assert (parts.flash.sector_size, parts.flash.sector_count) == (4096, sectors)
    assert ports.flash_page == page
    assert ports.reset_cause() == "watchdog"
    assert ports.spi("spi0") is ports.spi("spi0")
    assert ports.watchdog(8000).kwargs == {"timeout": 8000}


@pytest.mark.parametrize(("name", "shared"), [case[:2] for case in CASES])
@pytest.mark.usefixtures("modules")
def test_the_image_is_read_in_flash_and_nothing_behind_it(
    monkeypatch: pytest.MonkeyPatch, name: str, shared: list[str]
) -> None:
    for folder in (".", *shared, name):
        monkeypatch.syspath_prepend(str(BOARDS / folder))
    ports = importlib.import_module("board").ports()
    room = bytearray(512)
    for offset in (0, 4096 - 256, CODE[name] - 512):
        ports.read_image(offset, memoryview(room))
        assert room == flash_at(offset, 512)
    for offset in (CODE[name] - 508, CODE[name], 2 * CODE[name]):
        with pytest.raises(OSError, match="22"):
            ports.read_image(offset, memoryview(room))


def test_every_board_is_tested_and_described() -> None:
    boards = {path.parent.name for path in BOARDS.glob("*/board.py")}
    assert boards == {case[0] for case in CASES}
    page = (BOARDS / "README.md").read_text()
    assert all(f"`{name}`" in page for name in boards)
