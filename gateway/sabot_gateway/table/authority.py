"""Whose word stands behind a key: the table head's, for a moment after his badge was read."""

from sabot_gateway.table.turn import Turn


def has_authority(turn: Turn) -> bool:
    """The table head's badge was read a moment ago."""
    return turn.event.at_ms <= turn.staff.authority_ms
