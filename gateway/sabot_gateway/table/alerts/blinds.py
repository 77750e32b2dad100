"""Alerts before and at the deal of hold'em: the button, the blinds, the option and the stacks."""

from typing import Final

from sabot_gateway.model.alert import Alert, Clears, Holds, Severity
from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.game import Game
from sabot_gateway.rules.fault_words import FAULTS
from sabot_gateway.rules.rejection import Fault
from sabot_gateway.table.alerts.kind import AlertKind, by_game

_PROPER: Final = "the stakes before the deal are right, or the table head overrides: the seat then does not play"
_ACT: Final = "the spot holds a proper stake again, or the table head overrides"

BUTTON_NOT_PLACED: Final = AlertKind(
    "BUTTON_NOT_PLACED",
    Severity.WARNING,
    Clears.CORRECTION,
    "Le bouton n'est pas placé devant un joueur.",
    "The button is not before a player.",
    "the button is drawn or placed",
    Holds.CLOSE,
    by_game(the="THE-41"),
)
TOO_FEW_PLAYERS: Final = AlertKind(
    "TOO_FEW_PLAYERS",
    Severity.NOTICE,
    Clears.COUP_END,
    "{players} {players:joueur a|joueurs ont} des jetons : il en faut deux.",
    "{players} {players:player has|players have} chips: two are needed.",
    "a second player is there; with the coup",
    rules=by_game(the="THE-14"),
)
WRONG_BLIND: Final = AlertKind(
    "WRONG_BLIND",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : blind de {amount_cents} au lieu de {due_cents}.",
    "Seat {seat}: a blind of {amount_cents} instead of {due_cents}.",
    _PROPER,
    Holds.CLOSE,
    by_game(the="THE-45"),
)
WRONG_OPTION: Final = AlertKind(
    "WRONG_OPTION",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : {amount_cents} avant la donne n'est pas une option régulière.",
    "Seat {seat}: {amount_cents} before the deal is no proper option.",
    _PROPER,
    Holds.CLOSE,
    by_game(the="THE-49"),
)
STAKE_BEFORE_DEAL: Final = AlertKind(
    "STAKE_BEFORE_DEAL",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : {amount_cents} sur {spot} avant la donne, sans blind à poser.",
    "Seat {seat}: {amount_cents} on {spot} before the deal, with no blind to post.",
    _PROPER,
    Holds.CLOSE,
    by_game(the="THE-50"),
)
STACK_NOT_WHOLE: Final = AlertKind(
    "STACK_NOT_WHOLE",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : tapis de {amount_cents}, pas un nombre entier de jetons en jeu.",
    "Seat {seat}: a stack of {amount_cents} is no whole number of the chips in play.",
    _PROPER,
    Holds.CLOSE,
    by_game(the="THE-32"),
)
PLAYER_TWO_HANDS: Final = AlertKind(
    "PLAYER_TWO_HANDS",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat} : ce joueur a déjà une main à la place {other}.",
    "Seat {seat}: this player already has a hand at seat {other}.",
    _PROPER,
    Holds.CLOSE,
    by_game(the="THE-19"),
)
BLINDS_IMPOSSIBLE: Final = AlertKind(
    "BLINDS_IMPOSSIBLE",
    Severity.ALARM,
    Clears.CORRECTION,
    "Les blinds de la table ne sont pas réguliers : {fault}.",
    "The blinds of this table are not proper: {fault}.",
    "the table is given proper limits",
    Holds.CLOSE,
    by_game(the="THE-46"),
    words={"fault": FAULTS},
)
DEALT_ON_WRONG_BLIND: Final = AlertKind(
    "DEALT_ON_WRONG_BLIND",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Place {seat} : donne commencée avec {amount_cents} au lieu de {due_cents} sur {spot}.",
    "Seat {seat}: dealt with {amount_cents} instead of {due_cents} on {spot}.",
    _ACT,
    Holds.SETTLE,
    by_game(the="THE-50"),
)
STACK_UNKNOWN: Final = AlertKind(
    "STACK_UNKNOWN",
    Severity.NOTICE,
    Clears.COUP_END,
    "Place {seat} : aucune cave enregistrée ; un tapis doit être annoncé par la touche.",
    "Seat {seat}: no cave is registered; an all-in must be declared by its key.",
    "a cave is registered; with the coup",
    rules=by_game(the="THE-34"),
)

KINDS: Final = (
    BUTTON_NOT_PLACED,
    TOO_FEW_PLAYERS,
    WRONG_BLIND,
    WRONG_OPTION,
    STAKE_BEFORE_DEAL,
    STACK_NOT_WHOLE,
    PLAYER_TWO_HANDS,
    BLINDS_IMPOSSIBLE,
    DEALT_ON_WRONG_BLIND,
    STACK_UNKNOWN,
)
OPENING_CODES: Final = frozenset(
    kind.code
    for kind in (
        BUTTON_NOT_PLACED,
        TOO_FEW_PLAYERS,
        WRONG_BLIND,
        WRONG_OPTION,
        STAKE_BEFORE_DEAL,
        STACK_NOT_WHOLE,
        PLAYER_TWO_HANDS,
        BLINDS_IMPOSSIBLE,
    )
)


def button_not_placed() -> Alert:
    return BUTTON_NOT_PLACED.alert(Game.THE)


def too_few_players(players: int) -> Alert:
    return TOO_FEW_PLAYERS.alert(Game.THE, players=players)


def wrong_blind(seat: int, amount: int, due: int, rule: str) -> Alert:
    return WRONG_BLIND.alert(Game.THE, seat, FeltSpot.BET, rule, amount_cents=amount, due_cents=due)


def wrong_option(seat: int, amount: int, rule: str) -> Alert:
    return WRONG_OPTION.alert(Game.THE, seat, FeltSpot.BET, rule, amount_cents=amount)


def stake_before_deal(seat: int, amount: int) -> Alert:
    return STAKE_BEFORE_DEAL.alert(Game.THE, seat, FeltSpot.BET, amount_cents=amount)


def stack_not_whole(seat: int, amount: int) -> Alert:
    return STACK_NOT_WHOLE.alert(Game.THE, seat, FeltSpot.STACK, amount_cents=amount)


def player_two_hands(seat: int, other: int) -> Alert:
    return PLAYER_TWO_HANDS.alert(Game.THE, seat, other=other)


def blinds_impossible(fault: Fault) -> Alert:
    return BLINDS_IMPOSSIBLE.alert(Game.THE, rule=fault.rule, fault=fault.code)


def dealt_on_wrong_blind(seat: int, amount: int, due: int) -> Alert:
    return DEALT_ON_WRONG_BLIND.alert(Game.THE, seat, FeltSpot.BET, amount_cents=amount, due_cents=due)


def stack_unknown(seat: int) -> Alert:
    return STACK_UNKNOWN.alert(Game.THE, seat)
