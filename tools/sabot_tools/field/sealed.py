"""What anybody may read of a sealed message: whose it is.

Owns that one look at an envelope (protocol/sabot_protocol/envelope.py). It needs no key and proves nothing: whether
the name is true is for the gateway or the controller to find out, who have the key.
"""

from typing import Final

from sabot_protocol.topics import is_name

# 16([ << {1: 30} >>, { 4: kid
_BEGIN: Final = b"\xd0\x83\x44\xa1\x01\x18\x1e\xa2\x04"
_SHORT: Final = range(0x41, 0x58)  # a byte string of 1 to 23 bytes
_LONG: Final = 0x58


def holder_of(message: bytes) -> str | None:
    """The controller that a sealed message names; None for bytes that are no envelope."""
    at = len(_BEGIN)
    if len(message) < at + 2 or not message.startswith(_BEGIN):
        return None
    head = message[at]
    if head in _SHORT:
        size, at = head - 0x40, at + 1
    elif head == _LONG:
        size, at = message[at + 1], at + 2
    else:
        return None
    name = message[at : at + size].decode("ascii", "replace")
    return name if len(name) == size and is_name(name) else None
