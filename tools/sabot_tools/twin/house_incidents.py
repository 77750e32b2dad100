"""Incidents with people and housings: badges, keys, doors, readers, cables, restarts.

Most come between two coups, where they disturb nobody's hand.
"""

from typing import Any, Final

from sabot_tools.twin.incident import ALL, Act, Incident
from sabot_tools.twin.layout import BADGE
from sabot_tools.twin.table import Stage, Table

STRANGER: Final = bytes.fromhex("04bdffffff0001")
FAILURES_MS: Final = 1_000  # a reader is called broken after some failures running


async def _unknown_badge(table: Table, _coup: Any) -> bool:
    table.expect("UNKNOWN_BADGE")
    await table.rig.hold_badge(STRANGER)
    return True


def _relieved(code: str, is_dealer: bool) -> Act:
    """Somebody takes over in the middle of a coup, and hands back at once."""

    async def act(table: Table, _coup: Any) -> bool:
        relief = table.staff.relief_dealer if is_dealer else table.staff.relief_head
        if not relief:
            return False
        table.expect(code)
        await table.rig.hold_badge(relief)
        table.staff = table.staff.relieved(is_dealer)
        return True

    return act


async def _floor_called(table: Table, _coup: Any) -> bool:
    table.expect("FLOOR_CALLED")
    await table.rig.press("call_floor")
    return True


async def _key_out_of_place(table: Table, _coup: Any) -> bool:
    table.expect("KEY_OUT_OF_PLACE")
    await table.rig.press("cancel")
    return True


async def _door_open(table: Table, _coup: Any) -> bool:
    table.expect("DOOR_OPEN")
    await table.rig.move_door(True)
    await table.rig.wait(2_000)
    await table.rig.move_door(False)
    return True


async def _device_fault(table: Table, _coup: Any) -> bool:
    """The badge reader fails and is mended."""
    table.expect("DEVICE_FAULT")
    table.rig.break_reader(BADGE, True)
    await table.rig.wait(FAILURES_MS)
    table.rig.break_reader(BADGE, False)
    await table.rig.wait(FAILURES_MS)
    return True


async def _rebooted(table: Table, _coup: Any) -> bool:
    table.expect("CONTROLLER_REBOOTED")
    await table.rig.restart("watchdog")
    await table.rig.settle()
    return True


async def _lost(table: Table, _coup: Any) -> bool:
    """The cable is pulled for longer than the gateway's patience, between two coups."""
    table.expect("CONTROLLER_LOST")
    await table.rig.unplug(7)
    return True


def _of(name: str, stage: Stage, act: Act, games: tuple[str, ...] = ALL, *, dealer: bool = False) -> Incident:
    return Incident(name, (name.replace("-", "_").upper(),), stage, games, act, dealer)


HOUSE_INCIDENTS: Final = (
    _of("unknown-badge", Stage.CLEARED, _unknown_badge),
    _of(
        "dealer-changed",
        Stage.DEALT,
        _relieved("DEALER_CHANGED", is_dealer=True),
        ("TCF", "STU", "UTH", "THE"),
        dealer=True,
    ),
    _of("head-changed", Stage.DEALT, _relieved("HEAD_CHANGED", is_dealer=False), ("TCF", "STU")),
    _of("floor-called", Stage.DEALT, _floor_called),
    _of("key-out-of-place", Stage.CLEARED, _key_out_of_place),
    _of("door-open", Stage.CLEARED, _door_open),
    _of("device-fault", Stage.CLEARED, _device_fault),
    _of("controller-rebooted", Stage.CLEARED, _rebooted),
    _of("controller-lost", Stage.CLEARED, _lost),
)
