"""The gateway's folder of controllers, from the writing side: one TOML file and one key file each.

Owns how a controller is entered, changed and taken out. The gateway reads `*.toml` and what it names, so the rename of
the TOML file is the one moment at which a change happens: keys are written before it under names of their own, and
swept away after it. `<id>.conf` beside it is the controller's settings file, kept for the day it must be replaced.
`.retired/<id>.json` remembers who is gone, so that no name is given twice.
"""

import json
import os
import tomllib
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from sabot_gateway.registry import DeviceRole
from sabot_tools.field.private_file import private_folder, read_private, remove, write_whole
from sabot_tools.field.trouble import StartError

RETIRED: Final = ".retired"


@dataclass(frozen=True, slots=True)
class Entry:
    """One controller with its keys; `previous` is good until `previous_until`."""

    id: str
    table: str
    role: DeviceRole
    key: bytes = field(repr=False)
    certificate_sha256: str = ""
    previous: bytes | None = field(default=None, repr=False)
    previous_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Retired:
    """A controller that is gone; `successor` is who took its place, if anybody did."""

    table: str
    role: str
    successor: str


class DeviceFolder:
    def __init__(self, folder: Path) -> None:
        self.folder = private_folder(folder)

    def find(self, device: str) -> Entry | None:
        file = self._file(device)
        if not file.exists():
            return None
        try:
            written = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise StartError(f"{file} cannot be read.") from error
        previous = written.get("previous_key")
        return Entry(
            device,
            written["table"],
            DeviceRole(written.get("role", DeviceRole.TABLE)),
            read_private(self.folder / written["key"]),
            written.get("certificate_sha256", ""),
            read_private(self.folder / previous) if previous else None,
            written.get("previous_until"),
        )

    def write(self, entry: Entry) -> None:
        """Enters a controller, or changes it, all at once."""
        lines = [f'id = "{entry.id}"', f'table = "{entry.table}"', f'role = "{entry.role}"']
        keep = {self._keep(entry.id, entry.key)}
        lines.append(f'key = "{min(keep)}"')
        if entry.previous is not None and entry.previous_until is not None:
            previous = self._keep(entry.id, entry.previous)
            keep.add(previous)
            until = entry.previous_until.isoformat(timespec="seconds").replace("+00:00", "Z")
            lines += [f'previous_key = "{previous}"', f"previous_until = {until}"]
        if entry.certificate_sha256:
            lines.append(f'certificate_sha256 = "{entry.certificate_sha256}"')
        write_whole(self._file(entry.id), ("\n".join(lines) + "\n").encode())
        self._sweep(entry.id, keep)

    def retire(self, device: str, successor: str) -> None:
        """Takes a controller out; its keys are gone with it, and its name is not free again."""
        entry = self.find(device)
        if entry is not None:
            told = {"table": entry.table, "role": str(entry.role), "successor": successor}
            write_whole(private_folder(self.folder / RETIRED) / f"{device}.json", json.dumps(told).encode())
        remove(self._file(device))
        self._sweep(device, set())
        remove(self.settings_file(device))

    def retired(self, device: str) -> Retired | None:
        """What is remembered of a controller that is gone, or is just going."""
        file = self.folder / RETIRED / f"{device}.json"
        if not file.exists():
            return None
        told = json.loads(read_private(file))
        return Retired(told["table"], told["role"], told["successor"])

    def settings_file(self, device: str) -> Path:
        return self.folder / f"{device}.conf"

    def _file(self, device: str) -> Path:
        return self.folder / f"{device}.toml"

    def _keep(self, device: str, key: bytes) -> str:
        """The name of the file that holds this key; an existing one is used again."""
        for file in self._keys(device):
            if read_private(file) == key:
                return file.name
        name = f"{device}.{os.urandom(4).hex()}.key"  # by chance: a name must tell nothing of the key
        write_whole(self.folder / name, key)
        return name

    def _sweep(self, device: str, keep: set[str]) -> None:
        for file in self._keys(device):
            if file.name not in keep:
                remove(file)
        for file in self.folder.glob(f".{device}.*.part"):  # of a writing that was broken off
            remove(file)

    def _keys(self, device: str) -> list[Path]:
        # A dot is in no device's name, so `t1.*` is never another's.
        return [*self.folder.glob(f"{device}.*.key"), *self.folder.glob(f"{device}.key")]
