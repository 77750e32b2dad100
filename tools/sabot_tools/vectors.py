"""Writes the golden vectors of the wire: `python -m sabot_tools.vectors` (or `--check` to compare only).

Owns protocol/vectors/*.json. Bytes come from cbor2, from `cryptography`'s AES-CCM or from a published document, never
from sabot_protocol: the vectors judge it. Keys and nonces are SHA-256 of the labels given, so they are no secrets and
every run writes the same files.
"""

import argparse
import binascii
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import cbor2
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

from sabot_tools import wire_examples, wire_faults
from sabot_tools.wire_examples import sha256

ROOT: Final = Path(__file__).resolve().parents[2]

Vector = dict[str, Any]

_CHANNELS: Final = ("event", "status", "ack", "lamps", "command")
_BY_CBOR2: Final = "value by hand from sabot.cddl, bytes by cbor2 (canonical)"
_BY_HAND: Final = "written by hand after RFC 8949"
_NOT_TABLE: Final = "value by hand against sabot.cddl, bytes by cbor2 (canonical)"
_SEALED: Final = (
    "envelope by hand after RFC 9052 section 5.2, sealed by cryptography's AESCCM; key and nonce from labels"
)

# RFC 8949 appendix A, the rows whose types this wire has. Last column: our value, in the same notation.
_RFC8949: Final[tuple[tuple[str, Any], ...]] = (
    ("00", 0), ("01", 1), ("0a", 10), ("17", 23), ("1818", 24), ("1819", 25), ("1864", 100), ("1903e8", 1000),
    ("1a000f4240", 1_000_000), ("1b000000e8d4a51000", 1_000_000_000_000), ("20", -1), ("29", -10), ("3863", -100),
    ("3903e7", -1000), ("f4", False), ("f5", True), ("40", b""), ("4401020304", b"\1\2\3\4"), ("60", ""),
    ("6161", "a"), ("6449455446", "IETF"), ("62225c", '"\\'), ("62c3bc", "\u00fc"), ("63e6b0b4", "\u6c34"),
    ("64f0908591", "\U00010151"), ("80", []), ("83010203", [1, 2, 3]), ("8301820203820405", [1, [2, 3], [4, 5]]),
    ("98190102030405060708090a0b0c0d0e0f101112131415161718181819", list(range(1, 26))), ("a0", {}),
    ("a201020304", {1: 2, 3: 4}),
)  # fmt: skip

# Borders that the appendix leaves out.
_BORDERS: Final[tuple[Any, ...]] = (
    255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**63 - 1, -24, -25, -256, -257, -65537, -(2**32) - 1, -(2**63),
    bytes(23), bytes(24), bytes(255), bytes(256), "\u20ac" * 8, "\ufffd\U0010ffff", [[[[[[]]]]]], [0] * 512,
    {0: 0, 23: 1, 24: 2, 256: 3, 2**63 - 1: 4, -1: 5, -(2**63): 6},
)  # fmt: skip


def main(arguments: list[str] | None = None) -> int:
    """Write the vectors, or with --check say which files are stale."""
    parser = argparse.ArgumentParser(prog="python -m sabot_tools.vectors", description="Write the golden vectors.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is not current")
    check = parser.parse_args(arguments).check
    stale = [(ROOT / p, text) for p, text in pages().items() if _text_of(ROOT / p) != text]
    for path, text in stale:
        if check:
            print(f"{path.name} is not current: run python -m sabot_tools.vectors", file=sys.stderr)
        else:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.name}")
    return 1 if check and stale else 0


def pages() -> Mapping[str, str]:
    """Every vector file, by its path from the top of the tree."""
    return {
        f"protocol/vectors/{name}": json.dumps(vectors, indent=1, ensure_ascii=False) + "\n"
        for name, vectors in build().items()
    }


def build() -> dict[str, list[Vector]]:
    """Every vector, by file name."""
    return {
        "cbor.json": _cbor(),
        "messages.json": _messages(),
        "aead.json": _aead(),
        "envelopes.json": _envelopes(),
        "frames.json": _frames(),
        "topics.json": _topics(),
    }


