"""A controller on MicroPython: one process per table, steered through its standard input (`board/pipe.py`).

Owns the process and the order of lines. Orders that need no answer at once are gathered and sent with the next that
does; every line is answered by one line.
"""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import sabot_tools
from sabot_tools.twin.controller import Seen
from sabot_tools.twin.rig import StuckError

HEAP: Final = "4m"  # the release runs within 128 KiB from its image; here it is compiled from source at the start
POLL_S: Final = 0.02
END_S: Final = 10
_ENDED: Final = "a controller on MicroPython ended by itself."
PIPE: Final = Path(__file__).parent / "board" / "pipe.py"


class PipeController:
    """Started by `start`; `launcher` is a MicroPython of the unix port."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._orders: list[str] = []
        self._heard = 0
        self._seen_heard = 0
        self.now_ms = 0
        self.waiting = 0
        self.is_up = True  # as far as is known from here

    @classmethod
    async def start(
        cls, launcher: Path, conf: Path, key: Path, folder: Path, broker: tuple[str, int], server_name: str = ""
    ) -> "PipeController":
        process = await asyncio.create_subprocess_exec(
            str(launcher),
            "-X",
            f"heapsize={HEAP}",
            str(PIPE),
            *(str(path) for path in (conf, key, folder)),
            broker[0],
            str(broker[1]),
            *([server_name] if server_name else []),
            stdin=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for whoever plays; a controller ends when its pipe does
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **_search_path()},
        )
        made = cls(process)
        await made._line()
        return made

    def put(self, reader: int, antenna: int, uids: tuple[bytes, ...]) -> None:
        self._orders.append(f"put {reader} {antenna} {' '.join(uid.hex() for uid in uids)}")

    def hold(self, key: int) -> None:
        self._orders.append(f"hold {key}")

    def move_door(self, is_open: bool) -> None:
        self._orders.append(f"door {int(is_open)}")

    def break_reader(self, reader: int, is_broken: bool) -> None:
        self._orders.append(f"break {reader} {int(is_broken)}")

    async def pass_turns(self, turns: int, step_ms: int) -> None:
        await self._ask(f"pass {turns} {step_ms}")

    async def look(self, ticks: int, step_ms: int) -> Seen:
        words = (await self._ask(f"look {ticks} {step_ms}")).split()
        text = "" if words[3] == "-" else bytes.fromhex(words[3]).decode()
        return Seen([b"" if word == "-" else bytes.fromhex(word) for word in words[4:]], text)

    async def wake(self, seconds: float) -> bool:
        ends = asyncio.get_running_loop().time() + seconds
        while self._heard == self._seen_heard and asyncio.get_running_loop().time() < ends:
            await asyncio.sleep(POLL_S)
            await self._ask("pass 0 0")
        has_come = self._heard != self._seen_heard
        self._seen_heard = self._heard
        return has_come

    async def restart(self, cause: str) -> None:
        await self._ask(f"restart {cause}")

    async def plug(self, is_in: bool) -> None:
        await self._ask(f"plug {int(is_in)}")

    async def leave(self) -> None:
        try:
            await self._ask("leave")
        except StuckError:
            return  # it has ended already: there is nobody to say goodbye to
        finally:
            await self._end()

    async def _end(self) -> None:
        """It ends by itself when its pipe does; a kill just then would take its exit code from whoever waits for it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(END_S):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    async def _ask(self, order: str) -> str:
        orders, self._orders = [*self._orders, order], []
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(("\n".join(orders) + "\n").encode())
            await self._process.stdin.drain()
        except ConnectionError as error:
            raise StuckError(_ENDED) from error
        answer = ""
        for _ in orders:
            answer = await self._line()
        words = answer.split()
        self.now_ms = int(words[1])
        if words[0] == "ok":
            self.waiting, self._heard = int(words[2]), int(words[3])
        else:
            self._heard = int(words[2])
        return answer

    async def _line(self) -> str:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise StuckError(_ENDED)
        return line.decode()


def _search_path() -> Mapping[str, str]:
    """Where MicroPython finds the release and the twin: beside this file, in a source tree or an installation."""
    tools = Path(sabot_tools.__file__).parents[1]
    roots = [tools, *(tools.parent / name for name in ("protocol", "firmware"))]
    return {"MICROPYPATH": ":".join([".frozen", *map(str, roots)])}
