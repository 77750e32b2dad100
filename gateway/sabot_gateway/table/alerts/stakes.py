"""Alerts about stakes: late, changed, outside their limits, of the wrong size, or on the wrong spot."""

from typing import Final

from sabot_gateway.model.alert import Alert, Clears, Holds, Severity
from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.game import Game
from sabot_gateway.rules.fault_words import FAULTS
from sabot_gateway.table.alerts.kind import AlertKind, by_game

_CLOSED: Final = by_game("TCF-25", "STU-25", "TCP-08", "UTH-18", "THE-50")
_LIMITS: Final = by_game("TCF-23", "STU-23", "TCP-56", "UTH-45", "THE-75")
_BACK: Final = "the spot holds the frozen amount again, or the table head overrides"
_PROPER: Final = "the stake is put right or taken back, or the table head overrides: the seat then does not play"

LATE_BET: Final = AlertKind(
    "LATE_BET",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat} : mise de {after_cents} posée sur {spot} après l'arrêt des jeux.",
    "Seat {seat}: a bet of {after_cents} was placed on {spot} after the bets were closed.",
    _BACK,
    Holds.SETTLE,
    _CLOSED,
)
CAPPED_BET: Final = AlertKind(
    "CAPPED_BET",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat} : mise sur {spot} augmentée de {before_cents} à {after_cents} après l'arrêt des jeux.",
    "Seat {seat}: the stake on {spot} was raised from {before_cents} to {after_cents} after the bets were closed.",
    _BACK,
    Holds.SETTLE,
    _CLOSED,
)
BET_REDUCED: Final = AlertKind(
    "BET_REDUCED",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat} : mise sur {spot} réduite de {before_cents} à {after_cents} après l'arrêt des jeux.",
    "Seat {seat}: the stake on {spot} was reduced from {before_cents} to {after_cents} after the bets were closed.",
    _BACK,
    Holds.SETTLE,
    _CLOSED,
)
BET_REMOVED: Final = AlertKind(
    "BET_REMOVED",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat} : mise de {before_cents} retirée de {spot} après l'arrêt des jeux.",
    "Seat {seat}: the bet of {before_cents} was removed from {spot} after the bets were closed.",
    _BACK,
    Holds.SETTLE,
    _CLOSED,
)
UNDER_LIMIT: Final = AlertKind(
    "UNDER_LIMIT",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : {amount_cents} sur {spot}, sous le minimum.",
    "Seat {seat}: {amount_cents} on {spot} is below the minimum.",
    _PROPER,
    Holds.CLOSE,
    _LIMITS,
)
OVER_LIMIT: Final = AlertKind(
    "OVER_LIMIT",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : {amount_cents} sur {spot}, au-dessus du maximum.",
    "Seat {seat}: {amount_cents} on {spot} is above the maximum.",
    _PROPER,
    Holds.CLOSE,
    _LIMITS,
)
UNEQUAL_ANTE_BLIND: Final = AlertKind(
    "UNEQUAL_ANTE_BLIND",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : Ante et Blind doivent être égales.",
    "Seat {seat}: Ante and Blind must be equal.",
    _PROPER,
    Holds.CLOSE,
    by_game(uth="UTH-16"),
)
WRONG_BONUS_AMOUNT: Final = AlertKind(
    "WRONG_BONUS_AMOUNT",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : la mise de bonus doit être le cinquième du minimum.",
    "Seat {seat}: the bonus stake must be one fifth of the table minimum.",
    _PROPER,
    Holds.CLOSE,
    by_game(stu="STU-71"),
)
BET_WITHOUT_HAND: Final = AlertKind(
    "BET_WITHOUT_HAND",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : mise sur {spot} sans mise initiale.",
    "Seat {seat}: a stake on {spot} without an initial stake.",
    _PROPER,
    Holds.CLOSE,
    by_game("TCF-23", "STU-23", "TCP-08", "UTH-16", "THE-20"),
)
BET_ON_VACANT_SEAT: Final = AlertKind(
    "BET_ON_VACANT_SEAT",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : mise devant une place vacante.",
    "Seat {seat}: a stake before a vacant seat.",
    _PROPER,
    Holds.CLOSE,
    by_game("TCF-20", "STU-21", "TCP-55", "UTH-15", "THE-20"),
)
IMPROPER_STAKE: Final = AlertKind(
    "IMPROPER_STAKE",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : mise irrégulière, {fault}.",
    "Seat {seat}: improper stake, {fault}.",
    _PROPER,
    Holds.CLOSE,
    _LIMITS,
    {"fault": FAULTS},
)
NO_PLAYER: Final = AlertKind(
    "NO_PLAYER",
    Severity.NOTICE,
    Clears.COUP_END,
    "Aucune mise régulière : la donne ne peut pas commencer.",
    "No proper stake: the deal cannot start.",
    "a proper stake is laid; with the coup",
    rules=by_game("TCF-16", "STU-15", "TCP-08", "UTH-11", "THE-14"),
)
WRONG_RAISE: Final = AlertKind(
    "WRONG_RAISE",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : {amount_cents} sur {spot} ; attendu : {expected:ou}.",
    "Seat {seat}: {amount_cents} on {spot}; expected: {expected:or}.",
    "the raise is exactly the right multiple, or taken back",
    Holds.SETTLE,
    by_game("TCF-42", "STU-42", "TCP-12", "UTH-20"),
)
RAISE_TOO_EARLY: Final = AlertKind(
    "RAISE_TOO_EARLY",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : {amount_cents} sur {spot} avant la fin de la donne.",
    "Seat {seat}: {amount_cents} on {spot} before the deal was over.",
    "the chips are taken back, or the decisions begin; or the table head overrides",
    Holds.SETTLE,
    by_game("TCF-39", "STU-38", "TCP-12", "UTH-20"),
)
RAISE_CHANGED: Final = AlertKind(
    "RAISE_CHANGED",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat} : mise sur {spot} changée de {before_cents} à {after_cents} après la décision.",
    "Seat {seat}: the stake on {spot} was changed from {before_cents} to {after_cents} after the decision.",
    _BACK,
    Holds.SETTLE,
    by_game("TCF-42", "STU-42", "TCP-12", "UTH-26"),
)
PLAY_AFTER_FOLD: Final = AlertKind(
    "PLAY_AFTER_FOLD",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat} : {amount_cents} sur {spot} devant une main passée.",
    "Seat {seat}: {amount_cents} on {spot} before a folded hand.",
    "the chips are taken back, or the table head overrides",
    Holds.SETTLE,
    by_game("TCF-40", "STU-40", "TCP-11", "UTH-26"),
)
BET_BEFORE_NO_HAND: Final = AlertKind(
    "BET_BEFORE_NO_HAND",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat} : {after_cents} sur {spot}, mais cette place n'a pas de main.",
    "Seat {seat}: {after_cents} on {spot}, but this seat has no hand.",
    "the chips are taken back, or the table head overrides",
    Holds.SETTLE,
    by_game("TCF-25", "STU-25", "TCP-08", "UTH-18", "THE-20"),
)
KINDS: Final = (
    LATE_BET,
    CAPPED_BET,
    BET_REDUCED,
    BET_REMOVED,
    UNDER_LIMIT,
    OVER_LIMIT,
    UNEQUAL_ANTE_BLIND,
    WRONG_BONUS_AMOUNT,
    BET_WITHOUT_HAND,
    BET_ON_VACANT_SEAT,
    IMPROPER_STAKE,
    NO_PLAYER,
    WRONG_RAISE,
    RAISE_TOO_EARLY,
    RAISE_CHANGED,
    PLAY_AFTER_FOLD,
    BET_BEFORE_NO_HAND,
)


