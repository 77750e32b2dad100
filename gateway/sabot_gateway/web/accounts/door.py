"""The door: name, password and one-time code in, a session out; every later request shows its token.

Owns the order of the checks. Answers are values; why somebody was refused is told to the log, and to the person only as
far as it helps nobody else.
"""

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sabot_gateway.web.accounts import throttle
from sabot_gateway.web.accounts.password import NOBODY, digest_of, is_outdated, is_password
from sabot_gateway.web.accounts.role import RIGHTS, Right, Role
from sabot_gateway.web.accounts.totp import matching_step
from sabot_gateway.web.accounts.vault import Vault

_TOUCH_MS: Final = 60_000  # how exactly "last seen" is kept: not every request is a write


class Refused(StrEnum):
    WRONG = "wrong"  # name or password or code: never which
    CODE_WANTED = "code_wanted"  # the password was right
    LOCKED = "locked"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who has come in; `csrf` must come back with every change he asks for."""

    name: str
    role: Role
    csrf: str

    def may(self, right: Right) -> bool:
        return right in RIGHTS[self.role]

    def is_own_form(self, csrf: str) -> bool:
        return hmac.compare_digest(self.csrf.encode(), csrf.encode())


@dataclass(frozen=True, slots=True)
class Entered:
    token: str
    visitor: Visitor


@dataclass(frozen=True, slots=True)
class TurnedAway:
    why: Refused
    until_ms: int = 0  # when locked


class Door:
    def __init__(self, vault: Vault, clock_ms: Callable[[], int], *, idle_ms: int, longest_ms: int) -> None:
        self._vault = vault
        self._clock_ms = clock_ms
        self._idle_ms = idle_ms
        self._longest_ms = longest_ms

    def enter(self, name: str, password: str, code: str, address: str) -> Entered | TurnedAway:
        """Takes a tenth of a second on purpose: call it off the event loop."""
        now = self._clock_ms()
        places = (f"name:{name[:64]}", f"address:{address}")
        until = self._locked_until(places, now)
        if until:
            return TurnedAway(Refused.LOCKED, until)
        account = self._vault.account(name)
        is_right = is_password(NOBODY if account is None else account.password, password)
        if account is None or not is_right or account.is_disabled:
            return self._failed(places, now)
        if account.totp is not None:
            if not code:
                return TurnedAway(Refused.CODE_WANTED)
            step = matching_step(account.totp, code, now, account.totp_step)
            if step is None or not self._vault.take_totp_step(name, step):
                return self._failed(places, now)
        if is_outdated(account.password):
            self._vault.renew_digest(name, digest_of(password, name))
        self._vault.forget_failures(places[0])
        self._vault.end_old_sessions(now - self._longest_ms, now - self._idle_ms)
        token, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self._vault.begin_session(token, name, csrf, now)
        return Entered(token, Visitor(name, account.role, csrf))

    def visitor(self, token: str, *, is_present: bool = True) -> Visitor | None:
        """Who shows this token, if his session still stands.

        What a page asks for by itself is no sign that somebody sits before it. A viewer can only look, which is what a
        wall of screens does all night: his session goes on while a page is open.
        """
        session = self._vault.session(token)
        now = self._clock_ms()
        if session is None or now - session.seen_ms > self._idle_ms or now - session.made_ms > self._longest_ms:
            return None
        account = self._vault.account(session.name)
        if account is None or account.is_disabled:
            return None
        if (is_present or account.role is Role.VIEWER) and now - session.seen_ms > _TOUCH_MS:
            self._vault.touch_session(token, now)
        return Visitor(account.name, account.role, session.csrf)

    def leave(self, token: str) -> None:
        self._vault.end_session(token)

    def _locked_until(self, places: tuple[str, str], now: int) -> int:
        name, address = places
        return max(
            throttle.locked_until(self._vault.failures(name), throttle.NAME, now),
            throttle.locked_until(self._vault.failures(address), throttle.ADDRESS, now),
        )

    def _failed(self, places: tuple[str, str], now: int) -> TurnedAway:
        self._vault.add_failure(places, now, now - throttle.NAME.memory_ms)
        until = self._locked_until(places, now)
        return TurnedAway(Refused.LOCKED, until) if until else TurnedAway(Refused.WRONG)
