"""What a step of the live table costs, beside cbor2 decoding the very events that drive it.

A coup of ultimate hold'em with seven players, played over and over: the median of
single steps, and the same late in the night, for the cost must not grow with it.
"""

import time
from collections.abc import Sequence
from statistics import median
from typing import Final

import cbor2

from sabot_gateway.model.card import DECK
from sabot_gateway.model.event import BadgeRead, CardScanned, ChipsRead, DiscardRead, Event, KeyPressed
from sabot_gateway.model.felt import FeltSpot, Key
from sabot_gateway.model.game import Game
from sabot_gateway.model.person import Person, Role
from sabot_gateway.model.tag import CardTag, Chip, Deck, Tag
from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.table.machine import new_table, step
from sabot_gateway.table.setup import TableSetup
from sabot_gateway.table.state import TableState
from sabot_tools.bench.row import Row

BUDGET_US: Final = 50  # one step, median
_COUPS: Final = 60
_SEATS: Final = range(1, 8)
_CHIP: Final = 1000
_ANTE: Final = FeltSpot.ANTE
_PLAY: Final = FeltSpot.PLAY


def measure() -> list[Row]:
    """The median step, its ratio to decoding, and late in the night against early."""
    state = opened()
    coup = coup_events()
    times: list[int] = []
    for _ in range(_COUPS):
        state = _timed(state, coup, times)
    took = median(times) / 1000
    decoding = _decoding_us(coup)
    part = len(times) // 4
    early, late = median(times[:part]) / 1000, median(times[-part:]) / 1000
    return [
        Row("step of the live table, median", f"{took:.1f}", "µs", f"budget {BUDGET_US} µs", f"{took / BUDGET_US:.2f}"),
        Row("the same beside its decoding", f"{took:.1f}", "µs", f"cbor2 {decoding:.2f} µs", f"{took / decoding:.1f}"),
        Row(f"step after {_COUPS} coups", f"{late:.1f}", "µs", f"at the start {early:.1f} µs", f"{late / early:.2f}"),
    ]


def opened() -> TableState:
    """A table of ultimate hold'em with its séance open."""
    chips = {_chip(seat, spot, n): Chip(_CHIP) for seat in _SEATS for spot in FeltSpot for n in range(12)}
    cards = {_card(card): CardTag(card, "red") for card in DECK}
    badges = {Tag("b0"): Person("H1", Role.TABLE_HEAD), Tag("b1"): Person("D1", Role.DEALER)}
    setup = TableSetup("bench", shipped_ruleset(Game.UTH), chips, cards, {"red": Deck("red", "red")}, badges)
    state = new_table(setup)
    opening: tuple[Event, ...] = (
        BadgeRead(Tag("b0")),
        KeyPressed(Key.OPEN_SESSION),
        BadgeRead(Tag("b1")),
        KeyPressed(Key.NEW_DECK),
        DiscardRead(tuple(_card(card) for card in DECK)),
        KeyPressed(Key.ANNOUNCE),
    )
    for event in opening:
        state = step(state, event).state
    return state


def coup_events() -> list[Event]:
    """One coup: seven antes and blinds, sixteen hole cards, four times the ante before the flop, board, payments."""
    events: list[Event] = [DiscardRead(()), KeyPressed(Key.SHUFFLE)]
    for seat in _SEATS:
        events += [_read(seat, _ANTE, 1), _read(seat, FeltSpot.BLIND, 1)]
    deck = [DECK[(17 * n + 5) % 52] for n in range(52)]
    events += [CardScanned(0, _card(card)) for card in deck[:16]]
    events += [_read(seat, _PLAY, 4) for seat in _SEATS]
    events += [CardScanned(0, _card(card)) for card in deck[16:21]]
    events.append(KeyPressed(Key.REVEAL))
    # What each spot comes to is found by playing the coup once.
    state = opened()
    for event in events:
        state = step(state, event).state
    assert state.coup.phase == "paying"
    for due in state.coup.dues:
        events.append(_read(*due.place, due.target // _CHIP))
    events.append(DiscardRead(tuple(_card(card) for card in DECK)))
    events += [_read(seat, spot, 0) for seat in _SEATS for spot in (_ANTE, FeltSpot.BLIND, _PLAY)]
    return events


def _timed(state: TableState, events: Sequence[Event], times: list[int]) -> TableState:
    for event in events:
        start = time.perf_counter_ns()
        state = step(state, event).state
        times.append(time.perf_counter_ns() - start)
    return state


def _decoding_us(events: Sequence[Event]) -> float:
    """The same events as they come over the wire, decoded by cbor2; the median of single decodings."""
    wire = [cbor2.dumps(_plain(event)) for event in events]
    times = []
    for _ in range(20):
        for data in wire:
            start = time.perf_counter_ns()
            cbor2.loads(data)
            times.append(time.perf_counter_ns() - start)
    return median(times) / 1000


def _plain(event: Event) -> list[object]:
    match event:
        case CardScanned(reader=reader, tag=tag):
            return [3, 1_000_000, reader, _uid(tag)]
        case ChipsRead(seat=seat, spot=spot, tags=tags):
            return [5, 1_000_000, seat, list(FeltSpot).index(spot), 1, 1, [_uid(tag) for tag in tags]]
        case DiscardRead(tags=tags):
            return [10, 1_000_000, 1, 1, [_uid(tag) for tag in tags]]
        case KeyPressed(key=key, seat=seat):
            return [7, 1_000_000, list(Key).index(key), seat]
        case _:
            raise AssertionError(f"the coup of the bench has no {type(event).__name__}")


def _read(seat: int, spot: FeltSpot, chips: int) -> ChipsRead:
    return ChipsRead(seat, spot, tuple(_chip(seat, spot, n) for n in range(chips)))


def _chip(seat: int, spot: FeltSpot, number: int) -> Tag:
    return Tag(f"e004{seat:02x}{list(FeltSpot).index(spot):02x}{number:08x}")


def _card(card: int) -> Tag:
    return Tag(f"e0070000000000{card:02x}")


def _uid(tag: Tag) -> bytes:
    return bytes.fromhex(tag)
