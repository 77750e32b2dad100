"""Which dialects of the wire exist, and whether a controller's hello is one that we speak.

The rule. Keys, kinds and names of choices are appended and never reused. A new optional key at the end
is a minor version; anything else is a major one, with its own topic level (`v1`). A gateway speaks
major N and N-1, and within a major every minor that it knows: an older controller simply leaves the
newer optional keys out. A newer controller than the gateway is refused: upgrade the gateway first.
Each released table is one row of HISTORY; a test fails when the table changes and no row is added.
"""

import hashlib

from sabot_protocol.messages import MESSAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAJOR = 1
MINOR = 0

# (major, minor, schema hash), oldest first.
HISTORY = ((1, 0, "b4642e4e03304221b9fb8ef216e0450986d9323f6f126da16958636631993520"),)

ACCEPTED = "accepted"


def schema_hash() -> bytes:
    """Return the SHA-256 of the table of messages: names, numbers, types and ranges."""
    digest = hashlib.sha256()
    _absorb(digest, MESSAGES)
    return digest.digest()


def judge_hello(major: int, minor: int, schema: bytes) -> str:
    """Return "accepted", or the name in messages.REFUSAL that says why this controller is refused."""
    if major > MAJOR or (major == MAJOR and minor > MINOR):
        return "version_new"
    if major < MAJOR - 1:
        return "version_old"
    for known_major, known_minor, known_hash in HISTORY:
        if (known_major, known_minor) == (major, minor):
            return ACCEPTED if bytes.fromhex(known_hash) == bytes(schema) else "schema_unknown"
    return "version_old"


def _absorb(digest: "Any", node: "Any") -> None:
    # Each node says its type and size first, so two different tables never feed the same bytes.
    if isinstance(node, tuple):
        digest.update(f"({len(node)}:".encode())
        for item in node:
            _absorb(digest, item)
    elif isinstance(node, bool):
        digest.update(b"t" if node else b"f")
    elif isinstance(node, int):
        digest.update(f"i{node};".encode())
    else:
        digest.update(f"s{len(node)}:{node}".encode())
