"""Passwords as argon2id digests.

Owns the policy and the parameters. A password is never stored, logged or compared by itself.
"""

from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST: Final = 12  # characters; length is worth more than exotic letters
LONGEST: Final = 256  # characters; a longer one only costs the server time
# RFC 9106, second recommended option: 64 MiB, three passes.
_HASHER: Final = PasswordHasher(time_cost=3, memory_cost=65_536, parallelism=4, hash_len=32, salt_len=16)


class PasswordError(ValueError):
    """A password that the house does not accept, in one sentence."""


def digest_of(password: str, name: str) -> str:
    """What is stored of a new password."""
    if len(password) < SHORTEST:
        raise PasswordError(f"A password has at least {SHORTEST} characters.")
    if len(password) > LONGEST:
        raise PasswordError(f"A password has at most {LONGEST} characters.")
    if name.lower() in password.lower():
        raise PasswordError("A password does not contain the name it belongs to.")
    if len(set(password)) < 5:
        raise PasswordError("A password needs at least five different characters.")
    return _HASHER.hash(password)


def is_password(digest: str, password: str) -> bool:
    """Whether this is the password; takes the same time either way."""
    if len(password) > LONGEST:
        return False
    try:
        return _HASHER.verify(digest, password)
    except (VerificationError, InvalidHashError):
        return False


def is_outdated(digest: str) -> bool:
    """Whether the digest was made with weaker parameters than today's."""
    return _HASHER.check_needs_rehash(digest)


# Somebody who asks for a name that does not exist waits as long as for one that does.
NOBODY: Final = _HASHER.hash("no such person, and no such password")
