"""The one interface of every RFID reader, and what its caller may rely on.

    reader.start(antenna)         begin an inventory of that antenna; one under way is abandoned
    reader.poll(now_ms)           one short step: None while busy, then the tuple of UIDs in the field, once
    reader.reset()                start the chip from scratch at the next poll
    reader.self_test()            reset, then prove chip and bus; poll gives () when all is well
    reader.is_busy                whether poll has something to do
    reader.limit                  as many UIDs as one inventory can tell; that many may mean more
    reader.refused                tags that answered nonsense and were left out, ever
    reader.errors                 ReaderErrors raised, ever

poll never waits: a step takes under 2 ms of bus time on the named boards (the budget is 20 ms). It raises
ReaderError with a closed code and nothing else, then resets the chip by itself with the next polls; the
inventory that failed is lost, and the caller starts another. Ticks may wrap.
A UID is given with its most significant byte first where the standard has such an order (ISO 15693: E0 first)
and in order of transmission otherwise (ISO 14443: NFCID1 byte 0 first). No UID is given twice in one inventory.

Owns the interface's type; no code.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Reader(Protocol):
        """See the head of this file."""

        limit: int
        errors: int
        is_busy: bool

        @property
        def refused(self) -> int: ...

        def start(self, antenna: int) -> None: ...
        def poll(self, now_ms: int) -> tuple[bytes, ...] | None: ...
        def reset(self) -> None: ...
        def self_test(self) -> None: ...
