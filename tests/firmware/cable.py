"""A network cable that a test can cut: a TCP relay that can fall silent, hang up, or refuse."""

import contextlib
import socket
import threading
import time

from services.process import free_port


class Cable:
    """Relays `port` to wherever `target` says; `is_silent` swallows bytes as a dead network does."""

    def __init__(self, target: int) -> None:
        self.port = free_port()
        self.target = target
        self.is_silent = False
        self._is_closed = False
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self._door = socket.create_server(("127.0.0.1", self.port), backlog=16)
        threading.Thread(target=self._accept, daemon=True).start()

    def hang_up(self) -> None:
        """Close every connection at once."""
        with self._lock:
            sockets, self._sockets = self._sockets, []
        for each in sockets:
            _close(each)

    def close(self) -> None:
        self._is_closed = True
        _close(self._door)
        self.hang_up()

    def _accept(self) -> None:
        while not self._is_closed:
            try:
                near, _ = self._door.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.target), timeout=5)
            except OSError:
                _close(near)
                continue
            far.settimeout(None)
            for each in (near, far):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self._sockets += [near, far]
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._relay, args=(source, sink), daemon=True).start()

    def _relay(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(4096):
                while self.is_silent:
                    time.sleep(0.01)
                    if source.fileno() < 0:
                        return
                sink.sendall(data)
        for each in (source, sink):
            _close(each)


def _close(each: socket.socket) -> None:
    with contextlib.suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
    each.close()
