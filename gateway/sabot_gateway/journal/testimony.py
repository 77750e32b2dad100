"""What the writer signs: statements in their numbered chain, and snapshots.

Owns the tables `signer`, `statement` and `snapshot` on the writing side. Used inside a write transaction.
"""

from collections.abc import Sequence

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.ledger import Ledger
from sabot_gateway.journal.signing import Signer
from sabot_gateway.journal.snapshot import Snapshot, bytes_from_snapshot
from sabot_gateway.journal.statement import NO_STATEMENT, Statement, digest_of, text_from_statement
from sabot_gateway.journal.store import STREAM, Store

_SAVE = (
    "INSERT INTO snapshot (stream, position, hash, made_ms, body, signer, signature) "
    "VALUES (:stream, :position, :hash, :made_ms, :body, :signer, :signature) "
    "ON CONFLICT (stream) DO UPDATE SET position = excluded.position, hash = excluded.hash, "
    "made_ms = excluded.made_ms, body = excluded.body, signer = excluded.signer, signature = excluded.signature"
)


class Testimony:
    def __init__(self, store: Store, signer: Signer) -> None:
        self._store = store
        self._signer = signer
        self._signer_id: int | None = None

    def forget(self) -> None:
        """Called after a rollback."""
        self._signer_id = None

    def next_statement(self) -> tuple[int, str]:
        """The number of the next statement and the digest of the one before it."""
        rows = self._store.rows("SELECT number, text FROM statement ORDER BY number DESC LIMIT 1")
        return (rows[0][0] + 1, digest_of(rows[0][1])) if rows else (1, NO_STATEMENT)

    def sign(self, statement: Statement) -> None:
        text = text_from_statement(statement)
        self._store.run(
            "INSERT INTO statement (number, text, signer, signature) VALUES (:number, :text, :signer, :signature)",
            number=statement.number,
            text=text,
            signer=self._own_id(),
            signature=self._signer.sign(text.encode()),
        )
        self._store.run("UPDATE clock SET statements = :number", number=statement.number)

    def save_snapshots(self, snapshots: Sequence[Snapshot], ledger: Ledger) -> None:
        numbers = [self._fitting_stream(snapshot, ledger) for snapshot in snapshots]
        for stream, snapshot in zip(numbers, snapshots, strict=True):
            self._store.run(
                _SAVE,
                stream=stream,
                position=snapshot.head.position,
                hash=snapshot.head.hash,
                made_ms=snapshot.made_ms,
                body=snapshot.body,
                signer=self._own_id(),
                signature=self._signer.sign(bytes_from_snapshot(snapshot)),
            )

    def _fitting_stream(self, snapshot: Snapshot, ledger: Ledger) -> int:
        """The number of the stream, if its chain has the snapshot's hash at the snapshot's position."""
        end = ledger.end(snapshot.stream)
        if end is not None and end[1] == snapshot.head:
            return end[0]  # nearly always; to look for a record takes milliseconds, which the next commit would wait
        rows = self._store.rows(STREAM, name=snapshot.stream)
        position, found = snapshot.head.position, b""
        if rows and position == rows[0][1]:
            found = self._store.rows("SELECT base_hash FROM stream WHERE id = :id", id=rows[0][0])[0][0]
        elif rows and position > rows[0][1]:
            records = self._store.stream_rows(rows[0][0], position - 1, 1)
            found = records[0][-1] if records else b""
        if not rows or found != snapshot.head.hash:
            detail = f"A snapshot does not fit {snapshot.stream} at position {position}."
            raise JournalError(ErrorCode.INVALID, detail)
        number: int = rows[0][0]
        return number

    def _own_id(self) -> int:
        if self._signer_id is None:
            public = self._signer.public
            known = self._store.rows("SELECT id FROM signer WHERE public_key = :public", public=public)
            if not known:
                known = self._store.rows("SELECT COALESCE(MAX(id), 0) + 1 FROM signer")
                self._store.run("INSERT INTO signer (id, public_key) VALUES (:id, :key)", id=known[0][0], key=public)
            self._signer_id = known[0][0]
        return self._signer_id
