"""`sabot provision`: a blank board becomes a controller that the gateway trusts; or stops being one.

Owns the command line, the summary and the label. What is done in which order is provisioning.py's. Keys are made here
and never shown, never taken from the command line, never logged.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Final

from sabot_gateway.registry import DeviceRole
from sabot_tools.field import provisioning
from sabot_tools.field.equipping import Outcome
from sabot_tools.field.flash import configure_board
from sabot_tools.field.house import House, configure_house, open_house
from sabot_tools.field.trouble import FieldError, StartError

NAME: Final = "provision"
SUMMARY: Final = "give a board its key, certificate, settings and software, and register it; revoke, rotate, replace"
HOURS: Final = 24
MOST_HOURS: Final = 24 * 31
_WIDTH: Final = 46

_EXAMPLES: Final = {
    "add": "--table table-4 --settings table-4.conf --port /dev/ttyACM0",
    "replace": "table-4-a --port /dev/ttyACM0",
    "rotate": "table-4-a --port /dev/ttyACM0 --hours 2",
    "revoke": "table-4-a",
    "list": "--json",
}


def configure(parser: argparse.ArgumentParser) -> None:
    common = argparse.ArgumentParser(add_help=False)
    configure_house(common)
    common.add_argument(
        "--offline", action="store_true", help="go on though no gateway runs; it will know at its start"
    )
    common.add_argument("--json", action="store_true", help="print one JSON object for programs")
    cable = argparse.ArgumentParser(add_help=False, parents=[common])
    configure_board(cable)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = actions.add_parser("add", parents=[cable], help="a blank board becomes a controller")
    add.add_argument(
        "device",
        nargs="?",
        default="",
        help="its name, also its client id at the broker (default: the table's name and the next free letter)",
    )
    add.add_argument("--table", required=True, help="the table it serves")
    add.add_argument(
        "--role", choices=[str(role) for role in DeviceRole], default=str(DeviceRole.TABLE), help="what it does there"
    )
    add.add_argument(
        "--settings", metavar="FILE", type=Path, required=True, help="wiring and network: firmware/settings.md"
    )
    replace = actions.add_parser("replace", parents=[cable], help="a new board for a dead one, in its role")
    replace.add_argument("device", help="the dead controller; it is revoked")
    replace.add_argument(
        "--as", dest="successor", metavar="NAME", default="", help="the new one's name (default: NAME-2)"
    )
    replace.add_argument("--settings", metavar="FILE", type=Path, help="other settings than the dead one had")
    for each in (add, replace):
        each.add_argument(
            "--take",
            action="store_true",
            help="take a board that is another controller already; what it has not sent is lost",
        )
    rotate = actions.add_parser("rotate", parents=[cable], help="a new key and certificate for a controller")
    rotate.add_argument("device", help="the controller")
    rotate.add_argument(
        "--hours",
        type=_hours,
        default=HOURS,
        metavar="N",
        help=f"how long the old ones stay good: 0 to {MOST_HOURS} (default: {HOURS})",
    )
    actions.add_parser("revoke", parents=[common], help="a controller is no longer known").add_argument(
        "device", help="the controller"
    )
    actions.add_parser("list", parents=[common], help="every controller")
    for action, example in _EXAMPLES.items():
        actions.choices[action].epilog = f"example: sabot provision {action} {example}".rstrip()
    parser.epilog = (
        "example: sabot provision add --table table-4 --settings table-4.conf --port /dev/ttyACM0\n\n"
        "Interrupted at any step, run it again: it goes on with what was made. Nothing is registered by halves."
    )


def _hours(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > MOST_HOURS:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of hours from 0 to {MOST_HOURS}")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """0 done, 1 refused or broken off, 2 could not start."""
    try:
        house = open_house(args.config)
        if args.action == "list":
            print(_listing(house, is_json=args.json))
            return 0
        if not args.offline and not house.is_running:
            raise StartError(
                f"No gateway runs on {house.settings.data}: start it, or give --offline to register for its next start."
            )
        outcome = _act(house, args)
    except FieldError as error:
        print(f"sabot provision: {error}", file=sys.stderr)
        return error.code
    print(json.dumps(asdict(outcome)) if args.json else _text(house, outcome))
    return 0


def _act(house: House, args: argparse.Namespace) -> Outcome:
    match args.action:
        case "add":
            return provisioning.add(house, args)
        case "replace":
            return provisioning.replace(house, args)
        case "rotate":
            return provisioning.rotate(house, args)
        case _:
            return provisioning.revoke(house, args)


def label_of(site: str, outcome: Outcome) -> str:
    """What is stuck on the housing: who it is, and by which certificate it is known; no secret."""
    lines = [
        f"SABOT · {site}",
        f"{outcome.device}",
        f"table {outcome.table} · {outcome.role}",
        f"{outcome.board} {outcome.serial}".strip(),
        f"cert {outcome.certificate_sha256[:16]} to {outcome.certificate_ends}",
    ]
    edge = f"+{'-' * (_WIDTH - 2)}+"
    return "\n".join([edge, *(f"| {line[: _WIDTH - 4]:<{_WIDTH - 4}} |" for line in lines), edge])


def _text(house: House, outcome: Outcome) -> str:
    device, table = outcome.device, outcome.table
    match outcome.action:
        case "revoke":
            done = f"{device} of table {table} is revoked: nothing that it says or knows is good any more."
            return f"{done}\nNext: sabot broker-config, then start the broker anew."
        case "rotate":
            done = f"{device} has a new key and certificate; the old ones end at {outcome.old_key_until}."
        case "replace":
            done = f"{device} takes the place of {outcome.replaced} at table {table}; {outcome.replaced} is revoked."
        case _:
            when = "knows it in two seconds" if house.is_running else "will know it when it starts"
            done = f"{device} is a controller of table {table}; the gateway {when}."
    return f"{done}\n\n{label_of(house.settings.site, outcome)}\n\nNext: sabot broker-config, and SIGHUP to the broker."


def _listing(house: House, *, is_json: bool) -> str:
    devices = [
        {"id": each.id, "table": each.table, "role": str(each.role), "certificate_sha256": each.certificate_sha256}
        for each in house.settings.devices
    ]
    if is_json:
        return json.dumps({"devices": devices})
    if not devices:
        return "There is no controller yet."
    return "\n".join(f"{each['id']:<32} {each['table']:<16} {each['role']}" for each in devices)
