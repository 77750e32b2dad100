"""Starts the application from the slot that boot.py chose; whatever it cannot do, it says on the display.

Owns what only a board knows: machine, its clock, the root of its file system. A config that is refused leaves the
controller in a loop that feeds the watchdog and shows the reason: a technician reads it, and a restart changes nothing.
"""

import asyncio
import gc
import sys
import time

import starting

gc.threshold(4096)  # imports then leave no holes in a small heap

RESETS = ("power_on", "hard", "watchdog", "deep_sleep", "soft")


def reset_cause() -> str:
    """Why the board started, in the wire's words."""
    import machine

    if starting.cause:
        return starting.cause
    names = ("PWRON_RESET", "HARD_RESET", "WDT_RESET", "DEEPSLEEP_RESET", "SOFT_RESET")
    for at in range(len(names)):
        if machine.reset_cause() == getattr(machine, names[at], None):
            return RESETS[at]
    return "unknown"


def set_clock(utc_s: int) -> None:
    """Set the board's clock; a certificate's dates are checked by it."""
    import machine

    year, month, day, hour, minute, second, weekday, _ = time.gmtime(utc_s - EPOCH_S)
    machine.RTC().datetime((year, month, day, weekday, hour, minute, second, 0))


# Boards count from 2000, hosts from 1970.
EPOCH_S = 946684800 if time.gmtime(0)[0] == 2000 else 0


def run() -> None:
    """Build everything and turn until a restart is due."""
    import machine
    from board import NAME, Board

    from sabot_firmware.app import App
    from sabot_firmware.config import parse_config
    from sabot_firmware.file import read_file
    from sabot_firmware.hal.assembly import Hardware
    from sabot_firmware.host import Host
    from sabot_firmware.memory import Memory
    from sabot_firmware.net.choice import link_from_config
    from sabot_firmware.release import Release
    from sabot_firmware.tasks import Tasks
    from sabot_protocol.device_key import DeviceKey

    root = starting.ROOT
    ports = Board()
    config = parse_config(read_file(root + "/sabot.conf", 8192) or b"")
    host = Host(NAME, reset_cause())
    host.timer = starting.timer or host.timer
    host.restart = machine.reset
    host.set_clock = set_clock
    known_s = Memory(root + "/memory").utc_s
    if known_s > time.time() + EPOCH_S:
        set_clock(known_s)
    hardware = Hardware(config, ports, time.ticks_ms())
    key = DeviceKey(config.text("device"), read_file(root + "/" + config.text("device_key_file"), 16) or b"")
    holder = []
    link = link_from_config(config, ports, root + "/", lambda: not holder or holder[0].table.is_quiet(time.ticks_ms()))
    app = App(config, hardware, host, key, link, Release(starting.ROOT, starting.folder), time.ticks_ms)
    holder.append(app)
    asyncio.run(Tasks(app).run())
    machine.reset()


def refuse(error: Exception) -> None:
    """Show why this controller does not run, for ever."""
    print("refused:", error)
    try:
        from board import Board

        from sabot_firmware.core.display import Display
        from sabot_firmware.hal.assembly import DISPLAY
        from sabot_firmware.hal.oled import SIZE, Oled

        ports = Board()
        buffer = bytearray(SIZE)
        glass = Oled(ports.i2c(), DISPLAY, "ssd1306", buffer, ports.frame(buffer))
        words = Display(glass.rows, glass.columns)
        words.notice(str(error))
    except Exception as broken:  # noqa: BLE001 - without a display the reason still stands on the console
        print("display:", broken)
        glass = None
    while True:
        if starting.timer is not None:
            starting.timer.feed()
        if glass is not None:
            glass.draw(words.rows(time.ticks_ms()))
            try:
                glass.poll(time.ticks_ms())
            except Exception as broken:  # noqa: BLE001 - BusError may not even be loaded; the loop goes on
                print("display:", broken)
        time.sleep_ms(50)


if not starting.is_in_service():
    try:
        run()
    except ValueError as error:  # ConfigError, HardwareError and a device key of the wrong size
        refuse(error)
    except Exception as error:  # noqa: BLE001 - a release that cannot start is reset, and rolled back after three tries
        sys.print_exception(error)
        import machine

        machine.reset()
