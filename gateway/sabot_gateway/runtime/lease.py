"""Fencing numbers: who starts takes a number above every one in the streams it is about to write.

The journal refuses an append with a lower number, so a gateway that was paused while another took its tables over
cannot write when it wakes up. The number comes out of the journal itself: no clock and no third party is asked.
Two gateways that start at one moment with one number cannot both win: the same number under another name is refused.
"""

from collections.abc import Iterable, Mapping

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.port import Journal
from sabot_gateway.journal.quarantine import quarantine_stream
from sabot_gateway.journal.record import Head, Owner, Stream


def next_fence(journal: Journal, heads: Mapping[Stream, Head], streams: Iterable[Stream], gateway: str) -> int:
    """A number that no record of these streams, nor of the gateway's own quarantine, has reached."""
    greatest = 0
    for stream in (*streams, quarantine_stream(Owner(gateway))):
        head = heads.get(stream)
        if head is not None and head.position:
            greatest = max(greatest, _last_fence(journal, stream, head.position))
    return greatest + 1


def _last_fence(journal: Journal, stream: Stream, position: int) -> int:
    try:
        return max((record.fence for record in journal.read(stream, position - 1)), default=0)
    except JournalError as error:
        if error.code is not ErrorCode.REMOVED:
            raise
        return 0  # a gateway has one number for all its streams: those that were written lately tell it
