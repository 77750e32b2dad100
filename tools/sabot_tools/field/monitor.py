"""`sabot monitor`: what one controller says and is told, live, in sentences.

Owns the command line and the printing. It listens with the key from the gateway's registry, at the broker or at the
controller's own cable, sends nothing, and shows no tag (law 7).
"""

import argparse
import json
import signal
import sys
import threading
import time
from datetime import UTC, datetime
from typing import Final

from sabot_protocol.topics import UP
from sabot_tools.field.house import open_house
from sabot_tools.field.trouble import FieldError
from sabot_tools.field.wire import Message, configure_wire, open_wire
from sabot_tools.field.wire_sentence import sentences_of, without_tags

NAME: Final = "monitor"
SUMMARY: Final = "show what one controller says and is told, live, in readable sentences"
_FOR_EVER_S: Final = 10 * 365 * 86_400.0


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("device", help="the controller")
    configure_wire(parser)
    parser.add_argument("--seconds", type=float, default=_FOR_EVER_S, metavar="S", help="end by itself after so long")
    parser.add_argument("--json", action="store_true", help="print one JSON object per message for programs")
    parser.epilog = (
        "example: sabot monitor table-4-a --broker mqtts://broker.pit:8883 --ca ca.pem \\\n"
        "           --certificate technician.pem --key technician.key\n\n"
        "Tags are never shown: a monitor tells that a card was read, not which. Ctrl-C ends it (exit 0)."
    )


def run(args: argparse.Namespace) -> int:
    """0 ended, 1 the cable was pulled, 2 could not start."""
    ended = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: ended.set())
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    try:
        wire = open_wire(open_house(args.config), args)
        try:
            for message in wire.messages(time.monotonic() + args.seconds):
                if message is not None:
                    _print(args.device, message, is_json=args.json)
                if ended.is_set():
                    break
        finally:
            wire.close()
    except FieldError as error:
        print(f"sabot monitor: {error}", file=sys.stderr)
        return error.code
    return 0


def _print(device: str, message: Message, *, is_json: bool) -> None:
    now = datetime.now(UTC)
    if is_json:
        told = {
            "at": now.isoformat(timespec="milliseconds"),
            "device": device,
            "channel": message.channel,
            "values": without_tags(message.values),
            "code": message.code,
        }
        print(json.dumps(told), flush=True)
        return
    arrow = "->" if message.channel in UP else "<-"
    for sentence in sentences_of(message):
        print(f"{now:%H:%M:%S} {device} {arrow} {sentence}", flush=True)
