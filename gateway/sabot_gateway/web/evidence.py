"""Where proof comes from: the journal opened for reading only, its upkeep's settings, and the software's own digest.

Owns the one verification that may run at a time, and its progress. Knows no page and no database.
"""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, TypedDict

from sabot_gateway.journal.error import JournalError
from sabot_gateway.journal.signing import fingerprint
from sabot_gateway.journal.statement import Checkpoint, statement_from_text
from sabot_gateway.journal.store import STATEMENTS, Reader, clock_of
from sabot_gateway.journal.verification import Verdict, verify

_LATEST: Final = f"{STATEMENTS} DESC LIMIT 20"  # anchors stand among the checkpoints, but seldom
_PACKAGES: Final = ("sabot_gateway", "sabot_protocol")


@dataclass(frozen=True, slots=True)
class Evidence:
    """`retention_days` 0 keeps records for ever; `backup_hours` 0 makes no copies."""

    reader: Callable[[], AbstractContextManager[Reader]]
    retention_days: int = 0
    checkpoint_minutes: int = 0
    backup_hours: int = 0
    backups_kept: int = 0


class Signed(TypedDict):
    """The last signed checkpoint: records up to `last_id` stand under its signature."""

    number: int
    at_ms: int
    last_id: int
    heads: str
    key: str


class Extent(TypedDict):
    """Which records the journal holds, and what was signed last."""

    first_id: int
    last_id: int
    checkpoint: Signed | None


class FoundWrong(TypedDict):
    code: str
    sentence: str
    id: int
    stream: str
    position: int


class Verification(TypedDict):
    """`state` is never, running, whole, broken or failed; `done` of `total` records have been looked at."""

    state: str
    by: str
    started_ms: int
    ended_ms: int
    done: int
    total: int
    last_id: int
    streams: int
    checkpoints: int
    signed_id: int
    keys: list[str]
    findings: list[FoundWrong]
    error: str


def extent_of(reader: Reader) -> Extent:
    """JournalError where the journal cannot be read."""
    with reader.still():
        first_id, last_id, _ = clock_of(reader)
        rows = reader.rows(_LATEST)
    for _, text, public, _ in rows:
        statement = statement_from_text(text)
        if isinstance(statement, Checkpoint):
            signed: Signed = {
                "number": statement.number,
                "at_ms": statement.at_ms,
                "last_id": statement.last_id,
                "heads": statement.heads,
                "key": "" if public is None else fingerprint(public),
            }
            return {"first_id": first_id, "last_id": last_id, "checkpoint": signed}
    return {"first_id": first_id, "last_id": last_id, "checkpoint": None}


class Verifier:
    """Verifies the whole journal in a thread of its own; may be asked from any thread."""

    def __init__(self, evidence: Evidence, clock_ms: Callable[[], int]) -> None:
        self._evidence = evidence
        self._clock_ms = clock_ms
        self._lock = threading.Lock()
        self._state = _NEVER.copy()

    def start(self, by: str) -> bool:
        """False when one is running already: whoever asks sees that one."""
        with self._lock:
            if self._state["state"] == "running":
                return False
            self._state = {**_NEVER, "state": "running", "by": by, "started_ms": self._clock_ms()}
        threading.Thread(target=self._run, name="verification", daemon=True).start()
        return True

    def state(self) -> Verification:
        with self._lock:
            return self._state.copy()

    def _run(self) -> None:
        try:
            with self._evidence.reader() as reader:
                first_id, last_id, _ = clock_of(reader)
                self._set({"total": last_id - first_id + 1, "last_id": last_id})
                verdict = verify(reader, advance=self._advance)
        except (JournalError, OSError) as error:
            self._set({"state": "failed", "error": str(error), "ended_ms": self._clock_ms()})
        else:
            self._end(verdict)

    def _advance(self, records: int) -> None:
        with self._lock:
            self._state["done"] += records

    def _end(self, verdict: Verdict) -> None:
        self._set(
            {
                "state": "broken" if verdict.findings else "whole",
                "ended_ms": self._clock_ms(),
                "done": verdict.records,
                "last_id": verdict.last_id,
                "streams": verdict.streams,
                "checkpoints": verdict.checkpoints,
                "signed_id": verdict.signed_id,
                "keys": [*verdict.keys],
                "findings": [
                    {
                        "code": each.code,
                        "sentence": each.sentence,
                        "id": each.id,
                        "stream": each.stream,
                        "position": each.position,
                    }
                    for each in verdict.findings
                ],
            }
        )

    def _set(self, values: dict[str, object]) -> None:
        with self._lock:
            self._state = {**self._state, **values}  # type: ignore[typeddict-item]  # keys of Verification, all above


_NEVER: Final[Verification] = {
    "state": "never", "by": "", "started_ms": 0, "ended_ms": 0, "done": 0, "total": 0, "last_id": 0, "streams": 0,
    "checkpoints": 0, "signed_id": 0, "keys": [], "findings": [], "error": "",
}  # fmt: skip


@cache
def own_version() -> str:
    try:
        return version("sabot")
    except PackageNotFoundError:
        return "source"


@cache
def own_digest() -> str:
    """SHA-256 over the names and contents of the gateway's and the protocol's modules, as they lie on disk."""
    total = sha256()
    for package in _PACKAGES:
        for name, file in sorted(_modules(files(package), package)):
            total.update(f"{name} {sha256(file.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


def _modules(folder: Traversable, name: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for each in folder.iterdir():
        if each.is_dir():
            found += _modules(each, f"{name}/{each.name}")
        elif each.name.endswith((".py", ".toml")):
            found.append((f"{name}/{each.name}", each))
    return found
