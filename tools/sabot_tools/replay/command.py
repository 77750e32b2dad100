"""`sabot replay`: the command line, its sentences and its exit codes. It only reads; a gateway may write meanwhile."""

import argparse
import json
import sys
from dataclasses import asdict
from typing import Final

from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.error import JournalError
from sabot_gateway.journal.record import Head, Stream
from sabot_gateway.projections.shelf import Shelf
from sabot_gateway.projections.source import ReaderSource
from sabot_gateway.transcript.error import FactError
from sabot_tools.progress import Progress
from sabot_tools.replay.comparison import Difference, Replay, replayed

NAME: Final = "replay"
SUMMARY: Final = "make every decision of a journal again and list those that this release would make otherwise"

_ASIDE: Final = ("house/", "quarantine/")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journal", metavar="JOURNAL", help="a journal's file, a backup of it, or a postgresql:// URL")
    parser.add_argument("--table", metavar="NAME", help="only this table")
    parser.add_argument("--most", metavar="N", type=int, default=20, help="differences to spell out (20)")
    parser.add_argument("--json", action="store_true", help="print one JSON object for programs")
    parser.epilog = "example: sabot replay /var/lib/sabot/journal.db --table PIT1-3"


def run(args: argparse.Namespace) -> int:
    """0 when every decision is the same, 1 when one differs, 2 when the journal cannot be read."""
    try:
        with reader_at(args.journal) as reader:
            source = ReaderSource(reader)
            tables = _tables(source, args.table)
            if args.table is not None and not tables:
                names = ", ".join(sorted(_tables(source, None))[:10]) or "none"
                return _refused(f"The journal knows no table {args.table!r}; it has {names}.")
            shelf = Shelf(source)
            total = sum(head.position for head in tables.values())
            with Progress(total, "replay") as progress:
                replays = [replayed(source, stream, shelf, progress.advance) for stream in sorted(tables)]
    except JournalError as error:
        return _refused(str(error))
    except FactError as error:
        return _refused(f"A snapshot that stands for removed records cannot be read. {error}")
    if args.json:
        _print_json(replays)
    else:
        _print(replays, args.most)
    return 1 if any(replay.differences for replay in replays) else 0


def _tables(source: ReaderSource, wanted: str | None) -> dict[Stream, Head]:
    return {
        stream: head
        for stream, head in source.heads().items()
        if not stream.startswith(_ASIDE) and wanted in (None, stream)
    }


def _print_json(replays: list[Replay]) -> None:
    differences = [asdict(difference) for replay in replays for difference in replay.differences]
    print(
        json.dumps(
            {
                "same": not differences,
                "tables": len(replays),
                "records": sum(replay.records for replay in replays),
                "decisions": sum(replay.decisions for replay in replays),
                "pending": sum(replay.pending for replay in replays),
                "differences": differences,
            },
            ensure_ascii=False,
        )
    )


def _print(replays: list[Replay], most: int) -> None:
    differences = [difference for replay in replays for difference in replay.differences]
    for difference in differences[:most]:
        _print_difference(difference)
    if len(differences) > most:
        print(f"… and {len(differences) - most:,} more.")
    for replay in replays:
        if replay.from_snapshot:
            print(f"{replay.table}: older records are gone; replayed from the snapshot at {replay.from_snapshot:,}.")
    pending = sum(replay.pending for replay in replays)
    if pending:
        print(f"{pending:,} facts at the end have no decision yet; a running gateway writes them in a moment.")
    decisions = sum(replay.decisions for replay in replays)
    records = sum(replay.records for replay in replays)
    print(f"{decisions:,} decisions in {records:,} records of {len(replays):,} tables.")
    if differences:
        print(f"DIFFERENT: {len(differences):,} decisions are not what this release would decide.")
    else:
        print("SAME: every decision is what this release would decide.")


def _print_difference(difference: Difference) -> None:
    print(difference.sentence)
    # What both versions have in common says nothing.
    common = set(difference.journaled) & set(difference.replayed)
    for label, lines in (("that night", difference.journaled), ("now", difference.replayed)):
        told = [line for line in lines if line not in common]
        for line in told or (["nothing else"] if difference.cause else []):
            print(f"    {label}: {line}")


def _refused(sentence: str) -> int:
    print(f"sabot replay: {sentence}", file=sys.stderr)
    return 2
