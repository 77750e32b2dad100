"""Verbs that move chips: players bet and take back, dealers pay and collect, readers err."""

from typing import Final

from sabot_gateway.model.effect import Lamp
from sabot_gateway.model.event import ChipsDoubted, ChipsRead
from sabot_gateway.model.felt import Doubt, FeltSpot
from sabot_tools.rounds.arguments import Arguments
from sabot_tools.rounds.chip_box import ODD, NotThereError, Place
from sabot_tools.rounds.rig import SPOTS, Rig
from sabot_tools.rounds.script import ScriptError
from sabot_tools.rounds.verb import Verb

POT: Final[Place] = (0, FeltSpot.POT)


def read(rig: Rig, place: Place) -> None:
    """The reader under a spot tells its whole content."""
    rig.sense(SPOTS, ChipsRead(*place, rig.chips.at(place)))


def _bet(rig: Rig, args: Arguments) -> None:
    seat = args.seat()
    while True:
        place = (seat, args.spot())
        rig.chips.add(place, args.stack())
        read(rig, place)
        if not args:
            break


def _stake(rig: Rig, args: Arguments) -> None:
    place = (args.seat(), FeltSpot.BET)
    more = args.cents() - rig.chips.cents_at(place)
    if more <= 0:
        raise ScriptError(args.line, "a stake only grows; chips are taken back with take SEAT bet AMOUNT.")
    rig.chips.add(place, (more,))
    read(rig, place)


def _pot(rig: Rig, _args: Arguments) -> None:
    """THE-70: from the first player at the dealer's left, clockwise."""
    stakes = sorted(place for place in rig.chips.places() if place[1] is FeltSpot.BET)
    for place in stakes:
        rig.chips.move(place, POT)
        read(rig, place)
    read(rig, POT)


def _take(rig: Rig, args: Arguments) -> None:
    seat = None if args.accept("all") else args.seat()
    if seat is not None and args:
        _remove(rig, args, (seat, args.spot()))
        return
    for place in sorted(rig.chips.places()):
        if seat in (None, place[0]):
            rig.chips.remove(place)
            read(rig, place)


def _remove(rig: Rig, args: Arguments, place: Place) -> None:
    try:
        if args.accept("odd"):
            rig.chips.remove_odd(place)
        else:
            rig.chips.remove(place, args.cents() if args else None)
    except NotThereError as error:
        raise ScriptError(args.line, str(error)) from None
    read(rig, place)


def _pay(rig: Rig, args: Arguments) -> None:
    place = args.place()
    rig.chips.add(place, args.stack())
    read(rig, place)


def _collect(rig: Rig, args: Arguments) -> None:
    _remove(rig, args, args.place())


def _follow(rig: Rig, args: Arguments) -> None:
    """A dealer who does what the lamps say, spot by spot, until none asks for anything."""
    args.one_of("what to follow", ("lamps",))
    for _ in range(100):
        lamp = next((lamp for lamp in rig.state.lamps.picture if _asks(rig, lamp)), None)
        if lamp is None:
            return
        place, due = (lamp.seat, lamp.spot), lamp.amount_cents or 0
        held = rig.chips.cents_at(place)
        if due > held:
            rig.chips.add(place, (due - held,))
        else:
            rig.chips.remove(place, held - due)
        read(rig, place)
    raise ScriptError(args.line, "the lamps go on asking after a hundred movements.")


def _asks(rig: Rig, lamp: Lamp) -> bool:
    return lamp.amount_cents is not None and rig.chips.cents_at((lamp.seat, lamp.spot)) != lamp.amount_cents


def _odd(rig: Rig, args: Arguments) -> None:
    place = args.place()
    kind = args.one_of("a kind of chip", (*ODD, "twin"))
    if kind == "twin":
        tags = rig.chips.at(place)
        rig.sense(SPOTS, ChipsRead(*place, (*tags, *tags[:1])))
        return
    rig.chips.add_odd(place, kind)
    read(rig, place)


def _shift(rig: Rig, args: Arguments) -> None:
    source, target = args.place(), args.place()
    try:
        rig.chips.move(source, target)
    except NotThereError as error:
        raise ScriptError(args.line, str(error)) from None
    read(rig, source)
    read(rig, target)


def _exchange(rig: Rig, args: Arguments) -> None:
    place = args.place()
    try:
        rig.chips.exchange(place)
    except NotThereError as error:
        raise ScriptError(args.line, str(error)) from None
    read(rig, place)


def _ghost(rig: Rig, args: Arguments) -> None:
    source, target = args.place(), args.place()
    rig.sense(SPOTS, ChipsRead(*target, (*rig.chips.at(target), *rig.chips.at(source))))


def _read(rig: Rig, args: Arguments) -> None:
    read(rig, args.place())


def _blur(rig: Rig, args: Arguments) -> None:
    place = args.place()
    reason = Doubt(args.one_of("a doubt", tuple(Doubt)))
    rig.sense(SPOTS, ChipsDoubted(*place, rig.chips.at(place), reason))


VERBS: Final = (
    Verb("bet", "bet SEAT SPOT AMOUNT [SPOT AMOUNT …]", "a player adds chips to spots; 10+5 is two chips", _bet),
    Verb("stake", "stake SEAT AMOUNT", "a hold'em player brings the chips before him to this total", _stake),
    Verb("pot", "pot", "the dealer gathers the stakes of a hold'em round into the pot", _pot),
    Verb("take", "take SEAT SPOT [AMOUNT | odd] · take SEAT · take all", "chips go back to the player", _take),
    Verb("pay", "pay SEAT SPOT AMOUNT", "the dealer adds chips of the bank", _pay),
    Verb("collect", "collect SEAT SPOT [AMOUNT | odd]", "the dealer takes chips off a spot", _collect),
    Verb("follow", "follow lamps", "the dealer pays and collects exactly what the lamps show", _follow),
    Verb(
        "odd",
        "odd SEAT SPOT unknown|foreign|withdrawn|twin",
        "a chip that should not be there, or one read twice",
        _odd,
    ),
    Verb("shift", "shift SEAT SPOT SEAT SPOT", "the chips of one spot are moved to another", _shift),
    Verb("exchange", "exchange SEAT SPOT", "other chips of the same worth, in one motion", _exchange),
    Verb("ghost", "ghost SEAT SPOT SEAT SPOT", "the second reader also reads the chips of the first spot", _ghost),
    Verb("read", "read SEAT SPOT", "the reader tells once more what lies there", _read),
    Verb("blur", "blur SEAT SPOT DOUBT", "the reader is not sure of what lies there", _blur),
)
