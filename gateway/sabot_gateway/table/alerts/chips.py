"""Alerts about chips themselves: unknown, foreign, withdrawn, doubled, in two places, unreadable."""

from typing import Final

from sabot_gateway.model.alert import Alert, Clears, Holds, Severity
from sabot_gateway.model.game import Game
from sabot_gateway.table.alerts.kind import AlertKind, by_game

_CHIPS: Final = by_game("TCF-24", "STU-24", "TCP-56", "UTH-45", "THE-32")
_GONE: Final = "the chip is taken off the spot, or the table head overrides"

UNKNOWN_CHIP: Final = AlertKind(
    "UNKNOWN_CHIP",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat}, {spot} : {chips} jeton(s) inconnu(s) du registre.",
    "Seat {seat}, {spot}: {chips} chip(s) that the register does not know.",
    _GONE,
    Holds.CLOSE,
    _CHIPS,
)
FOREIGN_CHIP: Final = AlertKind(
    "FOREIGN_CHIP",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat}, {spot} : {chips} jeton(s) d'un autre établissement ou d'un autre jeu.",
    "Seat {seat}, {spot}: {chips} chip(s) of another house or game.",
    _GONE,
    Holds.CLOSE,
    _CHIPS,
)
WITHDRAWN_CHIP: Final = AlertKind(
    "WITHDRAWN_CHIP",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat}, {spot} : {chips} jeton(s) retiré(s) du service.",
    "Seat {seat}, {spot}: {chips} chip(s) withdrawn from service.",
    _GONE,
    Holds.CLOSE,
    _CHIPS,
)
DUPLICATE_CHIP: Final = AlertKind(
    "DUPLICATE_CHIP",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat}, {spot} : {chips} jeton(s) lu(s) deux fois sous le même numéro.",
    "Seat {seat}, {spot}: {chips} chip(s) read twice under one number.",
    _GONE,
    Holds.CLOSE,
    _CHIPS,
)
CHIP_ON_TWO_SPOTS: Final = AlertKind(
    "CHIP_ON_TWO_SPOTS",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat}, {spot} : {chips} jeton(s) aussi lu(s) place {other_seat}, {other_spot}.",
    "Seat {seat}, {spot}: {chips} chip(s) also read at seat {other_seat}, {other_spot}.",
    "the chip is read on one spot only, or the table head overrides",
    Holds.CLOSE,
    _CHIPS,
)
CHIPS_DOUBTFUL: Final = AlertKind(
    "CHIPS_DOUBTFUL",
    Severity.WARNING,
    Clears.CORRECTION,
    "Place {seat}, {spot} : lecture douteuse ({reason}).",
    "Seat {seat}, {spot}: doubtful reading ({reason}).",
    "the spot is read again without doubt",
    Holds.NOTHING,
    _CHIPS,
)
KINDS: Final = (UNKNOWN_CHIP, FOREIGN_CHIP, WITHDRAWN_CHIP, DUPLICATE_CHIP, CHIP_ON_TWO_SPOTS, CHIPS_DOUBTFUL)


def unknown_chip(game: Game, seat: int, spot: str, chips: int) -> Alert:
    return UNKNOWN_CHIP.alert(game, seat, spot, chips=chips)


def foreign_chip(game: Game, seat: int, spot: str, chips: int) -> Alert:
    return FOREIGN_CHIP.alert(game, seat, spot, chips=chips)


def withdrawn_chip(game: Game, seat: int, spot: str, chips: int) -> Alert:
    return WITHDRAWN_CHIP.alert(game, seat, spot, chips=chips)


def duplicate_chip(game: Game, seat: int, spot: str, chips: int) -> Alert:
    return DUPLICATE_CHIP.alert(game, seat, spot, chips=chips)


def chip_on_two_spots(game: Game, seat: int, spot: str, chips: int, other_seat: int, other_spot: str) -> Alert:
    return CHIP_ON_TWO_SPOTS.alert(game, seat, spot, chips=chips, other_seat=other_seat, other_spot=other_spot)


def chips_doubtful(game: Game, seat: int, spot: str, reason: str) -> Alert:
    return CHIPS_DOUBTFUL.alert(game, seat, spot, reason=reason)
