"""Whether a journal is what was written: chain, signatures, gaps. Reads only; the writer may go on meanwhile.

Owns the checks and their order. The state at the start (last id, heads, statements, snapshots) is taken in one view;
the records up to there never change, so they can be read page by page behind it. The one thing that may happen under
way is retention: a walk that finds its next records removed goes on from the newer anchor.
"""

import struct
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from sabot_gateway.journal.chain import EMPTY
from sabot_gateway.journal.error import JournalError
from sabot_gateway.journal.quarantine import PREFIX, reason_from_body
from sabot_gateway.journal.record import Head, Stream
from sabot_gateway.journal.signing import fingerprint, is_signed
from sabot_gateway.journal.snapshot import Snapshot, bytes_from_snapshot
from sabot_gateway.journal.statement import (
    NO_STATEMENT,
    Anchor,
    Checkpoint,
    Statement,
    digest_of,
    heads_digest,
    statement_from_text,
    text_from_statement,
)
from sabot_gateway.journal.store import OWNERS, SNAPSHOTS, STATEMENTS, Reader, Row, clock_of
from sabot_gateway.journal.walk import BrokenRecord, Walk


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it was written; `id` is 0 where it concerns no single record."""

    code: str
    sentence: str
    id: int = 0
    stream: str = ""
    position: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was looked at, and what was found; a journal without findings is whole."""

    first_id: int
    last_id: int
    records: int
    streams: int
    checkpoints: int
    signed_id: int  # the last record under a signed checkpoint
    keys: tuple[str, ...]  # fingerprints of the keys that signed
    findings: tuple[Finding, ...]


@dataclass(slots=True)
class _View:
    """The journal as of one commit."""

    first_id: int
    last_id: int
    last_statement: int
    ends: dict[Stream, Head]
    bases: dict[Stream, Head]
    statements: list[Row]
    snapshots: list[Row]
    tenures: list[Row]
    greatest_id: int


def verify(
    reader: Reader, keys: Collection[bytes] | None = None, advance: Callable[[int], None] | None = None
) -> Verdict:
    """Checks everything; `keys` are the only public keys to trust, None to take the journal's own word."""
    view = _look(reader)
    statements, findings = _check_statements(view.statements, keys)
    anchors = [statement for statement in statements if isinstance(statement, Anchor)]
    checkpoints = [statement for statement in statements if isinstance(statement, Checkpoint)]
    if not findings and len(statements) != view.last_statement:
        findings = [Finding("statement", f"Signed statement {len(statements) + 1} is missing.")]
    findings += _check_bases(view, anchors)
    start = anchors[-1] if anchors else None
    walk = Walk(start.first_id if start else 1, start.heads if start else {})
    snapshots, unsigned = _check_snapshots(view.snapshots, keys)
    findings += unsigned
    check = _Check(reader, walk, checkpoints, snapshots, keys)
    records, broken = check.run(view.last_id, advance or (lambda _: None))
    if not broken:
        broken = _check_end(view, walk, checkpoints) or _check_tenures(view.tenures, check.owners)
        sentence = "" if broken else reader.damage(view.last_id)
        if sentence:
            broken = [Finding("directory", sentence)]
    signed_id = max((checkpoint.last_id for checkpoint in checkpoints), default=0)
    signers = {row[2] for row in view.statements if row[2] is not None}
    return Verdict(
        walk.next_id - records, view.last_id, records, len(view.ends), len(checkpoints), signed_id,
        tuple(sorted(map(fingerprint, signers))), (*broken, *findings),
    )  # fmt: skip


