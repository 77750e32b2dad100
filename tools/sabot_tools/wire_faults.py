"""Bytes that the wire must refuse, and why: the invalid golden vectors before they are sealed into files.

Each is (name, bytes, diagnostic notation or None, error code). Written by hand or made by cbor2: never by our encoder.
Codes of the envelope and the frames stand with their builders in vectors.py.
"""

from typing import Any, Final

import cbor2

Fault = tuple[str, bytes, str | None, str]

_DOOR: Final[dict[int, Any]] = {0: 1, 1: 7, 2: 42, 3: [[13, 5, True]]}


def cbor_faults() -> list[Fault]:
    """Bytes that are not the deterministic subset, whatever message they would be."""
    text = "not well-formed, so it has no notation"
    return [
        ("empty", b"", text, "truncated"),
        ("head cut off", bytes.fromhex("19ff"), text, "truncated"),
        ("string cut off", bytes.fromhex("4401"), text, "truncated"),
        ("array cut off", bytes.fromhex("8201"), text, "truncated"),
        ("array promises more than there is", bytes.fromhex("9820") + bytes(31), text, "truncated"),
        ("second value after the first", bytes.fromhex("0000"), text, "trailing"),
        ("integer 23 in two bytes", bytes.fromhex("1817"), "23_0", "not_canonical"),
        ("integer 255 in three bytes", bytes.fromhex("1900ff"), "255_1", "not_canonical"),
        ("integer 65535 in five bytes", bytes.fromhex("1a0000ffff"), "65535_2", "not_canonical"),
        ("integer 0 in nine bytes", bytes.fromhex("1b0000000000000000"), "0_3", "not_canonical"),
        ("length in two bytes", bytes.fromhex("580141"), "h'41'_0", "not_canonical"),
        ("indefinite array", bytes.fromhex("9f01ff"), "[_ 1]", "not_canonical"),
        ("indefinite map", bytes.fromhex("bf0001ff"), "{_ 0: 1}", "not_canonical"),
        ("indefinite bytes", bytes.fromhex("5f4101ff"), "(_ h'01')", "not_canonical"),
        ("indefinite text", bytes.fromhex("7f6161ff"), '(_ "a")', "not_canonical"),
        ("keys out of order", bytes.fromhex("a201000000"), "{1: 0, 0: 0}", "not_canonical"),
        ("negative key before positive", bytes.fromhex("a22000181800"), "{-1: 0, 24: 0}", "not_canonical"),
        ("same key twice", bytes.fromhex("a200000000"), "{0: 0, 0: 0}", "duplicate_key"),
        ("same key again later", bytes.fromhex("a3000001000000"), "{0: 0, 1: 0, 0: 0}", "duplicate_key"),
        ("seven nested arrays", bytes.fromhex("81" * 6 + "80"), "[[[[[[[]]]]]]]", "too_deep"),
        ("nine hundred nested arrays", bytes.fromhex("81" * 900), text, "too_deep"),
        ("array of 2^64-1 items", bytes.fromhex("9bffffffffffffffff"), text, "too_many"),
        ("map of 2^63 pairs", bytes.fromhex("bb8000000000000000"), text, "too_many"),
        ("bytes of 2^64-1", bytes.fromhex("5bffffffffffffffff"), text, "truncated"),
        ("map of 17 keys", cbor2.dumps(dict.fromkeys(range(17), 0)), "a map of 17 keys", "too_many"),
        ("more than 512 items", cbor2.dumps([0] * 513), "an array of 513 zeros", "too_many"),
        ("longer than a payload", cbor2.dumps(bytes(942)), "a byte string of 942 zeros", "oversize"),
        ("null", b"\xf6", "null", "unsupported"),
        ("undefined", b"\xf7", "undefined", "unsupported"),
        ("simple value 255", b"\xf8\xff", "simple(255)", "unsupported"),
        ("tagged time", bytes.fromhex("c11a514b67b0"), "1(1363896240)", "unsupported"),
        ("text as a key", bytes.fromhex("a1616101"), '{"a": 1}', "unsupported"),
        ("true as a key", bytes.fromhex("a1f501"), "{true: 1}", "unsupported"),
        ("NaN, half", bytes.fromhex("f97e00"), "NaN", "float"),
        ("NaN, double", bytes.fromhex("fb7ff8000000000000"), "NaN_3", "float"),
        ("infinity", bytes.fromhex("f97c00"), "Infinity", "float"),
        ("1.0, half", bytes.fromhex("f93c00"), "1.0", "float"),
        ("3.4028234663852886e+38, single", bytes.fromhex("fa7f7fffff"), "3.4028234663852886e+38", "float"),
        ("2^63", bytes.fromhex("1b8000000000000000"), "9223372036854775808", "int_overflow"),
        ("2^64-1", bytes.fromhex("1bffffffffffffffff"), "18446744073709551615", "int_overflow"),
        ("-2^63-1", bytes.fromhex("3b8000000000000000"), "-9223372036854775809", "int_overflow"),
        ("key of 2^63", bytes.fromhex("a11b800000000000000000"), "{9223372036854775808: 0}", "int_overflow"),
        ("2^64 as a big number", bytes.fromhex("c249010000000000000000"), "18446744073709551616", "unsupported"),
        ("reserved head 28", b"\x1c", text, "malformed"),
        ("reserved head 30 in a string", b"\x5e", text, "malformed"),
        ("break with nothing to end", b"\xff", text, "malformed"),
        ("indefinite integer", b"\x1f", text, "malformed"),
        ("text of a lone continuation byte", bytes.fromhex("6180"), text, "bad_text"),
        ("text of a surrogate", bytes.fromhex("63eda080"), text, "bad_text"),
        ("text of an overlong slash", bytes.fromhex("62c0af"), text, "bad_text"),
        ("text beyond U+10FFFF", bytes.fromhex("64f4908080"), text, "bad_text"),
    ]


