"""`sabot demo`: five tables alive in one command.

Owns the command line and what is printed. Everything runs on this machine, on loopback, without root, and ends with
Ctrl-C; what was played stays in the folder, and the next start goes on from it.
"""

import argparse
import os
import signal
import sys
from pathlib import Path
from typing import Final

from sabot_gateway.errors import GatewayError
from sabot_gateway.settings.shape import Address
from sabot_tools.demo.gateway_process import GatewayFailedError, GatewayProcess
from sabot_tools.demo.premises import ACCOUNTS_MADE, Premises, PremisesError, prepare
from sabot_tools.demo.show import Show, found_micropython
from sabot_tools.twin.software import release

NAME: Final = "demo"
SUMMARY: Final = "start a broker, a gateway, five simulated tables and the surveillance page, and play"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--folder", metavar="FOLDER", type=Path, default=_default_folder(), help="where it is kept")
    parser.add_argument("--fresh", action="store_true", help="forget what was played before")
    parser.add_argument("--port", metavar="N", type=_port, default=8080, help="of the page, on loopback (default 8080)")
    parser.add_argument("--broker-port", metavar="N", type=_port, default=18830, help="of the broker (default 18830)")
    parser.add_argument("--speed", metavar="X", type=_positive, default=4, help="times the clock (default 4)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of chance at the tables")
    parser.add_argument(
        "--trouble", metavar="SECONDS", type=int, default=60, help="between incidents (default 60; 0: none)"
    )
    parser.add_argument("--seconds", metavar="N", type=_positive, help="end by itself after so long")
    parser.add_argument(
        "--micropython",
        metavar="PROGRAM",
        default="auto",
        help="for the controllers: auto (default), none, or the path of an interpreter",
    )
    parser.epilog = "example: sabot demo --fresh --trouble 30"


def run(args: argparse.Namespace) -> int:
    """0 when it was stopped, 1 when a book differed, 2 when it could not start."""
    web, broker = Address("127.0.0.1", args.port), Address("127.0.0.1", args.broker_port)
    try:
        premises = prepare(args.folder, str(web), str(broker), fresh=args.fresh)
        micropython, why_not = found_micropython(args.micropython)
    except (PremisesError, GatewayError) as error:
        print(f"sabot demo: {error}", file=sys.stderr)
        return 2
    # A supervisor's word ends it as Ctrl-C does, also where a shell had it started without.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    gateway = GatewayProcess(premises.settings, premises.folder / "gateway.log")
    try:
        gateway.wait_until_ready(web)
        _greet(premises, web, broker, micropython, why_not)
        show = Show(premises, (broker.host, broker.port), micropython, args.speed, args.seed, args.trouble)
        return show.play(args.seconds, gateway.check)
    except (GatewayFailedError, GatewayError) as error:
        print(f"sabot demo: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print()
        return 0
    finally:
        print("Stopping the gateway …", flush=True)
        gateway.stop()
        print(f"Stopped. What was played is in {premises.folder}; the next start goes on from it.")


def _greet(premises: Premises, web: Address, broker: Address, micropython: Path | None, why_not: str) -> None:
    names = " or ".join(name for name, _ in ACCOUNTS_MADE)
    runs = f"the real firmware {release()} on {_near(micropython) if micropython else f'CPython ({why_not})'}"
    lines = (
        ("page", f"http://{web}/"),
        ("login", f"{names}, password {premises.password}"),
        ("broker", f"mqtt://{broker}"),
        ("controllers", runs),
        ("folder", f"{premises.folder}{'' if premises.is_new else ', continued from last time'}"),
    )
    print("Five tables, one per game. Ctrl-C stops everything.\n")
    for name, text in lines:
        print(f"  {name:<12} {text}")
    print(flush=True)


def _near(path: Path) -> Path:
    """The path as somebody here would write it."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _default_folder() -> Path:
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "sabot" / "demo"


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 65_536):
        raise argparse.ArgumentTypeError(f"{text!r} is no port")
    return int(text)


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= 10**9):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)
