"""The house that a field tool works for: the gateway's settings, its folder of controllers, its authority.

Owns where these lie. Everything comes from the gateway's own settings file, checked by the gateway's own reader, so
that what the tools write is what the gateway reads.
"""

import argparse
import fcntl
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sabot_gateway.config import FILE, Settings, load
from sabot_gateway.data_folder import LOCK
from sabot_gateway.errors import GatewayError
from sabot_gateway.settings.reading import mapping_from_file
from sabot_tools.field.authority import Authority, open_authority
from sabot_tools.field.trouble import StartError

AUTHORITY: Final = "authority"
DEVICES: Final = "devices"


@dataclass(frozen=True, slots=True)
class House:
    """Settings that were found right, and the folders beside them."""

    settings: Settings
    devices: Path
    authority_folder: Path

    def authority(self) -> Authority:
        return open_authority(self.authority_folder, self.settings.site)

    @property
    def is_running(self) -> bool:
        """A gateway holds the data folder's lock."""
        try:
            with (self.settings.data / LOCK).open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False


def check_digest(house: House, digest: bytes) -> None:
    """StartError when the gateway would refuse a controller whose hello tells this digest of its software."""
    digests = house.settings.digests
    if digests is not None and digest not in digests:
        raise StartError(f"The gateway would refuse this release: add {digest.hex()} to digests in [firmware] first.")


def configure_house(parser: argparse.ArgumentParser) -> None:
    """The option that names the gateway's settings."""
    parser.add_argument(
        "--config", metavar="FILE", type=Path, default=Path(FILE), help=f"the gateway's settings (default: {FILE})"
    )


def open_house(file: Path) -> House:
    """The house of a settings file; StartError with the settings' own sentence when they are not right."""
    try:
        settings = load(file)
        written = mapping_from_file(settings.file).get("devices", DEVICES)
    except GatewayError as error:
        raise StartError(str(error)) from error
    folder = settings.file.parent
    return House(settings, (folder / Path(str(written)).expanduser()).absolute(), folder / AUTHORITY)
