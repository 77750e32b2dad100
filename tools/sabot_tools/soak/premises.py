"""What a soak is played in: a house on disk, a broker and a gateway that can be killed, all of it on loopback.

Owns the processes and when they are ready. The broker is the embedded one, outside of the gateway, so that each can die
without the other. Nothing outlives us: both are on a leash.
"""

import asyncio
import os
import signal
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sabot_gateway.broker.embedded import EmbeddedBroker
from sabot_gateway.settings.shape import Address, BrokerProgram, EmbeddedSettings
from sabot_tools.demo.gateway_process import GatewayProcess
from sabot_tools.twin.house import write_house
from sabot_tools.twin.software import digest

SITE: Final = "soak"
# Nothing is late by the clock on the wall: tables play as fast as they can, and gateways are killed on purpose.
_PATIENT: Final = "fastest_ms = 0\nlamps_ms = 60000\nstall_ms = 86400000\nslowest_ms = 86400000"
_LOOK_S: Final = 0.05


class SoakPremises:
    """`open` and `close` are called once each, from the thread that lives longest: leashes end with it."""

    def __init__(self, folder: Path, games: Sequence[str], program: BrokerProgram) -> None:
        self.broker = Address("127.0.0.1", _free_port())
        self._web = Address("127.0.0.1", _free_port())
        self.file = write_house(folder, games, SITE, "127.0.0.1:1", str(self._web), digests=[digest()])
        text = self.file.read_text(encoding="utf-8").replace("fastest_ms = 0", _PATIENT)
        text = text.replace("[embedded]", f'[broker]\nurl = "mqtt://{self.broker}"\n[embedded]')
        self.file.write_text(text, encoding="utf-8")
        self._log = folder / "gateway.log"
        self._embedded = EmbeddedBroker(folder, EmbeddedSettings(self.broker, program))
        self._gateway: GatewayProcess | None = None

    def open(self) -> None:
        self._embedded.start()
        self._gateway = GatewayProcess(self.file, self._log)
        self._gateway.wait_until_ready(self._web)

    async def kill_gateway(self) -> None:
        """SIGKILL; back when the next gateway is ready."""
        assert self._gateway is not None
        os.kill(self._gateway.pid, signal.SIGKILL)
        await asyncio.to_thread(self._gateway.stop)
        self._gateway = GatewayProcess(self.file, self._log)
        await self._until_ready()

    async def kill_broker(self) -> None:
        """SIGKILL; back when the next broker answers and the gateway has found it."""
        pid = self._embedded.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        while self._embedded.pid in (pid, None):
            await asyncio.sleep(_LOOK_S)
        await self._until_ready()

    def check(self) -> None:
        """GatewayFailedError if the gateway has ended by itself."""
        assert self._gateway is not None
        self._gateway.check()

    def stop_gateway(self) -> int:
        assert self._gateway is not None
        return self._gateway.stop()

    def close(self) -> None:
        if self._gateway is not None:
            self._gateway.stop()
        self._embedded.stop()

    async def _until_ready(self) -> None:
        assert self._gateway is not None
        await asyncio.to_thread(self._gateway.wait_until_ready, self._web)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
