"""THE table of messages: kind -> name, direction, ordered (key, field, type, required).

Encode, decode, validation, the docs' message list and the schema hash all come from here; the grammar
for everybody else is sabot.cddl. This file is data: it must not know bytes, keys or sockets.

Types, each a tuple:
    ("int", low, high)            integer, bounds included
    ("bool",)                     true or false
    ("bytes", low, high)          byte string, length bounds included
    ("sizes", (4, 7, ...))        byte string of one of these lengths
    ("text", low, high)           UTF-8, length bounds in bytes
    ("choice", (name, ...))       a name; its position is the number on the wire
    ("list", type, low, high)     array, count bounds included
    ("record", fields)            array of fields in order; optional ones only at the end
    ("variant", lead, kinds)      array [kind, lead fields, fields of the kind]

Rules (version.py): numbers and names are appended, never changed, removed or reused. Kinds are
numbered 1, 2, 3, ... without a hole, so that a kind's number finds its row.
Literals wherever possible: MicroPython keeps constant tuples in flash when frozen.
"""

from sabot_protocol.errors import CODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Fields = tuple[tuple[int, str, Any, bool], ...]

SEAT = ("int", 0, 10)  # 0 = the table itself (bank, pot, no seat); THE-18 allows ten seats
READER = ("int", 0, 31)  # as numbered in the controller's config; 0 = the shoe
PART = ("int", 1, 16)  # a long list comes in parts 1..of, in consecutive events of equal time
COUNT = ("int", 0, 0xFFFFFFFF)
NUMBER = ("int", 1, 0xFFFFFFFF)
TIME_MS = ("int", 0, 0xFFFFFFFFFFFF)
CENTS = ("int", 0, 1_000_000_000_000)
UID = ("sizes", (4, 7, 8, 10))  # ISO 14443-3 single, double, triple size; ISO 15693 has eight bytes
UIDS = ("list", UID, 0, 32)
SHA256 = ("sizes", (32,))
NAME = ("text", 1, 32)

SPOT = (
    "choice",
    ("ante", "play", "raise", "bonus", "pair_plus", "six_card", "blind", "trips", "buy", "bet", "stack", "pot", "rake")
    + ("float",),
)
KEY = (
    "choice",
    # The coup, as the dealer declares it.
    ("bets_open", "bets_closed", "fold", "check", "call", "raise", "all_in", "buy", "look", "reveal", "announce")
    + ("exposed_card", "burn", "claim", "void", "paid", "confirm", "cancel")
    # The séance, the deck and the staff.
    + ("open_session", "close_session", "new_deck", "shuffle", "cut", "last_hands", "button", "override", "call_floor")
    + ("seat_taken", "seat_left", "absent", "rebuy"),
)
COLOUR = ("choice", ("white", "blue", "orange", "green", "red", "violet"))
PATTERN = ("choice", ("steady", "blink", "pulse", "chase", "fault"))
CHANNEL = ("choice", ("event", "status", "ack", "lamps", "command"))
TEST = ("choice", ("all", "readers", "antennas", "lamps", "keypad", "display", "flash", "link", "digests"))
DOUBT = ("choice", ("two_cards", "drawn_back", "read_again", "neighbour", "unreadable", "unstable", "too_many"))
REFUSAL = (
    "choice",
    ("version_old", "version_new", "schema_unknown", "digest_unknown", "device_unknown", "twin_device"),
)
CAPABILITY = (
    "choice",
    ("shoe", "spots", "discard", "seat_readers", "seat_sensors", "badge", "keypad", "lamps", "display", "door")
    + ("update", "serial", "wifi", "ethernet", "tls"),
)
RESET = ("choice", ("unknown", "power_on", "hard", "watchdog", "soft", "deep_sleep", "brownout", "update", "rollback"))
FAULT = (
    "choice",
    ("reader", "antenna", "lamps", "keypad", "display", "flash", "link", "digest", "config", "clock", "memory", "door")
    + ("outbox_full", "watchdog", "internal"),
)
OUTCOME = ("choice", ("done", "refused", "failed", "stale"))
UPDATE = ("choice", ("offered", "receiving", "verified", "waiting", "switched", "refused", "rolled_back", "cancelled"))
ERROR = ("choice", CODES)  # what the controller refused, and why

MODULE: "tuple[str, Fields]" = ("record", ((0, "name", ("text", 1, 48), True), (1, "digest", SHA256, True)))
LAMP: "tuple[str, Fields]" = (
    "record",
    (
        (0, "seat", SEAT, True),
        (1, "spot", SPOT, True),
        (2, "colour", COLOUR, True),
        (3, "pattern", PATTERN, True),
        (4, "amount_cents", CENTS, False),
    ),
)
LINE: "tuple[str, Fields]" = ("record", ((0, "fr", ("text", 0, 40), True), (1, "en", ("text", 0, 40), True)))
SETTING: "tuple[str, Fields]" = ("record", ((0, "name", NAME, True), (1, "value", ("text", 0, 64), True)))

# Every event begins [kind, device_ms, ...].
EVENT_LEAD: "Fields" = ((1, "device_ms", TIME_MS, True),)

