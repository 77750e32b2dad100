"""The gateway's word that a controller may start its new release: between two coups of its table, never during one.

Owns when the word is given. A controller tells the state `waiting` once a release lies verified in its spare slot
(the firmware's core/update.py); who waits is in the book of devices. The word is an order like any other, journaled
first and then sent, and given again every AGAIN_MS until the controller tells that it heard. A table that is not
followed, or that another gateway follows, might be in a coup: nothing is granted there.
"""

from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final

from sabot_gateway.table.configuration import is_between_coups

if TYPE_CHECKING:
    from sabot_gateway.runtime.pump import Pump

SWITCH: Final = "update_switch"
AGAIN_MS: Final = 10_000  # an order that is lost on its way; a controller answers within a second


class Granting:
    def __init__(self, pump: "Pump") -> None:
        self._pump = pump
        self._again_ms: dict[str, int] = {}  # by device: when the word is given again

    def look(self, now_ms: int, monotonic_ms: int) -> None:
        """Gives the word to whoever waits for it and whose table rests; called a few times a second."""
        pump = self._pump
        waiting = pump.devices.waiting
        if not waiting and not self._again_ms:
            return
        self._again_ms = {device: due_ms for device, due_ms in self._again_ms.items() if device in waiting}
        for device, update in waiting.items():
            if monotonic_ms < self._again_ms.get(device, monotonic_ms) or not may_switch(pump, device):
                continue
            self._again_ms[device] = monotonic_ms + AGAIN_MS
            order = pump.ingest.order(device, SWITCH, {"update": update}, now_ms)
            nobody: Future[Any] = Future()
            pump.house.order(order, "", now_ms, nobody)


def may_switch(pump: "Pump", device: str) -> bool:
    """Whether no coup is under way where this controller reads."""
    known = pump.plan.devices.find(device)
    runner = None if known is None else pump.tables.get(known.table)
    if runner is None or runner.fault is not None or pump.scribe.fault is not None:
        return False
    return runner.state is None or is_between_coups(runner.state)
