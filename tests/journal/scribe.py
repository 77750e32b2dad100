"""A process that writes a journal and says on its standard output what is durable; tests kill it at any instant.

Called with the journal's path. Line by line: the position that `table-<n>` has durably reached. Never ends by itself.
"""

import sys
from pathlib import Path

from sabot_gateway.journal.port import Append
from sabot_gateway.journal.record import Entry, Kind, Owner, Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal


def main(path: Path) -> None:
    journal = open_sqlite_journal(path, section_size=64)
    heads = {stream: head.position for stream, head in journal.heads().items()}
    round_ = 0
    while True:
        round_ += 1
        waiting = []
        for table in range(3):
            stream = Stream(f"table-{table}")
            position = heads.get(stream, 0)
            entries = [Entry(Kind.FACT, b"%d" % (position + n), 1_700_000_000_000) for n in (1, 2)]
            waiting.append(journal.append(Append(stream, Owner("scribe"), 1, entries, position)))
            heads[stream] = position + 2
        for future in waiting:
            (receipt,) = future.result()
            # One write per line: the reader of the pipe gets whole lines or nothing.
            sys.stdout.write(f"{receipt.stream} {receipt.position} {receipt.hash.hex()}\n")
            sys.stdout.flush()
        if round_ % 20 == 0:
            journal.sign_checkpoint(round_).result()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
