"""Nonces of the messages that go down: drawn from the system many at a time, each handed out once.

Asking the kernel for thirteen bytes gives the interpreter's lock away; under load the pump then waits for its turn
longer than all the rest of a message takes (bench). Not for a process that forks: parent and child would share what
is left of the store.
"""

import os
from typing import Final

from sabot_protocol.envelope import NONCE

_STORE: Final = 256  # nonces


class Nonces:
    """For one thread."""

    __slots__ = ("_at", "_store")

    def __init__(self) -> None:
        self._store = b""
        self._at = 0

    def next(self) -> bytes:
        at = self._at
        if at >= len(self._store):
            self._store, at = os.urandom(_STORE * NONCE), 0
        self._at = at + NONCE
        return self._store[at : at + NONCE]