def message_faults() -> list[Fault]:
    """Deterministic CBOR that is no message of the table."""
    event = _event
    bad: list[tuple[str, Any, str]] = [
        ("an integer alone", 1, "wrong_type"),
        ("an array for a map", [1, 7, 42], "wrong_type"),
        ("no kind", {1: 7}, "missing_key"),
        ("kind as text", {**_DOOR, 0: "event"}, "wrong_type"),
        ("kind true", {**_DOOR, 0: True}, "wrong_type"),
        ("kind 0", {**_DOOR, 0: 0}, "unknown_kind"),
        ("kind 6", {0: 6, 1: 1}, "unknown_kind"),
        ("kind -1", {0: -1}, "unknown_kind"),
        ("event of kind 0", event([0, 5]), "unknown_kind"),
        ("event of kind 21", event([21, 5]), "unknown_kind"),
        ("command of kind 11", {0: 5, 1: 88, 2: [11]}, "unknown_kind"),
        ("unknown key", {**_DOOR, 4: 0}, "unknown_key"),
        ("unknown negative key", {**_DOOR, -1: 0}, "unknown_key"),
        ("no boot", {0: 1, 2: 42, 3: [[13, 5, True]]}, "missing_key"),
        ("boot 0", {**_DOOR, 1: 0}, "out_of_range"),
        ("boot 2^32", {**_DOOR, 1: 2**32}, "out_of_range"),
        ("boot as bytes", {**_DOOR, 1: b"\x07"}, "wrong_type"),
        ("boot true", {**_DOOR, 1: True}, "wrong_type"),
        ("no events", {**_DOOR, 3: []}, "out_of_range"),
        ("33 events", {**_DOOR, 3: [[9, 5]] * 33}, "out_of_range"),
        ("event not an array", {**_DOOR, 3: [13]}, "wrong_type"),
        ("event empty", event([]), "wrong_arity"),
        ("event without time", event([9]), "wrong_arity"),
        ("event with a field too few", event([13, 5]), "wrong_arity"),
        ("event with a field too many", event([13, 5, True, 0]), "wrong_arity"),
        ("time before the start", event([9, -1]), "out_of_range"),
        ("time of 2^48 ms", event([9, 2**48]), "out_of_range"),
        ("seat 11", event([7, 5, 1, 11]), "out_of_range"),
        ("key 31", event([7, 5, 31, 0]), "out_of_range"),
        ("key by its name", event([7, 5, "fold", 0]), "wrong_type"),
        ("door open as 1", event([13, 5, 1]), "wrong_type"),
        ("uid of 5 bytes", event([8, 5, bytes(5)]), "out_of_range"),
        ("uid as text", event([8, 5, "04a1b2c3"]), "wrong_type"),
        ("33 chips in a part", event([5, 5, 1, 0, 1, 1, [bytes(4)] * 33]), "out_of_range"),
        ("part 0", event([5, 5, 1, 0, 0, 1, []]), "out_of_range"),
        ("schema of 31 bytes", event([1, 5, 1, 0, bytes(31), "0", bytes(32), 1, "b", [], 0]), "out_of_range"),
        (
            "firmware of 33 bytes",
            event([1, 5, 1, 0, bytes(32), "é" * 16 + "x", bytes(32), 1, "b", [], 0]),
            "out_of_range",
        ),
        ("module without digest", event([2, 5, 1, 1, [["app"]]]), "wrong_arity"),
        ("signal above 0 dBm", event([14, 5, 0, 0, 0, 0, 0, 0, 1]), "out_of_range"),
        ("status of state 3", {0: 2, 1: 3, 2: 7, 3: 2}, "out_of_range"),
        ("ack upto -1", {0: 3, 1: 7, 2: -1}, "out_of_range"),
        ("lamp of colour 6", {0: 4, 1: 1, 2: [[1, 0, 6, 0]], 3: []}, "out_of_range"),
        ("lamp owing -1 cent", {0: 4, 1: 1, 2: [[1, 0, 0, 0, -1]], 3: []}, "out_of_range"),
        ("lamp with six fields", {0: 4, 1: 1, 2: [[1, 0, 0, 0, 1, 1]], 3: []}, "wrong_arity"),
        ("41 lamps", {0: 4, 1: 1, 2: [[1, 0, 0, 0]] * 41, 3: []}, "out_of_range"),
        ("line as bytes", {0: 4, 1: 1, 2: [], 3: [[b"a", b"b"]]}, "wrong_type"),
        ("line of 41 bytes", {0: 4, 1: 1, 2: [], 3: [["a" * 41, ""]]}, "out_of_range"),
        ("command number 0", {0: 5, 1: 0, 2: [10]}, "out_of_range"),
        ("command not an array", {0: 5, 1: 1, 2: {0: 10}}, "wrong_type"),
        ("update block without data", {0: 5, 1: 1, 2: [7, 1, 0, 0, b""]}, "out_of_range"),
        ("update block of 769 bytes", {0: 5, 1: 1, 2: [7, 1, 0, 0, bytes(769)]}, "out_of_range"),
    ]
    faults: list[Fault] = [(name, cbor2.dumps(tree, canonical=True), None, code) for name, tree, code in bad]
    door = cbor2.dumps(_DOOR, canonical=True)
    nan = cbor2.dumps(event([12, 5, float("nan")]), canonical=True)
    faults.append(("NaN as revision", nan, "{0: 1, 1: 7, 2: 42, 3: [[12, 5, NaN]]}", "float"))
    faults.append(("message and a byte", door + b"\0", None, "trailing"))
    return faults


def _event(event: list[Any]) -> dict[int, Any]:
    return {**_DOOR, 3: [event]}
