"""`sabot verify`: whether a journal is what was written. Chain, signatures, gaps; names the first bad record.

Owns the command line and the sentences; the checks are the journal's own. It only reads, so it may run while the
gateway writes.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.signing import load_public_key
from sabot_gateway.journal.store import clock_of
from sabot_gateway.journal.verification import Finding, Verdict, verify
from sabot_tools.progress import Progress

NAME: Final = "verify"
SUMMARY: Final = "check a journal's hash chain, signatures and completeness, and name the first bad record"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journal", metavar="JOURNAL", help="a journal's file, a backup of it, or a postgresql:// URL")
    parser.add_argument(
        "--public-key",
        metavar="FILE",
        action="append",
        type=Path,
        help="trust only signatures of this key (signing.pub, PEM); repeat it for several gateways",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for programs")
    parser.epilog = "example: sabot verify /var/lib/sabot/journal.db --public-key signing.pub"


def run(args: argparse.Namespace) -> int:
    """0 when the journal is whole, 1 when something is not as it was written, 2 when it cannot be read at all."""
    try:
        keys = [load_public_key(path) for path in args.public_key] if args.public_key else None
        verdict = _verdict(args.journal, keys)
    except JournalError as error:
        print(f"sabot verify: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps({"whole": not verdict.findings, **asdict(verdict)}))
    else:
        _print(verdict, has_keys=keys is not None)
    return 1 if verdict.findings else 0


def _verdict(address: str, keys: Sequence[bytes] | None) -> Verdict:
    with reader_at(address) as reader:
        try:
            first_id, last_id, _ = clock_of(reader)
            with Progress(last_id - first_id + 1, "verify") as progress:
                return verify(reader, keys, progress.advance)
        except JournalError as error:
            # Damage can go too deep for a walk; it is a finding all the same.
            if error.code is not ErrorCode.CORRUPT:
                raise
            return Verdict(0, 0, 0, 0, 0, 0, (), (Finding("damage", str(error)),))


def _print(verdict: Verdict, *, has_keys: bool) -> None:
    if verdict.findings:
        print(verdict.findings[0].sentence)
        for finding in verdict.findings[1:]:
            print(finding.sentence)
        print(f"NOT WHOLE: {verdict.records:,} records were right before the first that is not.")
        return
    behind = verdict.last_id - verdict.signed_id
    print(f"{verdict.records:,} records of {verdict.streams:,} streams, {verdict.checkpoints:,} signed checkpoints.")
    if verdict.first_id > 1:
        print(f"Records before {verdict.first_id:,} were removed by retention; a signed anchor stands for them.")
    if behind > 0:
        print(f"The last {behind:,} records are chained but under no signed checkpoint yet.")
    if not has_keys and verdict.keys:
        print(f"Signatures fit the key in the journal itself ({', '.join(verdict.keys)});")
        print("give --public-key with the key that you were handed to be sure whose it is.")
    print("WHOLE: everything is as it was written.")