EVENTS: "tuple[tuple[int, str, Fields], ...]" = (
    (
        1,
        "hello",
        (
            (2, "major", ("int", 1, 255), True),
            (3, "minor", ("int", 0, 255), True),
            (4, "schema", SHA256, True),
            (5, "firmware", NAME, True),
            (6, "digest", SHA256, True),
            (7, "modules", ("int", 1, 128), True),
            (8, "board", NAME, True),
            (9, "capabilities", ("list", CAPABILITY, 0, 15), True),
            (10, "reset_cause", RESET, True),
        ),
    ),
    (
        2,
        "modules_listed",
        ((2, "part", PART, True), (3, "of", PART, True), (4, "modules", ("list", MODULE, 1, 8), True)),
    ),
    (3, "card_scanned", ((2, "reader", READER, True), (3, "uid", UID, True))),
    (
        4,
        "card_doubtful",
        ((2, "reader", READER, True), (3, "uids", ("list", UID, 0, 8), True), (4, "reason", DOUBT, True)),
    ),
    (
        5,
        "chips_read",
        (
            (2, "seat", SEAT, True),
            (3, "spot", SPOT, True),
            (4, "part", PART, True),
            (5, "of", PART, True),
            (6, "uids", UIDS, True),
        ),
    ),
    (
        6,
        "chips_doubtful",
        (
            (2, "seat", SEAT, True),
            (3, "spot", SPOT, True),
            (4, "uids", ("list", UID, 0, 8), True),
            (5, "reason", DOUBT, True),
        ),
    ),
    (7, "key_pressed", ((2, "key", KEY, True), (3, "seat", SEAT, True))),
    (8, "badge_read", ((2, "uid", UID, True),)),
    (9, "cut_card", ()),
    (10, "discard_read", ((2, "part", PART, True), (3, "of", PART, True), (4, "uids", UIDS, True))),
    (11, "seat_sensed", ((2, "seat", SEAT, True), (3, "occupied", ("bool",), True))),
    (12, "lamps_applied", ((2, "revision", NUMBER, True),)),
    (13, "door", ((2, "open", ("bool",), True),)),
    (
        14,
        "health",
        (
            (2, "heap_free", COUNT, True),
            (3, "outbox_used", COUNT, True),
            (4, "outbox_free", COUNT, True),
            (5, "reader_errors", COUNT, True),
            (6, "link_drops", COUNT, True),
            (7, "loop_max_ms", COUNT, True),
            (8, "rssi_dbm", ("int", -127, 0), False),
            (9, "temperature_c", ("int", -55, 150), False),
        ),
    ),
    (15, "outbox_overflow", ((2, "from", NUMBER, True), (3, "to", NUMBER, True))),
    (
        16,
        "fault",
        ((2, "code", FAULT, True), (3, "part", ("int", 0, 255), True), (4, "active", ("bool",), True)),
    ),
    (
        17,
        "selftest_finished",
        (
            (2, "test", TEST, True),
            (3, "passed", ("bool",), True),
            (4, "part", ("int", 0, 255), True),
        ),
    ),
    (
        18,
        "update_progressed",
        (
            (2, "update", NUMBER, True),
            (3, "state", UPDATE, True),
            (4, "file", ("int", 0, 255), True),
            (5, "offset", COUNT, True),
        ),
    ),
    (19, "command_finished", ((2, "number", NUMBER, True), (3, "outcome", OUTCOME, True))),
    (20, "message_refused", ((2, "channel", CHANNEL, True), (3, "code", ERROR, True))),
)

COMMANDS: "tuple[tuple[int, str, Fields], ...]" = (
    (1, "time", ((1, "utc_ms", TIME_MS, True),)),
    (2, "config", ((1, "revision", NUMBER, True), (2, "settings", ("list", SETTING, 1, 8), True))),
    (3, "resend", ((1, "boot", NUMBER, True), (2, "from", NUMBER, True), (3, "to", NUMBER, True))),
    (4, "selftest", ((1, "test", TEST, True),)),
    (5, "identify", ((1, "seconds", ("int", 0, 3600), True),)),
    (
        6,
        "update_offer",
        (
            (1, "update", NUMBER, True),
            (2, "release", NAME, True),
            (3, "size", ("int", 1, 0xFFFF), True),
            (4, "manifest", SHA256, True),
            (5, "signature", ("bytes", 32, 96), True),
        ),
    ),
    (
        7,
        "update_block",
        (
            (1, "update", NUMBER, True),
            (2, "file", ("int", 0, 255), True),
            (3, "offset", COUNT, True),
            (4, "data", ("bytes", 1, 768), True),
        ),
    ),
    (8, "update_switch", ((1, "update", NUMBER, True),)),
    (9, "update_cancel", ((1, "update", NUMBER, True),)),
    (10, "restart", ()),
)

# Each message is a map {0: kind, key: value, ...}; its name is also the last level of its topic.
MESSAGES: "tuple[tuple[int, str, str, Fields], ...]" = (
    (
        1,
        "event",
        "up",
        (
            (1, "boot", NUMBER, True),
            (2, "first", NUMBER, True),
            (3, "events", ("list", ("variant", EVENT_LEAD, EVENTS), 1, 32), True),
        ),
    ),
    (
        2,
        "status",
        "up",
        (
            (1, "state", ("choice", ("online", "lost", "leaving")), True),
            (2, "boot", NUMBER, True),
            (3, "connection", NUMBER, True),
        ),
    ),
    (
        3,
        "ack",
        "down",
        ((1, "boot", NUMBER, True), (2, "upto", COUNT, True), (3, "refused", REFUSAL, False)),
    ),
    (
        4,
        "lamps",
        "down",
        (
            (1, "revision", NUMBER, True),
            (2, "picture", ("list", LAMP, 0, 40), True),
            (3, "display", ("list", LINE, 0, 4), True),
        ),
    ),
    (5, "command", "down", ((1, "number", NUMBER, True), (2, "body", ("variant", (), COMMANDS), True))),
)