class _Check:
    """The walk, with everything that can be held against it on the way."""

    def __init__(
        self,
        reader: Reader,
        walk: Walk,
        checkpoints: Sequence[Checkpoint],
        snapshots: dict[Stream, Head],
        keys: Collection[bytes] | None,
    ) -> None:
        self._reader = reader
        self._walk = walk
        self._checkpoints = sorted((each for each in checkpoints), key=lambda each: each.last_id)
        self._snapshots = snapshots
        self._keys = keys
        self.owners: dict[str, tuple[str, int]] = {}

    def run(self, last_id: int, advance: Callable[[int], None]) -> tuple[int, list[Finding]]:
        """How many records are right, and the first that is not."""
        walk, records = self._walk, 0
        start = walk.next_id
        self._checkpoints = [each for each in self._checkpoints if each.last_id >= start - 1]
        while True:
            try:
                self._pass_checkpoints()
                for page in walk.pages(self._reader, last_id):
                    for row in page:
                        walk.check(row)
                        if self._checkpoints and self._checkpoints[0].last_id < walk.next_id:
                            self._pass_checkpoints()
                    self.owners.update((row[1], (row[2], row[3])) for row in page)
                    self._check_quarantine(page)
                    self._check_snapshots(page)
                    records += len(page)
                    advance(len(page))
            except BrokenRecord as broken:
                if self._has_moved():
                    records = 0
                    continue
                return records, [Finding(broken.code, broken.sentence, broken.id, broken.stream, broken.position)]
            return records, []

    def _pass_checkpoints(self) -> None:
        walk = self._walk
        while self._checkpoints and self._checkpoints[0].last_id == walk.next_id - 1:
            checkpoint = self._checkpoints.pop(0)
            if heads_digest(walk.heads) != checkpoint.heads:
                sentence = f"Checkpoint {checkpoint.number} was signed over other heads at record {checkpoint.last_id}."
                raise BrokenRecord("checkpoint", checkpoint.last_id, "", 0, sentence)

    def _check_quarantine(self, page: list[Row]) -> None:
        query = "SELECT id, reason FROM quarantine WHERE id >= :first AND id <= :last"
        with self._reader.still():
            first_id = clock_of(self._reader)[0]  # retention may have passed by since the page was read
            listed: dict[int, str] = dict(self._reader.rows(query, first=page[0][0], last=page[-1][0]))
        for row in page:
            if not row[1].startswith(PREFIX):
                continue
            if listed.pop(row[0], None) != _reason(row[8]) and row[0] >= first_id:
                sentence = f"The quarantine does not list record {row[0]} under its reason."
                raise BrokenRecord("quarantine", row[0], row[1], row[4], sentence)
        if listed:
            number = min(listed)
            raise BrokenRecord("quarantine", number, "", 0, f"The quarantine lists record {number} without cause.")

    def _check_snapshots(self, page: list[Row]) -> None:
        for row in page:
            wanted = self._snapshots.get(row[1])
            if wanted and wanted.position == row[4]:
                if wanted.hash != row[9]:
                    sentence = f"The snapshot of {row[1]} does not fit record {row[0]}."
                    raise BrokenRecord("snapshot", row[0], row[1], row[4], sentence)
                del self._snapshots[row[1]]

    def _has_moved(self) -> bool:
        """Whether retention passed by; the walk then stands behind the newest anchor."""
        statements, findings = _check_statements(_look(self._reader).statements, self._keys)
        anchors = [statement for statement in statements if isinstance(statement, Anchor)]
        if findings or not anchors or anchors[-1].first_id <= self._walk.next_id:
            return False
        self._walk.next_id, self._walk.heads = anchors[-1].first_id, dict(anchors[-1].heads)
        self._checkpoints = [each for each in self._checkpoints if each.last_id >= self._walk.next_id - 1]
        return True


def _look(reader: Reader) -> _View:
    with reader.still():
        first_id, last_id, last_statement = clock_of(reader)
        return _View(
            first_id,
            last_id,
            last_statement,
            {Stream(end.name): Head(end.position, end.hash) for end in reader.ends()},
            {Stream(row[0]): Head(row[1], row[2]) for row in reader.rows(_BASES)},
            reader.rows(STATEMENTS),
            reader.rows(SNAPSHOTS),
            reader.rows(OWNERS),
            reader.rows("SELECT COALESCE(MAX(id), 0) FROM record")[0][0],
        )


_BASES = "SELECT name, base_position, base_hash FROM stream"


