"""What befalls a house in a long night besides cheats and errors: cables, power, the broker, the gateway.

Owns which faults there are, at which moments of a coup they may come, and what each must lead to. Where one makes a
hole in the evidence of a coup under way, the table is in review, and the table head voids the coup.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from sabot_tools.twin.hand_rig import HandRig
from sabot_tools.twin.incident import ALL, BANK, see_alert, void
from sabot_tools.twin.table import Stage, Table

SHORT_S: Final = 1  # a cable is back before a controller is called lost (link/silence.py: GRACE_MS)
LONG_S: Final = 7
ANY: Final = tuple(Stage)
BETWEEN: Final = (Stage.CLEARED,)
IN_COUP: Final = (Stage.DEALT, Stage.DECIDED)
_LOOK_S: Final = 0.05

Kill = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Fault:
    """`codes` are the alerts that it must lead to; one that `holes` a coup ends it."""

    name: str
    codes: tuple[str, ...]
    stages: tuple[Stage, ...]
    games: tuple[str, ...]
    act: Callable[[Table], Awaitable[None]]
    holes: bool = False


async def suffer(fault: Fault, table: Table) -> None:
    """Let it happen; CoupVoidedError where the table head had to end the coup."""
    for code in fault.codes:
        table.expect(code)
    await fault.act(table)
    if fault.holes:
        await see_alert(table, "IN_REVIEW")
        await void(table)


def faults_of(kill_gateway: Kill, kill_broker: Kill, tables: list[Table]) -> tuple[Fault, ...]:
    """Everything that can happen on a floor whose gateway and broker die so."""

    async def gateway(_table: Table) -> None:
        await kill_gateway()

    async def broker(_table: Table) -> None:
        await kill_broker()
        while not all(_is_up(table) for table in tables):
            await asyncio.sleep(_LOOK_S)

    lost, rebooted = "CONTROLLER_LOST", "CONTROLLER_REBOOTED"
    return (
        Fault("gateway-killed", (), ANY, ALL, gateway),
        Fault("broker-killed", (), ANY, ALL, broker),
        Fault("cable-pulled", (), ANY, ALL, lambda table: table.rig.unplug(SHORT_S)),
        Fault("cable-out", (lost,), BETWEEN, ALL, lambda table: table.rig.unplug(LONG_S)),
        Fault("cable-out-in-coup", (lost, "IN_REVIEW"), IN_COUP, BANK, lambda table: table.rig.unplug(LONG_S), True),
        Fault("power-failed", (rebooted,), BETWEEN, ALL, _restart),
        Fault("power-failed-in-coup", (rebooted, "IN_REVIEW"), IN_COUP, BANK, _restart, True),
    )


async def _restart(table: Table) -> None:
    await table.rig.restart("watchdog")
    await table.rig.settle()


def _is_up(table: Table) -> bool:
    assert isinstance(table.rig, HandRig)
    return table.rig.controller.is_up
