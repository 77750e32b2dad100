"""A house in which boards are provisioned: two tables, no controller yet, a small release, a draft of settings."""

from pathlib import Path

import pytest

from field.usb_board import UsbBoard
from gateway_config.house_files import House as HouseFiles
from sabot_tools.cli import main

DRAFT = "link = serial\npixels = 8\nend\n"


class ProvisionSite:
    def __init__(self, folder: Path) -> None:
        house = folder / "house"
        house.mkdir()
        self.files = HouseFiles(house)
        self.devices = house / "devices"
        self.devices.chmod(0o700)
        for file in self.devices.iterdir():
            file.unlink()
        self.draft = self.files.write("draft.conf", DRAFT)
        release = folder / "build" / "rpi_pico_2_w"
        release.mkdir(parents=True)
        (release / "part.mpy").write_bytes(b"M\x06\x00\x1f" + bytes(range(256)) * 2)
        (release / "manifest").write_bytes(b"sabot-firmware 1\n")
        self.build = release.parent

    def provision(self, action: str, device: str, board: UsbBoard | None = None, *more: str) -> int:
        words = ["provision", action, device, "--config", str(self.files.file), "--offline"]
        if board is not None:
            words += ["--port", board.port, "--build", str(self.build), "--wait", "10"]
        return main([*words, *more])

    def add(self, device: str, board: UsbBoard, *more: str, table: str = "t1") -> int:
        return self.provision("add", device, board, "--table", table, "--settings", str(self.draft), *more)

    def registered(self) -> list[str]:
        return sorted(file.stem for file in self.devices.glob("*.toml"))


def sentence(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on standard error."""
    said = capsys.readouterr().err
    assert said.count("\n") == 1, said
    return said
