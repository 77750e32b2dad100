"""Alerts about chips themselves: unknown, foreign, withdrawn, doubled, in two places, unreadable."""

from dataclasses import replace
from typing import Final

from sabot_gateway.model.alert import Alert, Clears, Holds, Severity
from sabot_gateway.model.game import Game
from sabot_gateway.table.alerts.kind import AlertKind, by_game
from sabot_gateway.table.alerts.words import DOUBTS

_CHIPS: Final = by_game("TCF-24", "STU-24", "TCP-56", "UTH-45", "THE-32")
_GONE: Final = "the chip is taken off the spot, or the table head overrides"

UNKNOWN_CHIP: Final = AlertKind(
    "UNKNOWN_CHIP",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat}, {spot} : {chips} {chips:jeton inconnu|jetons inconnus} du registre.",
    "Seat {seat}, {spot}: {chips} {chips:chip|chips} that the register does not know.",
    _GONE,
    Holds.CLOSE,
    _CHIPS,
)
FOREIGN_CHIP: Final = AlertKind(
    "FOREIGN_CHIP",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat}, {spot} : {chips} {chips:jeton|jetons} d'un autre établissement ou d'un autre jeu.",
    "Seat {seat}, {spot}: {chips} {chips:chip|chips} of another house or game.",
    _GONE,
    Holds.CLOSE,
    _CHIPS,
)
WITHDRAWN_CHIP: Final = AlertKind(
    "WITHDRAWN_CHIP",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat}, {spot} : {chips} {chips:jeton retiré|jetons retirés} du service.",
    "Seat {seat}, {spot}: {chips} {chips:chip|chips} withdrawn from service.",
    _GONE,
    Holds.CLOSE,
    _CHIPS,
)
DUPLICATE_CHIP: Final = AlertKind(
    "DUPLICATE_CHIP",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat}, {spot} : {chips} {chips:jeton lu|jetons lus} deux fois sous le même numéro.",
    "Seat {seat}, {spot}: {chips} {chips:chip|chips} read twice under one number.",
    _GONE,
    Holds.CLOSE,
    _CHIPS,
)
CHIP_ON_TWO_SPOTS: Final = AlertKind(
    "CHIP_ON_TWO_SPOTS",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat}, {spot} : {chips} {chips:jeton lu|jetons lus} aussi à la place {other_seat}, {other_spot}.",
    "Seat {seat}, {spot}: {chips} {chips:chip was|chips were} also read at seat {other_seat}, {other_spot}.",
    "the chip is read on one spot only, or the table head overrides",
    Holds.CLOSE,
    _CHIPS,
)
CHIPS_DOUBTFUL: Final = AlertKind(
    "CHIPS_DOUBTFUL",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat}, {spot} : lecture douteuse, {reason}.",
    "Seat {seat}, {spot}: doubtful reading, {reason}.",
    "the spot is read again without doubt, or the table head overrides",
    Holds.CLOSE,
    _CHIPS,
    {"reason": DOUBTS},
)
KINDS: Final = (UNKNOWN_CHIP, FOREIGN_CHIP, WITHDRAWN_CHIP, DUPLICATE_CHIP, CHIP_ON_TWO_SPOTS, CHIPS_DOUBTFUL)
CODES: Final = frozenset(kind.code for kind in KINDS)


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


def chips_doubtful(game: Game, seat: int, spot: str, reason: str, is_stake: bool) -> Alert:
    """Only where stakes lie does it hold the closing: the tray has more chips than any antenna reads."""
    alert = CHIPS_DOUBTFUL.alert(game, seat, spot, reason=reason)
    return alert if is_stake else replace(alert, holds=Holds.NOTHING)
