"""Many simulated tables at once: built from a gateway's own settings, played side by side, compared in the end.

Owns how a house becomes tables (whose chips, whose deck, which key) and the run of a night. All tables share one
asyncio loop; each has its own time, its own chance (seed and name) and its own people.
"""

import asyncio
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from sabot_firmware.net.mqtt_link import MqttLink
from sabot_gateway.model.card import text_from_card
from sabot_gateway.model.person import Role
from sabot_gateway.settings.shape import Settings, TableSettings
from sabot_protocol.device_key import DeviceKey
from sabot_tools.twin import bank_coup, holdem_coup, software
from sabot_tools.twin.admission import Admission
from sabot_tools.twin.board.pipe import Cable
from sabot_tools.twin.book import Book
from sabot_tools.twin.card import Card
from sabot_tools.twin.chip import Chip, Tray
from sabot_tools.twin.controller import Controller
from sabot_tools.twin.deck import Deck
from sabot_tools.twin.felt import Felt
from sabot_tools.twin.hand_rig import HandRig
from sabot_tools.twin.house import HouseError
from sabot_tools.twin.layout import Layout, config_of, layout_of
from sabot_tools.twin.local_controller import LocalController
from sabot_tools.twin.opening import open_table
from sabot_tools.twin.pipe_controller import PipeController
from sabot_tools.twin.rig import Rig
from sabot_tools.twin.table import Mischief, Player, Staff, Table
from sabot_tools.twin.temperament import HONEST, Temperament
from sabot_tools.twin.trunk import Trunk
from sabot_tools.twin.wire_rig import WireRig

STAND_BY_S: Final = 0.5
WRITTEN_S: Final = 30  # how long the gateway may take to write down what it was told last
WRITTEN_LOOK_S: Final = 0.05
LOOK_S: Final = 0.25
# At the byte level and full speed so many tables are opened or play a coup at once, and the others wait for their turn:
# early ones have settled while later ones open, and lamps are lit in time, however many tables there are.
AT_ONCE: Final = 100
STATE: Final = "twin"  # beside the settings: what controllers keep in flash from one night to the next


@dataclass(frozen=True, slots=True)
class Night:
    """What is to be played: `coups` at each table, or as long as `is_over` says no."""

    coups: int
    players: int = 3
    seed: int = 1
    speed: int = 0  # times the wall clock; 0: as fast as it goes
    tempers: Sequence[Temperament] = HONEST
    micropython: Path | None = None  # an interpreter for the controllers; None runs them in this process
    admission: Admission | None = None  # certificates for the controllers, where the broker asks for them
    is_wire_only: bool = False  # no readers at all: events at the byte level, many tables over one connection
    is_over: Callable[[], bool] = field(default=lambda: False)
    look: Callable[[], None] = field(default=lambda: None)  # now and then, while it is played
    taken_over: Callable[[str], None] = field(default=lambda _table: None)  # a table that was left open is in order
    opened: Callable[[str], None] = field(default=lambda _table: None)  # a table waits for its first stakes
    is_written: Callable[[], bool] = field(default=lambda: True)  # whether the gateway has written all of it down


@dataclass(frozen=True, slots=True)
class Stock:
    """The things of one table, out of the registers of the house."""

    chips: tuple[Chip, ...]
    deck: Deck
    staff: Staff
    withdrawn: bytes = b""
    other_deck: bytes = b""


def stocks_of(settings: Settings) -> dict[str, Stock]:
    """Deal the registers out to the tables: a deck, a dealer and a head each, and an equal part of the chips."""
    registers, names = settings.registers, [table.name for table in settings.tables]
    chips = [
        Chip(bytes.fromhex(tag), chip.value_cents) for tag, chip in registers.chips.items() if chip.state == "in_play"
    ]
    chips.sort(key=lambda chip: (chip.cents, chip.uid))
    decks = _decks(settings)
    dealers = _badges(settings, Role.DEALER)
    heads = _badges(settings, Role.TABLE_HEAD)
    for what, found in (("decks", decks), ("dealers", dealers), ("table heads", heads)):
        if len(found) < len(names):
            raise HouseError(f"{len(names)} tables need as many {what}; the registers have {len(found)}.")
    withdrawn = next((bytes.fromhex(tag) for tag, chip in registers.chips.items() if chip.state == "withdrawn"), b"")
    others = [decks[(at + 1) % len(decks)].cards[0].uid if len(decks) > 1 else b"" for at in range(len(decks))]
    return {
        name: Stock(
            tuple(chips[at :: len(names)]), decks[at], _staff(at, len(names), dealers, heads), withdrawn, others[at]
        )
        for at, name in enumerate(names)
    }