def moved_after_close(game: Game, seat: int, spot: str, before: int, after: int) -> Alert:
    """A stake that moved when it was frozen: late, capped, reduced or removed."""
    if before == 0:
        kind = LATE_BET
    elif after == 0:
        kind = BET_REMOVED
    else:
        kind = CAPPED_BET if after > before else BET_REDUCED
    return kind.alert(game, seat, spot, before_cents=before, after_cents=after)


MOVED_CODES: Final = (LATE_BET.code, CAPPED_BET.code, BET_REDUCED.code, BET_REMOVED.code, BET_BEFORE_NO_HAND.code)

_OPENING: Final = {
    "BELOW_MIN": UNDER_LIMIT,
    "ABOVE_MAX": OVER_LIMIT,
    "BLIND_NOT_EQUAL_ANTE": UNEQUAL_ANTE_BLIND,
    "BONUS_NOT_ONE_FIFTH_OF_MIN": WRONG_BONUS_AMOUNT,
    "BONUS_UNIT_NOT_WHOLE": WRONG_BONUS_AMOUNT,
    "NO_ANTE": BET_WITHOUT_HAND,
    "BET_ON_VACANT_SPOT": BET_ON_VACANT_SEAT,
}


def improper_opening(game: Game, fault: str, rule: str, seat: int | None, spot: str | None, amount: int) -> Alert:
    """An opening stake that the rules refuse, by the code of their fault."""
    kind = _OPENING.get(fault, IMPROPER_STAKE)
    said = {"fault": fault} if kind is IMPROPER_STAKE else {}
    return kind.alert(game, seat, spot, rule, amount_cents=amount, **said)


def no_player(game: Game) -> Alert:
    return NO_PLAYER.alert(game)


def wrong_raise(game: Game, seat: int, spot: str, amount: int, expected: str, rule: str) -> Alert:
    return WRONG_RAISE.alert(game, seat, spot, rule, amount_cents=amount, expected=expected)


def raise_too_early(game: Game, seat: int, spot: str, amount: int, rule: str) -> Alert:
    return RAISE_TOO_EARLY.alert(game, seat, spot, rule, amount_cents=amount)


def raise_changed(game: Game, seat: int, spot: str, before: int, after: int) -> Alert:
    rule = "STU-58" if spot == FeltSpot.BUY else ""  # the price of a card, not the raise
    return RAISE_CHANGED.alert(game, seat, spot, rule, before_cents=before, after_cents=after)


def play_after_fold(game: Game, seat: int, spot: str, amount: int) -> Alert:
    return PLAY_AFTER_FOLD.alert(game, seat, spot, amount_cents=amount)


def bet_before_no_hand(game: Game, seat: int, spot: str, after: int) -> Alert:
    return BET_BEFORE_NO_HAND.alert(game, seat, spot, after_cents=after)
