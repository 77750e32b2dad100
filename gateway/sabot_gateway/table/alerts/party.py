"""Alerts of the hold'em party, beyond one coup: seats, caves, absence, the waiting list and the button draw."""

from types import MappingProxyType
from typing import Final

from sabot_gateway.model.alert import Alert, Clears, Severity
from sabot_gateway.model.game import Game
from sabot_gateway.rules.fault_words import FAULTS
from sabot_gateway.rules.rejection import Fault
from sabot_gateway.table.alerts.kind import AlertKind, by_game
from sabot_gateway.table.alerts.words import DOUBTS, Vocabulary

_CLEARED: Final = "an authorised person clears it"


def misread(doubt: str) -> str:
    """The code of a draw with a card that was read in doubt."""
    return f"CARD_DOUBTFUL: {doubt}"


# A draw is refused by the rules, or one of its cards was misread.
DRAW_FAULTS: Final[Vocabulary] = MappingProxyType(
    {
        **FAULTS,
        **{
            misread(doubt): (f"lecture douteuse d'une carte, {french}", f"a card was read doubtfully, {english}")
            for doubt, (french, english) in DOUBTS.items()
        },
    }
)

SEAT_CHANGED: Final = AlertKind(
    "SEAT_CHANGED",
    Severity.ALARM,
    Clears.OPERATOR,
    "Un joueur a changé de place en cours de partie ({before} puis {seat}).",
    "A player changed seats during the game ({before}, then {seat}).",
    _CLEARED,
    rules=by_game(the="THE-21"),
)
CAVE_BELOW_MINIMUM: Final = AlertKind(
    "CAVE_BELOW_MINIMUM",
    Severity.WARNING,
    Clears.OPERATOR,
    "Place {seat} : cave de {amount_cents}, minimum {limit_cents}.",
    "Seat {seat}: a cave of {amount_cents}, the minimum is {limit_cents}.",
    _CLEARED,
    rules=by_game(the="THE-35"),
)
RECAVE_ABOVE_MAXIMUM: Final = AlertKind(
    "RECAVE_ABOVE_MAXIMUM",
    Severity.WARNING,
    Clears.OPERATOR,
    "Place {seat} : recave de {amount_cents}, maximum {limit_cents}.",
    "Seat {seat}: a recave of {amount_cents}, the maximum is {limit_cents}.",
    _CLEARED,
    rules=by_game(the="THE-40"),
)
RECAVE_DURING_COUP: Final = AlertKind(
    "RECAVE_DURING_COUP",
    Severity.ALARM,
    Clears.OPERATOR,
    "Place {seat} : recave de {amount_cents} pendant un coup.",
    "Seat {seat}: a recave of {amount_cents} during a coup.",
    _CLEARED,
    rules=by_game(the="THE-39"),
)
CAVE_WITHOUT_PLAYER: Final = AlertKind(
    "CAVE_WITHOUT_PLAYER",
    Severity.WARNING,
    Clears.OPERATOR,
    "Place {seat} : cave de {amount_cents} devant une place vacante.",
    "Seat {seat}: a cave of {amount_cents} before a vacant seat.",
    _CLEARED,
    rules=by_game(the="THE-20"),
)
ABSENT_TOO_LONG: Final = AlertKind(
    "ABSENT_TOO_LONG",
    Severity.WARNING,
    Clears.CORRECTION,
    "Place {seat} : absence de plus de {seconds} s ; mise à consigner, place à réattribuer.",
    "Seat {seat}: absent for more than {seconds} s; consign the stake, give the seat away.",
    "the player is back, or has left the seat",
    rules=by_game(the="THE-29"),
)
CALLED_OUT_OF_ORDER: Final = AlertKind(
    "CALLED_OUT_OF_ORDER",
    Severity.WARNING,
    Clears.OPERATOR,
    "Liste d'attente : appel hors de l'ordre d'inscription (rang {nth}).",
    "Waiting list: called out of the order of registration (number {nth}).",
    _CLEARED,
    rules=by_game(the="THE-24"),
)
BUTTON_DRAW_WRONG: Final = AlertKind(
    "BUTTON_DRAW_WRONG",
    Severity.WARNING,
    Clears.OPERATOR,
    "Tirage du bouton irrégulier : {fault}.",
    "The draw for the button was not in order: {fault}.",
    "the draw is made again, or an authorised person clears it",
    rules=by_game(the="THE-42"),
    words={"fault": DRAW_FAULTS},
)
BUTTON_MOVED: Final = AlertKind(
    "BUTTON_MOVED",
    Severity.WARNING,
    Clears.OPERATOR,
    "Bouton placé devant la place {after} au lieu de la place {due}.",
    "The button was placed before seat {after} instead of seat {due}.",
    _CLEARED,
    rules=by_game(the="THE-117"),
)

