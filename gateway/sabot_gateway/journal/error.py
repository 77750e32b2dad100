"""Why the journal refused or could not: one exception, closed codes, a sentence each.

Owns the codes. Adapters translate their drivers' exceptions into these at the border; nobody above
ever sees a driver's exception. A sentence never carries a record's body: it may hold sealed cards.
"""

from enum import StrEnum
from typing import Final


class ErrorCode(StrEnum):
    # This request was refused; the journal itself is well.
    FENCED = "fenced"
    MOVED = "moved"
    INVALID = "invalid"
    REMOVED = "removed"
    BUSY = "busy"
    CLOSED = "closed"
    # The journal is not well: nothing of the group was acknowledged.
    FULL = "full"
    READ_ONLY = "read_only"
    CORRUPT = "corrupt"
    UNAVAILABLE = "unavailable"
    # The journal cannot be opened.
    LOCKED = "locked"
    NOT_A_JOURNAL = "not_a_journal"
    NEWER_SCHEMA = "newer_schema"
    KEY = "key"


SENTENCES: Final = {
    ErrorCode.FENCED: "Another owner has taken the stream over.",
    ErrorCode.MOVED: "The stream does not end where the writer thought it does.",
    ErrorCode.INVALID: "The journal cannot hold this.",
    ErrorCode.REMOVED: "These records are past their retention and were removed.",
    ErrorCode.BUSY: "Too much is waiting to be written; nothing was taken.",
    ErrorCode.CLOSED: "The journal is closed.",
    ErrorCode.FULL: "There is no space left for the journal.",
    ErrorCode.READ_ONLY: "The journal cannot be written: it is read-only.",
    ErrorCode.CORRUPT: "The journal's stored bytes are damaged.",
    ErrorCode.UNAVAILABLE: "The journal's storage does not answer.",
    ErrorCode.LOCKED: "Another process writes this journal.",
    ErrorCode.NOT_A_JOURNAL: "This is not a Sabot journal.",
    ErrorCode.NEWER_SCHEMA: "The journal was written by a newer version of Sabot.",
    ErrorCode.KEY: "The signing key cannot be used.",
}

_REFUSALS: Final = frozenset(
    {ErrorCode.FENCED, ErrorCode.MOVED, ErrorCode.INVALID, ErrorCode.REMOVED, ErrorCode.BUSY, ErrorCode.CLOSED}
)
# What a disk or a server does for a while, and then not any more.
_PASSING: Final = frozenset({ErrorCode.FULL, ErrorCode.READ_ONLY, ErrorCode.UNAVAILABLE})


class JournalError(Exception):
    """A closed code, its sentence and, where it helps, a detail."""

    def __init__(self, code: ErrorCode, detail: str = "") -> None:
        super().__init__(f"{SENTENCES[code]} {detail}".rstrip())
        self.code = code
        self.detail = detail

    @property
    def is_refusal(self) -> bool:
        """Whether only the one request failed, and others may go on."""
        return self.code in _REFUSALS

    @property
    def may_pass(self) -> bool:
        """Whether trying again later may help, with nobody doing anything about the journal itself."""
        return self.code in _PASSING