def _check_statements(rows: Sequence[Row], keys: Collection[bytes] | None) -> tuple[list[Statement], list[Finding]]:
    """The statements up to the first that is wrong, and that one as a finding."""
    statements: list[Statement] = []
    previous = NO_STATEMENT
    for expected, (number, text, public, signature) in enumerate(rows, start=1):
        fault = ""
        if number != expected:
            fault = f"Signed statement {expected} is missing."
        elif public is None or not _is_right(public, signature, text):
            fault = f"Signed statement {number} is not the one that was signed."
        elif keys is not None and public not in keys:
            fault = f"Signed statement {number} is signed by a key that was not given ({fingerprint(public)})."
        else:
            try:
                statement = statement_from_text(text)
            except JournalError as error:
                fault = str(error)
            else:
                if (statement.number, statement.previous) != (number, previous):
                    fault = f"Signed statement {number} does not follow the one before it."
                elif text_from_statement(statement) != text:
                    fault = f"Signed statement {number} is not in its one form."
        if fault:
            return statements, [Finding("statement", fault)]
        statements.append(statement)
        previous = digest_of(text)
    return statements, []


def _check_snapshots(rows: Sequence[Row], keys: Collection[bytes] | None) -> tuple[dict[Stream, Head], list[Finding]]:
    heads: dict[Stream, Head] = {}
    findings = []
    for name, position, digest, made_ms, body, public, signature in rows:
        snapshot = Snapshot(name, Head(position, digest), made_ms, body)
        if public is None or not _is_signed_snapshot(public, signature, snapshot):
            stream = name or "a stream that is gone"
            findings.append(Finding("snapshot", f"The snapshot of {stream} is not the one that was signed.", 0, stream))
        elif keys is not None and public not in keys:
            sentence = f"The snapshot of {name} is signed by a key that was not given ({fingerprint(public)})."
            findings.append(Finding("snapshot", sentence, 0, name))
        heads[name] = snapshot.head
    return heads, findings


def _check_bases(view: _View, anchors: Sequence[Anchor]) -> list[Finding]:
    """What readers take for the beginning must be what the last anchor says."""
    anchor = anchors[-1] if anchors else None
    if view.first_id != (anchor.first_id if anchor else 1):
        return [Finding("anchor", f"The journal begins at record {view.first_id} without an anchor that says so.")]
    heads = anchor.heads if anchor else {}
    for name, base in view.bases.items():
        if base != heads.get(name, EMPTY):
            return [Finding("anchor", f"The beginning of {name} is not what the last anchor says.", 0, name)]
    return []


def _check_tenures(rows: Sequence[Row], owners: Mapping[str, tuple[str, int]]) -> list[Finding]:
    """The present owner of a stream is whoever wrote its last record."""
    for stream, owner, fence in rows:
        if stream is None or owners.get(stream, (owner, fence)) != (owner, fence):
            return [Finding("tenure", f"{stream or 'A stream that is gone'} was never written by {owner!r}.")]
    return []


def _check_end(view: _View, walk: Walk, checkpoints: Sequence[Checkpoint]) -> list[Finding]:
    """The walk must end where readers, the clock and every checkpoint say the journal ends."""
    for checkpoint in checkpoints:
        if checkpoint.last_id > view.last_id:
            missing = view.last_id + 1
            sentence = (
                f"Record {missing} is missing: checkpoint {checkpoint.number} was signed at {checkpoint.last_id}."
            )
            return [Finding("missing", sentence, missing)]
    if view.greatest_id > view.last_id:
        sentence = f"Record {view.last_id + 1} lies behind the end of the journal."
        return [Finding("extra", sentence, view.last_id + 1)]
    if walk.next_id > view.last_id + 1:
        return []  # retention went beyond all that was there at the start
    for name in {**view.ends, **walk.heads}:
        if view.ends.get(name) != walk.heads.get(name):
            return [Finding("end", f"{name} does not end where its records do.", 0, name)]
    return []


def _is_right(public: bytes, signature: bytes, text: str) -> bool:
    try:
        return is_signed(public, signature, text.encode())
    except (UnicodeEncodeError, TypeError):
        return False


def _is_signed_snapshot(public: bytes, signature: bytes, snapshot: Snapshot) -> bool:
    try:
        return is_signed(public, signature, bytes_from_snapshot(snapshot))
    except (ValueError, TypeError, AttributeError, struct.error):
        return False


def _reason(body: bytes) -> str | None:
    try:
        return reason_from_body(body)
    except JournalError:
        return None
