"""From any earlier schema to the present one, one numbered script at a time, each in a transaction of its own.

Owns the order and the version table. Knows no driver: it asks for statements to be run. A version that this
program does not know is refused before anything is touched.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import resources
from typing import Final, Protocol

from sabot_gateway.journal.error import ErrorCode, JournalError

VERSION_TABLE: Final = "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY)"


@dataclass(frozen=True, slots=True)
class Script:
    version: int
    statements: tuple[str, ...]


class Schema(Protocol):
    """What a migration needs of a database."""

    def transaction(self) -> AbstractContextManager[object]:
        """Commits at the end; rolls back when an error leaves it."""

    def run(self, sql: str) -> object:
        """Runs one statement."""

    def version(self) -> int:
        """The highest number in `schema_version`; 0 when it is empty."""


def packaged_scripts(dialect: str) -> tuple[Script, ...]:
    """The scripts that ship with Sabot, in order."""
    folder = resources.files("sabot_gateway.journal.schema") / dialect
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    return tuple(script_from_text(int(file.name[:4]), file.read_text(encoding="utf-8")) for file in files)


def script_from_text(version: int, text: str) -> Script:
    lines = [line for line in text.splitlines() if not line.startswith("--")]
    return Script(version, tuple(part for raw in "\n".join(lines).split(";\n") if (part := raw.strip(" \n;"))))


def migrate(schema: Schema, scripts: Sequence[Script]) -> None:
    """Brings the schema to the last script's version; an unknown newer one is refused."""
    with schema.transaction():
        schema.run(VERSION_TABLE)
        present = schema.version()
    known = scripts[-1].version
    refuse_newer(present, known)
    for script in scripts[present:]:
        with schema.transaction():
            if schema.version() >= script.version:
                continue  # another process was faster
            for statement in script.statements:
                schema.run(statement)
            schema.run(f"INSERT INTO schema_version (version) VALUES ({script.version})")  # noqa: S608 - our number


def refuse_newer(present: int, known: int) -> None:
    if present > known:
        raise JournalError(
            ErrorCode.NEWER_SCHEMA, f"Its schema is version {present}; this program knows up to {known}."
        )
