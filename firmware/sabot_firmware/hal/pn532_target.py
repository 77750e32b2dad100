"""Reads the UIDs out of the PN532's answer to InListPassiveTarget for ISO/IEC 14443 type A at 106 kbit/s.

Source: UM0701-02 section 7.3.5: D5 4B NbTg, then for each target Tg, SENS_RES (2), SEL_RES, NFCIDLength,
NFCID1. The chip runs the whole cascade by itself and gives NFCID1 without cascade tags: 4, 7 or 10 bytes
(ISO/IEC 14443-3 section 6.5.4). An ATS follows only with automatic RATS, which the driver switches off.
Pure. Never guesses: an answer that does not fit to the byte is refused as a whole.
"""

from sabot_firmware.hal.errors import ReaderError

RESPONSE = 0x4B
MAX_TARGETS = 2
_HEAD = 5
_CASCADE_TAG = 0x88


def uids_from_list(payload: "bytes | bytearray | memoryview", size: int) -> "tuple[bytes, ...]":
    """The UIDs of `payload[:size]` (response code first); ReaderError when it is no such answer."""
    if size < 2 or payload[0] != RESPONSE or payload[1] > MAX_TARGETS:
        raise ReaderError("bad_response")
    count = payload[1]
    first = b""
    at = 2
    for number in range(1, count + 1):
        if at + _HEAD > size or payload[at] != number:
            raise ReaderError("bad_response")
        length = payload[at + 4]
        if length not in (4, 7, 10) or at + _HEAD + length > size:
            raise ReaderError("bad_response")
        uid = bytes(payload[at + _HEAD : at + _HEAD + length])
        at += _HEAD + length
        if number == 1:
            first = uid
    if at != size:
        raise ReaderError("bad_response")
    if count == 0:
        return ()
    # The same UID twice is one card whose cascade the chip ran twice, not two cards.
    return (first,) if count == 1 or uid == first else (first, uid)


def is_plausible(uid: bytes) -> bool:
    """Whether a tag may have this UID: no cascade tag inside, which would be a cascade broken off."""
    # ISO/IEC 14443-3 section 6.5.4: 88 is reserved as the cascade tag and never uid0 of a single-size UID.
    return not (len(uid) == 4 and uid[0] == _CASCADE_TAG)
