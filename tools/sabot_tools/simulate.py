"""`sabot simulate`: plays tables of simulated hardware against a gateway, or scenario scripts against the live table.

Owns the command line. Tables run the controllers' own code; the twin's book decides whether the gateway was right
(docs/twin.md). A script is a coup written down line by line (docs/rounds.md).
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from sabot_gateway.config import load
from sabot_gateway.errors import GatewayError
from sabot_gateway.mqtt.port import MQTT_PORT, MQTT_TLS_PORT
from sabot_gateway.settings.shape import Settings
from sabot_tools.field.trouble import FieldError
from sabot_tools.rounds.playing import play
from sabot_tools.rounds.reading import script_from_file
from sabot_tools.rounds.script import ScriptError
from sabot_tools.rounds.transcript import summary, transcript, verdict
from sabot_tools.twin import software
from sabot_tools.twin.admission import BrokerAddress, admission_to, await_broker
from sabot_tools.twin.floor import Night, chosen
from sabot_tools.twin.floor_view import FloorView
from sabot_tools.twin.house import GAMES, HouseError, write_house
from sabot_tools.twin.simulation import Planned, Verdict, planned_from_text, simulate
from sabot_tools.twin.temperament import HONEST, Temperament

NAME: Final = "simulate"
SUMMARY: Final = "play simulated tables against a gateway, or scenario scripts (.round) against the live table"

PASSED, FAILED, UNREADABLE = 0, 1, 2
ENDLESS: Final = 1_000_000_000


def configure(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--script", nargs="+", metavar="FILE", type=Path, help="scripts, played in this order")
    what.add_argument("--config", metavar="FILE", type=Path, help="the settings of the gateway to play against")
    what.add_argument("--new-house", metavar="FOLDER", type=Path, help="write a simulated house for a gateway, and end")
    parser.add_argument("--games", metavar="GAME,…", type=_games, default=(), help=f"of {', '.join(GAMES)}; all")
    parser.add_argument("--tables", metavar="N", type=_positive, default=0, help="how many tables; all of the house")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--coups", metavar="N", type=_positive, default=10, help="at each table (default 10)")
    length.add_argument("--seconds", metavar="N", type=_positive, help="play for so long instead")
    parser.add_argument("--players", metavar="N", type=_positive, default=3, help="at each table (default 3)")
    parser.add_argument("--tempers", metavar="T,…", type=_tempers, default=HONEST, help="of the players, in turn")
    parser.add_argument(
        "--speed", metavar="X", type=_speed, default=0, help="times the clock; max (default) or 1, 10 …"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="the same seed plays the same night")
    parser.add_argument("--errors", metavar="N", type=int, default=0, help="dealers' errors per thousand coups")
    parser.add_argument(
        "--incident", metavar="NAME@COUP[:TABLE]", type=_incident, action="append", default=[], help="may be repeated"
    )
    controllers = parser.add_mutually_exclusive_group()
    controllers.add_argument(
        "--wire-only", action="store_true", help="no readers: events at the byte level, for thousands of tables"
    )
    controllers.add_argument(
        "--micropython", metavar="PROGRAM", type=Path, help="run each controller on this MicroPython instead of in here"
    )
    parser.add_argument(
        "--broker", metavar="URL", type=_broker, help="mqtt:// or mqtts://host:port instead of the settings' own"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--brief", action="store_true", help="one line per script instead of its transcript")
    form.add_argument("--json", action="store_true", help="one JSON object per script, or for the night")
    parser.epilog = (
        "example: sabot simulate --new-house house && sabot gateway --config house/sabot.toml &\n"
        "         sabot simulate --config house/sabot.toml --coups 20 --incident late-bet@3\n"
        "example: sabot simulate --script tests/rounds/tcf-pair-plus-of-a-beaten-hand.round\n"
        "exit code: 0 books equal and every alert with its reason, or every script passed; 1 not so; 2 not played"
    )


def run(args: argparse.Namespace) -> int:
    """0 when everything was as it should be, 1 when something differed, 2 when it could not be played."""
    if args.script:
        return _scripts(args)
    try:
        if args.new_house is not None:
            return _new_house(args)
        settings = load(args.config)
        return _report(_night(args, settings), args.json)
    except (GatewayError, FieldError, HouseError) as error:
        print(f"sabot simulate: {error}", file=sys.stderr)
        return UNREADABLE


def _night(args: argparse.Namespace, settings: Settings) -> Verdict:
    tables = chosen(settings, args.games, args.tables)
    if not tables:
        raise HouseError(f"{args.config} has no table of these games.")
    software.check_welcome(settings, args.wire_only)
    broker = args.broker or _own_broker(settings)
    if broker.is_tls and args.wire_only:
        raise HouseError("a broker that asks for certificates lets nobody speak for many controllers (--wire-only).")
    admission = admission_to(broker, settings)
    await_broker(broker)
    ends = time.monotonic() + args.seconds if args.seconds else None
    night = Night(
        coups=ENDLESS if ends is not None else args.coups,
        players=args.players,
        seed=args.seed,
        speed=args.speed,
        tempers=args.tempers,
        micropython=args.micropython,
        admission=admission,
        is_wire_only=args.wire_only,
        is_over=lambda: ends is not None and time.monotonic() >= ends,
    )
    # A program that reads JSON wants nothing else; whoever started it may look on.
    total, stream = None if ends is not None else args.coups, sys.stderr if args.json else sys.stdout
    view = FloorView(total, stream, is_plain_told=not args.json)
    return simulate(settings, tables, broker[:2], night, args.incident, args.errors, view)


def _own_broker(settings: Settings) -> BrokerAddress:
    if settings.broker is not None:
        return BrokerAddress(settings.broker.host, settings.broker.port, settings.broker.tls is not None)
    return BrokerAddress(settings.embedded.listen.host, settings.embedded.listen.port)


def _report(found: Verdict, is_json: bool) -> int:
    if is_json:
        figures = {"coups": found.coups, "settlements": found.settlements, "alerts": found.alerts}
        print(json.dumps({**figures, "milliseconds": found.milliseconds, "faults": found.faults}))
    else:
        pace = found.coups * 1000 // max(1, found.milliseconds)
        print(f"{found.coups} coups in {found.milliseconds // 1000} s ({pace} a second), {found.alerts} alerts.")
        for fault in found.faults:
            print(f"  {fault}")
        if not found.faults:
            print("The gateway's settlements equal the book to the cent, and every alert had its reason.")
    return FAILED if found.faults else PASSED


def _new_house(args: argparse.Namespace) -> int:
    games = args.games or GAMES
    count = args.tables or len(games)
    file = args.new_house / "sabot.toml"
    if file.exists():
        raise HouseError(f"{file} is there already and was left as it is.")
    try:
        known = [software.digest(), software.digest(is_wire_only=True)]
        played = [games[at % len(games)] for at in range(count)]
        write_house(args.new_house, played, "twin", "127.0.0.1:1883", digests=known)
    except OSError as error:
        raise HouseError(f"{args.new_house} cannot be written ({error.strerror or error}).") from error
    print(f"{count} tables in {file}; start a gateway by it: sabot gateway --config {file}")
    return PASSED


def _scripts(args: argparse.Namespace) -> int:
    worst = PASSED
    for path in args.script:
        try:
            played = play(script_from_file(path))
        except ScriptError as error:
            print(f"sabot simulate: {error}", file=sys.stderr)
            worst = UNREADABLE
            continue
        if args.json:
            print(json.dumps(summary(played), ensure_ascii=False))
        elif args.brief:
            print(f"{played.script.name}: {verdict(played)}")
        else:
            print("\n".join(transcript(played)))
        if played.failure is not None:
            worst = max(worst, FAILED)
    return worst


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= ENDLESS):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)


def _speed(text: str) -> int:
    return 0 if text == "max" else _positive(text)


def _games(text: str) -> tuple[str, ...]:
    games = tuple(word.strip().upper() for word in text.split(","))
    for game in games:
        if game not in GAMES:
            raise argparse.ArgumentTypeError(f"{game!r} is none of {', '.join(GAMES)}")
    return games


def _tempers(text: str) -> tuple[Temperament, ...]:
    try:
        return tuple(Temperament(word.strip()) for word in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: players are {', '.join(Temperament)}") from None


def _incident(text: str) -> Planned:
    try:
        return planned_from_text(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _broker(text: str) -> BrokerAddress:
    parts = urlsplit(text)
    is_tls = parts.scheme == "mqtts"
    try:
        port = parts.port or (MQTT_TLS_PORT if is_tls else MQTT_PORT)
    except ValueError:
        port = 0
    if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or not port or parts.path not in ("", "/"):
        raise argparse.ArgumentTypeError(f"{text!r} is no address like mqtt://127.0.0.1:1883")
    if parts.username is not None or parts.password is not None:
        raise argparse.ArgumentTypeError("controllers have no name and password at a broker: they show a certificate")
    return BrokerAddress(parts.hostname, port, is_tls)
