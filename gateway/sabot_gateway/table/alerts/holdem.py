"""Alerts of hold'em play: betting, pot, showdown and rake; with those of the blinds and the party, all of hold'em.

No sentence names a card.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.alert import Alert, Clears, Holds, Severity
from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.game import Game
from sabot_gateway.rules.rejection import Fault
from sabot_gateway.table.alerts import blinds, party
from sabot_gateway.table.alerts.kind import AlertKind, by_game

_ACT: Final = "the spot holds a proper stake again, or the table head overrides"
_POT: Final = "the pot holds what was staked, or the table head overrides"
_COUP: Final = "with the coup"

OUT_OF_TURN: Final = AlertKind(
    "OUT_OF_TURN",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : action hors tour, la parole est à la place {due}.",
    "Seat {seat} acted out of turn; seat {due} has the word.",
    "the chips are taken back, the word comes to the seat, or the table head overrides",
    Holds.SETTLE,
    by_game(the="THE-57"),
)
STRING_BET: Final = AlertKind(
    "STRING_BET",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : mise en deux fois, {amount_cents} après {before_cents}.",
    "Seat {seat}: a string bet, {amount_cents} after {before_cents}.",
    "the second motion is taken back, or the table head lets the raise stand",
    Holds.SETTLE,
    by_game(the="THE-60"),
)
INCOMPLETE_CALL: Final = AlertKind(
    "INCOMPLETE_CALL",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : {amount_cents} pour suivre {due_cents}.",
    "Seat {seat}: {amount_cents} to call {due_cents}.",
    "the call is completed, all-in is declared or the chips are taken back; an override declares all-in",
    Holds.SETTLE,
    by_game(the="THE-59"),
)
BET_BELOW_MINIMUM: Final = AlertKind(
    "BET_BELOW_MINIMUM",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : {amount_cents}, minimum {limit_cents}.",
    "Seat {seat}: {amount_cents}, the minimum is {limit_cents}.",
    _ACT,
    Holds.SETTLE,
    by_game(the="THE-118"),
)
BET_ABOVE_MAXIMUM: Final = AlertKind(
    "BET_ABOVE_MAXIMUM",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : {amount_cents}, maximum {limit_cents}.",
    "Seat {seat}: {amount_cents}, the maximum is {limit_cents}.",
    _ACT,
    Holds.SETTLE,
    by_game(the="THE-119"),
)
RAISE_NOT_ALLOWED: Final = AlertKind(
    "RAISE_NOT_ALLOWED",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : {amount_cents}, mais la relance n'est plus ouverte.",
    "Seat {seat}: {amount_cents}, but raising is closed to this seat.",
    _ACT,
    Holds.SETTLE,
    by_game(the="THE-121"),
)
MORE_THAN_STACK: Final = AlertKind(
    "MORE_THAN_STACK",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat} : {amount_cents} misés, tapis connu de {limit_cents}.",
    "Seat {seat}: {amount_cents} staked, the stack is known as {limit_cents}.",
    "the chips are taken back; an override takes them for the whole stack",
    Holds.SETTLE,
    by_game(the="THE-37"),
)
BET_NOT_WHOLE: Final = AlertKind(
    "BET_NOT_WHOLE",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : {amount_cents} n'est pas un multiple du jeton de la table.",
    "Seat {seat}: {amount_cents} is no multiple of the table's chip.",
    _ACT,
    Holds.SETTLE,
    by_game(the="THE-32"),
)
STAKE_TAKEN_BACK: Final = AlertKind(
    "STAKE_TAKEN_BACK",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat} : mise réduite de {before_cents} à {after_cents} pendant le tour d'enchères.",
    "Seat {seat}: the stake went from {before_cents} to {after_cents} during the betting round.",
    "the stake is whole again, or the table head overrides",
    Holds.SETTLE,
    by_game(the="THE-70"),
)
BET_AFTER_FOLD: Final = AlertKind(
    "BET_AFTER_FOLD",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat} : {amount_cents} de plus devant une main passée.",
    "Seat {seat}: {amount_cents} more before a folded hand.",
    "the chips are taken back, or the table head overrides",
    Holds.SETTLE,
    by_game(the="THE-58"),
)
BET_AFTER_ROUND: Final = AlertKind(
    "BET_AFTER_ROUND",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat} : {amount_cents} ajoutés après la fin du tour d'enchères.",
    "Seat {seat}: {amount_cents} were added after the betting round had ended.",
    "the chips are taken back, the word comes to the seat, or the table head overrides",
    Holds.SETTLE,
    by_game(the="THE-83"),
)
CHECK_FACING_BET: Final = AlertKind(
    "CHECK_FACING_BET",
    Severity.WARNING,
    Clears.COUP_END,
    "Place {seat} : parole impossible, {due_cents} à suivre.",
    "Seat {seat} cannot check: {due_cents} to match.",
    "the seat calls, raises or folds; with the coup",
    rules=by_game(the="THE-77"),
)
VERBAL_BET: Final = AlertKind(
    "VERBAL_BET",
    Severity.NOTICE,
    Clears.COUP_END,
    "Place {seat} : enjeu annoncé ; seuls les jetons posés comptent.",
    "Seat {seat}: a spoken bet; only chips on the spot count.",
    "the chips are laid; with the coup",
    rules=by_game(the="THE-33"),
)
STAKES_NOT_GATHERED: Final = AlertKind(
    "STAKES_NOT_GATHERED",
    Severity.WARNING,
    Clears.CORRECTION,
    "Mises non rassemblées au pot : {amount_cents} à {seats} {seats:place|places}.",
    "Stakes were not gathered into the pot: {amount_cents} before {seats} {seats:seat|seats}.",
    "the stakes are gathered",
    rules=by_game(the="THE-70"),
)
POT_SHORT: Final = AlertKind(
    "POT_SHORT",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Pot : {amount_cents} au lieu de {due_cents}, il manque des jetons.",
    "Pot: {amount_cents} instead of {due_cents}, chips are missing.",
    _POT,
    Holds.SETTLE,
    by_game(the="THE-70"),
)
POT_OVER: Final = AlertKind(
    "POT_OVER",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Pot : {amount_cents} au lieu de {due_cents}, des jetons de trop.",
    "Pot: {amount_cents} instead of {due_cents}, chips too many.",
    _POT,
    Holds.SETTLE,
    by_game(the="THE-70"),
)
STACK_GREW: Final = AlertKind(
    "STACK_GREW",
    Severity.ALARM,
    Clears.OPERATOR,
    "Place {seat} : tapis passé de {before_cents} à {after_cents} pendant un coup.",
    "Seat {seat}: the stack went from {before_cents} to {after_cents} during a coup.",
    "an authorised person clears it",
    rules=by_game(the="THE-39"),
)
STACK_DIFFERS: Final = AlertKind(
    "STACK_DIFFERS",
    Severity.WARNING,
    Clears.COUP_END,
    "Place {seat} : tapis annoncé à {amount_cents}, connu à {due_cents}.",
    "Seat {seat}: all-in for {amount_cents}, the stack was known as {due_cents}.",
    _COUP,
    rules=by_game(the="THE-37"),
)
SHOWDOWN_ORDER: Final = AlertKind(
    "SHOWDOWN_ORDER",
    Severity.NOTICE,
    Clears.COUP_END,
    "Place {seat} a montré avant la place {due}.",
    "Seat {seat} showed before seat {due}.",
    _COUP,
    rules=by_game(the="THE-101"),
)
HAND_MUCKED: Final = AlertKind(
    "HAND_MUCKED",
    Severity.WARNING,
    Clears.COUP_END,
    "Place {seat} : main jetée sans être montrée.",
    "Seat {seat}: the hand was thrown away unseen.",
    _COUP,
    rules=by_game(the="THE-101"),
)
WRONG_RAKE: Final = AlertKind(
    "WRONG_RAKE",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Cagnotte : prélèvement de {amount_cents} au lieu de {due_cents}.",
    "Cagnotte: a levy of {amount_cents} instead of {due_cents}.",
    "the levy is exactly the computed one, or the table head overrides",
    Holds.PAY,
    by_game(the="THE-110"),
)

KINDS: Final = (
    *blinds.KINDS,
    *party.KINDS,
    OUT_OF_TURN,
    STRING_BET,
    INCOMPLETE_CALL,
    BET_BELOW_MINIMUM,
    BET_ABOVE_MAXIMUM,
    RAISE_NOT_ALLOWED,
    MORE_THAN_STACK,
    BET_NOT_WHOLE,
    STAKE_TAKEN_BACK,
    BET_AFTER_FOLD,
    BET_AFTER_ROUND,
    CHECK_FACING_BET,
    VERBAL_BET,
    STAKES_NOT_GATHERED,
    POT_SHORT,
    POT_OVER,
    STACK_GREW,
    STACK_DIFFERS,
    SHOWDOWN_ORDER,
    HAND_MUCKED,
    WRONG_RAKE,
)
OPENING_CODES: Final = blinds.OPENING_CODES
# What is said about the chips on one bet spot; each new reading of the spot says it anew.
SPOT_CODES: Final = frozenset(
    kind.code
    for kind in (
        blinds.DEALT_ON_WRONG_BLIND,
        OUT_OF_TURN,
        STRING_BET,
        INCOMPLETE_CALL,
        BET_BELOW_MINIMUM,
        BET_ABOVE_MAXIMUM,
        RAISE_NOT_ALLOWED,
        MORE_THAN_STACK,
        BET_NOT_WHOLE,
        STAKE_TAKEN_BACK,
        BET_AFTER_FOLD,
        BET_AFTER_ROUND,
    )
)
_REFUSED: Final[Mapping[str, AlertKind]] = MappingProxyType(
    {
        "BELOW_MINIMUM": BET_BELOW_MINIMUM,
        "ABOVE_MAXIMUM": BET_ABOVE_MAXIMUM,
        "RAISE_NOT_ALLOWED": RAISE_NOT_ALLOWED,
        "MORE_THAN_STACK": MORE_THAN_STACK,
        "NOT_CHIP_MULTIPLE": BET_NOT_WHOLE,
    }
)


def out_of_turn(seat: int, due: int, rule: str) -> Alert:
    return OUT_OF_TURN.alert(Game.THE, seat, FeltSpot.BET, rule, due=due)


def string_bet(seat: int, amount: int, before: int) -> Alert:
    return STRING_BET.alert(Game.THE, seat, FeltSpot.BET, amount_cents=amount, before_cents=before)


def incomplete_call(seat: int, amount: int, due: int) -> Alert:
    return INCOMPLETE_CALL.alert(Game.THE, seat, FeltSpot.BET, amount_cents=amount, due_cents=due)


def refused_bet(seat: int, amount: int, fault: Fault) -> Alert:
    """A stake that the betting rules refuse, by the code of their fault."""
    kind = _REFUSED.get(fault.code, RAISE_NOT_ALLOWED)
    limit = fault.detail if isinstance(fault.detail, int) else 0
    return kind.alert(Game.THE, seat, FeltSpot.BET, fault.rule, amount_cents=amount, limit_cents=limit)


def stake_taken_back(seat: int, before: int, after: int) -> Alert:
    return STAKE_TAKEN_BACK.alert(Game.THE, seat, FeltSpot.BET, before_cents=before, after_cents=after)


def bet_after_fold(seat: int, amount: int) -> Alert:
    return BET_AFTER_FOLD.alert(Game.THE, seat, FeltSpot.BET, amount_cents=amount)


def bet_after_round(seat: int, amount: int) -> Alert:
    return BET_AFTER_ROUND.alert(Game.THE, seat, FeltSpot.BET, amount_cents=amount)


def check_facing_bet(seat: int, due: int) -> Alert:
    return CHECK_FACING_BET.alert(Game.THE, seat, due_cents=due)


def verbal_bet(seat: int) -> Alert:
    return VERBAL_BET.alert(Game.THE, seat)


def stakes_not_gathered(amount: int, seats: int, rule: str) -> Alert:
    return STAKES_NOT_GATHERED.alert(Game.THE, None, FeltSpot.POT, rule, amount_cents=amount, seats=seats)


def wrong_pot(amount: int, due: int, rule: str) -> Alert:
    """A pot that does not hold what was staked: short or over."""
    kind = POT_SHORT if amount < due else POT_OVER
    return kind.alert(Game.THE, 0, FeltSpot.POT, rule, amount_cents=amount, due_cents=due)


def stack_grew(seat: int, before: int, after: int) -> Alert:
    return STACK_GREW.alert(Game.THE, seat, FeltSpot.STACK, before_cents=before, after_cents=after)


def stack_differs(seat: int, amount: int, due: int) -> Alert:
    return STACK_DIFFERS.alert(Game.THE, seat, amount_cents=amount, due_cents=due)


def showdown_order(seat: int, due: int, rule: str) -> Alert:
    return SHOWDOWN_ORDER.alert(Game.THE, seat, rule=rule, due=due)


def hand_mucked(seat: int) -> Alert:
    return HAND_MUCKED.alert(Game.THE, seat)


def wrong_rake(amount: int, due: int) -> Alert:
    return WRONG_RAKE.alert(Game.THE, 0, FeltSpot.RAKE, amount_cents=amount, due_cents=due)
