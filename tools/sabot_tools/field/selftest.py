"""`sabot selftest DEVICE`: has a controller try its own parts, and says how each did.

Owns the command line, the order and the waiting. The order is sealed with the controller's key from the gateway's
registry; its number is the gateway's kind of number (link/order.py), so that the two never contradict each other.
"""

import argparse
import json
import sys
import time
from typing import Any, Final

from sabot_gateway.link.order import LEAP, next_number
from sabot_protocol.messages import TEST
from sabot_tools.field.house import open_house
from sabot_tools.field.trouble import FieldError, StartError
from sabot_tools.field.wire import Wire, configure_wire, open_wire

NAME: Final = "selftest"
SUMMARY: Final = "have a controller test its readers, lamps, keys, display, flash, link and software"
_ALL: Final = "all"
_TESTS: Final = tuple(name for name in TEST[1] if name != _ALL)
_AGAIN_S: Final = 5.0  # an order that is not answered is given again; the controller obeys it once


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("device", help="the controller")
    parser.add_argument("--test", choices=TEST[1], default=_ALL, help="one test alone (default: all)")
    parser.add_argument("--seconds", type=float, default=90.0, metavar="S", help="how long to wait (default: 90)")
    configure_wire(parser)
    parser.add_argument(
        "--bench",
        action="store_true",
        help="with --port: stand in for the gateway on a workbench; what is said meanwhile is in no journal",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for programs")
    parser.epilog = (
        "example: sabot selftest table-4-a --port /dev/ttyACM0 --bench\n\n"
        "Look at the table while it runs: a light passes over every lamp, and nobody but you can see it."
    )


def run(args: argparse.Namespace) -> int:
    """0 everything passed, 1 something failed or did not answer, 2 could not start."""
    try:
        wire = open_wire(open_house(args.config), args)
        try:
            if args.port and not args.bench:
                raise StartError(
                    "On its cable a controller waits for a gateway: use the broker, or give --bench on a workbench."
                )
            results = conduct(wire, args.test, args.seconds, is_bench=args.bench and bool(args.port))
        finally:
            wire.close()
    except FieldError as error:
        print(f"sabot selftest: {error}", file=sys.stderr)
        return error.code
    wanted = _TESTS if args.test == _ALL else (args.test,)
    is_good = all(results.get(test) == "passed" for test in wanted)
    told = {test: results.get(test, "no answer") for test in wanted}
    if args.json:
        print(json.dumps({"device": args.device, "passed": is_good, "tests": told}))
    else:
        for test, result in told.items():
            print(f"{test:<10} {result}")
        print(f"{args.device} {'passed' if is_good else 'did NOT pass'} its self-test.")
    return 0 if is_good else 1


def conduct(wire: Wire, test: str, seconds: float, *, is_bench: bool = False) -> dict[str, str]:
    """The result of each test that was told in time.

    `is_bench`: nobody else acknowledges, and a controller that hears no ack soon says nothing new.
    """
    wanted = set(_TESTS if test == _ALL else (test,))
    number = next_number(0, time.time_ns() // 1_000_000)
    limit = time.monotonic() + seconds
    asked = 0.0
    is_taken = False
    results: dict[str, str] = {}
    for message in wire.messages(limit):
        now = time.monotonic()
        if not is_taken and now - asked >= _AGAIN_S:
            asked = now
            wire.send("command", {"number": number, "body": ("selftest", {"test": test})})
        if message is None or message.channel != "event" or message.code:
            continue
        if is_bench:
            upto = message.values["first"] + len(message.values["events"]) - 1
            wire.send("ack", {"boot": message.values["boot"], "upto": upto})
        for name, fields in message.values["events"]:
            if name == "command_finished" and fields["number"] == number:
                if fields["outcome"] == "stale" and not is_taken:
                    number, asked = number + LEAP, 0.0  # somebody's burst of orders ran ahead of the clock
                elif fields["outcome"] == "done":
                    is_taken = True
                    results.clear()  # what came before was another test's
            elif name == "selftest_finished" and is_taken:
                results[fields["test"]] = _result(fields)
        if is_taken and wanted <= results.keys():
            break
    return results


def _result(fields: dict[str, Any]) -> str:
    return "passed" if fields["passed"] else f"FAILED (part {fields['part']})"
