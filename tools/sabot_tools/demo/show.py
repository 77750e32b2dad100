"""The show: five tables played side by side for as long as anybody looks, and their book held against the gateway's.

Owns the run. A table whose people get stuck (somebody at the page voided the coup under their hands) is left, taken
over by its head and opened again; the others do not notice.
"""

import asyncio
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from sabot_gateway.config import load
from sabot_gateway.settings.shape import TableSettings
from sabot_tools.demo.premises import Premises
from sabot_tools.demo.trouble import Trouble
from sabot_tools.twin import bank_coup, holdem_coup
from sabot_tools.twin.book import Book, Line, differences
from sabot_tools.twin.chip import TrayEmptyError
from sabot_tools.twin.floor import STATE, Night, Stock, make_table, stocks_of
from sabot_tools.twin.ledger import Ledger
from sabot_tools.twin.opening import open_table
from sabot_tools.twin.rig import StuckError

LAUNCHER: Final = Path(".tools/micropython/run")  # where `make demo` puts it
PLAYERS: Final = 4
_LOOK_S: Final = 0.5


def found_micropython(wanted: str) -> tuple[Path | None, str]:
    """An interpreter for the controllers, or None and the reason why not."""
    if wanted == "none":
        return None, "as asked"
    if wanted != "auto":
        path = shutil.which(wanted)
        return (Path(path), "") if path else (None, f"there is no program {wanted}")
    if LAUNCHER.exists():
        return LAUNCHER.absolute(), ""
    path = shutil.which("micropython")
    return (Path(path), "") if path else (None, "no MicroPython was found")


class Show:
    def __init__(
        self, premises: Premises, broker: tuple[str, int], micropython: Path | None, speed: int, seed: int, trouble: int
    ) -> None:
        self._broker = broker
        self._settings = load(premises.settings)
        self._folder = premises.folder / STATE
        self._night = Night(coups=0, players=PLAYERS, seed=seed, speed=speed, micropython=micropython)
        self._trouble = Trouble(seed, trouble, time.monotonic, lambda table, what: _tell(f"{table}: {what}"))
        self._book = Book()
        assert self._settings.store.sqlite is not None
        self._ledger = Ledger(self._settings.store.sqlite)
        self._since: dict[str, tuple[int, int]] = {}  # by table: coups in both books when its people began
        self._is_over = False

    def play(self, seconds: int | None, check: Callable[[], None]) -> int:
        """Until Ctrl-C, or for so long and to the end of the coups under way; 1 if a settlement is not in the book."""
        self._ledger.skip()
        with suppress(KeyboardInterrupt):
            asyncio.run(self._evening(seconds, check))
        print()  # below the line that counts
        self._ledger.read()
        faults = self._faults()
        for fault in faults:
            print(f"  {fault}", file=sys.stderr)
        verdict = "differ from" if faults else "equal"
        print(
            f"{_counted(len(self._book.lines), 'coup')}, {_counted(len(self._trouble.happened), 'incident')};"
            f" the gateway's settlements {verdict} the tables' own book."
        )
        return 1 if faults else 0

    async def _evening(self, seconds: int | None, check: Callable[[], None]) -> None:
        stocks = stocks_of(self._settings)
        began = time.monotonic()
        tables = {
            asyncio.create_task(self._table(table, stocks[table.name])): table.name for table in self._settings.tables
        }
        try:
            while tables:
                done, _ = await asyncio.wait(tables, timeout=_LOOK_S, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()  # a defect is not hidden
                    del tables[task]
                check()
                self._is_over = seconds is not None and time.monotonic() - began >= seconds
                _status(len(self._book.lines), int(time.monotonic() - began))
        finally:
            for task in tables:
                task.cancel()
            await asyncio.gather(*tables, return_exceptions=True)

    async def _table(self, settings: TableSettings, stock: Stock) -> None:
        while not self._is_over:
            try:
                await self._people(settings, stock)
            except (StuckError, TrayEmptyError) as error:
                self._since.pop(settings.name, None)  # a coup that nobody finished is in neither book
                _tell(f"{settings.name}: {error} The table head takes over.")
                await asyncio.sleep(_LOOK_S)  # what fails at once must not fail all the time

    async def _people(self, settings: TableSettings, stock: Stock) -> None:
        """Everybody at one table until the show is over; StuckError where they, or their controller, do not go on."""
        play = holdem_coup.play_coup if str(settings.game) == "THE" else bank_coup.play_coup
        table = await make_table(self._settings, settings, stock, self._broker, self._night, self._book, self._folder)
        table.mischief = self._trouble
        try:
            await open_table(table)
            self._begin(table.name)
            while not self._is_over:
                await play(table)
        finally:
            await table.rig.close()

    def _begin(self, table: str) -> None:
        """What was settled before is not in our book: an interrupted coup, which the table head has just ended."""
        self._ledger.read()
        self._since[table] = len(self._own(table)), len(self._ledger.settled.get(table, ()))

    def _own(self, table: str) -> list[Line]:
        return [line for line in self._book.lines if line.table == table]

    def _faults(self) -> list[str]:
        """Where the two books differ, as far as both have come: the last coup may have been cut short."""
        compared = Book(disputes=self._book.disputes)
        settled: dict[str, list[Line]] = {}
        for table, (ours_from, theirs_from) in self._since.items():
            ours, theirs = self._own(table)[ours_from:], self._ledger.settled.get(table, [])[theirs_from:]
            both = min(len(ours), len(theirs))
            compared.lines += ours[:both]
            settled[table] = theirs[:both]
        return differences(compared, settled)


def _tell(text: str) -> None:
    print(f"\r{time.strftime('%H:%M:%S')}  {text:<60}", flush=True)


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _status(coups: int, seconds: int) -> None:
    if sys.stdout.isatty():
        print(f"\r{_counted(coups, 'coup')} played in {seconds // 60}:{seconds % 60:02d}   ", end="", flush=True)
