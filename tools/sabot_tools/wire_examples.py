"""One worked example of every message, event and command, written down twice by hand.

Each example is (name, the CBOR value as sabot.cddl numbers it, the values as Python names them). Neither side is
computed from the other nor from the message table, so the golden vectors made of them can prove the table wrong.
Tags, names and amounts are invented; the schema hash and digests are SHA-256 of the words beside them.
"""

import hashlib
from typing import Any, Final

Example = tuple[str, Any, dict[str, Any]]


def sha256(label: str) -> bytes:
    """A digest that anyone can compute again: SHA-256 of the label's UTF-8 bytes."""
    return hashlib.sha256(label.encode()).digest()


CARD: Final = bytes.fromhex("04a1b2c3d4e580")  # ISO 14443, double size
CARD_SHORT: Final = bytes.fromhex("9a0b1c2d")  # ISO 14443, single size
CHIP: Final = bytes.fromhex("e00401501a2b3c4d")  # ISO 15693, NXP
CHIP_2: Final = bytes.fromhex("e00401501a2b3c4e")
TAG_LONG: Final = bytes.fromhex("04112233445566778899")  # ISO 14443, triple size
BIG: Final = 0xFFFFFFFF

# (name, array after [kind, device_ms], fields), in the order of their kinds from 1.
_EVENTS: Final[tuple[tuple[str, list[Any], dict[str, Any]], ...]] = (
    (
        "hello",
        [1, 0, sha256("schema"), "0.1.0", sha256("digest"), 31, "rpi_pico_w", [0, 1, 6, 7, 8, 12, 14], 1],
        {
            "major": 1,
            "minor": 0,
            "schema": sha256("schema"),
            "firmware": "0.1.0",
            "digest": sha256("digest"),
            "modules": 31,
            "board": "rpi_pico_w",
            "capabilities": ["shoe", "spots", "keypad", "lamps", "display", "wifi", "tls"],
            "reset_cause": "power_on",
        },
    ),
    (
        "modules_listed",
        [1, 4, [["sabot_firmware/app", sha256("app")], ["sabot_protocol/cbor", sha256("cbor")]]],
        {
            "part": 1,
            "of": 4,
            "modules": [
                {"name": "sabot_firmware/app", "digest": sha256("app")},
                {"name": "sabot_protocol/cbor", "digest": sha256("cbor")},
            ],
        },
    ),
    ("card_scanned", [0, CARD], {"reader": 0, "uid": CARD}),
    (
        "card_doubtful",
        [0, [CARD, CARD_SHORT], 0],
        {"reader": 0, "uids": [CARD, CARD_SHORT], "reason": "two_cards"},
    ),
    (
        "chips_read",
        [3, 6, 1, 1, [CHIP, CHIP_2]],
        {"seat": 3, "spot": "blind", "part": 1, "of": 1, "uids": [CHIP, CHIP_2]},
    ),
    (
        "chips_doubtful",
        [3, 4, [CHIP], 3],
        {"seat": 3, "spot": "pair_plus", "uids": [CHIP], "reason": "neighbour"},
    ),
    ("key_pressed", [1, 0], {"key": "bets_closed", "seat": 0}),
    ("badge_read", [TAG_LONG], {"uid": TAG_LONG}),
    ("cut_card", [], {}),
    ("discard_read", [2, 2, [CARD, CARD_SHORT]], {"part": 2, "of": 2, "uids": [CARD, CARD_SHORT]}),
    ("seat_sensed", [10, True], {"seat": 10, "occupied": True}),
    ("lamps_applied", [4711], {"revision": 4711}),
    ("door", [False], {"open": False}),
    (
        "health",
        [61440, 12, 4084, 3, 1, 19, -67, 41],
        {
            "heap_free": 61440,
            "outbox_used": 12,
            "outbox_free": 4084,
            "reader_errors": 3,
            "link_drops": 1,
            "loop_max_ms": 19,
            "rssi_dbm": -67,
            "temperature_c": 41,
        },
    ),
    ("outbox_overflow", [1201, 1264], {"from": 1201, "to": 1264}),
    ("fault", [1, 7, True], {"code": "antenna", "part": 7, "active": True}),
    ("selftest_finished", [0, True, 0], {"test": "all", "passed": True, "part": 0}),
    ("update_progressed", [9, 1, 5, 6144], {"update": 9, "state": "receiving", "file": 5, "offset": 6144}),
    ("command_finished", [88, 0], {"number": 88, "outcome": "done"}),
    ("message_refused", [3, 23], {"channel": "lamps", "code": "not_authentic"}),
)

