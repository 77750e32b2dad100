"""`accounts.db`: people, their sessions and their failed attempts, in one small SQLite file beside the journal.

Owns the schema. Holds no secret in the clear but one-time-code secrets: passwords are digests, session tokens are
hashed, and the file is readable by its owner alone. Times are UTC milliseconds given by the caller.
Every change of an account leaves a line in `change` in the same transaction, also when it is made on the console while
no gateway runs; a gateway moves those lines into the journal and only then strikes them out.
"""

import hashlib
import os
import re
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sabot_gateway.web.accounts.role import Role

ACCOUNTS: Final = "accounts.db"  # in the data folder
SCHEMA: Final = 1
_NAME: Final = re.compile(r"[a-z][a-z0-9._-]{1,31}", re.ASCII)
_TABLES: Final = """
CREATE TABLE person (
    name TEXT PRIMARY KEY, role TEXT NOT NULL, password TEXT NOT NULL, totp TEXT, totp_step INTEGER NOT NULL DEFAULT 0,
    is_disabled INTEGER NOT NULL DEFAULT 0, made_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE session (
    token BLOB PRIMARY KEY, name TEXT NOT NULL REFERENCES person (name) ON DELETE CASCADE, csrf TEXT NOT NULL,
    made_ms INTEGER NOT NULL, seen_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE change (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, by TEXT NOT NULL, name TEXT NOT NULL,
    what TEXT NOT NULL
) STRICT;
CREATE TABLE failure (place TEXT NOT NULL, at_ms INTEGER NOT NULL) STRICT;
CREATE INDEX failure_place ON failure (place, at_ms);
"""


class VaultError(Exception):
    """The accounts cannot be kept or changed, in one sentence."""


@dataclass(frozen=True, slots=True)
class Account:
    name: str
    role: Role
    password: str
    totp: str | None
    totp_step: int
    is_disabled: bool
    made_ms: int

    def __repr__(self) -> str:
        return f"Account({self.name!r}, {self.role!r})"  # a digest in a log is half a password


@dataclass(frozen=True, slots=True)
class Change:
    """What was done to an account and by whom, on its way into the journal."""

    number: int
    at_ms: int
    by: str
    name: str
    what: str


@dataclass(frozen=True, slots=True)
class StoredSession:
    name: str
    csrf: str
    made_ms: int
    seen_ms: int


