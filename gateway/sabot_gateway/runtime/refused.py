"""Refused bytes whose way into quarantine failed: which of them were written after all, although the answer was lost.

A quarantine stream has one writer, this gateway, and a request is written whole or not at all. So the end of the
stream tells: what is found there, byte for byte and of the same millisecond, needs no second record.
"""

from collections import Counter
from collections.abc import Sequence

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.port import Journal
from sabot_gateway.journal.quarantine import Refusal, body_from_refusal
from sabot_gateway.journal.record import Stream


def not_written(journal: Journal, stream: Stream, requests: Sequence[Sequence[Refusal]]) -> list[int]:
    """The places of those requests that are not at the end of the stream; JournalError if it cannot be read."""
    kept = _newest(journal, stream, sum(map(len, requests)))
    missing = []
    for place, refusals in enumerate(requests):
        wanted = Counter((body_from_refusal(refusal), refusal.received_ms) for refusal in refusals)
        if wanted <= kept:
            kept -= wanted
        else:
            missing.append(place)
    return missing


def _newest(journal: Journal, stream: Stream, count: int) -> "Counter[tuple[bytes, int]]":
    head = journal.heads().get(stream)
    if head is None:
        return Counter()
    try:
        records = list(journal.read(stream, max(0, head.position - count)))
    except JournalError as error:
        if error.code is not ErrorCode.REMOVED:
            raise
        return Counter()  # retention took the end itself: nothing was written since
    return Counter((record.body, record.received_ms) for record in records)
