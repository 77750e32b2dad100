"""Strict UTF-8 (RFC 3629), equal on both Pythons.

MicroPython's own decoder lets surrogates and overlong forms pass; CPython's does not. What one end
accepts the other must accept, so the check is ours.
"""

from sabot_protocol.errors import WireError


def decode_text(data: bytes) -> str:
    """Return the text of these bytes, or refuse them."""
    if not is_utf8(data):
        raise WireError("bad_text")
    return str(data, "utf-8")


def encode_text(text: str) -> bytes:
    """Return the bytes of this text, or refuse what UTF-8 cannot say (a lone surrogate)."""
    try:
        data = text.encode("utf-8")
    except UnicodeError:
        raise WireError("bad_text") from None
    if not is_utf8(data):
        raise WireError("bad_text")
    return data


def is_utf8(data: bytes) -> bool:
    """Say whether these bytes are well-formed UTF-8."""
    at = 0
    end = len(data)
    while at < end:
        first = data[at]
        at += 1
        if first < 0x80:
            continue
        # The second byte's range excludes overlong forms, surrogates and what lies past U+10FFFF.
        low, high = 0x80, 0xBF
        if 0xC2 <= first <= 0xDF:
            more = 1
        elif 0xE0 <= first <= 0xEF:
            more = 2
            if first == 0xE0:
                low = 0xA0
            elif first == 0xED:
                high = 0x9F
        elif 0xF0 <= first <= 0xF4:
            more = 3
            if first == 0xF0:
                low = 0x90
            elif first == 0xF4:
                high = 0x8F
        else:
            return False
        if at + more > end:
            return False
        for _ in range(more):
            if not low <= data[at] <= high:
                return False
            low, high = 0x80, 0xBF
            at += 1
    return True
