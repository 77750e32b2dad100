"""Starts the application from the slot that boot.py chose; whatever it cannot do, it says on the display.

Owns the order of construction on a board. A config that is refused leaves the controller in a loop that feeds the
watchdog and shows the reason: a technician reads it, and a restart changes nothing. A release on trial is never left
in that loop, whatever it refuses: it is reset, and rolled back after its tries.
"""

import asyncio
import gc
import sys
import time

import starting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sabot_firmware.app import App
    from sabot_firmware.hal.oled import Oled

gc.threshold(4096)  # imports then leave no holes in a small heap


def run() -> None:
    """Build everything and turn until a restart is due."""
    import board

    from sabot_firmware.app import App
    from sabot_firmware.config import MAX_SIZE, parse_config
    from sabot_firmware.file import read_file
    from sabot_firmware.hal.assembly import Hardware
    from sabot_firmware.host import Host
    from sabot_firmware.memory import Memory
    from sabot_firmware.net.choice import link_from_config
    from sabot_firmware.net.pause import ticks_ms
    from sabot_firmware.orders import CONFIG_FILE
    from sabot_firmware.release import Release
    from sabot_firmware.tasks import Tasks
    from sabot_protocol.device_key import KEY_SIZE, DeviceKey

    root = starting.ROOT
    ports: "Any" = board.ports()  # the stubs' classes are nominal, the drivers' shapes structural
    config = parse_config(read_file(root + "/" + CONFIG_FILE, MAX_SIZE) or b"")
    if config.text("board") != board.NAME:
        raise ValueError(f"Config: board = {config.text('board')}, and this is a {board.NAME}.")
    host = Host(board.NAME, starting.cause or ports.reset_cause())
    if starting.timer is not None:
        host.timer = starting.timer
    host.restart = ports.restart
    host.set_clock = ports.set_clock
    host.temperature = ports.temperature
    host.read_image = ports.read_image
    # The clock starts at the epoch; the last known time is late by the outage only, and lets certificates be checked.
    known_s = Memory(root + "/memory").utc_s
    if known_s:
        ports.set_clock(known_s)
    hardware = Hardware(config, ports, ticks_ms())
    key = DeviceKey(config.text("device"), read_file(root + "/" + config.text("device_key_file"), KEY_SIZE) or b"")
    built: "list[App]" = []
    link = link_from_config(config, ports, root + "/", lambda: not built or built[0].table.is_quiet(ticks_ms()))
    app = App(config, hardware, host, key, link, Release(root, starting.folder, _in_image()), ticks_ms)
    built.append(app)
    asyncio.run(Tasks(app).run())
    ports.restart()


def _in_image() -> bytes:
    # What the image says that it holds (manifest.py); nothing where the code came as files.
    try:
        from image_list import LIST  # type: ignore[import-not-found]  # made in the image's build
    except ImportError:
        return b""
    listed: bytes = LIST
    return listed


def refuse(reason: str) -> None:
    """Show why this controller does not run, for ever."""
    print("refused:", reason)
    glass = None
    try:
        glass = _display()
    except Exception as error:  # noqa: BLE001 - without a display the reason still stands on the console
        print("display:", error)
    from sabot_firmware.core.display import Display
    from sabot_firmware.net.pause import ticks_ms

    words = Display(4, 16)
    words.notice(reason)
    while True:
        if starting.timer is not None:
            starting.timer.feed()
        if glass is not None:
            glass.draw(words.rows(ticks_ms()))
            try:
                glass.poll(ticks_ms())
            except Exception as error:  # noqa: BLE001 - an unplugged display is asked again, and the dog still fed
                print("display:", error)
        time.sleep_ms(50)


def _display() -> "Oled":
    # The config may be what is broken, so its kind of display is not known: both take these commands.
    import board

    from sabot_firmware.hal.assembly import DISPLAY
    from sabot_firmware.hal.oled import SIZE, Oled

    ports: "Any" = board.ports()
    buffer = bytearray(SIZE)
    return Oled(ports.i2c(), DISPLAY, "ssd1306", buffer, ports.frame(buffer))


def reset(error: Exception) -> None:
    """Start over; starting.py counts how often a release on trial does."""
    sys.print_exception(error)
    import machine

    machine.reset()


if not starting.is_in_service():
    try:
        run()
    except (
        ValueError
    ) as error:  # ConfigError, HardwareError, a device key of the wrong size, .mpy of another MicroPython
        if starting.cause == "update":
            reset(error)
        else:
            refuse(str(error))
    except Exception as error:  # noqa: BLE001 - a release that cannot start is reset, and rolled back after its tries
        reset(error)
