"""`EmbeddedBroker`: a broker of the gateway's own, started, watched, started again if it dies, and stopped.

Owns the child process and the thread that watches it. The child lives on a leash: it ends with the gateway, even with a
killed one. It needs no root, listens on loopback unless told otherwise, and keeps everything in the data folder.
"""

import contextlib
import errno
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from sabot_gateway.broker import leash
from sabot_gateway.broker.hold import Hold
from sabot_gateway.broker.program import Program, find_program
from sabot_gateway.broker.recipe import mosquitto_settings, nats_settings
from sabot_gateway.data_folder import make_private
from sabot_gateway.errors import StartError
from sabot_gateway.mqtt.port import BrokerSettings
from sabot_gateway.mqtt.retry import Retry
from sabot_gateway.settings.shape import Address, BrokerProgram, EmbeddedSettings

_START_S: Final = 60.0  # for a broker with a large store on a slow disk; a healthy one takes a tenth of a second
_STOP_S: Final = 10.0
_EARLIER_S: Final = 30.0  # for the broker of a gateway that was killed, which is told to end by the kernel
_LOOK_S: Final = 0.02
_FIRST_RETRY_MS: Final = 250
_LONGEST_RETRY_MS: Final = 15_000
_MAX_LOG: Final = 1 << 20  # bytes; a longer log is begun anew when the broker starts
_ANYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # named to be replaced: nobody connects to it

OnTrouble = Callable[[str], None]


def _keep_silent(sentence: str) -> None:
    """Where nobody wants to hear."""


class EmbeddedBroker:
    """`start` and `stop` are called once each."""

    def __init__(self, data: Path, settings: EmbeddedSettings, on_trouble: OnTrouble = _keep_silent) -> None:
        self._settings = settings
        self._folder = data / "broker"
        self._on_trouble = on_trouble
        self._retry = Retry(_FIRST_RETRY_MS, _LONGEST_RETRY_MS)
        self._stopping = threading.Event()
        self._settled = threading.Event()  # the first start came to an end, good or bad
        self._failure: StartError | None = None
        self._thread: threading.Thread | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._hold: Hold | None = None

    @property
    def pid(self) -> int | None:
        """The child's, while there is one."""
        return self._child.pid if self._child else None

    def settings(self, site: str, gateway: str) -> BrokerSettings:
        """How the gateway connects to it."""
        listen = self._settings.listen
        return BrokerSettings(site, gateway, _ANYWHERE.get(listen.host, listen.host), listen.port)

    def start(self) -> None:
        """Returns when the broker answers; StartError says in a sentence why it does not."""
        assert self._thread is None, "a broker is started once"
        program = find_program(self._settings.program)
        command = self._prepare(program)
        self._hold = Hold(self._folder, _EARLIER_S)
        try:
            self._launch(program, command)
        except StartError:
            self._hold.release()
            raise

    def _launch(self, program: Program, command: list[str]) -> None:
        _refuse_taken(self._settings.listen)
        # The kernel tells a child of the death of the *thread* that started it: this one lives until `stop`.
        self._thread = threading.Thread(target=self._watch, args=(program, command), name="broker", daemon=True)
        self._thread.start()
        self._settled.wait()
        if self._failure:
            self._thread.join()
            raise self._failure

    def stop(self) -> None:
        """Ends the child, in good order if it will, and the watching."""
        self._stopping.set()
        if self._thread:
            self._thread.join()
        if self._hold is not None:
            self._hold.release()

    def _prepare(self, program: Program) -> list[str]:
        """Writes the broker's settings; the command that starts it."""
        store = self._folder / program.kind.value
        file = self._folder / f"{program.kind.value}.conf"
        listen = self._settings.listen
        make_private(self._folder)
        make_private(store)
        if program.kind is BrokerProgram.NATS:
            text = nats_settings(store, listen, secrets.token_urlsafe())
        else:
            text = mosquitto_settings(store, listen, is_root=os.geteuid() == 0)
        try:
            file.touch(0o600)
            file.write_text(text)
        except OSError as error:
            raise StartError(f"{file} cannot be written ({error.strerror or error}).") from error
        return [program.path, "-c", str(file)]

    def _watch(self, program: Program, command: list[str]) -> None:
        while not self._stopping.is_set():
            began = time.monotonic()
            trouble = self._run(program, command)
            if not self._settled.is_set():
                self._failure = StartError(trouble)
                self._settled.set()
                return
            if self._stopping.is_set():
                return
            if (time.monotonic() - began) * 1000 > _LONGEST_RETRY_MS:
                self._retry.succeeded()
            wait_ms = self._retry.failed()
            self._on_trouble(f"{trouble} It is started again in {wait_ms} ms.")
            self._stopping.wait(wait_ms / 1000)

    def _run(self, program: Program, command: list[str]) -> str:
        """One life of the child; the sentence on its end."""
        log = self._folder / f"{program.kind.value}.log"
        assert self._hold is not None, "only a broker that holds the folder runs"
        try:
            with contextlib.suppress(FileNotFoundError):
                if log.stat().st_size > _MAX_LOG:
                    log.unlink()
            with log.open("ab") as output:
                self._child = subprocess.Popen(  # noqa: S603  # paths that the gateway found itself, and no shell
                    [sys.executable, "-I", "-S", leash.__file__, str(os.getpid()), *command],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    cwd=self._folder,
                    pass_fds=(self._hold.fd,),
                    start_new_session=True,  # Ctrl-C is for the gateway, which drains before it stops the broker
                )
        except OSError as error:
            return f"The embedded broker {program.name} cannot be started ({error.strerror or error})."
        child = self._child
        try:
            if not self._settled.is_set():
                if not self._wait_until_it_answers(child):
                    _end(child)
                    return f"The embedded broker {program.name} did not start: {_last_words(log)}."
                self._settled.set()
            while child.poll() is None and not self._stopping.is_set():
                # Not `child.wait()`: `stop` must be heard at once, and there is no waiting for both.
                self._stopping.wait(0.25)
            _end(child)
        finally:
            self._child = None
        return f"The embedded broker {program.name} ended: {_last_words(log)}."

    def _wait_until_it_answers(self, child: subprocess.Popen[bytes]) -> bool:
        limit = time.monotonic() + _START_S
        listen = self._settings.listen
        target = (_ANYWHERE.get(listen.host, listen.host), listen.port)
        while child.poll() is None and time.monotonic() < limit and not self._stopping.is_set():
            with contextlib.suppress(OSError), socket.create_connection(target, timeout=1):
                return True
            time.sleep(_LOOK_S)
        return False


def _refuse_taken(listen: Address) -> None:
    """Says in our words what the broker would say in its own: that it cannot listen there."""
    where = f"The embedded broker cannot listen on {listen}"
    family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((listen.host, listen.port))
    except socket.gaierror as error:
        raise StartError(f"{where}: the name has no address.") from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise StartError(f"{where}: another program does.") from error
        raise StartError(f"{where} ({error.strerror or error}).") from error


def _end(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    try:
        child.wait(_STOP_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _last_words(log: Path) -> str:
    """The last line that the broker wrote, which is where it says why."""
    try:
        lines = log.read_bytes()[-4096:].decode("utf-8", "replace").split("\n")
    except OSError:
        lines = []
    spoken = [line.strip().rstrip(".") for line in lines if line.strip()]
    return spoken[-1] if spoken else "it says nothing"