def plain(value: Any) -> Any:
    """A value as JSON can hold it: bytes become {"bytes": hex}, integer keys become text."""
    match value:
        case bytes():
            return {"bytes": value.hex()}
        case list() | tuple():
            return [plain(item) for item in value]
        case dict():
            return {str(key): plain(item) for key, item in value.items()}
        case _:
            return value


def diagnostic(value: Any) -> str:
    """CBOR diagnostic notation (RFC 8949 section 8) of a decoded value."""
    match value:
        case bool():
            return "true" if value else "false"
        case bytes():
            return f"h'{value.hex()}'"
        case str():
            return json.dumps(value, ensure_ascii=False)
        case list() | tuple():
            return "[" + ", ".join(map(diagnostic, value)) + "]"
        case dict():
            return "{" + ", ".join(f"{diagnostic(k)}: {diagnostic(v)}" for k, v in value.items()) + "}"
        case cbor2.CBORTag():
            return f"{value.tag}({diagnostic(value.value)})"
        case _:
            return str(value)


def _cbor() -> list[Vector]:
    found = [
        {"name": f"RFC 8949: {diagnostic(v)}", "hex": h, "diagnostic": diagnostic(v), "value": plain(v)}
        | {"source": "RFC 8949 appendix A"}
        for h, v in _RFC8949
    ]
    for value in _BORDERS:
        text = diagnostic(value)
        # cbor2 sorts map keys by RFC 7049; the one map here is in the order of RFC 8949 already.
        data = cbor2.dumps(value)
        name = f"border: {text if len(text) < 60 else text[:40] + f'… ({len(data)} bytes)'}"
        found.append(
            {"name": name, "hex": data.hex(), "diagnostic": text, "value": plain(value), "source": "bytes by cbor2"}
        )
    for name, data, notation, code in wire_faults.cbor_faults():
        found.append({"name": name, "hex": data.hex(), "diagnostic": notation, "error": code, "source": _BY_HAND})
    return found


def _messages() -> list[Vector]:
    found: list[Vector] = []
    for title, message, tree, values in wire_examples.messages():
        data = cbor2.dumps(tree, canonical=True)
        vector = {"name": title, "hex": data.hex(), "diagnostic": diagnostic(tree)}
        found.append(vector | {"message": message, "values": plain(values), "source": _BY_CBOR2})
    for name, data, notation, code in wire_faults.message_faults():
        notation = notation or diagnostic(cbor2.loads(data[:-1] if code == "trailing" else data))
        found.append({"name": name, "hex": data.hex(), "diagnostic": notation, "error": code, "source": _NOT_TABLE})
    ack = {0: 3, 1: 7, 2: 57}
    strayed = {"name": "ack on the lamps topic", "hex": cbor2.dumps(ack).hex(), "diagnostic": diagnostic(ack)}
    found.append(strayed | {"channel": "lamps", "error": "wrong_channel", "source": _NOT_TABLE})
    return found


def _aead() -> list[Vector]:
    nist = {
        "name": "NIST CAVP VADT128, Alen 32",
        "key": "5a33980e71e7d67fd6cf171454dc96e5",
        "nonce": "33ae68ebb8010c6b3da6b9cb29",
        "aad": "eca622a37570df619e10ebb18bebadb2f2b49c4d2b2ff715873bb672e30fc0ff",
        "plain": "a34dfa24847c365291ce1b54bcf8d9a75d861e5133cc3a74",
        "hex": "7a60fa7ee8859e283cce378fb6b95522ab8b70efcdb0265f7c4b4fa597666b86dd1353e400f28864",
        "source": "NIST CAVP CCM test vectors (SP 800-38C), VADT128.rsp: nonce 13, tag 16",
    }
    # RFC 3610's own examples use shorter tags; for every block border an independent library answers.
    source = "known answer made by cryptography's AESCCM; inputs are SHA-256 of the name, repeated"
    found: list[Vector] = [nist]
    for size in (0, 1, 15, 16, 17, 127, 128, 129, 255, 944):
        for aad_size in (1, 14, 15, 98):
            name = f"plain {size}, aad {aad_size}"
            stuff = sha256(name) * 40
            key, nonce, aad, text = stuff[:16], stuff[3:16], stuff[5 : 5 + aad_size], stuff[:size]
            sealed = AESCCM(key, tag_length=16).encrypt(nonce, text, aad)
            inputs = {"key": key.hex(), "nonce": nonce.hex(), "aad": aad.hex(), "plain": text.hex()}
            found.append({"name": name, **inputs, "hex": sealed.hex(), "source": source})
    return found


