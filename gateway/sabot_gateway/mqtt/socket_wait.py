"""Waiting for a socket or for another thread, whichever comes first.

Owns the bell (an eventfd) and the poll. Any thread may ring; one thread waits. Poll and not select: a gateway with many
pages open has descriptors that select cannot hold.
"""

import os
import select
import socket
import ssl
import weakref
from typing import Final

_TICK_MS: Final = 1_000  # how often the waiting thread looks at its keep-alive
_FAILED: Final = select.POLLERR | select.POLLHUP | select.POLLNVAL


class SocketWait:
    """The network thread's place to sleep."""

    def __init__(self) -> None:
        self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        weakref.finalize(self, os.close, self._bell)  # not before: a late ringer must not write into somebody's file
        self._is_rung = False
        self._poll = select.poll()
        self._poll.register(self._bell, select.POLLIN)
        self._socket: socket.socket | None = None
        self._mask = 0

    def wake(self) -> None:
        """Ends the wait, or the next one; costs nothing while somebody else's ring is still unheard."""
        if not self._is_rung:
            self._is_rung = True
            os.eventfd_write(self._bell, 1)

    def until_ready(self, sock: object, *, reads: bool, writes: bool) -> bool:
        """Waits for the socket, a ring or a tick; whether there is something to read (or to learn: that it failed)."""
        assert isinstance(sock, socket.socket)
        if reads and isinstance(sock, ssl.SSLSocket) and sock.pending():
            return True  # decrypted already: the poll knows nothing of it
        self._watch(sock, (select.POLLIN if reads else 0) | (select.POLLOUT if writes else 0))
        is_readable = False
        for descriptor, events in self._poll.poll(_TICK_MS):
            if descriptor == self._bell:
                self._hear()
            elif events & (select.POLLIN | _FAILED):
                is_readable = True
        return is_readable

    def until_woken(self, timeout_s: float) -> None:
        """Waits for a ring while there is no socket."""
        self._forget()
        if self._poll.poll(int(timeout_s * 1000) + 1):
            self._hear()

    def _hear(self) -> None:
        # In this order: a ring between the two is for orders that are about to be read anyway. The other way round it
        # would be emptied unheard and, still marked as rung, keep every later ring from being made.
        os.eventfd_read(self._bell)
        self._is_rung = False

    def _watch(self, sock: socket.socket, mask: int) -> None:
        if sock is not self._socket:
            self._forget()
            self._poll.register(sock, mask)
            self._socket, self._descriptor, self._mask = sock, sock.fileno(), mask
        elif mask != self._mask:
            self._poll.modify(sock, mask)
            self._mask = mask

    def _forget(self) -> None:
        if self._socket is not None:
            self._poll.unregister(self._descriptor)  # the socket itself may be closed and have none any more
            self._socket = None
