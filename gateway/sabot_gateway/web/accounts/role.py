"""Roles at a console and what each may do.

Owns the one table RIGHTS; pages ask for a right, never for a role. Badges at the table are another matter
(`model.person`).
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Role(StrEnum):
    VIEWER = "viewer"
    SURVEILLANCE = "surveillance"
    TABLE_HEAD = "table_head"
    INVESTIGATOR = "investigator"
    TECHNICIAN = "technician"
    ADMIN = "admin"


class Right(StrEnum):
    LOOK = "look"  # every page that shows play
    HANDLE_ALERTS = "handle_alerts"  # assign, comment, acknowledge, escalate
    CLEAR_ALERTS = "clear_alerts"
    DIRECT_TABLE = "direct_table"  # void a coup, override an alert, confirm a hand, seat players
    UNSEAL = "unseal"  # law 7: cards of folded hands after the coup
    AUDIT = "audit"  # chain, quarantine, exports
    SERVICE_DEVICES = "service_devices"  # identify, self-test, swap
    MANAGE_PEOPLE = "manage_people"


RIGHTS: Final[Mapping[Role, frozenset[Right]]] = MappingProxyType(
    {
        Role.VIEWER: frozenset({Right.LOOK}),
        Role.SURVEILLANCE: frozenset({Right.LOOK, Right.HANDLE_ALERTS, Right.CLEAR_ALERTS, Right.AUDIT}),
        Role.TABLE_HEAD: frozenset({Right.LOOK, Right.HANDLE_ALERTS, Right.CLEAR_ALERTS, Right.DIRECT_TABLE}),
        Role.INVESTIGATOR: frozenset({Right.LOOK, Right.HANDLE_ALERTS, Right.CLEAR_ALERTS, Right.AUDIT, Right.UNSEAL}),
        Role.TECHNICIAN: frozenset({Right.LOOK, Right.SERVICE_DEVICES}),
        # An administrator makes accounts but opens no cards: whoever appoints the investigators is not one of them.
        Role.ADMIN: frozenset(set(Right) - {Right.UNSEAL}),
    }
)