CONSIGNED_EARLY: Final = AlertKind(
    "CONSIGNED_EARLY",
    Severity.WARNING,
    Clears.OPERATOR,
    "Place {seat} : {amount_cents} consignés avant la durée maximale d'absence.",
    "Seat {seat}: {amount_cents} were consigned before the longest absence had passed.",
    _CLEARED,
    rules=by_game(the="THE-29"),
)
STAKE_ORPHANED: Final = AlertKind(
    "STAKE_ORPHANED",
    Severity.NOTICE,
    Clears.OPERATOR,
    "Fin de séance : {stakes} {stakes:mise consignée non réclamée|mises consignées non réclamées}, "
    "{amount_cents} au registre des orphelins.",
    "End of the séance: {stakes} consigned {stakes:stake|stakes} unclaimed, "
    "{amount_cents} for the register of orphans.",
    "an authorised person clears it: the register of orphans is written",
    rules=by_game(the="THE-30"),
)

KINDS: Final = (
    SEAT_CHANGED,
    CAVE_BELOW_MINIMUM,
    RECAVE_ABOVE_MAXIMUM,
    RECAVE_DURING_COUP,
    CAVE_WITHOUT_PLAYER,
    ABSENT_TOO_LONG,
    CONSIGNED_EARLY,
    STAKE_ORPHANED,
    CALLED_OUT_OF_ORDER,
    BUTTON_DRAW_WRONG,
    BUTTON_MOVED,
)


def seat_changed(seat: int, before: int) -> Alert:
    return SEAT_CHANGED.alert(Game.THE, seat, before=before)


def cave_below_minimum(seat: int, amount: int, limit: int) -> Alert:
    return CAVE_BELOW_MINIMUM.alert(Game.THE, seat, amount_cents=amount, limit_cents=limit)


def recave_above_maximum(seat: int, amount: int, limit: int) -> Alert:
    return RECAVE_ABOVE_MAXIMUM.alert(Game.THE, seat, amount_cents=amount, limit_cents=limit)


def recave_during_coup(seat: int, amount: int) -> Alert:
    return RECAVE_DURING_COUP.alert(Game.THE, seat, amount_cents=amount)


def cave_without_player(seat: int, amount: int) -> Alert:
    return CAVE_WITHOUT_PLAYER.alert(Game.THE, seat, amount_cents=amount)


def absent_too_long(seat: int, seconds: int) -> Alert:
    return ABSENT_TOO_LONG.alert(Game.THE, seat, seconds=seconds)


def called_out_of_order(nth: int) -> Alert:
    return CALLED_OUT_OF_ORDER.alert(Game.THE, nth=nth)


def button_draw_wrong(fault: Fault) -> Alert:
    return BUTTON_DRAW_WRONG.alert(Game.THE, fault.seat, rule=fault.rule, fault=fault.code)


def button_moved(after: int, due: int, rule: str = "") -> Alert:
    return BUTTON_MOVED.alert(Game.THE, after, rule=rule, after=after, due=due)


def consigned_early(seat: int, amount: int) -> Alert:
    return CONSIGNED_EARLY.alert(Game.THE, seat, amount_cents=amount)


def stake_orphaned(stakes: int, amount: int) -> Alert:
    return STAKE_ORPHANED.alert(Game.THE, stakes=stakes, amount_cents=amount)