def envelope(
    payload: bytes, topic: str, device: str, *, key: str | None = None, alg: int = 30, tag: int = 16, size: int = 13
) -> bytes:
    """A COSE_Encrypt0 made by hand; the key and nonce come from their labels."""
    protected = cbor2.dumps({1: alg})
    aad = cbor2.dumps(["Encrypt0", protected, topic.encode()])
    nonce = sha256(f"nonce {device} {topic}")[:size]
    sealed = AESCCM(test_key(key or device), tag_length=16).encrypt(nonce, payload, aad)
    return cbor2.dumps(cbor2.CBORTag(tag, [protected, {4: device.encode(), 5: nonce}, sealed]))


def test_key(device: str) -> bytes:
    """The open key of a device in the vectors."""
    return sha256(f"sabot test key {device}")[:16]


def _envelopes() -> list[Vector]:
    device, other = "table-7", "table-8"
    topic, elsewhere = f"sabot/v1/lyon/{device}/event", f"sabot/v1/lyon/{other}/event"
    found: list[Vector] = []

    def add(name: str, data: bytes, /, *, to: str = topic, holder: str = device, **outcome: Any) -> None:
        try:
            notation = diagnostic(cbor2.loads(data))
        except cbor2.CBORError:
            notation = "not well-formed, so it has no notation"
        vector = {"name": name, "hex": data.hex(), "diagnostic": notation, "topic": to, "device": holder}
        found.append(vector | {"key": test_key(holder).hex()} | outcome | {"source": _SEALED})

    seen = set()
    for title, message, tree, _ in wire_examples.messages():
        payload = cbor2.dumps(tree, canonical=True)
        to = f"sabot/v1/lyon/{device}/{message}"
        if message not in seen or title == "event batch":
            add(title, envelope(payload, to, device), to=to, payload=payload.hex())
        seen.add(message)
    longest, full = "a" + "-9" * 15 + "z", bytes(944)
    far = f"sabot/v1/{longest}/{longest}/command"
    add("longest name", envelope(full, far, longest), to=far, holder=longest, payload=full.hex())
    payload = cbor2.dumps({0: 1, 1: 7, 2: 42, 3: [[3, 5, 0, wire_examples.CARD]]}, canonical=True)
    good = envelope(payload, topic, device)
    add("shortest payload", envelope(b"", topic, device), payload="")
    add("wrong tag", good[:-1] + bytes([good[-1] ^ 1]), error="not_authentic")
    add("altered ciphertext", good.replace(good[-20:-16], bytes(4)), error="not_authentic")
    add("wrong key", envelope(payload, topic, device, key=other), error="not_authentic")
    add("wrong topic: moved to another channel", good, to=topic.replace("event", "status"), error="not_authentic")
    add("wrong topic: moved to another site", good, to=topic.replace("lyon", "nice"), error="not_authentic")
    add("replay to another device", good, to=elsewhere, holder=other, error="wrong_device")
    forged = good.replace(device.encode(), other.encode())
    add("replay to another device under its name", forged, to=elsewhere, holder=other, error="not_authentic")
    add("key of another device", good, holder=other, error="wrong_device")
    add("topic of no channel", good, to=topic + "s", error="bad_topic")
    add("AES-CCM-16-64-128", envelope(payload, topic, device, alg=10), error="wrong_algorithm")
    add("AES-CCM-64-128-128", envelope(payload, topic, device, alg=32), error="wrong_algorithm")
    add("COSE_Mac0 tag", envelope(payload, topic, device, tag=17), error="bad_envelope")
    add("untagged", good[1:], error="bad_envelope")
    add("nonce of 12 bytes", envelope(payload, topic, device, size=12), error="bad_envelope")
    add("header keys out of order", _with_parts(good, backwards=True), error="bad_envelope")
    add("header length not shortest", good.replace(b"\x05\x4d", b"\x05\x58\x0d"), error="not_canonical")
    add("ciphertext shorter than a tag", _with_parts(good, sealed=bytes(15)), error="bad_envelope")
    add("trailing byte", good + b"\0", error="trailing")
    add("truncated", good[:-1], error="truncated")
    add("1,025 bytes", envelope(bytes(1025 - len(good) + len(payload) - 1), topic, device), error="oversize")
    assert len(found[-1]["hex"]) == 2 * 1025
    return found


