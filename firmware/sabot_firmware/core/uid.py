"""What a tag may call itself: the sizes of a UID that the wire knows, and a list of them cut into parts.

Owns the check that keeps a tag's nonsense out of the core: whatever fails it is reported, never used.
"""

# ISO 14443-3 single, double and triple size; ISO 15693 has eight bytes (the same sizes as on the wire).
SIZES = (4, 7, 8, 10)

# The wire's list of UIDs in one event; longer contents come in parts 1..of.
PART_SIZE = 32
MAX_PARTS = 16

# The wire's list of UIDs in a doubt: enough to know whom to look for.
DOUBT_SIZE = 8


def is_uid(uid: "bytes | None") -> bool:
    """Say whether these bytes can be a tag's UID; all zeros or all ones is a dead bus."""
    if uid is None or len(uid) not in SIZES:
        return False
    return uid != b"\x00" * len(uid) and uid != b"\xff" * len(uid)


def parts_of(uids: "tuple[bytes, ...]") -> "list[tuple[int, int, tuple[bytes, ...]]]":
    """(part, of, uids) for each event that a content needs; an empty content is one empty part."""
    of = (len(uids) + PART_SIZE - 1) // PART_SIZE or 1
    return [(part + 1, of, uids[part * PART_SIZE : (part + 1) * PART_SIZE]) for part in range(of)]
