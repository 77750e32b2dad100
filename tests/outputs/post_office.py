"""A real HTTP server on loopback that keeps every post and answers as the test wishes."""

import ssl
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

PATIENCE_S = 60


class Post(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes


class PostOffice:
    """`answer` gives the status for the n-th post (from 1); it may block."""

    def __init__(self) -> None:
        self.posts: list[Post] = []
        self.answer: Callable[[int], int] = lambda _: 200
        self.is_keeping_connections = True
        self._changed = threading.Condition()
        self.url = ""

    def take(self, post: Post) -> int:
        with self._changed:
            self.posts.append(post)
            number = len(self.posts)
            self._changed.notify_all()
        return self.answer(number)

    def wait(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.posts) >= count, PATIENCE_S), len(self.posts)

    def wait_for(self, identity: str) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: identity in self.ids, PATIENCE_S), self.ids[-3:]

    @property
    def ids(self) -> list[str]:
        return [post.headers["Sabot-Id"] for post in self.posts]


class _Handler(BaseHTTPRequestHandler):
    office: PostOffice
    protocol_version = "HTTP/1.1"
    timeout = PATIENCE_S

    def do_POST(self) -> None:  # the library's name
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = self.office.take(Post(self.path, dict(self.headers), body))
        self.send_response(status)
        self.send_header("Content-Length", "0")
        if status == 307:
            self.send_header("Location", self.office.url + "/elsewhere")
        if not self.office.is_keeping_connections:
            self.close_connection = True  # without a word: the client finds out at its next post
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the library's name
        """Says nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002  # the library's names
        """A client that hangs up is no fault of the server; a killed one does."""
        if not isinstance(sys.exception(), OSError):
            raise


@contextmanager
def post_office(port: int = 0, certificate: Path | None = None) -> Iterator[PostOffice]:
    """With a certificate (its key beside it) it speaks TLS."""
    office = PostOffice()
    server = _Server(("127.0.0.1", port), type("Handler", (_Handler,), {"office": office}))
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, certificate.with_suffix(".key"))
        server.socket = context.wrap_socket(server.socket, server_side=True)
    office.url = f"{'https' if certificate else 'http'}://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield office
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
