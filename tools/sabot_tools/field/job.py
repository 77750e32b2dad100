"""A piece of provisioning under way: what was made for a board before the board and the gateway have it.

Owns `.pending/<device>/` in the folder of controllers. A job is made whole (by a rename) before anything is sent, and
removed when everything is done: whoever runs the command again after an interruption goes on with the same key,
certificate and settings, and nothing is made twice. One command at a time works on a controller.
"""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from sabot_protocol.device_key import KEY_SIZE
from sabot_tools.field.authority import Authority, Purpose
from sabot_tools.field.private_file import private_folder, read_private, write_whole
from sabot_tools.field.trouble import StartError

PENDING: Final = ".pending"
KEY_FILE: Final = "device.key"
CERTIFICATE_FILE: Final = "client.der"
CERTIFICATE_KEY_FILE: Final = "client.key.der"
AUTHORITY_FILE: Final = "ca.der"
SETTINGS_FILE: Final = "sabot.conf"
_FILES: Final = (AUTHORITY_FILE, CERTIFICATE_FILE, CERTIFICATE_KEY_FILE, KEY_FILE, SETTINGS_FILE)


@dataclass(frozen=True, slots=True)
class Job:
    """`files` are the board's own, by name; the settings last, because a board without them does not run."""

    action: str
    device: str
    table: str
    role: str
    certificate_sha256: str
    ends: str  # the day its certificate ends
    files: dict[str, bytes] = field(repr=False)
    replaced: str = ""  # whose place it takes

    @property
    def key(self) -> bytes:
        return self.files[KEY_FILE]


@contextmanager
def claim(folder: Path, device: str) -> Iterator[None]:
    """Nobody else works on this controller meanwhile; StartError when somebody does."""
    file = private_folder(folder / PENDING) / f"{device}.lock"
    while True:
        with file.open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise StartError(f"Another `sabot provision` works on {device}: let it end first.") from error
            if not file.exists() or not os.path.samestat(file.stat(), os.fstat(lock.fileno())):
                continue  # whoever had it took the file away in between
            try:
                yield
            finally:
                file.unlink(missing_ok=True)
            return


def begin_job(
    folder: Path,
    authority: Authority,
    action: str,
    device: str,
    table: str,
    role: str,
    settings: bytes,
    replaced: str = "",
) -> Job:
    """Makes key and certificate, and keeps them; `settings` is empty where the board keeps its own."""
    issued = authority.issue(device, Purpose.CLIENT)
    files = {
        AUTHORITY_FILE: authority.der,
        CERTIFICATE_FILE: issued.der,
        CERTIFICATE_KEY_FILE: issued.key_der,
        KEY_FILE: os.urandom(KEY_SIZE),
    }
    if settings:
        files[SETTINGS_FILE] = settings
    known = next(known for known in authority.known() if known.certificate == issued.certificate)
    job = Job(action, device, table, role, known.sha256, known.ends, files, replaced)
    pending = private_folder(folder / PENDING)
    making = pending / f"{device}.making"
    shutil.rmtree(making, ignore_errors=True)
    private_folder(making)
    for name, data in files.items():
        write_whole(making / name, data)
    told = {"action": action, "table": table, "role": role, "replaced": replaced}
    told |= {"certificate_sha256": known.sha256, "ends": known.ends}
    write_whole(making / "job.json", json.dumps(told).encode())
    making.rename(pending / device)
    return job


def find_job(folder: Path, device: str) -> Job | None:
    """The job of this device that was not finished."""
    place = folder / PENDING / device
    if not place.is_dir():
        return None
    told = json.loads(read_private(place / "job.json"))
    files = {name: read_private(place / name) for name in _FILES if (place / name).exists()}
    return Job(
        told["action"],
        device,
        told["table"],
        told["role"],
        told["certificate_sha256"],
        told["ends"],
        files,
        told["replaced"],
    )


def end_job(folder: Path, device: str) -> None:
    """Forgets a job: it is done, or another is wanted. What an interruption left of earlier ones goes too."""
    place = folder / PENDING / device
    ending = place.with_name(f"{device}.ending")
    shutil.rmtree(ending, ignore_errors=True)
    shutil.rmtree(place.with_name(f"{device}.making"), ignore_errors=True)
    if place.is_dir():
        place.rename(ending)
        shutil.rmtree(ending)
