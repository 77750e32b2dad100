"""A controller as the registry knows it. Data only; who builds the registry also reads the keys."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from sabot_protocol.device_key import DeviceKey


@dataclass(frozen=True, slots=True)
class Device:
    """`keys` are tried in order: the present one, then one being replaced; the first also seals what goes down."""

    id: str
    table: str
    role: str
    keys: tuple[DeviceKey, ...]


class Registry(Protocol):
    """Every controller of the site. Asked for each new topic; a changed registry is a new object."""

    def find(self, device: str) -> Device | None: ...

    def devices(self) -> Iterable[Device]: ...
