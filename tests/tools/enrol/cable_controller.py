"""A controller at the end of a pseudo-terminal: the firmware's own outbox, batches and frames, and no table.

Nobody acknowledges it, so it falls silent after a few messages unless it is asked to go on.
"""

import os
import select
import threading
import time
import tty
from typing import Any

from sabot_firmware.fake.flash_store import FlashStore
from sabot_firmware.orders import Orders
from sabot_firmware.uplink import Uplink
from sabot_protocol.codec import decode, encode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal, unseal
from sabot_protocol.frames import Deframer, frame
from sabot_protocol.topics import build_topic


class _Memory:
    def __init__(self) -> None:
        self.command = 0

    def is_new(self, command: int) -> bool:
        return command > self.command

    def keep(self, command: int, utc_s: int = 0) -> None:
        self.command, self.utc_s = command, utc_s


class CableController:
    """What the firmware's application is to its orders and its link, as far as a cable shows it."""

    def __init__(self, site: str, device: str, secret: bytes) -> None:
        self._began = time.monotonic()
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._site = site
        self._key = DeviceKey(device, secret)
        self._lock = threading.RLock()
        self.uplink = Uplink(FlashStore(4096, 8), self._key, site, self._uptime)
        self.memory = _Memory()
        self.acks = 0
        self.is_up, self.connection = True, 1
        self._orders = Orders(self)  # type: ignore[arg-type]  # all that a resend asks of the application
        self._is_over = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def record(self, name: str, *values: Any) -> None:
        with self._lock:
            self.uplink.record(name, *values)

    def announce(self) -> None:
        """The birth, as it is repeated every half minute."""
        topic = build_topic(self._site, self._key.device, "status")
        values = {"state": "online", "boot": 1, "connection": 1}
        self._write(frame("status", seal(self._key, topic, encode("status", values))))

    def send(self, channel: str, data: bytes) -> bool:
        """The link that the uplink sends through."""
        self._write(frame(channel, data))
        return True

    def noise(self) -> None:
        self._write(b"\x07\x00garbage\x00")

    def stop(self) -> None:
        if not self._is_over:
            self._is_over = True
            self._thread.join()
            os.close(self._master)
            os.close(self._slave)

    def _run(self) -> None:
        deframer = Deframer()
        while not self._is_over:
            if select.select([self._master], [], [], 0.005)[0]:
                for channel, message in deframer.feed(os.read(self._master, 1024)):
                    self._obey(channel, message)
            with self._lock:
                self.uplink.turn(self._uptime(), self)  # type: ignore[arg-type]  # the part of a link that it uses

    def _obey(self, channel: str, message: bytes) -> None:
        topic = build_topic(self._site, self._key.device, channel)
        _, values = decode(unseal(self._key, topic, message), channel)
        if channel != "command":
            self.acks += 1
            return
        name, order = values["body"]
        with self._lock:
            self._orders.obey(values["number"], name, order)

    def _uptime(self) -> int:
        return int((time.monotonic() - self._began) * 1000)

    def _write(self, data: bytes) -> None:
        os.write(self._master, data)
