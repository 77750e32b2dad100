"""`sabot enrol`: the command line. Registers decks, chips and badges, and takes them out again.

Owns the arguments, the order of the checks, and what is printed: the dialogue on standard error, the result on standard
output. A tag is never printed.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from sabot_gateway.model.person import Role
from sabot_gateway.model.tag import ChipState
from sabot_tools.enrol.enrolment import Enrolment, Outcome, enrolment_from
from sabot_tools.field.house import configure_house
from sabot_tools.field.port import BAUD
from sabot_tools.field.trouble import FieldError

NAME: Final = "enrol"
SUMMARY: Final = "register decks, chips and badges with a reader or from a list, and take them out again"

_EXAMPLES: Final = {
    "deck": "blue-7 --colour blue --device table-1",
    "chips": "--value 25 --count 500 --csv delivery.csv",
    "badge": "D17 --role dealer --device table-1",
    "retire": "blue-7",
    "withdraw": "--csv lost.csv",
    "restore": "--csv found.csv",
    "take-back": "D17",
    "list": "--json",
}


def configure(parser: argparse.ArgumentParser) -> None:
    house = argparse.ArgumentParser(add_help=False)
    configure_house(house)
    house.add_argument("--json", action="store_true", help="print one JSON object for programs")
    change = argparse.ArgumentParser(add_help=False, parents=[house])
    change.add_argument("--dry-run", action="store_true", help="do everything but write the register")
    change.add_argument(
        "--anyway", action="store_true", help="even while the séance of the table is open, where tags are play"
    )
    source = argparse.ArgumentParser(add_help=False, parents=[change])
    source.add_argument("--device", metavar="ID", help="read the tags with this controller, over the broker")
    source.add_argument("--port", metavar="DEV", help="read the tags with the controller on this serial cable")
    source.add_argument("--baud", type=int, default=BAUD, help=f"of a serial cable (default: {BAUD})")
    source.add_argument("--csv", metavar="FILE", type=Path, help="take the tags from a list")
    source.add_argument("--certificate", metavar="FILE", type=Path, help="a technician's, where the broker wants one")
    source.add_argument("--key", metavar="FILE", type=Path, help="the key of that certificate")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    deck = actions.add_parser("deck", parents=[source], help="register a deck: 52 cards over the shoe, or card,tag")
    deck.add_argument("name", metavar="NAME", help="of the deck")
    deck.add_argument("--colour", metavar="C", required=True, help="of the backs")
    chips = actions.add_parser("chips", parents=[source], help="register chips of one value, or tag,value_cents")
    chips.add_argument("--value", metavar="V", help="of each chip: 5, 0.50 or 2500")
    chips.add_argument("--count", metavar="N", type=int, default=0, help="refuse any other number of chips")
    badge = actions.add_parser("badge", parents=[source], help="register a person's badge, or tag,person,role")
    badge.add_argument("person", metavar="PERSON", nargs="?", help="the house's own number of the person")
    badge.add_argument("--role", metavar="R", choices=[str(role) for role in Role], help=", ".join(Role))

    retire = actions.add_parser("retire", parents=[change], help="take a deck out of the register")
    retire.add_argument("name", metavar="NAME", help="of the deck")
    for name, state, text in (
        ("withdraw", ChipState.WITHDRAWN, "take chips out of play; they stay known, and alert when they turn up"),
        ("restore", ChipState.IN_PLAY, "put chips back into play"),
    ):
        chip_state = actions.add_parser(name, parents=[source], help=text)
        chip_state.add_argument("--count", metavar="N", type=int, default=0, help="refuse any other number of chips")
        chip_state.set_defaults(state=state)
    take_back = actions.add_parser("take-back", parents=[change], help="take a person's badge out of the register")
    take_back.add_argument("person", metavar="PERSON", help="the house's own number of the person")
    actions.add_parser("list", parents=[house], help="what is registered")
    for action, example in _EXAMPLES.items():
        actions.choices[action].epilog = f"example: sabot enrol {action} {example}".rstrip()
    parser.epilog = (
        "example: sabot enrol deck blue-7 --colour blue --device table-1 --config sabot.toml\n"
        "         sabot enrol chips --value 25 --count 500 --csv delivery.csv\n\n"
        "A running gateway takes the change by itself, at each table between two coups."
    )


def run(args: argparse.Namespace) -> int:
    """0 when it is registered, 1 when it is refused or stopped, 2 when it could not begin or not be written."""
    try:
        enrolment = enrolment_from(args)
        if args.action == "list":
            _list(enrolment, is_json=args.json)
            return 0
        outcome = enrolment.perform()
    except FieldError as error:
        print(f"sabot enrol: {error}", file=sys.stderr)
        return error.code
    _print(outcome, is_json=args.json)
    return 0


def _print(outcome: Outcome, *, is_json: bool) -> None:
    if is_json:
        print(
            json.dumps(
                {
                    "action": outcome.action,
                    "name": outcome.name,
                    "tags": outcome.tags,
                    "file": str(outcome.file),
                    "written": outcome.is_written,
                }
            )
        )
        return
    print(outcome.sentence if outcome.is_written else f"Nothing was written (--dry-run). {outcome.sentence}")


def _list(enrolment: Enrolment, *, is_json: bool) -> None:
    book = enrolment.book
    decks, chips, people = book.decks(), sorted(book.chips().items()), book.people()
    if is_json:
        print(
            json.dumps(
                {
                    "decks": [{"deck": name, "colour": colour} for name, colour in decks.items()],
                    "chips": [
                        {"value_cents": cents, "state": state, "count": count} for (cents, state), count in chips
                    ],
                    "badges": [{"person": person, "role": role} for person, role in people.items()],
                }
            )
        )
        return
    for name, colour in decks.items():
        print(f"deck   {name:<24} {colour}")
    for (cents, state), count in chips:
        print(f"chips  {cents // 100:>12,}.{cents % 100:02d} × {count:<9,} {state.replace('_', ' ')}")
    for person, role in people.items():
        print(f"badge  {person:<24} {role.replace('_', ' ')}")
    if not (decks or chips or people):
        print("Nothing is registered yet.")
