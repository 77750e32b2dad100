"""What the wire costs: encode, seal, open and decode on the gateway's Python and on a controller's.

On CPython each figure stands beside cbor2 or `cryptography` doing the bare work in the same run; on MicroPython
beside the heap of a small board. The MicroPython rows need the interpreter of a checkout (setup/micropython.sh).
"""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import cbor2
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

from sabot_protocol import codec, envelope
from sabot_protocol.device_key import DeviceKey
from sabot_tools.bench.row import Row

ROOT: Final = Path(__file__).resolve().parents[3]
LAUNCHER: Final = ROOT / ".tools" / "micropython" / "run"
HEAP: Final = 128 * 1024  # bytes, the whole heap of a controller

_ROUNDS: Final = 25
_TIMES: Final = 300
_TOPIC: Final = "sabot/v1/lyon/table-7/event"


def measure() -> list[Row]:
    """Rows for one event and ten on CPython, then for a controller."""
    return [*_gateway(1), *_gateway(10), *_controller()]


def _gateway(count: int) -> list[Row]:
    uid = bytes.fromhex("04a1b2c3d4e580")
    events = [("card_scanned", {"device_ms": 1_193_046 + n, "reader": 0, "uid": uid}) for n in range(count)]
    values = {"boot": 7, "first": 42, "events": events}
    data = codec.encode("event", values)
    tree = cbor2.loads(data)
    key, ccm = DeviceKey("table-7", bytes(16)), AESCCM(bytes(16), tag_length=16)
    sealed = envelope.seal(key, _TOPIC, data)
    nonce, aad = bytes(13), _TOPIC.encode()
    bare = ccm.encrypt(nonce, data, aad)
    what = f"CPython, {count} event{'s' if count > 1 else ''}"
    return [
        _row(f"encode ({what})", lambda: codec.encode("event", values), "cbor2, canonical",
             lambda: cbor2.dumps(tree, canonical=True)),
        _row(f"decode ({what})", lambda: codec.decode(data), "cbor2, nothing checked", lambda: cbor2.loads(data)),
        _row(f"decode ({what})", lambda: codec.decode(data), "our own reader", lambda: codec.decode_plainly(data)),
        _row(f"seal ({what})", lambda: envelope.seal(key, _TOPIC, data), "bare AESCCM with its nonce",
             lambda: ccm.encrypt(os.urandom(13), data, aad)),
        _row(f"open ({what})", lambda: envelope.unseal(key, _TOPIC, sealed), "bare AESCCM",
             lambda: ccm.decrypt(nonce, bare, aad)),
    ]  # fmt: skip


def _row(name: str, ours: Callable[[], object], against: str, theirs: Callable[[], object]) -> Row:
    # Rounds alternate, so that a busy machine slows both; the best round counts, as noise only ever adds.
    took = peer = float("inf")
    for _ in range(_ROUNDS):
        took, peer = min(took, _round_us(ours)), min(peer, _round_us(theirs))
    return Row(name, f"{took:.1f}", "µs", f"{against} {peer:.1f} µs", f"{took / peer:.2f}")


def _round_us(work: Callable[[], object]) -> float:
    start = time.perf_counter_ns()
    for _ in range(_TIMES):
        work()
    return (time.perf_counter_ns() - start) / _TIMES / 1000


def _controller() -> list[Row]:
    if not LAUNCHER.exists():
        return [Row("MicroPython", "missing", "", "run setup/micropython.sh", "")]
    script = Path(__file__).with_name("wire_micropython.py")
    output = subprocess.run(  # noqa: S603 - our own script, with the interpreter that the set-up installed
        [str(LAUNCHER), "-X", f"heapsize={HEAP}", str(script)],
        env={**os.environ, "MICROPYPATH": f".frozen:{ROOT / 'protocol'}"},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout
    rows: list[Row] = []
    for line in output.splitlines():
        name, took, garbage = line.split("\t")
        share = f"{int(garbage) / HEAP:.4f}"
        if took != "0":
            rows.append(Row(f"{name} (MicroPython)", took, "µs", "", ""))
        rows.append(Row(f"{name} (MicroPython)", garbage, "bytes of heap", f"heap of {HEAP // 1024} KiB", share))
    return rows
