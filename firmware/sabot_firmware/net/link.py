"""The one interface of every way to the gateway, and what the application may rely on.

    link.run(inbox)           a coroutine that never returns: connects, serves, and connects again
    link.is_up                messages can be sent now
    link.connection           counter of connections within this boot; it has grown when is_up turns true
    link.send(channel, data)  take one sealed message for sending; False when it cannot be taken now. Never waits
    link.drops                connections lost, ever
    link.is_idle              everything taken has left
    link.rssi()               strength of the radio signal in dBm, or None
    link.close()              a coroutine: what waits leaves, then an orderly goodbye

The inbox is the application:

    inbox.status(state, connection)   the sealed status message of that state, for birth and last will
    inbox.received(channel, data)     one sealed message came; whatever it holds, this does not raise
    inbox.refused(channel, code)      something came that is no message of the wire; `code` as in sabot_protocol.errors

Owns the types; no code.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Inbox(Protocol):
        """What a link tells; see the head of this file."""

        def status(self, state: str, connection: int) -> bytes: ...
        def received(self, channel: str, data: bytes) -> None: ...
        def refused(self, channel: str, code: str) -> None: ...

    class Link(Protocol):
        """What the application asks; see the head of this file."""

        is_up: bool
        connection: int
        drops: int

        @property
        def is_idle(self) -> bool: ...
        async def run(self, inbox: Inbox) -> None: ...
        def send(self, channel: str, data: bytes) -> bool: ...
        def rssi(self) -> int | None: ...
        async def close(self) -> None: ...

    class Bearer(Protocol):
        """A network interface: Wi-Fi, Ethernet, or a host's own. poll() never waits."""

        name: str

        def poll(self, now_ms: int) -> bool: ...
        def rssi(self) -> int | None: ...
