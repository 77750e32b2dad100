"""One port of the bridge: opened when it is there, read, written, opened again when it comes back.

Owns the thread of one port and what is known of it. It holds no key: it looks at the name on an envelope and passes the
bytes on as they are. Reading waits while the broker takes nothing (back-pressure); what waits to go down is bounded by
what the broker lets under way, and of two acks or two lamp pictures for one controller only the newer is sent.
A frame down begins in a pause of the line, because two wires of RS-485 carry one direction at a time.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sabot_protocol.frames import Deframer, frame
from sabot_protocol.topics import UP
from sabot_tools.field.port import Port
from sabot_tools.field.sealed import holder_of
from sabot_tools.field.trouble import FieldError

MOST_DEVICES: Final = 32  # RS-485: unit loads on one line
_LOOK_S: Final = 0.5  # how often a port that is not there is looked for
_READ_S: Final = 0.02
_QUIET_S: Final = 0.01  # twice the turn of a controller's own line (firmware: serial_link.py)
_LEVELS: Final = ("ack", "lamps")  # the newest says it all
_GONE_S: Final = 120.0  # four births of a controller (firmware: serial_link.py)


@dataclass(frozen=True, slots=True)
class Down:
    """A message for a controller; `settle` tells the broker that it was delivered, or is not needed any more."""

    device: str
    channel: str
    message: bytes
    settle: Callable[[], None]


@dataclass(frozen=True, slots=True)
class PortStatus:
    """A port at one moment."""

    port: str
    state: str  # waiting (for the port), open, refused (why is in `reason`)
    devices: tuple[str, ...] = ()
    up: int = 0
    down: int = 0
    damaged: int = 0
    reason: str = ""


class Carrier:
    """`carry_up(device, channel, message)` returns when the broker's queue took it; False when the bridge stops."""

    def __init__(
        self,
        path: str,
        baud: int,
        carry_up: Callable[[str, str, bytes], bool],
        on_devices: Callable[[], None],
        on_status: Callable[[PortStatus], None],
    ) -> None:
        self.path = path
        self._baud = baud
        self._carry_up = carry_up
        self._on_devices = on_devices
        self._on_status = on_status
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._waiting: list[Down] = []
        self._heard: dict[str, float] = {}  # device -> when
        self._up = self._down = self._damaged = 0
        self._told = PortStatus(path, "")
        self._thread = threading.Thread(target=self._run, name=f"port {path}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join()

    @property
    def devices(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(sorted(self._heard))

    def take(self, message: Down) -> bool:
        """Takes what goes down; False when its controller is not on this line."""
        with self._lock:
            if message.device not in self._heard:
                return False
            older = [
                each
                for each in self._waiting
                if message.channel in _LEVELS and (each.device, each.channel) == (message.device, message.channel)
            ]
            self._waiting = [each for each in self._waiting if each not in older]
            self._waiting.append(message)
        for each in older:
            each.settle()
        return True

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                port = Port(self.path, self._baud)
            except FieldError as error:
                self._tell("waiting", str(error))
                self._stopping.wait(_LOOK_S)
                continue
            self._tell("open")
            try:
                self._carry(port)
            except FieldError as error:
                self._forget()
                self._tell("waiting", str(error))
            finally:
                port.close()
        self._forget()

    def _carry(self, port: Port) -> None:
        deframer = Deframer()
        heard = 0.0
        while not self._stopping.is_set():
            # Short looks while something waits to go down, so that a pause is used as soon as it comes.
            data = port.read(4096, time.monotonic() + (0.0 if self._waiting else _READ_S))
            now = time.monotonic()
            if data:
                heard = now
                for channel, message in deframer.feed(data):
                    if not self._pass_up(channel, message, now):
                        return
                if deframer.refused != self._damaged:
                    self._damaged = deframer.refused
            elif now - heard >= _QUIET_S:
                self._send_one(port)
            self._drop_silent(now)

    def _pass_up(self, channel: str, message: bytes, now: float) -> bool:
        device = holder_of(message)
        if device is None or channel not in UP:
            return True  # an echo of what went down, or noise that looks like a frame
        with self._lock:
            is_new = device not in self._heard
            if is_new and len(self._heard) >= MOST_DEVICES:
                return True  # somebody invents names: no line has so many
            self._heard[device] = now
        if is_new:
            self._on_devices()
            self._tell("open")
        self._up += 1
        return self._carry_up(device, channel, message)

    def _send_one(self, port: Port) -> None:
        with self._lock:
            message = self._waiting[0] if self._waiting else None
        if message is None:
            return
        port.write(frame(message.channel, message.message))
        with self._lock:
            is_there = message in self._waiting
            if is_there:
                self._waiting.remove(message)
        self._down += 1
        if is_there:
            message.settle()

    def _drop_silent(self, now: float) -> None:
        with self._lock:
            gone = [device for device, heard in self._heard.items() if now - heard > _GONE_S]
        if gone:
            self._forget(gone)
            self._tell("open")

    def _forget(self, devices: list[str] | None = None) -> None:
        """These controllers (all) are not on this line any more: what waits for them is not needed."""
        with self._lock:
            gone = list(self._heard) if devices is None else devices
            for device in gone:
                self._heard.pop(device, None)
            dropped = [each for each in self._waiting if each.device in gone]
            self._waiting = [each for each in self._waiting if each.device not in gone]
        for each in dropped:
            each.settle()
        if gone:
            self._on_devices()

    def _tell(self, state: str, reason: str = "") -> None:
        status = PortStatus(self.path, state, self.devices, self._up, self._down, self._damaged, reason)
        if (status.state, status.devices, status.reason) != (self._told.state, self._told.devices, self._told.reason):
            self._told = status
            self._on_status(status)
