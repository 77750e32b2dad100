"""One register of the house on disk: read line by line, written whole or not at all.

Owns the file: a new one beside the old, with its owner and permissions, flushed, then renamed over it. Whatever ends
the writing (Ctrl-C, a full disk, a power cut) leaves the old register or the new one. Knows no tag's meaning.
"""

import csv
import fcntl
import io
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sabot_tools.field.trouble import StartError


class Row(NamedTuple):
    """The cells of one line, and where it stands; 0 for one that is not in the file yet."""

    line: int
    cells: tuple[str, ...]


def rows_of(file: Path) -> list[Row]:
    """Every line behind the heading; the file was found right before."""
    try:
        with file.open(encoding="utf-8-sig", newline="") as opened:
            reader = csv.reader(opened, strict=True)
            next(reader, None)
            return [Row(reader.line_num, tuple(cell.strip() for cell in cells)) for cells in reader if cells]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise StartError(f"{file} cannot be read ({getattr(error, 'strerror', None) or error}).") from error


def replace_all(
    registers: Mapping[Path, tuple[tuple[str, ...], Iterable[tuple[str, ...]]]],
    check: Callable[[Mapping[Path, Path]], None],
) -> None:
    """Replaces registers, each by its heading and rows, unless `check` refuses the new files.

    StartError when the disk does not take them. `check` is given the new file of each register; it is asked before any
    register changes.
    """
    parts: dict[Path, Path] = {}
    try:
        try:
            for file, (heading, rows) in registers.items():
                target = file.resolve()  # a register may be a link: what it points to is replaced, not the link
                parts[file] = part = target.with_name(f".{target.name}.part")
                _write_part(part, target, heading, rows)
            check(parts)
            for file, part in parts.items():
                part.replace(file.resolve())
        finally:
            for part in parts.values():
                part.unlink(missing_ok=True)
        for folder in {part.parent for part in parts.values()}:
            _flush_folder(folder)
    except OSError as error:
        where = error.filename or next(iter(registers))
        raise StartError(f"The registers cannot be written: {where} ({error.strerror or error}).") from error


@contextmanager
def alone(settings_file: Path) -> Iterator[None]:
    """Nobody else changes the registers of these settings meanwhile; waits for one who is at it."""
    try:
        opened = settings_file.open("rb")
    except OSError as error:
        raise StartError(f"{settings_file} cannot be read ({error.strerror or error}).") from error
    with opened:
        fcntl.flock(opened, fcntl.LOCK_EX)  # held for the length of one writing
        yield


def _write_part(part: Path, old: Path, heading: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(rows)
    part.unlink(missing_ok=True)
    with part.open("xb") as opened:
        if old.exists():
            _take_after(old, opened.fileno(), part)
        opened.write(text.getvalue().encode("utf-8"))
        opened.flush()
        os.fsync(opened.fileno())


def _take_after(old: Path, handle: int, new: Path) -> None:
    """The new file gets the old one's owner, group and permissions: the gateway must be able to read it as before."""
    status = old.stat()
    mine = os.fstat(handle)
    if (mine.st_uid, mine.st_gid) != (status.st_uid, status.st_gid):
        try:
            os.fchown(handle, status.st_uid, status.st_gid)
        except PermissionError as error:
            raise StartError(
                f"{old} belongs to another account, and would not belong to it any more; run this as that account."
            ) from error
    shutil.copystat(old, new)  # access lists too; the times change again with the content


def _flush_folder(folder: Path) -> None:
    # A rename is durable once its folder is.
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