async def play_night(
    settings: Settings,
    tables: Sequence[TableSettings],
    broker: tuple[str, int],
    night: Night,
    book: Book,
    mischief: Callable[[str], Mischief] | None = None,
) -> None:
    """Play the tables to the end; the first that gets stuck ends the night with a group of its StuckError."""
    stocks = stocks_of(settings)
    _check_controllers(settings, tables)
    folder = settings.file.parent / STATE
    made: list[Table] = []
    trunk = Trunk(settings.site, broker) if night.is_wire_only else None
    try:
        if trunk is not None:
            await trunk.open()
        playing = len(tables)
        is_over = False
        turns = asyncio.Semaphore(AT_ONCE if trunk is not None and not night.speed else len(tables))
        async with asyncio.TaskGroup() as group:

            async def played(table: Table) -> None:
                nonlocal playing, is_over
                with table.named():
                    async with turns:
                        await _open(table, night)
                    await _play(table, night, turns)
                    await table.rig.rest()
                playing -= 1
                if not playing:  # the last one
                    await _until_written(night)
                    is_over = True
                    watch.cancel()
                await _stand_by(table, lambda: is_over)

            watch = group.create_task(_watch(night))

            for each in tables:
                table = await make_table(settings, each, stocks[each.name], broker, night, book, folder, trunk)
                made.append(table)
                if mischief is not None:
                    table.mischief = mischief(table.name)
                group.create_task(played(table))
                await asyncio.sleep(0)  # the broker is answered, and whoever plays goes on
    finally:
        await asyncio.gather(*(table.rig.close() for table in made))
        if trunk is not None:
            await trunk.close()


async def make_table(
    settings: Settings,
    table: TableSettings,
    stock: Stock,
    broker: tuple[str, int],
    night: Night,
    book: Book,
    folder: Path,
    trunk: Trunk | None = None,
) -> Table:
    """One table with everybody at it, switched on."""
    _check_controllers(settings, [table])
    device = next(each.id for each in settings.devices if each.table == table.name)
    home = folder / device
    is_again = home.exists()
    home.mkdir(parents=True, exist_ok=True)
    if trunk is None:
        software.install(home)
    seats = int(str(table.ruleset.values["seats_total"]))
    layout = layout_of(str(table.game), seats)
    key = key_file(settings, device)
    rig: Rig
    if trunk is not None:
        secret = DeviceKey(device, key.read_bytes())
        rig = WireRig(layout, settings.site, secret, trunk.branch(device), home, night.speed)
    else:
        rig = HandRig(layout, await _controller(layout, settings.site, device, key, broker, night, home), night.speed)
    chance = Random(f"{night.seed}/{table.name}")  # noqa: S311 - a night must be repeatable, not secret
    people = sorted(chance.sample(range(1, seats + 1), min(night.players, seats)))
    return Table(
        name=table.name,
        game=str(table.game),
        values=table.ruleset.values,
        rig=rig,
        felt=Felt(rig),
        deck=stock.deck,
        bank=Tray(stock.chips),
        players=[Player(seat, night.tempers[at % len(night.tempers)]) for at, seat in enumerate(people)],
        staff=stock.staff,
        chance=chance,
        book=book,
        has_shuffler=table.fitted.shuffler,
        is_again=is_again,
        withdrawn=stock.withdrawn,
        other_deck=stock.other_deck,
        stall_ms=table.timing.stall_ms,
        slowest_ms=table.timing.slowest_ms,
        is_by_wall=True,
    )


