"""Whether a controller is there: from its status messages, and from how long nothing came.

`status` is birth, last will or goodbye, and carries (boot, connection), so that an old will is known for what it
is. A loss is declared only after GRACE_MS: a controller that comes back at once has lost nothing, since its outbox
keeps what happened meanwhile, and a coup would be put into review for nothing. Pure: times are given.
"""

from typing import Final, NamedTuple

GRACE_MS: Final = 5_000

# Health comes once a minute; two of them missing and some delay.
SILENT_MS: Final = 150_000


class Presence(NamedTuple):
    """`lost_ms` is when a status said so (0: none did); `is_lost` what the table was told."""

    heard_ms: int = 0
    boot: int = 0
    connection: int = 0
    lost_ms: int = 0
    is_lost: bool = False
    state: str = "unheard"  # unheard, online, lost, leaving


class Noticed(NamedTuple):
    """`change` is True for back again, False for lost, None for nothing to tell the table."""

    presence: Presence
    change: bool | None = None


def heard(presence: Presence, boot: int, now_ms: int) -> Noticed:
    """An event message came. It ends a silence, but not a loss that the broker told of: it may have been on its way."""
    if presence.lost_ms and boot <= presence.boot:
        return Noticed(presence._replace(heard_ms=now_ms))
    is_back = presence.is_lost
    return Noticed(presence._replace(heard_ms=now_ms, lost_ms=0, is_lost=False, state="online"), is_back or None)


def told(presence: Presence, state: str, boot: int, connection: int, now_ms: int) -> Noticed:
    """A status message came; one of an older connection than the present says nothing."""
    known = (presence.boot, presence.connection)
    if (boot, connection) < known:
        return Noticed(presence)
    if state == "online":
        if (boot, connection) == known and presence.lost_ms:
            return Noticed(presence)  # a late copy of the birth whose will was read already
        now = Presence(now_ms, boot, connection, 0, False, state)
        return Noticed(now, presence.is_lost or None)
    lost_ms = presence.lost_ms if (boot, connection) == known and presence.lost_ms else now_ms
    heard_ms = presence.heard_ms or now_ms
    return Noticed(Presence(heard_ms, boot, connection, lost_ms, presence.is_lost, state))


def granted(presence: Presence, now_ms: int) -> Presence:
    """We were deaf until now: a birth may have gone unheard, so every wait begins anew."""
    lost_ms = now_ms if presence.lost_ms else 0
    return presence._replace(heard_ms=now_ms if presence.heard_ms else 0, lost_ms=lost_ms)


def passed(presence: Presence, now_ms: int) -> Noticed:
    """Time passed: a loss past its grace, or a silence that lasts, is told once."""
    if presence.is_lost or not presence.heard_ms:
        return Noticed(presence)
    if presence.lost_ms and now_ms - presence.lost_ms >= GRACE_MS:
        return Noticed(presence._replace(is_lost=True), False)
    if now_ms - presence.heard_ms >= SILENT_MS:
        return Noticed(presence._replace(is_lost=True, state="lost"), False)
    return Noticed(presence)
