"""One-time codes of an authenticator app (RFC 6238: SHA-1, six digits, thirty seconds)."""

import base64
import hmac
import secrets
import struct
from typing import Final
from urllib.parse import quote

STEP_MS: Final = 30_000
_DRIFT: Final = 1  # steps to either side, for a telephone whose clock is off


def new_secret() -> str:
    """A secret in base 32, as people type it into their app."""
    return base64.b32encode(secrets.token_bytes(20)).decode()


def address_of(secret: str, name: str, site: str) -> str:
    """The otpauth address that an app reads."""
    return f"otpauth://totp/Sabot%20{quote(site)}:{quote(name)}?secret={secret}&issuer=Sabot%20{quote(site)}"


def code_at(secret: str, step: int) -> str:
    digest = hmac.digest(base64.b32decode(secret), struct.pack(">Q", step), "sha1")
    start = digest[-1] & 0xF
    number: int = struct.unpack(">I", digest[start : start + 4])[0] & 0x7FFF_FFFF
    return f"{number % 1_000_000:06d}"


def matching_step(secret: str, code: str, now_ms: int, after: int) -> int | None:
    """The time step this code belongs to, if it is later than `after`: no code is good twice."""
    now = now_ms // STEP_MS
    for step in range(now - _DRIFT, now + _DRIFT + 1):
        if step > after and hmac.compare_digest(code_at(secret, step).encode(), code.encode(errors="replace")):
            return step
    return None
