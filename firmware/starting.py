"""What happens before the application, at every start: lamps dark, watchdog armed, slot chosen.

Flashed by cable beside boot.py, main.py, `slot.py` (a copy of sabot_firmware/core/slot.py) and the board's files; never
touched by an update, and nothing here may fail, whatever lies in flash. In this order: the lamp line is driven low and
every lamp put out; the watchdog is armed, so whatever hangs from here on ends in a reset; then the slot record says
which release is started, and a trial is counted before it runs (core/slot.py).
A file named `service` keeps the watchdog off and main.py from running: `sabot flash` writes it before longer work.
"""

import os
import sys

WATCHDOG_MS = 8000  # the RP2040's longest is 8,388
DARK = bytes(3 * 300)  # the longest chain that a board drives (hal/lamps.py)
TIMING_NS = (400, 850, 800, 450)

ROOT = os.getcwd().rstrip("/")  # noqa: PTH109 - no pathlib on boards


def put_lamps_out() -> None:
    """Send darkness to every lamp that may be there."""
    import machine
    import pins

    pin = machine.Pin(pins.LAMPS, machine.Pin.OUT, value=0)
    machine.bitstream(pin, 0, TIMING_NS, bytearray(DARK))


def is_in_service() -> bool:
    """Say whether a technician asked for quiet."""
    return "service" in os.listdir(ROOT or "/")  # noqa: PTH208 - no pathlib on boards


def choose_slot() -> "tuple[str, str]":
    """(folder of the release to start, reset cause update | rollback | ""); counts a trial before it is run."""
    from slot import SIZE, slots_from_copies

    copies = []
    for at in (0, 1):
        try:
            with open(ROOT + "/slot." + str(at), "rb") as file:  # noqa: PTH123 - no pathlib on boards
                copies.append(file.read(SIZE + 1))
        except OSError:
            continue  # never written: the flashed release is slot 0
    chosen, why, left = slots_from_copies(copies).choose()
    if left is not None:
        with open(ROOT + "/slot." + str(left.copy), "wb") as file:  # noqa: PTH123 - no pathlib on boards
            file.write(left.pack())
    return ROOT + "/slot" + str(chosen), why


folder = ROOT + "/slot0"
cause = ""
timer = None
try:
    put_lamps_out()
except Exception as error:  # noqa: BLE001 - a board without lamps, or a damaged pin map: the rest must still run
    print("lamps:", error)
if not is_in_service():
    import machine

    timer = machine.WDT(timeout=WATCHDOG_MS)
try:
    folder, cause = choose_slot()
except Exception as error:  # noqa: BLE001 - whatever is wrong with the record, the flashed release is tried
    print("slot:", error)
sys.path.insert(0, folder)
