"""All that the gateway knows live of one controller: numbers, clock, presence, commands, whether to trust it.

Mutable, because every message moves it; owned by whoever ingests. What must outlast a restart is `sequence`, which the
fold of the table's stream keeps as well, and whether the table was told of a loss.
"""

from typing import Final

from sabot_gateway.link.clock import UNSET, Clock
from sabot_gateway.link.device import Device
from sabot_gateway.link.order import next_number
from sabot_gateway.link.sequence import UNHEARD, Sequence, Window
from sabot_gateway.link.silence import Presence

# Refused batches that are remembered, so that what a controller sends again and again is quarantined once.
MOST_REFUSED: Final = 64


class Line:
    """One controller's line. `is_twin`: two devices speak under this name, and nothing of either is taken."""

    __slots__ = ("_refused", "applied", "behind_ms", "clock", "device", "is_twin", "number", "presence", "window")

    def __init__(self, device: Device, sequence: Sequence = UNHEARD, presence: Presence | None = None) -> None:
        self.device = device
        self.window = Window(sequence)
        self.clock: Clock = UNSET
        self.presence = presence if presence is not None else Presence()
        self.number = 0
        self.applied = 0  # the newest lamp picture that it confirmed in this life of the gateway
        self.behind_ms = 0  # how old its last word was when it came: more than a moment while a backlog drains
        self.is_twin = False
        self._refused: set[tuple[int, int, int]] = set()

    @property
    def sequence(self) -> Sequence:
        """What was taken from this controller, durable or on its way to be."""
        return self.window.sequence

    @property
    def state(self) -> str:
        """online, lost, leaving, unheard, refused or twin."""
        if self.is_twin:
            return "twin"
        if self.sequence.refused and self.presence.state == "online":
            return "refused"
        return "lost" if self.presence.is_lost and self.presence.state == "online" else self.presence.state

    def order_number(self, now_ms: int) -> int:
        """The number of the next command."""
        self.number = next_number(self.number, now_ms)
        return self.number

    def is_refused_first(self, boot: int, first: int, last_ms: int) -> bool:
        """Whether this refused batch is seen for the first time."""
        key = (boot, first, last_ms)
        if key in self._refused:
            return False
        if len(self._refused) >= MOST_REFUSED:
            self._refused.clear()
        self._refused.add(key)
        return True
