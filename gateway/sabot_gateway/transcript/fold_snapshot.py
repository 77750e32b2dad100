"""A fold as bytes, and back: what the journal keeps as a table's snapshot.

    [VERSION, "fold", position, table, [setup, waiting], sequences, parts, timers, controllers]

The registers of the house are large and shared by all tables: they are named by their digest, and only a table whose
registers were changed one by one at its console writes them out. Rulesets are written whole, so that no file is needed.
"""

from typing import Any, Final

import cbor2

from sabot_gateway.journal.record import Kind
from sabot_gateway.link.sequence import Sequence
from sabot_gateway.rules.ruleset import Ruleset
from sabot_gateway.table.snapshot import SnapshotError, snapshot_of, state_from_snapshot
from sabot_gateway.table.state import TableState
from sabot_gateway.transcript.error import FactError
from sabot_gateway.transcript.fact import Configured, SetupRecord, body_from_setup, parts_from_body, read_fact
from sabot_gateway.transcript.fold import Armed, Controller, Fold, Lookup
from sabot_gateway.transcript.plain import reader_of
from sabot_gateway.transcript.wire_events import Parts, Report

VERSION: Final = 1


def bytes_from_fold(fold: Fold) -> bytes:
    """The snapshot's body."""
    return cbor2.dumps(
        (
            VERSION,
            "fold",
            fold.position,
            _table(fold),
            [None if setup is None else body_from_setup(setup) for setup in (fold.setup, fold.waiting)],
            sorted((device, tuple(sequence)) for device, sequence in fold.sequences.items()),
            sorted((device, _plain_parts(parts)) for device, parts in fold.parts.items()),
            sorted((timer, tuple(armed)) for timer, armed in fold.timers.items()),
            [(device, *_plain_controller(fold.controllers[device])) for device in sorted(fold.controllers)],
        )
    )


def fold_from_bytes(data: bytes, lookup: Lookup) -> Fold:
    """The fold that was written; FactError when this release cannot read it: then fold the stream anew."""
    match parts_from_body(data):
        case [
            1,
            "fold",
            int(position),
            table,
            [setup, waiting],
            list(sequences),
            list(parts),
            list(timers),
            list(heard),
        ]:
            in_force, pending = _setup(setup), _setup(waiting)
            try:
                return Fold(
                    lookup,
                    None if table is None else _state(table, in_force, lookup),
                    {str(device): _sequence(each) for device, each in sequences},
                    {str(device): _read_parts(each) for device, each in parts},
                    {str(timer): Armed(*_READ_ARMED(each)) for timer, each in timers},
                    in_force,
                    pending,
                    position,
                    {str(device): _controller(str(device), each) for device, *each in heard},
                )
            except (TypeError, ValueError, KeyError) as error:
                raise FactError(f"A snapshot cannot be read ({error}).") from error
    raise FactError("A snapshot is of no known form.")


def _table(fold: Fold) -> object:
    if fold.state is None:
        return None
    return snapshot_of(fold.state, registers=not _has_house_registers(fold, fold.state))


def _has_house_registers(fold: Fold, state: TableState) -> bool:
    """Whether the table's registers are still those of the house; how often a deck served is the table's own count."""
    if fold.setup is None:
        return False
    house, own = fold.lookup(fold.setup.registers), state.setup
    return (
        (own.chips is house.chips or own.chips == house.chips)
        and (own.cards is house.cards or own.cards == house.cards)
        and (own.badges is house.badges or own.badges == house.badges)
        and {name: (deck.name, deck.colour) for name, deck in own.decks.items()}
        == {name: (deck.name, deck.colour) for name, deck in house.decks.items()}
    )


def _state(table: Any, setup: SetupRecord | None, lookup: Lookup) -> TableState:
    if setup is None:
        raise FactError("A snapshot of a table lacks its setup.")

    def rulebook(sha256: str) -> Ruleset:
        if sha256 != setup.ruleset.sha256:
            raise FactError("A snapshot's ruleset is not that of its setup.")
        return setup.ruleset

    try:
        return state_from_snapshot(table, rulebook, None if table.get("registers") else lookup(setup.registers))
    except (SnapshotError, AttributeError) as error:
        raise FactError(f"A snapshot cannot be read: {error}.") from error


def _setup(body: Any) -> SetupRecord | None:
    if body is None:
        return None
    if not isinstance(body, bytes):
        raise FactError("A snapshot's setup is of no known form.")
    fact = read_fact(Kind.FACT, body)
    if not isinstance(fact, Configured):
        raise FactError("A snapshot's setup is of no known form.")
    return fact.setup


def _plain_parts(parts: Parts) -> tuple[Any, ...]:
    return (*parts[:-1], list(parts.items))


def _read_parts(data: Any) -> Parts:
    *head, items = data
    name, seat, spot, boot, seq, device_ms, part, of = _READ_HEAD(head)
    return Parts(name, seat, spot, boot, seq, device_ms, part, of, tuple(items))


def _plain_controller(controller: Controller) -> tuple[Any, ...]:
    hello = controller.hello
    return (*controller[:3], None if hello is None else (*hello[1:4], hello.values))


def _controller(device: str, data: Any) -> Controller:
    *clock, hello = data
    boot, offset_ms, spread_ms = _READ_THREE(clock)
    if hello is None:
        return Controller(boot, offset_ms, spread_ms)
    *numbers, values = hello
    own_boot, seq, at_ms = _READ_THREE(numbers)
    return Controller(boot, offset_ms, spread_ms, Report(device, own_boot, seq, at_ms, "hello", dict(values)))


def _sequence(data: Any) -> Sequence:
    return Sequence(*_READ_NUMBERS(data))


_READ_NUMBERS: Final = reader_of(tuple[int, int, int, int, str])
_READ_THREE: Final = reader_of(tuple[int, int, int])
_READ_ARMED: Final = reader_of(tuple[int, int])
_READ_HEAD: Final = reader_of(tuple[str, int, str, int, int, int, int, int])