def _with_parts(data: bytes, *, sealed: bytes | None = None, backwards: bool = False) -> bytes:
    protected, headers, ciphertext = cbor2.loads(data).value
    if backwards:
        headers = dict(reversed(headers.items()))
    return cbor2.dumps(cbor2.CBORTag(16, [protected, headers, ciphertext if sealed is None else sealed]))


def stuffed(body: bytes) -> bytes:
    """COBS by its definition: split at zeros, then write each part in runs of at most 254."""
    out = b""
    for part in body.split(b"\0"):
        while len(part) > 254:
            out += b"\xff" + part[:254]
            part = part[254:]
        out += bytes([len(part) + 1]) + part
    return out


def _frames() -> list[Vector]:
    source = "COBS by its definition (Cheshire and Baker, 1999), CRC-32 by binascii"
    found: list[Vector] = []
    for number, channel in enumerate(_CHANNELS, 1):
        for message in (b"", b"\0", bytes(4), b"\1" * 249, b"\2" * 1024, bytes(range(256)), sha256(channel)):
            body = bytes([number]) + message
            body += binascii.crc32(body).to_bytes(4, "big")
            vector = {"name": f"{channel}, {len(message)} bytes {message[:2].hex()}", "hex": stuffed(body).hex()}
            found.append(vector | {"channel": channel, "message": message.hex(), "source": source})
    short = bytes([1]) + b"abc"
    checked = short + binascii.crc32(short).to_bytes(4, "big")
    ninth = bytes([9]) + b"abc"
    long = bytes([1]) + b"\3" * 1025
    faults = (
        ("run past the end", b"\x09abc", "bad_frame"),
        ("too short for a CRC", stuffed(b"\1\2\3\4"), "bad_frame"),
        ("zero inside", b"\x05\x01\x00\x01\x01", "bad_frame"),
        ("CRC of another frame", stuffed(checked[:-1] + bytes([checked[-1] ^ 1])), "bad_crc"),
        ("unknown channel", stuffed(ninth + binascii.crc32(ninth).to_bytes(4, "big")), "bad_frame"),
        ("message of 1,025 bytes", stuffed(long + binascii.crc32(long).to_bytes(4, "big")), "oversize"),
        ("longer than any frame", b"\x02\x01" * 600, "oversize"),
        ("empty", b"", "bad_frame"),
    )
    return found + [{"name": n, "hex": d.hex(), "error": code, "source": source} for n, d, code in faults]


def _topics() -> list[Vector]:
    good = [f"sabot/v1/lyon/table-7/{channel}" for channel in _CHANNELS] + ["sabot/v1/a/0/event"]
    bad = (
        "", "sabot", "sabot/v1/lyon/table-7", "sabot/v2/lyon/table-7/event", "sabot/v1/lyon/table-7/events",
        "sabot/v1/lyon/table-7/event/x", "/sabot/v1/lyon/table-7/event", "sabot/v1//table-7/event",
        "sabot/v1/Lyon/table-7/event", "sabot/v1/lyon/+/event", "sabot/v1/lyon/#", "sabot/v1/lyon/-7/event",
        "sabot/v1/lyon/table-/event", "sabot/v1/lyon/table_7/event", "sabot/v1/lyon/" + "a" * 33 + "/event",
        "sabot/v1/lyon/täble/event", "Sabot/v1/lyon/table-7/event", "sabot/v1/lyon/table 7/event",
    )  # fmt: skip
    source = "written by hand after the rule in protocol/README.md"
    found: list[Vector] = []
    for topic in good:
        _, _, site, device, channel = topic.split("/")
        found.append({"name": topic, "parts": [site, device, channel], "source": source})
    return found + [{"name": topic, "error": "bad_topic", "source": source} for topic in bad]


def _text_of(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


if __name__ == "__main__":
    raise SystemExit(main())