class Vault:
    """May be used from any thread."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        try:
            if not path.exists():
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            elif path.stat().st_mode & 0o077:
                raise VaultError(f"The accounts in {path} can be read by others: take the rights away (chmod 600).")
            self._base = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
            self._open(path)
        except (OSError, sqlite3.Error) as error:
            raise VaultError(f"The accounts in {path} cannot be opened: {error}.") from error

    def _open(self, path: Path) -> None:
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA foreign_keys = ON")
        with self._change() as base:
            (version,) = base.execute("PRAGMA user_version").fetchone()
            if version > SCHEMA:
                raise VaultError(f"The accounts in {path} were written by a newer Sabot.")
            if version == 0:
                for statement in filter(str.strip, _TABLES.split(";")):
                    base.execute(statement)
                base.execute(f"PRAGMA user_version = {SCHEMA}")

    def close(self) -> None:
        with self._lock:
            self._base.close()

    # People.

    def add(self, name: str, role: Role, password: str, by: str, now_ms: int) -> None:
        """A new person; `password` is a digest."""
        if _NAME.fullmatch(name) is None:
            raise VaultError(
                f"{name!r} cannot be a name: it has 2 to 32 small letters, digits or . _ - and begins with a letter."
            )
        with self._change() as base:
            try:
                base.execute(
                    "INSERT INTO person (name, role, password, made_ms) VALUES (?, ?, ?, ?)",
                    (name, role, password, now_ms),
                )
            except sqlite3.IntegrityError as error:
                raise VaultError(f"There is an account {name} already.") from error
            _note(base, now_ms, by, name, f"added as {role}")

    def account(self, name: str) -> Account | None:
        with self._lock:
            row = self._base.execute(f"{_SELECT} WHERE name = ?", (name,)).fetchone()
        return None if row is None else _account(row)

    def accounts(self) -> Sequence[Account]:
        with self._lock:
            return [_account(row) for row in self._base.execute(f"{_SELECT} ORDER BY name")]

    def set_password(self, name: str, password: str, by: str, now_ms: int) -> None:
        """A new digest; every session of that person ends."""
        self._update(name, "password = ?", password, by, now_ms, "password changed")

    def renew_digest(self, name: str, password: str) -> None:
        """The same password under stronger parameters; sessions go on, and nothing happened."""
        with self._change() as base:
            base.execute("UPDATE person SET password = ? WHERE name = ?", (password, name))

    def set_role(self, name: str, role: Role, by: str, now_ms: int) -> None:
        self._update(name, "role = ?", role, by, now_ms, f"made {role}")

    def set_disabled(self, name: str, is_disabled: bool, by: str, now_ms: int) -> None:
        self._update(name, "is_disabled = ?", int(is_disabled), by, now_ms, "disabled" if is_disabled else "enabled")

    def set_totp(self, name: str, secret: str | None, by: str, now_ms: int) -> None:
        what = "one-time codes off" if secret is None else "one-time codes on"
        self._update(name, "totp_step = 0, totp = ?", secret, by, now_ms, what)

    def take_totp_step(self, name: str, step: int) -> bool:
        """Whether this step was still unused, which it is not from now on."""
        with self._change() as base:
            done = base.execute("UPDATE person SET totp_step = ? WHERE name = ? AND totp_step < ?", (step, name, step))
            return done.rowcount == 1

    def _update(self, name: str, change: str, value: object, by: str, now_ms: int, what: str) -> None:
        """One change with its line in the log; every session of that person ends."""
        with self._change() as base:
            if base.execute(f"UPDATE person SET {change} WHERE name = ?", (value, name)).rowcount == 0:  # noqa: S608  # `change` is one of the literals above
                raise VaultError(f"There is no account {name}.")
            base.execute("DELETE FROM session WHERE name = ?", (name,))
            _note(base, now_ms, by, name, what)

    # What the journal has yet to hear.

    def changes(self, limit: int = 100) -> Sequence[Change]:
        with self._lock:
            rows = self._base.execute(
                "SELECT number, at_ms, by, name, what FROM change ORDER BY number LIMIT ?", (limit,)
            )
            return [Change(*row) for row in rows]

    def strike_out(self, upto: int) -> None:
        """These changes are in the journal."""
        with self._change() as base:
            base.execute("DELETE FROM change WHERE number <= ?", (upto,))

    # Sessions: the file knows only the hash of a token.

    def begin_session(self, token: str, name: str, csrf: str, now_ms: int) -> None:
        with self._change() as base:
            base.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?)", (_hashed(token), name, csrf, now_ms, now_ms))

    def session(self, token: str) -> StoredSession | None:
        with self._lock:
            row = self._base.execute(
                "SELECT name, csrf, made_ms, seen_ms FROM session WHERE token = ?", (_hashed(token),)
            ).fetchone()
        return None if row is None else StoredSession(*row)

    def touch_session(self, token: str, now_ms: int) -> None:
        with self._change() as base:
            base.execute("UPDATE session SET seen_ms = ? WHERE token = ?", (now_ms, _hashed(token)))

    def end_session(self, token: str) -> None:
        with self._change() as base:
            base.execute("DELETE FROM session WHERE token = ?", (_hashed(token),))

    def end_old_sessions(self, made_before_ms: int, seen_before_ms: int) -> None:
        with self._change() as base:
            base.execute("DELETE FROM session WHERE made_ms < ? OR seen_ms < ?", (made_before_ms, seen_before_ms))

    # Failed attempts, by name and by address.

    def failures(self, place: str) -> list[int]:
        with self._lock:
            rows = self._base.execute("SELECT at_ms FROM failure WHERE place = ? ORDER BY at_ms", (place,))
            return [at for (at,) in rows]

    def add_failure(self, places: Sequence[str], now_ms: int, forget_before_ms: int) -> None:
        with self._change() as base:
            base.execute("DELETE FROM failure WHERE at_ms < ?", (forget_before_ms,))
            base.executemany("INSERT INTO failure VALUES (?, ?)", [(place, now_ms) for place in places])

    def forget_failures(self, place: str) -> None:
        with self._change() as base:
            base.execute("DELETE FROM failure WHERE place = ?", (place,))

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """One transaction, alone."""
        with self._lock:
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield self._base
            except BaseException:
                self._base.execute("ROLLBACK")
                raise
            self._base.execute("COMMIT")


_SELECT: Final = "SELECT name, role, password, totp, totp_step, is_disabled, made_ms FROM person"


def _account(row: tuple[str, str, str, str | None, int, int, int]) -> Account:
    name, role, password, totp, step, disabled, made_ms = row
    return Account(name, Role(role), password, totp, step, bool(disabled), made_ms)


def _note(base: sqlite3.Connection, now_ms: int, by: str, name: str, what: str) -> None:
    base.execute("INSERT INTO change (at_ms, by, name, what) VALUES (?, ?, ?, ?)", (now_ms, by, name, what))


def _hashed(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
