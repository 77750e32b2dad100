"""Changes of accounts on their way into the journal, also those made on the console while no gateway ran.

Owns the order: a line is struck out in the accounts only after its note is durable. A crash between the two notes it
again under the same number, so whoever reads the journal sees one change.
"""

from typing import Final

from sabot_gateway.runtime.desk import Desk, DeskError, Plain
from sabot_gateway.web.accounts.vault import Vault

ACTION: Final = "account_changed"
_PATIENCE_S: Final = 5.0


def note_changes(vault: Vault, desk: Desk) -> int:
    """Moves what is waiting; returns how many. What cannot be written now waits for the next call."""
    moved = 0
    for change in vault.changes():
        detail: dict[str, Plain] = {
            "number": change.number,
            "at_ms": change.at_ms,
            "name": change.name,
            "what": change.what,
        }
        try:
            desk.note(ACTION, detail, change.by).result(_PATIENCE_S)
        except (DeskError, TimeoutError):
            break
        vault.strike_out(change.number)
        moved += 1
    return moved