_COMMANDS: Final[tuple[tuple[str, list[Any], dict[str, Any]], ...]] = (
    ("time", [1767225600000], {"utc_ms": 1767225600000}),  # 2026-01-01 00:00 UTC
    (
        "config",
        [3, [["lamp_level", "70"], ["langue", "français"]]],
        {
            "revision": 3,
            "settings": [{"name": "lamp_level", "value": "70"}, {"name": "langue", "value": "français"}],
        },
    ),
    ("resend", [7, 43, 57], {"boot": 7, "from": 43, "to": 57}),
    ("selftest", [2], {"test": "antennas"}),
    ("identify", [30], {"seconds": 30}),
    (
        "update_offer",
        [9, "0.2.0", 2048, sha256("manifest"), sha256("sig-a") + sha256("sig-b")],
        {
            "update": 9,
            "release": "0.2.0",
            "size": 2048,
            "manifest": sha256("manifest"),
            "signature": sha256("sig-a") + sha256("sig-b"),
        },
    ),
    ("update_block", [9, 5, 6144, b"# block"], {"update": 9, "file": 5, "offset": 6144, "data": b"# block"}),
    ("update_switch", [9], {"update": 9}),
    ("update_cancel", [9], {"update": 9}),
    ("restart", [], {}),
)

_LAMPS: Final[Example] = (
    "lamps",
    {
        0: 4,
        1: 4711,
        2: [[7, 0, 1, 3, 1000], [7, 1, 1, 0, 1000], [4, 4, 2, 1, 4000], [1, 0, 0, 0]],
        3: [["Siège 7 : payer 20 €", "Seat 7: pay 20 €"], ["Pas de jeu", "No qualifying hand"]],
    },
    {
        "revision": 4711,
        "picture": [
            {"seat": 7, "spot": "ante", "colour": "blue", "pattern": "chase", "amount_cents": 1000},
            {"seat": 7, "spot": "play", "colour": "blue", "pattern": "steady", "amount_cents": 1000},
            {"seat": 4, "spot": "pair_plus", "colour": "orange", "pattern": "blink", "amount_cents": 4000},
            {"seat": 1, "spot": "ante", "colour": "white", "pattern": "steady"},
        ],
        "display": [
            {"fr": "Siège 7 : payer 20 €", "en": "Seat 7: pay 20 €"},
            {"fr": "Pas de jeu", "en": "No qualifying hand"},
        ],
    },
)


def messages() -> list[tuple[str, str, Any, dict[str, Any]]]:
    """Every example as (title, message name, CBOR value, values)."""
    found: list[tuple[str, str, Any, dict[str, Any]]] = []
    for kind, (name, tail, fields) in enumerate(_EVENTS, 1):
        device_ms = 1_193_046 + kind
        tree = {0: 1, 1: 7, 2: 42, 3: [[kind, device_ms, *tail]]}
        values = {"boot": 7, "first": 42, "events": [(name, {"device_ms": device_ms, **fields})]}
        found.append((f"event {name}", "event", tree, values))
    found.append(("event batch", "event", *_batch()))
    found.append(("event health without options", "event", *_bare_health()))
    for number, state in enumerate(("online", "lost", "leaving")):
        values = {"state": state, "boot": 7, "connection": 2}
        found.append((f"status {state}", "status", {0: 2, 1: number, 2: 7, 3: 2}, values))
    found.append(("ack", "ack", {0: 3, 1: 7, 2: 57}, {"boot": 7, "upto": 57}))
    refused = {"boot": 7, "upto": 1, "refused": "schema_unknown"}
    found.append(("ack refused", "ack", {0: 3, 1: 7, 2: 1, 3: 2}, refused))
    found.append(("lamps", *_LAMPS))
    dark: dict[str, Any] = {"revision": 1, "picture": [], "display": []}
    found.append(("lamps dark", "lamps", {0: 4, 1: 1, 2: [], 3: []}, dark))
    for kind, (name, tail, fields) in enumerate(_COMMANDS, 1):
        values = {"number": 88, "body": (name, fields)}
        found.append((f"command {name}", "command", {0: 5, 1: 88, 2: [kind, *tail]}, values))
    return found


def _batch() -> tuple[Any, dict[str, Any]]:
    # The greatest numbers of the head, and a full spot in two parts of equal time.
    chips = [bytes.fromhex("e0040150") + n.to_bytes(4, "big") for n in range(40)]
    tree = {
        0: 1,
        1: BIG,
        2: BIG,
        3: [[5, 2**48 - 1, 1, 9, 1, 2, chips[:32]], [5, 2**48 - 1, 1, 9, 2, 2, chips[32:]], [9, 2**48 - 1]],
    }
    spot = {"device_ms": 2**48 - 1, "seat": 1, "spot": "bet", "of": 2}
    events = [
        ("chips_read", {**spot, "part": 1, "uids": chips[:32]}),
        ("chips_read", {**spot, "part": 2, "uids": chips[32:]}),
        ("cut_card", {"device_ms": 2**48 - 1}),
    ]
    return tree, {"boot": BIG, "first": BIG, "events": events}


def _bare_health() -> tuple[Any, dict[str, Any]]:
    names = ("heap_free", "outbox_used", "outbox_free", "reader_errors", "link_drops", "loop_max_ms")
    numbers = (23, 24, 255, 256, 65535, 65536)  # each size of a head, on both sides of its border
    event = ("health", {"device_ms": 0, **dict(zip(names, numbers, strict=True))})
    return {0: 1, 1: 1, 2: 1, 3: [[14, 0, *numbers]]}, {"boot": 1, "first": 1, "events": [event]}
