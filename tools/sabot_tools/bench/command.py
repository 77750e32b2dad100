"""`sabot bench`: what Sabot costs, each figure beside a peer measured in the same run.

Machines differ and are noisy, so the figures to read are the ratios. A part of
the bench whose peers are not installed says so and the others go on.
"""

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from sabot_tools.bench.row import Row
from sabot_tools.rtp.compiled import KernelsMissingError

NAME: Final = "bench"
SUMMARY: Final = "measure speed and memory as ratios within one run"

# Part -> module with `measure() -> list[Row]`.
PARTS: Final = {
    "gateway": "sabot_tools.bench.gateway",
    "hands": "sabot_tools.bench.hands",
    "journal": "sabot_tools.bench.journal",
    "settle": "sabot_tools.bench.settle",
    "table": "sabot_tools.bench.table",
    "wire": "sabot_tools.bench.wire",
}
# Parts that can be measured at length.
LONGER: Final = ("gateway",)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("part", nargs="*", type=_part, help=f"what to measure: {', '.join(PARTS)} (default: all)")
    parser.add_argument("--json", action="store_true", help="one JSON object per figure")
    parser.add_argument("--long", action="store_true", help=f"as large as the budgets say ({', '.join(LONGER)})")
    parser.epilog = "example: sabot bench hands --json"


def run(args: argparse.Namespace) -> int:
    missing = 0
    for part in args.part or PARTS:
        try:
            rows = _measured(part, is_long=args.long)
        except (ModuleNotFoundError, KernelsMissingError) as error:
            needed = getattr(error, "name", None) or "numba"
            message = f"{part} needs {needed}, which is not installed; a checkout's `make bench` has it."
            print(f"sabot bench: {message}", file=sys.stderr)
            missing += 1
            continue
        if args.json:
            for row in rows:
                print(json.dumps({"part": part, **asdict(row)}))
        else:
            print(_table(part, rows))
    return 1 if missing else 0


def _measured(part: str, *, is_long: bool) -> list[Row]:
    module = importlib.import_module(PARTS[part])
    rows: list[Row] = module.measure(is_long=True) if is_long and part in LONGER else module.measure()
    return rows


def _part(word: str) -> str:
    # Not `choices`: argparse holds the empty default against them too.
    if word not in PARTS:
        raise argparse.ArgumentTypeError(f"{word!r} is not one of {', '.join(PARTS)}")
    return word


def _table(part: str, rows: Sequence[Row]) -> str:
    lines = [("figure", "value", "unit", "against", "ratio")]
    lines += [(row.name, row.value, row.unit, row.against, row.ratio) for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(5)]
    text = [
        f"{name:<{widths[0]}}  {value:>{widths[1]}} {unit:<{widths[2]}}  {against:<{widths[3]}}  {ratio:>{widths[4]}}"
        for name, value, unit, against, ratio in lines
    ]
    return "\n".join([f"-- {part}", *map(str.rstrip, text), ""])
