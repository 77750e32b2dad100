"""The folder of controllers: one small file each, as it is written when a controller is provisioned.

Owns how a device's file becomes a `RegisteredDevice`. A key is 16 bytes in a file that only its owner may read.
"""

from collections.abc import Collection
from pathlib import Path

from sabot_gateway.errors import SettingsError
from sabot_gateway.registry import DeviceBook, DeviceRole, RegisteredDevice
from sabot_gateway.settings.key_table import DEVICE
from sabot_gateway.settings.reading import Origin, Values, is_sha256, mapping_from_file, values_of
from sabot_protocol.device_key import KEY_SIZE, DeviceKey


def book_from_folder(folder: Path, tables: Collection[str], seen: list[Path]) -> DeviceBook:
    """Every controller of the folder in the order of ids; a folder that is not there holds none."""
    seen.append(folder)
    if not folder.exists():
        return DeviceBook()
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix == ".toml")
    except OSError as error:
        raise SettingsError(folder, "", f"cannot be read ({error.strerror or error})") from error
    devices = [device_from_file(file, seen) for file in files]
    for device, file in zip(devices, files, strict=True):
        if device.table not in tables:
            raise SettingsError(file, "table", f"there is no table {device.table}")
    return DeviceBook(devices)


def device_from_file(file: Path, seen: list[Path]) -> RegisteredDevice:
    values = values_of(Origin(file, seen), DEVICE, mapping_from_file(file), "")
    identity = values.text("id")
    if identity != file.stem:
        raise values.error("id", f"must be {file.stem}, as the file is called")
    has_previous = values.has("previous_key")
    if has_previous != values.has("previous_until"):
        missing = "previous_until" if has_previous else "previous_key"
        raise values.error(missing, "must be set: an earlier key and its end go together")
    return RegisteredDevice(
        identity,
        values.text("table"),
        DeviceRole(values.text("role")),
        _key(values, "key", identity),
        _key(values, "previous_key", identity) if has_previous else None,
        values.moment_ms("previous_until") if has_previous else 0,
        _fingerprint(values),
    )


def _key(values: Values, name: str, device: str) -> DeviceKey:
    return DeviceKey(device, values.secret(name, KEY_SIZE, KEY_SIZE))


def _fingerprint(values: Values) -> str:
    text = values.text("certificate_sha256").replace(":", "").lower()
    if text and not is_sha256(text):
        raise values.error("certificate_sha256", "must be 64 hexadecimal digits")
    return text
