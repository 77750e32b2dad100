"""A CD74HC4067 between a reader and its antennas: address lines and enable decide which field has power."""

from sabot_firmware.fake.tag import Fields
from sabot_firmware.fake.wire import Pin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class MuxChip:
    """Follows its pins; counts switchings under power, which a driver must never cause."""

    def __init__(self, fields: Fields, is_powered: "Callable[[], bool]") -> None:
        self.lines = tuple([Pin(0) for _ in range(4)])
        self.disable = Pin(1)
        self.hot_switches = 0
        self.glitches = 0  # moments in which a channel was connected while an address line moved
        self._fields = fields
        self._is_powered = is_powered
        for line in self.lines:
            line.on_change = self._addressed
        self.disable.on_change = self._switched
        fields.selected = None

    def _addressed(self, _: int) -> None:
        if not self.disable.level:
            self.glitches += 1
        self._switched(0)

    def _switched(self, _: int) -> None:
        channel = sum([self.lines[bit].level << bit for bit in range(4)])
        selected = None if self.disable.level else channel
        if selected != self._fields.selected and self._is_powered():
            self.hot_switches += 1
        self._fields.selected = selected
