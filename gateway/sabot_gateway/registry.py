"""The registry of controllers: which table a device serves, what it does there, and the keys it may speak with.

Owns the lookup and nothing else: no file, no clock. A key that is being replaced stays good until its end, so that a
controller can be given a new one while the table plays; who runs the gateway asks for the registry of the moment.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from sabot_gateway.link.device import Device
from sabot_protocol.device_key import DeviceKey


class DeviceRole(StrEnum):
    """What a controller does at its table. Each gets the whole lamp picture and lights the spots it has."""

    TABLE = "table"  # everything: one controller serves the whole table
    FELT = "felt"  # bet spots and their lamps
    SHOE = "shoe"  # cards that leave the shoe, and the discard rack
    DEALER = "dealer"  # keys, badges and the dealer's display


@dataclass(frozen=True, slots=True)
class RegisteredDevice:
    """One controller as the house registered it. `previous` still opens what comes up, until its end."""

    id: str
    table: str
    role: DeviceRole
    key: DeviceKey
    previous: DeviceKey | None = None
    previous_until_ms: int = 0  # UTC
    certificate_sha256: str = ""  # of its client certificate at the broker; empty where the house uses none

    def at(self, now_ms: int) -> Device:
        """The controller with the keys that are good now, the current one first."""
        if self.previous is not None and now_ms < self.previous_until_ms:
            return Device(self.id, self.table, self.role, (self.key, self.previous))
        return Device(self.id, self.table, self.role, (self.key,))


class Registry:
    """Every controller by its id, with the keys of one moment; never changed, replaced whole."""

    __slots__ = ("_by_id",)

    def __init__(self, devices: Iterable[Device] = ()) -> None:
        self._by_id = {device.id: device for device in devices}

    def find(self, device: str) -> Device | None:
        return self._by_id.get(device)

    def devices(self) -> Iterable[Device]:
        return self._by_id.values()


class DeviceBook:
    """What the house registered, in the order of ids."""

    __slots__ = ("_devices",)

    def __init__(self, devices: Iterable[RegisteredDevice] = ()) -> None:
        self._devices = tuple(devices)

    def registry_at(self, now_ms: int) -> Registry:
        return Registry(device.at(now_ms) for device in self._devices)

    def next_end_ms(self, now_ms: int) -> int | None:
        """When the next earlier key ends, and the registry of the moment changes; None if none is left."""
        ends = [
            device.previous_until_ms
            for device in self._devices
            if device.previous is not None and device.previous_until_ms > now_ms
        ]
        return min(ends, default=None)

    def __iter__(self) -> Iterator[RegisteredDevice]:
        return iter(self._devices)

    def __len__(self) -> int:
        return len(self._devices)
