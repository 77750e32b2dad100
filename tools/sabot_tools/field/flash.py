"""`sabot flash`: the controllers' software onto a board, each file read back.

Owns the command line and the order of the work: recognise, quiet, hold its image against the one that is said to be
there, write, clean, read back, start. Whatever interrupts it, running it again finishes: files that are right already
are not written twice.
"""

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sabot_tools.field.board import ENTER_S, SECTOR, SERVICE, Board, Identity
from sabot_tools.field.board_type import NAMES, RELEASE, BoardType, files_for
from sabot_tools.field.image_release import ImageRelease, read_image
from sabot_tools.field.trouble import FieldError, StartError
from sabot_tools.progress import Progress

NAME: Final = "flash"
SUMMARY: Final = "write the controllers' software to a board over USB, and read every file back"
_MODULES: Final = (".py", ".mpy")
_MPY_VERSION: Final = 1  # the byte of a compiled file that names its format


def configure(parser: argparse.ArgumentParser) -> None:
    configure_board(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object for programs")
    parser.epilog = (
        "example: sabot flash --port /dev/ttyACM0\n"
        "         sabot flash --port /dev/ttyACM0 --image firmware.uf2\n\n"
        "A wrong board, or a board with another image, is refused before anything is written."
    )


def configure_board(parser: argparse.ArgumentParser) -> None:
    """The options of every command that writes software to a board."""
    parser.add_argument("--port", metavar="DEV", required=True, help="the board's serial port, such as /dev/ttyACM0")
    parser.add_argument("--board", choices=NAMES, help="refuse any other board than this")
    parser.add_argument(
        "--build", metavar="FOLDER", type=Path, help="a compiled release; without it, one is compiled now"
    )
    parser.add_argument(
        "--image",
        metavar="FILE",
        type=Path,
        help="the UF2 that was put on the board: its software lies in it, and the board is to prove it",
    )
    parser.add_argument("--release", default="0.1.0", help="the version that the board will name (default: 0.1.0)")
    parser.add_argument("--serial", type=int, default=1, metavar="N", help="the release's counter (default: 1)")
    parser.add_argument(
        "--wait",
        type=float,
        default=ENTER_S,
        metavar="S",
        help=f"seconds until the board answers (default: {ENTER_S:g})",
    )


def run(args: argparse.Namespace) -> int:
    """0 flashed, 1 refused or broken off, 2 could not start."""
    try:
        board = Board(args.port, args.wait)
        try:
            identity = board.identify()
            software = software_for(identity, args)
            files = software.files
            quiet(board, identity)
            prove(board, software, args.port)
            written = install(board, files, args.port)
            tidy(board, files)
            start(board)
        finally:
            board.close()
    except FieldError as error:
        print(f"sabot flash: {error}", file=sys.stderr)
        return error.code
    assert identity.kind is not None
    if args.json:
        told = {"board": identity.kind.name, "serial": identity.serial, "files": len(files), "written": written}
        if software.image is not None:
            told["digest"] = software.image.digest.hex()
        print(json.dumps(told))
    else:
        print(f"{identity.kind.title} on {args.port}: {len(files)} files are right, {written} were written. It starts.")
    return 0


def check_board(identity: Identity, args: argparse.Namespace) -> BoardType:
    """The type of a board that may be written to; FieldError for any other."""
    kind = identity.kind
    if kind is None:
        raise FieldError(
            f"This is no board that Sabot knows ({identity.machine or 'it has no name'}); nothing was written."
        )
    if args.board and args.board != kind.name:
        raise FieldError(f"This is a {kind.title} ({kind.name}), not a {args.board}; nothing was written.")
    if args.image is not None and not kind.uf2_family:
        raise StartError(f"A {kind.title} takes its software as files, not in an image; nothing was written.")
    if (kind.is_frozen or args.image is not None) and not identity.is_frozen:
        raise FieldError(
            f"This {kind.title} needs an image with Sabot in it: files do not fit its memory; nothing was written."
            if kind.is_frozen
            else f"There is no Sabot in this {kind.title}'s image; nothing was written."
        )
    if identity.outbox_sectors * SECTOR < kind.outbox_bytes:
        raise FieldError(
            f"This {kind.title} needs the house's image: with another, files and events share one flash; "
            "nothing was written."
        )
    return kind


@dataclass(frozen=True, slots=True)
class Software:
    """The files for one board; `image`: what its flash must hold already, where the software lies in it."""

    files: Mapping[str, bytes]
    image: ImageRelease | None = None


def software_for(identity: Identity, args: argparse.Namespace) -> Software:
    """What this board gets; FieldError for a board that must not have it."""
    kind = check_board(identity, args)
    if args.image is not None:
        image = read_image(args.image, kind, args.release, args.serial)
        return Software(image.files, image)
    if kind.is_frozen:
        raise StartError(
            f"The software of a {kind.title} lies in its image: give the one that was put on it with --image, "
            "so that the board can prove it; nothing was written."
        )
    files = files_for(kind, args.build, args.release, args.serial)
    for path, data in files.items():
        if path.endswith(".mpy") and data[_MPY_VERSION] != identity.mpy & 0xFF:
            raise FieldError(
                f"The release is compiled for another MicroPython (format {data[_MPY_VERSION]}, the board runs "
                f"{identity.mpy & 0xFF}); nothing was written."
            )
    return Software(files)


def quiet(board: Board, identity: Identity) -> None:
    """The board stays in its REPL, over resets too, until `start`."""
    board.write(SERVICE, b"")
    if identity.has_sabot:
        board.restart(wait=True)  # its watchdog runs, and nothing but a reset ends that


def prove(board: Board, software: Software, label: str) -> None:
    """FieldError for a quiet board whose flash holds another image than the one that its software is said to lie in."""
    if software.image is None:
        return
    code = software.image.code
    with Progress(len(code), f"reading the image on {label}") as progress:
        is_right = board.runs(code, progress.advance)
    if not is_right:
        start(board)
        raise FieldError(
            f"The image on the board on {label} is not the one given with --image: put that one on it first; "
            "nothing was written."
        )


def install(board: Board, files: Mapping[str, bytes], label: str) -> int:
    """Writes what differs and reads every digest back; how many files were written."""
    with Progress(sum(map(len, files.values())), f"writing to {label}") as progress:
        return board.install(files, progress.advance)


def tidy(board: Board, files: Mapping[str, bytes]) -> None:
    """Removes what is no part of a release: `files` are all of it, or all beside what lies in the image."""
    for path in board.files(""):
        # What an earlier release left behind would be found before the new one's; what a pulled cable left is no file.
        is_left = path.startswith(f"{RELEASE}/") or (f"{RELEASE}/manifest" not in files and path.endswith(_MODULES))
        if path.endswith(".part") or (is_left and path not in files):
            board.remove(path)
    # Releases that came over the air, and the record that chooses one: the flashed one is the one to start.
    for path in [*board.files("slot1"), "slot.0", "slot.1", "manifest.new"]:
        board.remove(path)


def start(board: Board) -> None:
    """Ends the quiet: the board resets and runs."""
    board.remove(SERVICE)
    board.restart(wait=False)
