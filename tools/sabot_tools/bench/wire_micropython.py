"""Measures the wire on a controller's Python: MicroPython runs this file, `sabot bench` reads what it prints.

One line per operation: name TAB microseconds TAB bytes of garbage. The heap is never collected inside a measurement,
so mem_alloc's growth is exactly what the operation left behind.
"""

import gc as _gc
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

gc: "Any" = _gc  # CPython's module, which type checkers see, lacks MicroPython's functions
gc.collect()
_before = gc.mem_alloc()

from sabot_protocol import codec, envelope  # noqa: E402 - what the imports cost is measured
from sabot_protocol.batch import Batch  # noqa: E402
from sabot_protocol.device_key import DeviceKey  # noqa: E402

_KEY = DeviceKey("table-7", bytes(16))
_UP = "sabot/v1/lyon/table-7/event"
_DOWN = "sabot/v1/lyon/table-7/ack"
_UID = b"\x04\xa1\xb2\xc3\xd4\xe5\x80"
_batch = Batch()

gc.collect()
print("import everything", 0, gc.mem_alloc() - _before, sep="\t")


def one_event() -> None:
    _batch.clear()
    _batch.add("card_scanned", 1193046, 0, _UID)
    _batch.finish(7, 42)


def measure(name: str, work: "Callable[[], Any]", times: int) -> None:
    ticks: Any = time
    work()
    gc.collect()
    gc.disable()
    alloc = gc.mem_alloc()
    work()
    garbage = gc.mem_alloc() - alloc
    gc.enable()
    best = 0
    for _ in range(5):
        gc.collect()
        start = ticks.ticks_us()
        for _ in range(times):
            work()
        took = ticks.ticks_diff(ticks.ticks_us(), start)
        best = took if not best else min(best, took)
    # Tenths of a microsecond, in integers: boards have no 64-bit floats.
    print(name, f"{best // times}.{best * 10 // times % 10}", garbage, sep="\t")


one_event()
_event = bytes(_batch.finish(7, 42))
_ack = codec.encode("ack", {"boot": 7, "upto": 57})
_sealed_ack = envelope.seal(_KEY, _DOWN, _ack)

measure("encode one event", one_event, 200)
measure("seal one event", lambda: envelope.seal(_KEY, _UP, _event), 100)
measure("seal 944 bytes", lambda: envelope.seal(_KEY, _UP, bytes(944)), 20)
measure("open an ack", lambda: envelope.unseal(_KEY, _DOWN, _sealed_ack), 100)
measure("decode an ack", lambda: codec.decode(_ack), 200)
measure("decode one event", lambda: codec.decode(_event), 100)
