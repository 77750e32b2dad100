"""Before the application: lamps dark, watchdog armed, the right slot on the path, whatever lies in flash."""

import shutil
from pathlib import Path

import pytest

from conftest import ROOT, MicroPython
from sabot_firmware.core.slot import TRIES, Slots

# machine and pins as starting.py meets them; what it does, it does in the order that they print.
MACHINE = """
class Pin:
    OUT = 1
    def __init__(self, pin, mode, value):
        print("pin", pin, value)
def bitstream(pin, encoding, timing, data):
    print("lamps", len(data), max(data))
def WDT(timeout):
    print("watchdog", timeout)
    return "timer"
"""


class Flash:
    """A board's file system after `sabot flash`, and a start of it."""

    def __init__(self, folder: Path, micropython: MicroPython) -> None:
        self.folder = folder
        self._micropython = micropython
        shutil.copy(ROOT / "firmware" / "starting.py", folder)
        shutil.copy(ROOT / "firmware" / "sabot_firmware" / "core" / "slot.py", folder)
        (folder / "machine.py").write_text(MACHINE)
        (folder / "pins.py").write_text("LAMPS = 21\n")
        (folder / "start.py").write_text(
            "import os, sys\n"
            f"os.chdir('{folder}')\n"
            "import starting\n"
            "print('slot', sys.path[0].rpartition('/')[2], starting.cause or '-', starting.timer)\n"
        )

    def start(self) -> list[str]:
        path = [self.folder]
        return self._micropython.run(self.folder / "start.py", path=path).splitlines()

    def keep(self, slots: Slots) -> None:
        (self.folder / f"slot.{slots.copy}").write_bytes(slots.pack())


@pytest.fixture
def flash(tmp_path: Path, micropython: MicroPython) -> Flash:
    return Flash(tmp_path, micropython)


def test_lamps_go_dark_before_the_watchdog_is_armed_and_anything_is_read(flash: Flash) -> None:
    assert flash.start() == ["pin 21 0", "lamps 900 0", "watchdog 8000", "slot slot0 - timer"]


def test_a_broken_pin_map_leaves_the_watchdog_armed(flash: Flash) -> None:
    (flash.folder / "pins.py").write_text("nonsense(")
    started = flash.start()
    assert started[0].startswith("lamps:")
    assert started[1:] == ["watchdog 8000", "slot slot0 - timer"]


def test_a_technician_finds_a_quiet_board(flash: Flash) -> None:
    (flash.folder / "service").write_text("")
    assert flash.start()[-1] == "slot slot0 - None"
    assert "watchdog 8000" not in flash.start()


@pytest.mark.parametrize("damage", [b"", b"SLOT", b"\xff" * 24, bytes(24)])
def test_a_damaged_slot_record_starts_what_was_flashed(flash: Flash, damage: bytes) -> None:
    (flash.folder / "slot.0").write_bytes(damage)
    (flash.folder / "slot.1").write_bytes(damage)
    assert flash.start()[-1] == "slot slot0 - timer"


def test_a_release_on_trial_that_never_comes_up_is_rolled_back(flash: Flash) -> None:
    flash.keep(Slots().try_spare(update=4, serial=2))
    for _ in range(TRIES):
        assert flash.start()[-1] == "slot slot1 update timer"
    assert flash.start()[-1] == "slot slot0 rollback timer"
    assert flash.start()[-1] == "slot slot0 - timer"


def test_a_release_that_proved_healthy_stays(flash: Flash) -> None:
    trial = Slots().try_spare(update=4, serial=2)
    flash.keep(trial)
    assert flash.start()[-1] == "slot slot1 update timer"
    left = trial.choose()[2]
    assert left is not None
    proven = left.confirm()
    assert proven is not None
    flash.keep(proven)
    assert flash.start()[-1] == "slot slot1 - timer"
