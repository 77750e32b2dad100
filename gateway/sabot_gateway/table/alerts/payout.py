"""Alerts about payments: too much, too little, a stake left lying, a bonus forgotten; they hold the coup open."""

from typing import Final

from sabot_gateway.model.alert import Alert, Clears, Holds, Severity
from sabot_gateway.model.game import Game
from sabot_gateway.rules.fault_words import FAULTS
from sabot_gateway.table.alerts.kind import AlertKind, by_game

_RIGHT: Final = "the spot holds exactly what is due, or the table head overrides"
_PAYS: Final = by_game("TCF-13", "STU-12", "TCP-41", "UTH-10", "THE-111")

OVERPAID: Final = AlertKind(
    "OVERPAID",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat}, {spot} : {actual_cents} au lieu de {due_cents} (trop payé).",
    "Seat {seat}, {spot}: {actual_cents} instead of {due_cents} (overpaid).",
    _RIGHT,
    Holds.PAY,
    _PAYS,
)
UNDERPAID: Final = AlertKind(
    "UNDERPAID",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat}, {spot} : {actual_cents} au lieu de {due_cents} (pas assez payé).",
    "Seat {seat}, {spot}: {actual_cents} instead of {due_cents} (underpaid).",
    _RIGHT,
    Holds.PAY,
    _PAYS,
)
LOSING_STAKE_LEFT: Final = AlertKind(
    "LOSING_STAKE_LEFT",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat}, {spot} : mise perdante de {actual_cents} non ramassée.",
    "Seat {seat}, {spot}: a losing stake of {actual_cents} was not collected.",
    _RIGHT,
    Holds.PAY,
    _PAYS,
)
SIDE_BET_UNPAID: Final = AlertKind(
    "SIDE_BET_UNPAID",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat}, {spot} : mise gagnante impayée ({due_cents} dus, {actual_cents} sur la case).",
    "Seat {seat}, {spot}: the winning stake is unpaid ({due_cents} due, {actual_cents} on the spot).",
    _RIGHT,
    Holds.PAY,
    _PAYS,
)
UNCLAIMED_BONUS: Final = AlertKind(
    "UNCLAIMED_BONUS",
    Severity.WARNING,
    Clears.COUP_END,
    "Place {seat}, {spot} : gain non annoncé, au chef de table.",
    "Seat {seat}, {spot}: the win was not announced; for the table head.",
    "the player announces it; with the coup",
    Holds.NOTHING,
    by_game("TCF-77", "STU-73"),
)
CANNOT_SETTLE: Final = AlertKind(
    "CANNOT_SETTLE",
    Severity.ALARM,
    Clears.CORRECTION,
    "Le coup ne peut pas être réglé tel qu'il est lu : {fault}.",
    "The coup cannot be settled as it was read: {fault}.",
    "the table head confirms the hands, corrects the stakes or voids the coup",
    Holds.NOTHING,
    words={"fault": FAULTS},
)
VOID_TOO_LATE: Final = AlertKind(
    "VOID_TOO_LATE",
    Severity.ALARM,
    Clears.OPERATOR,
    "Annulation demandée après le début des paiements : incident au chef de table.",
    "The coup was to be voided after payments had begun: an incident for the table head.",
    "an authorised person clears it",
    rules=by_game("TCF-35", "STU-33", "TCP-48", "UTH-46", "THE-125"),
)
KINDS: Final = (
    OVERPAID,
    UNDERPAID,
    LOSING_STAKE_LEFT,
    SIDE_BET_UNPAID,
    UNCLAIMED_BONUS,
    CANNOT_SETTLE,
    VOID_TOO_LATE,
)


def overpaid(game: Game, seat: int, spot: str, actual: int, due: int, rule: str) -> Alert:
    return OVERPAID.alert(game, seat, spot, rule, actual_cents=actual, due_cents=due)


def underpaid(game: Game, seat: int, spot: str, actual: int, due: int, rule: str) -> Alert:
    return UNDERPAID.alert(game, seat, spot, rule, actual_cents=actual, due_cents=due)


def losing_stake_left(game: Game, seat: int, spot: str, actual: int, rule: str) -> Alert:
    return LOSING_STAKE_LEFT.alert(game, seat, spot, rule, actual_cents=actual)


def side_bet_unpaid(game: Game, seat: int, spot: str, actual: int, due: int, rule: str) -> Alert:
    return SIDE_BET_UNPAID.alert(game, seat, spot, rule, actual_cents=actual, due_cents=due)


def unclaimed_bonus(game: Game, seat: int, spot: str, rule: str = "") -> Alert:
    return UNCLAIMED_BONUS.alert(game, seat, spot, rule)


def cannot_settle(game: Game, fault: str, rule: str, seat: int | None) -> Alert:
    return CANNOT_SETTLE.alert(game, seat, None, rule, fault=fault)


def void_too_late(game: Game) -> Alert:
    return VOID_TOO_LATE.alert(game)
