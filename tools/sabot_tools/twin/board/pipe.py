"""A controller on MicroPython, steered through a pipe: which tags lie where, which key is held; and back: what shines.

    micropython pipe.py CONF KEY FOLDER HOST PORT [SERVER_NAME]

With a name to find in the broker's certificate, the line is TLS; FOLDER holds the certificates as a board's flash does.
Reads one order per line and answers each with one line; runs the whole application with its own MQTT client meanwhile.

    put READER ANTENNA [UID …]   lay tags              hold KEY            hold a key, -1 for none
    pass TURNS STEP_MS           let time pass         look TICKS STEP_MS  pass time and tell pixels and rows
    door 0|1                     move the door         break READER 0|1    let a reader fall silent
    restart CAUSE                power fails           plug 0|1            pull the cable
    rest                         say what waits        leave               say goodbye and end
"""

# MicroPython has no pathlib, and what this script prints is its answer.
# ruff: noqa: PTH123

import asyncio
import sys
from binascii import hexlify, unhexlify

from sabot_firmware.net.mqtt_link import MqttLink
from sabot_firmware.net.pause import sleep_ms
from sabot_firmware.net.stream import Certificates
from sabot_tools.twin.board.bench import Bench

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_asyncio: "Any" = asyncio
_sys: "Any" = sys


class Cable:
    """The network of the machine: there unless somebody pulls it out."""

    name = "ethernet"

    def __init__(self) -> None:
        self.is_plugged = True

    def poll(self, now_ms: int) -> bool:
        return self.is_plugged and now_ms >= 0

    def rssi(self) -> "int | None":
        return None


class Inbox:
    """What the link tells, to whichever application runs on the bench now; counts it."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.received_count = 0

    def status(self, state: str, connection: int) -> bytes:
        return self._bench.app.status(state, connection)

    def received(self, channel: str, data: bytes) -> None:
        self._bench.app.received(channel, data)
        self.received_count += 1

    def refused(self, channel: str, code: str) -> None:
        self._bench.app.refused(channel, code)


class Pipe:
    """Obeys one order after the other."""

    def __init__(self, bench: Bench, cable: Cable, inbox: Inbox) -> None:
        self._bench = bench
        self._cable = cable
        self._inbox = inbox
        self.is_over = False

    async def obey(self, words: "list[str]") -> str:
        """Carry out one order; the answer."""
        bench, shelf = self._bench, self._bench.shelf
        verb, numbers = words[0], words[1:]
        if verb == "put":
            shelf.put(int(numbers[0]), int(numbers[1]), tuple([unhexlify(uid) for uid in numbers[2:]]))
        elif verb == "hold":
            shelf.hold(int(numbers[0]))
        elif verb == "pass":
            await self._pass(int(numbers[0]), int(numbers[1]))
        elif verb == "look":
            return await self._look(int(numbers[0]), int(numbers[1]))
        elif verb == "door":
            shelf.door_pin(int(numbers[0]))
        elif verb == "break":
            shelf.shelves[int(numbers[0])].is_broken = numbers[1] == "1"
        elif verb == "plug":
            self._cable.is_plugged = numbers[0] == "1"
            while bench.link.is_up != self._cable.is_plugged:
                await sleep_ms(20)
        elif verb == "restart":
            bench.restart(numbers[0])
        elif verb == "leave":
            if bench.link.is_up:
                bench.link.send("status", bench.app.status("leaving", bench.link.connection))
            await bench.link.close()
            self.is_over = True
        return "ok " + str(bench.clock.us // 1000) + " " + str(bench.waiting) + " " + str(self._inbox.received_count)

    async def _pass(self, turns: int, step_ms: int) -> None:
        for turn in range(turns):
            self._bench.turn(1000 * step_ms)
            if turn % 16 == 15:
                await sleep_ms(0)
        self._bench.send()
        await sleep_ms(0)

    async def _look(self, ticks: int, step_ms: int) -> str:
        bench = self._bench
        seen = [hexlify(pixels).decode() or "-" for pixels in bench.glance(ticks, 1000 * step_ms)]
        bench.send()
        await sleep_ms(0)
        rows = hexlify(" ".join(bench.shelf.rows()).encode()).decode() or "-"
        return (
            "saw "
            + str(bench.clock.us // 1000)
            + " "
            + str(self._inbox.received_count)
            + " "
            + rows
            + " "
            + " ".join(seen)
        )


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


async def serve(arguments: "list[str]") -> None:
    """Until told to leave."""
    conf, key, folder, host, port = arguments[:5]
    config, secret = _content(conf), _content(key)
    names = dict([line.split(" = ") for line in config.decode().split("\n") if line.count(" = ") == 1])
    cable = Cable()
    certificates = None
    if arguments[5:]:
        ca, own, own_key = [_content(folder + "/" + name) for name in ("ca.der", "client.der", "client.key.der")]
        certificates = Certificates(ca, own, own_key, arguments[5])
    link = MqttLink(names["site"], names["device"], (host, int(port)), cable, certificates)
    bench = Bench(config, secret, folder, link)
    inbox = Inbox(bench)
    runs = asyncio.create_task(link.run(inbox))
    pipe = Pipe(bench, cable, inbox)
    orders = _asyncio.StreamReader(_sys.stdin)
    print("ready")
    while not pipe.is_over:
        line = await orders.readline()
        if not line:
            break
        print(await pipe.obey(line.decode().split()))
    runs.cancel()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1:]))
