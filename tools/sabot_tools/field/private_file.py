"""Files that only their owner may read, written whole or not at all.

Owns how the field tools put secrets and records on disk: a new file beside the old one, flushed to the disk, then
renamed over it. A crash at any moment leaves the old file or the new one, never half of either.
"""

import os
from pathlib import Path
from typing import Final

from sabot_tools.field.trouble import StartError

_OWNER_FOLDER: Final = 0o700
_OTHERS: Final = 0o077


def private_folder(folder: Path) -> Path:
    """The folder, made for its owner only; StartError when others may enter it."""
    try:
        folder.mkdir(_OWNER_FOLDER, parents=True, exist_ok=True)
        mode = folder.stat().st_mode
    except OSError as error:
        raise StartError(f"{folder} cannot be made ({error.strerror or error}).") from error
    if mode & _OTHERS:
        raise StartError(f"Others may enter {folder}, where keys are kept; its mode must be 0700.")
    return folder


def read_private(file: Path) -> bytes:
    """What a secret file holds; StartError when others may read it."""
    try:
        if file.stat().st_mode & _OTHERS:
            raise StartError(f"Others may read {file}; its mode must be 0600.")
        return file.read_bytes()
    except OSError as error:
        raise StartError(f"{file} cannot be read ({error.strerror or error}).") from error


def write_whole(file: Path, data: bytes, mode: int = 0o600) -> None:
    """Replaces a file; StartError when the disk does not take it."""
    part = file.with_name(f".{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as opened:
            opened.write(data)
            opened.flush()
            os.fsync(opened.fileno())
        part.replace(file)
        _flush_folder(file.parent)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise StartError(f"{file} cannot be written ({error.strerror or error}).") from error


def remove(file: Path) -> None:
    """Takes a file away for good; one that is not there is no error."""
    try:
        file.unlink(missing_ok=True)
        _flush_folder(file.parent)
    except OSError as error:
        raise StartError(f"{file} cannot be removed ({error.strerror or error}).") from error


def _flush_folder(folder: Path) -> None:
    # A rename is durable once its folder is.
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
