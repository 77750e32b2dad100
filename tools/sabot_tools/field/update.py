"""`sabot update DEVICE FOLDER`: brings a signed release to a controller over the network or the cable.

Owns the command line. How it travels is delivery.py's, what is accepted the controller's, when it starts the gateway's.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from sabot_tools.field.delivery import Delivery, Stage
from sabot_tools.field.house import House, check_digest, open_house
from sabot_tools.field.signed_release import SignedRelease, read_release
from sabot_tools.field.trouble import FieldError, StartError
from sabot_tools.field.wire import configure_wire, open_wire
from sabot_tools.progress import Progress

NAME: Final = "update"
SUMMARY: Final = "bring a signed release to a controller; it starts between two coups"
_TOLD: Final = {
    Stage.WAITING: "has the whole release and waits for the end of a coup.",
    Stage.STARTING: "starts it.",
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("device", help="the controller")
    parser.add_argument("folder", type=Path, help="its board's folder, as `sabot release build` made it")
    parser.add_argument("--seconds", type=float, default=1800.0, metavar="S", help="how long to try (default: 1800)")
    configure_wire(parser)
    parser.add_argument(
        "--bench",
        action="store_true",
        help="with --port: stand in for the gateway on a workbench; what is said meanwhile is in no journal",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for programs")
    parser.epilog = (
        "example: sabot update table-4-a build/rpi_pico_2_w --broker mqtts://broker.pit:8883 \\\n"
        "             --ca ca.pem --certificate technician.pem --key technician.key\n\n"
        "The table plays on meanwhile. A release that does not come up healthy is rolled back by the controller itself."
    )


def run(args: argparse.Namespace) -> int:
    """0 the new release runs, 1 refused, rolled back or not finished, 2 could not start."""
    try:
        release = read_release(args.folder)
        house = open_house(args.config)
        check_welcome(house, release)
        if args.port and not args.bench:
            raise StartError("On its cable a controller waits for a gateway: use the broker, or give --bench.")
        wire = open_wire(house, args)
        try:
            with Progress(release.size, f"{release.name} to {args.device}") as progress:

                def tell(stage: Stage) -> None:
                    if stage in _TOLD and not args.json:
                        print(f"{args.device} {_TOLD[stage]}", file=sys.stderr)

                delivery = Delivery(
                    wire,
                    args.device,
                    release,
                    is_bench=args.bench and bool(args.port),
                    on_stage=tell,
                    advance=progress.advance,
                )
                delivery.run(args.seconds)
        finally:
            wire.close()
    except FieldError as error:
        print(f"sabot update: {error}", file=sys.stderr)
        return error.code
    if args.json:
        print(json.dumps({"device": args.device, "release": release.name, "digest": release.digest.hex()}))
    else:
        print(f"{args.device} runs {release.name}.")
    return 0


def check_welcome(house: House, release: SignedRelease) -> None:
    """StartError when the gateway would refuse a controller with this release."""
    check_digest(house, release.digest)
