"""A controller's settings file, made from the house's draft and what only provisioning knows.

Owns which keys provisioning sets itself. The result is checked by the controller's own reader before it is sent.
"""

from pathlib import Path
from typing import Final

from sabot_firmware.config import ConfigError, parse_config
from sabot_tools.field import job
from sabot_tools.field.private_file import read_private
from sabot_tools.field.trouble import StartError

_OWN: Final = ("site", "device", "board", "revision", "ca_file", "cert_file", "cert_key_file", "device_key_file")
_PRIVATE_KEYS: Final = ("wifi_password",)


def read_draft(file: Path) -> str:
    """A draft: wiring, network, lamps. One that holds a password must be its owner's alone."""
    try:
        text = file.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise StartError(f"{file} cannot be read as plain text.") from error
    if any(_name(line) in _PRIVATE_KEYS for line in text.splitlines()):
        read_private(file)
    return text


def settings_from_draft(draft: str, site: str, device: str, board: str) -> bytes:
    """The file for one controller; StartError with the reader's own sentence when it would refuse to run."""
    kept = [line for line in draft.splitlines() if _name(line) not in _OWN and line.strip() != "end"]
    lines = [f"site = {site}", f"device = {device}", f"board = {board}", *kept]
    if not any(_name(line) == "link" and line.split("=", 1)[1].strip() == "serial" for line in kept):
        lines += [
            f"ca_file = {job.AUTHORITY_FILE}",
            f"cert_file = {job.CERTIFICATE_FILE}",
            f"cert_key_file = {job.CERTIFICATE_KEY_FILE}",
        ]
    data = ("\n".join([*lines, f"device_key_file = {job.KEY_FILE}", "end"]) + "\n").encode()
    try:
        parse_config(data)
    except ConfigError as error:
        raise StartError(f"The controller would refuse these settings. {error}") from error
    return data


def device_in(settings: str) -> str:
    """The controller that a settings file is for; empty when it names none."""
    for line in settings.splitlines():
        if _name(line) == "device":
            return line.split("=", 1)[1].strip()
    return ""


def _name(line: str) -> str:
    return line.split("=", 1)[0].strip() if "=" in line and not line.lstrip().startswith("#") else ""