async def _controller(
    layout: Layout, site: str, device: str, key: Path, broker: tuple[str, int], night: Night, home: Path
) -> Controller:
    conf = config_of(layout, site, device, broker)
    certificates = None if night.admission is None else night.admission.certificates(device, home)
    if night.micropython is not None:
        (home / "sabot.conf").write_bytes(conf)
        server_name = "" if night.admission is None else night.admission.server_name
        return await PipeController.start(night.micropython, home / "sabot.conf", key, home, broker, server_name)
    cable = Cable()
    return LocalController(conf, key.read_bytes(), home, MqttLink(site, device, broker, cable, certificates), cable)


def _check_controllers(settings: Settings, tables: Iterable[TableSettings]) -> None:
    fitted = {each.table for each in settings.devices}
    for table in tables:
        if table.name not in fitted:
            raise HouseError(f"{table.name} has no controller in the devices folder.")


def key_file(settings: Settings, device: str) -> Path:
    """Where the key of a controller lies, as its registration says."""
    folder = _devices_folder(settings.file)
    with (folder / f"{device}.toml").open("rb") as file:
        key = Path(str(tomllib.load(file)["key"]))
    return folder / key


async def _open(table: Table, night: Night) -> None:
    await open_table(table)
    if table.is_taken_over:
        night.taken_over(table.name)
    night.opened(table.name)


async def _play(table: Table, night: Night, turns: asyncio.Semaphore) -> None:
    play = holdem_coup.play_coup if table.game == "THE" else bank_coup.play_coup
    for _ in range(night.coups):
        if night.is_over():
            break
        async with turns:
            await play(table)


async def _watch(night: Night) -> None:
    while True:
        await asyncio.sleep(LOOK_S)
        night.look()


async def _until_written(night: Night) -> None:
    """What the gateway decides about controllers that leave is not of this night: it is read before they do."""
    ends = time.monotonic() + WRITTEN_S
    while not night.is_written() and time.monotonic() < ends:
        await asyncio.sleep(WRITTEN_LOOK_S)


async def _stand_by(table: Table, is_over: Callable[[], bool]) -> None:
    """A table that has played stays on until the others have too: a controller that goes is an alert."""
    while not is_over():
        await table.rig.look()
        await asyncio.sleep(STAND_BY_S)


def _decks(settings: Settings) -> list[Deck]:
    known: dict[str, dict[str, bytes]] = {name: {} for name in settings.registers.decks}
    for tag, tag_of in settings.registers.cards.items():
        known[tag_of.deck][text_from_card(tag_of.card)] = bytes.fromhex(tag)
    return [_deck(name, uids) for name, uids in known.items()]


def _deck(name: str, uids: Mapping[str, bytes]) -> Deck:
    deck = Deck(name, 0)
    deck.cards = tuple(Card(card.face, name, uids[card.face]) for card in deck.cards)
    return deck


def _staff(at: int, tables: int, dealers: Sequence[bytes], heads: Sequence[bytes]) -> Staff:
    # Whoever is left over relieves: table by table, as far as they go.
    relief = at + tables
    return Staff(
        dealers[at],
        heads[at],
        dealers[relief] if relief < len(dealers) else b"",
        heads[relief] if relief < len(heads) else b"",
    )


def _badges(settings: Settings, role: Role) -> list[bytes]:
    return [bytes.fromhex(tag) for tag, person in settings.registers.badges.items() if person.role is role]


@cache  # the settings of a thousand tables are long: read once, not for each table
def _devices_folder(settings: Path) -> Path:
    with settings.open("rb") as file:
        return settings.parent / str(tomllib.load(file).get("devices", "devices"))


def chosen(settings: Settings, games: Iterable[str], count: int) -> list[TableSettings]:
    """The first tables of these games, at most so many; all games where none is named."""
    wanted = set(games)
    found = [table for table in settings.tables if not wanted or str(table.game) in wanted]
    return found[:count] if count else found
