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
OWN_MODULES = ("board", "pins", "machine_ports", "rp2_ports")


class Made:
    """Whatever a port's module makes: remembers how it was made, and is callable as a pin is."""

    OUT = IN = PULL_UP = TYPE_DATA = CORE_TEMP = 0

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


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("machine", "framebuf", "rp2", "esp32", "network"):
        module = types.ModuleType(name)
        for made in ("SPI", "UART", "I2C", "Pin", "WDT", "RTC", "ADC", "FrameBuffer", "Flash", "Partition", "LAN"):
            setattr(module, made, type(made, (Made,), {}))
        vars(module).update(MONO_VLSB=0, PHY_W5500=8, PWRON_RESET=1, WDT_RESET=3, reset_cause=lambda: 3)
        vars(module).update(bitstream=lambda *_: None)
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


def test_every_board_is_tested_and_described() -> None:
    boards = {path.parent.name for path in BOARDS.glob("*/board.py")}
    assert boards == {case[0] for case in CASES}
    page = (BOARDS / "README.md").read_text()
    assert all(f"`{name}`" in page for name in boards)
