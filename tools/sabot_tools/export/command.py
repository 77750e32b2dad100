"""`sabot export`: the command line, its sentences and its exit codes. It only reads; a gateway may write meanwhile."""

import argparse
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Final, TextIO

from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.error import JournalError
from sabot_gateway.journal.store import clock_of
from sabot_gateway.projections.source import ReaderSource
from sabot_gateway.projections.store import Views
from sabot_tools.export.period import PeriodError, period_from_texts
from sabot_tools.export.rows import EXPORTS, Wanted
from sabot_tools.export.writing import FORMATS, write_csv, write_jsonl
from sabot_tools.progress import Progress

NAME: Final = "export"
SUMMARY: Final = "write the coups, settlements, alerts or staff actions of a journal as CSV or JSON lines"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=tuple(EXPORTS), help="what to write")
    parser.add_argument("journal", metavar="JOURNAL", help="a journal's file, a backup of it, or a postgresql:// URL")
    parser.add_argument("--format", choices=FORMATS, default="csv", help="csv (for spreadsheets) or jsonl")
    parser.add_argument("--table", metavar="NAME", help="only this table")
    parser.add_argument("--from", dest="from_", metavar="TIME", help="only from this date or time on (UTC)")
    parser.add_argument("--to", metavar="TIME", help="only before this date or time (UTC)")
    parser.add_argument("--output", "-o", metavar="FILE", type=Path, help="write to FILE instead of standard output")
    parser.add_argument(
        "--views", metavar="FILE", type=Path, help="keep what was read in FILE, so that the next export is quick"
    )
    parser.epilog = (
        "example: sabot export settlements /var/lib/sabot/journal.db --table PIT1-3 --from 2026-11-18 --to 2026-11-19"
    )


def run(args: argparse.Namespace) -> int:
    """0 when everything was written, 2 when the journal, a date or a file cannot be used."""
    try:
        wanted = Wanted(args.table, *period_from_texts(args.from_, args.to))
        with _views_of(args.journal, args.views) as views:
            return _write(views, args, wanted)
    except (JournalError, PeriodError) as error:
        return _refused(str(error))
    except sqlite3.Error as error:
        return _refused(f"The views cannot be kept: {error}.")


def _write(views: Views, args: argparse.Namespace, wanted: Wanted) -> int:
    export = EXPORTS[args.what]
    with views.reading() as db:
        if wanted.table is not None and not _is_known(db, wanted.table):
            return _refused(f"The journal knows no table {wanted.table!r}{_names(db)}.")
        rows = export.rows(db, wanted)
        write = write_jsonl if args.format == "jsonl" else write_csv
        if args.output is None:
            if isinstance(sys.stdout, TextIOWrapper):
                sys.stdout.reconfigure(encoding="utf-8", newline="")
            write(export.columns, rows, sys.stdout)
            return 0
        try:
            with _opened(args.output) as out:
                write(export.columns, rows, out)
        except OSError as error:
            return _refused(f"{args.output} cannot be written: {error.strerror or error}.")
    return 0


@contextmanager
def _views_of(address: str, keep: Path | None) -> Iterator[Views]:
    with reader_at(address) as reader, tempfile.TemporaryDirectory(prefix="sabot-export-") as folder:
        views = Views(keep or Path(folder) / "views.db")
        try:
            first_id, last_id, _ = clock_of(reader)
            done = max(first_id - 1, views.last_id)
            with Progress(max(0, last_id - done), "read the journal") as progress:
                views.catch_up(ReaderSource(reader), progress.advance)
            yield views
        finally:
            views.close()


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    """A file that stands there whole or not at all."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("w", encoding="utf-8", newline="") as out:
            yield out
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _is_known(db: sqlite3.Connection, table: str) -> bool:
    return db.execute("SELECT 1 FROM sheet WHERE stream = ?", (table,)).fetchone() is not None


def _names(db: sqlite3.Connection) -> str:
    names = [name for (name,) in db.execute("SELECT stream FROM sheet ORDER BY stream LIMIT 11")]
    if not names:
        return ", nor any other"
    more = " and others" if len(names) > 10 else ""
    return f"; it has {', '.join(names[:10])}{more}"


def _refused(sentence: str) -> int:
    print(f"sabot export: {sentence}", file=sys.stderr)
    return 2
