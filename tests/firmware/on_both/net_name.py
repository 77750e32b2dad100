"""A broker's name is asked for over UDP: the messages of RFC 1035, and a server that answers, lies or is not there."""

import asyncio
import socket
import struct

from firmware.on_both.seeded import Seeded
from sabot_firmware.net.name import answer, question, resolve
from sabot_firmware.net.pause import sleep_ms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# A question for gateway.pit, as RFC 1035 (4.1) writes it, and the parts of its answers.
ASKED = b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x07gateway\x03pit\x00\x00\x01\x00\x01"
HEAD = b"\x12\x34\x81\x80\x00\x01\x00\x02\x00\x00\x00\x00\x07gateway\x03pit\x00\x00\x01\x00\x01"
ALIAS = b"\xc0\x0c\x00\x05\x00\x01\x00\x00\x00\x3c\x00\x05\x02gw\xc0\x14"
ADDRESS = b"\x02gw\xc0\x14\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04\x0a\x00\x00\x07"

_socket: "Any" = socket


def test_a_question_is_written_as_the_standard_says() -> None:
    assert question(0x1234, "gateway.pit") == ASKED


def test_an_address_is_found_behind_an_alias() -> None:
    assert answer(0x1234, HEAD + ALIAS + ADDRESS) == "10.0.0.7"


def test_what_is_no_answer_gives_no_address() -> None:
    whole = HEAD + ALIAS + ADDRESS
    assert answer(0x1235, whole) == "", "another question's"
    assert answer(0x1234, whole[:2] + b"\x01\x00" + whole[4:]) == "", "a question"
    assert answer(0x1234, whole[:2] + b"\x81\x83" + whole[4:]) == "", "no such name"
    assert answer(0x1234, HEAD + ALIAS) == "", "an alias alone"
    for size in range(len(whole) - 1):
        assert answer(0x1234, whole[:size]) == ""
    seeded = Seeded(5)
    for _ in range(300):
        noise = bytearray(whole)
        noise[12 + seeded.below(len(noise) - 12)] = seeded.below(256)
        answer(0x1234, bytes(noise))
        answer(0x1234, b"\x12\x34\x81\x80\x00\x01" + seeded.bytes(seeded.below(80)))


class Server:
    """A name server on loopback; `silences` are questions that it leaves unanswered."""

    def __init__(self, silences: int, flags: int = 0x8180) -> None:
        self._silences = silences
        self._flags = flags
        self.questions: list[bytes] = []
        self._door: Any = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
        self._door.setblocking(False)
        self.port = 0
        for port in range(20053, 20953, 9):
            try:
                self._door.bind(_socket.getaddrinfo("127.0.0.1", port)[0][-1])
            except OSError:
                continue  # taken by another
            self.port = port
            break
        assert self.port

    async def run(self) -> None:
        while True:
            await sleep_ms(5)
            try:
                data, sender = self._door.recvfrom(512)
            except OSError:
                continue  # nobody asked
            self.questions.append(data)
            if self._silences:
                self._silences -= 1
                continue
            self._door.sendto(b"\x00\x00noise", sender)
            head = data[:2] + struct.pack(">H", self._flags) + HEAD[4:]
            self._door.sendto(head + ALIAS + ADDRESS, sender)

    def close(self) -> None:
        self._door.close()


async def asked(server: Server) -> str:
    serving = asyncio.create_task(server.run())
    ticks = []

    async def scan() -> None:
        while True:
            ticks.append(1)
            await sleep_ms(5)

    scanning = asyncio.create_task(scan())
    try:
        found = await resolve("gateway.pit", "127.0.0.1", server.port)
    except OSError:
        found = "refused"
    finally:
        serving.cancel()
        scanning.cancel()
        await sleep_ms(0)
        server.close()
    assert len(ticks) > 1, "the scan stood still"
    return found


def test_a_server_answers_and_the_scan_goes_on() -> None:
    server = Server(0)
    assert asyncio.run(asked(server)) == "10.0.0.7"
    assert server.questions[0][2:] == ASKED[2:]


def test_a_lost_question_is_asked_again_under_another_number() -> None:
    server = Server(1)
    assert asyncio.run(asked(server)) == "10.0.0.7"
    assert len(server.questions) == 2


def test_a_name_that_nobody_knows_is_an_error() -> None:
    assert asyncio.run(asked(Server(0, 0x8183))) == "refused"
