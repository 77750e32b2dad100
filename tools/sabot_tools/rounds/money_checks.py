"""Expectations about money: what lamps and display show, and what each stake came to, by which rule."""

from collections.abc import Sequence
from typing import Final

from sabot_gateway.model.effect import RecordSettlement
from sabot_gateway.model.felt import Colour
from sabot_gateway.model.holdem import HoldemSettlement
from sabot_gateway.model.settlement import Outcome, Settlement, Status
from sabot_gateway.table.holdem_pot import layers_of
from sabot_tools.rounds.arguments import Arguments
from sabot_tools.rounds.rig import Rig
from sabot_tools.rounds.table_checks import differs
from sabot_tools.rounds.words import text_from_cents

# What a colour asks of the dealer or tells him.
SHOWN: Final = {
    "win": Colour.GREEN,
    "lose": Colour.RED,
    "push": Colour.BLUE,
    "claim": Colour.VIOLET,
    "decide": Colour.WHITE,
    "wrong": Colour.ORANGE,
}
DARK: Final = "dark"


def lamp(rig: Rig, args: Arguments) -> str | None:
    seat, spot = args.place()
    wanted = args.one_of("what a lamp shows", (*SHOWN, DARK))
    amount = args.cents() if args else None
    lit = next((lamp for lamp in rig.state.lamps.picture if (lamp.seat, lamp.spot) == (seat, spot)), None)
    shows = DARK if lit is None else next(word for word, colour in SHOWN.items() if colour is lit.colour)
    difference = differs(f"the lamp of {spot} of seat {seat}", shows, wanted)
    if difference is not None or amount is None:
        return difference
    told = "no amount" if lit is None or lit.amount_cents is None else text_from_cents(lit.amount_cents)
    return differs(f"the amount at {spot} of seat {seat}", told, text_from_cents(amount))


def no_lamps(rig: Rig, _args: Arguments) -> str | None:
    lit = [f"{lamp.seat} {lamp.spot}" for lamp in rig.state.lamps.picture]
    return f"lit are: {', '.join(lit)}." if lit else None


def order(rig: Rig, args: Arguments) -> str | None:
    wanted = []
    while args:
        wanted.append(args.place())
    lit = [(lamp.seat, lamp.spot) for lamp in rig.state.lamps.picture if (lamp.seat, lamp.spot) in wanted]
    return differs("the order of the lamps", _places(lit), _places(wanted))


def display(rig: Rig, args: Arguments) -> str | None:
    text = args.take("a text")
    return None if _is_shown(rig, text) else f"the display says {_shown(rig)}, not {text!r}."


def no_display(rig: Rig, args: Arguments) -> str | None:
    text = args.take("a text")
    return f"the display says {_shown(rig)}." if _is_shown(rig, text) else None


def settle(rig: Rig, args: Arguments) -> str | None:
    record = _record(rig)
    if record is None:
        return "this coup is not settled."
    if args.accept("void"):
        return _void(record, args)
    seat = args.seat()
    spot = None if args.peek() in tuple(Outcome) else args.take("a spot")
    outcome = args.one_of("an outcome", tuple(Outcome))
    net = args.signed()
    rule = args.take("a rule") if args.accept("by") else None
    actual = _results(record).get((seat, spot))
    if actual is None:
        return f"nothing was decided for {spot or 'that seat'} of seat {seat}."
    wanted = (outcome, net, rule if rule is not None else actual[2])
    return differs(f"{spot or 'the result'} of seat {seat}", _result(actual), _result(wanted))


def no_settlement(rig: Rig, _args: Arguments) -> str | None:
    return "this coup is settled." if _record(rig) else None


def pot(rig: Rig, args: Arguments) -> str | None:
    number = args.number("a pot")
    hand = rig.state.coup.holdem
    pots = layers_of(rig.state, hand).pots if hand else ()
    if not 1 <= number <= len(pots):
        return f"there are {len(pots)} pots."
    held = pots[number - 1]
    difference = differs(f"pot {number}", text_from_cents(held.amount), text_from_cents(args.cents()))
    if difference is not None or not args.accept("for"):
        return difference
    wanted = []
    while args:
        wanted.append(args.seat())
    return differs(f"the list of those who can win pot {number}", list(held.eligible), wanted)


def rake(rig: Rig, args: Arguments) -> str | None:
    record = _record(rig)
    if record is None or not isinstance(record.settlement, HoldemSettlement):
        return "this coup is not settled."
    return differs("the rake", text_from_cents(record.settlement.rake_total), text_from_cents(args.cents()))


def _record(rig: Rig) -> RecordSettlement | None:
    """The last decision on the coup that is being played."""
    record = rig.settlements[-1] if rig.settlements else None
    return record if record is not None and record.number == rig.state.coup.number else None


def _void(record: RecordSettlement, args: Arguments) -> str | None:
    settlement = record.settlement
    if settlement.status is not Status.VOID:
        return f"the coup is {settlement.status}, not void."
    return differs("the reason", settlement.rule, args.take("a rule")) if args.accept("by") else None


def _results(record: RecordSettlement) -> dict[tuple[int, str | None], tuple[Outcome, int, str]]:
    settlement = record.settlement
    if isinstance(settlement, Settlement):
        return {
            (seat.seat, bet.spot): (bet.outcome, bet.net, bet.rule) for seat in settlement.seats for bet in seat.bets
        }
    return {(seat.seat, None): (seat.outcome, seat.net, seat.rule) for seat in settlement.seats}


def _result(result: tuple[Outcome | str, int, str]) -> str:
    outcome, net, rule = result
    return f"{outcome} {'+' if net > 0 else ''}{text_from_cents(net)} by {rule}"


def _is_shown(rig: Rig, text: str) -> bool:
    return any(text in (line.fr, line.en) for line in rig.state.lamps.display)


def _shown(rig: Rig) -> str:
    return " / ".join(repr(line.fr) for line in rig.state.lamps.display) or "nothing"


def _places(places: Sequence[tuple[int, str]]) -> str:
    return ", ".join(f"{seat} {spot}" for seat, spot in places)
