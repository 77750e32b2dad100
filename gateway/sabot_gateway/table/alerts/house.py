"""Alerts about staff, séance, pace and controllers."""

from typing import Final

from sabot_gateway.model.alert import Alert, Clears, Holds, Severity
from sabot_gateway.model.game import Game
from sabot_gateway.table.alerts.kind import AlertKind, by_game
from sabot_gateway.table.alerts.words import DEVICE_FAULTS, KEYS, PHASES, RESETS, REVIEW_CAUSES, ROLES

_STAY: Final = by_game("TCF-15", "STU-14", "", "UTH-09", "THE-09")
_CLEARED: Final = "an authorised person clears it"

COUP_WITHOUT_SEANCE: Final = AlertKind(
    "COUP_WITHOUT_SEANCE",
    Severity.ALARM,
    Clears.OPERATOR,
    "Jeu sur une table dont la séance n'est pas ouverte.",
    "Play on a table whose séance is not open.",
    _CLEARED,
    rules=by_game("TCF-11", "STU-11", "", "UTH-07", "THE-07"),
)
STAFF_MISSING: Final = AlertKind(
    "STAFF_MISSING",
    Severity.WARNING,
    Clears.CORRECTION,
    "Il manque un badge : {role} ne s'est pas présenté.",
    "A badge is missing: {role} has not shown up.",
    "the badge is read",
    rules=by_game("TCF-11", "STU-11", "", "UTH-07", "THE-07"),
    words={"role": ROLES},
)
DEALER_CHANGED: Final = AlertKind(
    "DEALER_CHANGED",
    Severity.ALARM,
    Clears.OPERATOR,
    "Croupier relevé en cours de coup ({before} puis {after}).",
    "The dealer was relieved during the coup ({before}, then {after}).",
    _CLEARED,
    rules=_STAY,
)
HEAD_CHANGED: Final = AlertKind(
    "HEAD_CHANGED",
    Severity.ALARM,
    Clears.OPERATOR,
    "Chef de table relevé en cours de coup ({before} puis {after}).",
    "The table head was relieved during the coup ({before}, then {after}).",
    _CLEARED,
    rules=by_game("TCF-15", "STU-14"),
)
HEAD_TOO_MANY_TABLES: Final = AlertKind(
    "HEAD_TOO_MANY_TABLES",
    Severity.ALARM,
    Clears.CORRECTION,
    "Le chef de table {head} contrôle {tables} tables ({most} au plus).",
    "Table head {head} watches {tables} tables ({most} at most).",
    "the table head leaves a table",
    rules=by_game("TCF-12", "STU-11", "", "UTH-10", "THE-10"),
)
UNKNOWN_BADGE: Final = AlertKind(
    "UNKNOWN_BADGE",
    Severity.WARNING,
    Clears.OPERATOR,
    "Badge inconnu présenté à la table.",
    "An unknown badge was shown at the table.",
    _CLEARED,
)
AUTHORITY_MISSING: Final = AlertKind(
    "AUTHORITY_MISSING",
    Severity.NOTICE,
    Clears.COUP_END,
    "Touche « {key} » sans effet : il faut le badge du chef de table.",
    "The key “{key}” has no effect: it takes the table head's badge.",
    "with the coup",
    words={"key": KEYS},
)
KEY_OUT_OF_PLACE: Final = AlertKind(
    "KEY_OUT_OF_PLACE",
    Severity.NOTICE,
    Clears.COUP_END,
    "Touche « {key} » sans effet {phase}.",
    "The key “{key}” has no effect {phase}.",
    "with the coup",
    words={"key": KEYS, "phase": PHASES},
)
LAST_HANDS_NOT_ANNOUNCED: Final = AlertKind(
    "LAST_HANDS_NOT_ANNOUNCED",
    Severity.WARNING,
    Clears.OPERATOR,
    "Fermeture sans les trois dernières mains annoncées : {hands} {hands:jouée|jouées}.",
    "Closing without the last three hands announced: {hands} played.",
    _CLEARED,
    rules=by_game(the="THE-112"),
)
FLOAT_TOO_SMALL: Final = AlertKind(
    "FLOAT_TOO_SMALL",
    Severity.WARNING,
    Clears.CORRECTION,
    "Avance de la table : {amount_cents}, minimum {least_cents}.",
    "The table's float is {amount_cents}, the minimum {least_cents}.",
    "the float is completed",
    rules=by_game(uth="UTH-08"),
)
SHUFFLE_BEFORE_CLOSE: Final = AlertKind(
    "SHUFFLE_BEFORE_CLOSE",
    Severity.WARNING,
    Clears.COUP_END,
    "Mélange avant la vérification des mises.",
    "The cards were shuffled before the stakes were verified.",
    "with the coup",
    rules=by_game("TCF-14", "STU-23"),
)
COUP_STALLED: Final = AlertKind(
    "COUP_STALLED",
    Severity.WARNING,
    Clears.CORRECTION,
    "Le coup n'avance plus {phase}.",
    "The coup has stalled {phase}.",
    "the coup goes on",
    words={"phase": PHASES},
)
PACE_FAST: Final = AlertKind(
    "PACE_FAST",
    Severity.NOTICE,
    Clears.OPERATOR,
    "Coup joué en {seconds} s : anormalement rapide.",
    "The coup took {seconds} s: unusually fast.",
    _CLEARED,
)
PACE_SLOW: Final = AlertKind(
    "PACE_SLOW",
    Severity.NOTICE,
    Clears.OPERATOR,
    "Coup joué en {seconds} s : anormalement lent.",
    "The coup took {seconds} s: unusually slow.",
    _CLEARED,
)
LAMPS_NOT_CONFIRMED: Final = AlertKind(
    "LAMPS_NOT_CONFIRMED",
    Severity.ALARM,
    Clears.CORRECTION,
    "Les voyants n'ont pas confirmé l'image {revision}.",
    "The lamps have not confirmed picture {revision}.",
    "the controller confirms the current picture",
)
EVENTS_MISSING: Final = AlertKind(
    "EVENTS_MISSING",
    Severity.ALARM,
    Clears.OPERATOR,
    "Événements {first} à {last} perdus pendant le coup : coup à vérifier.",
    "Events {first} to {last} were lost during the coup: it must be reviewed.",
    "an authorised person clears it; the coup itself stays in review until it is confirmed or void",
)
CONTROLLER_LOST: Final = AlertKind(
    "CONTROLLER_LOST",
    Severity.ALARM,
    Clears.CORRECTION,
    "Liaison avec le contrôleur {device} perdue.",
    "The link to controller {device} is lost.",
    "the link is back",
)
CONTROLLER_REBOOTED: Final = AlertKind(
    "CONTROLLER_REBOOTED",
    Severity.ALARM,
    Clears.OPERATOR,
    "Le contrôleur {device} a redémarré : {cause}.",
    "Controller {device} restarted: {cause}.",
    _CLEARED,
    words={"cause": RESETS},
)
DEVICE_FAULT: Final = AlertKind(
    "DEVICE_FAULT",
    Severity.ALARM,
    Clears.CORRECTION,
    "Le contrôleur {device} est en panne : {fault}, élément {part}.",
    "Controller {device} has a fault: {fault}, part {part}.",
    "the controller reports it repaired",
    words={"fault": DEVICE_FAULTS},
)
CLOCK_OFF: Final = AlertKind(
    "CLOCK_OFF",
    Severity.WARNING,
    Clears.CORRECTION,
    "Horloge du contrôleur {device} décalée de {off_ms} ms.",
    "The clock of controller {device} is off by {off_ms} ms.",
    "the clock is set right",
)
DOOR_OPEN: Final = AlertKind(
    "DOOR_OPEN",
    Severity.ALARM,
    Clears.CORRECTION,
    "Le coffret {device} est ouvert.",
    "The housing {device} is open.",
    "the door is closed",
)
IN_REVIEW: Final = AlertKind(
    "IN_REVIEW",
    Severity.ALARM,
    Clears.CORRECTION,
    "Coup à vérifier : {cause}. Rien n'est réglé automatiquement.",
    "The coup is in review: {cause}. Nothing settles by itself.",
    "the table head confirms every hand, or voids the coup",
    Holds.NOTHING,
    words={"cause": REVIEW_CAUSES},
)
FLOOR_CALLED: Final = AlertKind(
    "FLOOR_CALLED",
    Severity.NOTICE,
    Clears.OPERATOR,
    "Le croupier appelle la surveillance.",
    "The dealer calls the floor.",
    _CLEARED,
)
KINDS: Final = (
    COUP_WITHOUT_SEANCE,
    STAFF_MISSING,
    DEALER_CHANGED,
    HEAD_CHANGED,
    HEAD_TOO_MANY_TABLES,
    UNKNOWN_BADGE,
    AUTHORITY_MISSING,
    KEY_OUT_OF_PLACE,
    LAST_HANDS_NOT_ANNOUNCED,
    FLOAT_TOO_SMALL,
    SHUFFLE_BEFORE_CLOSE,
    COUP_STALLED,
    PACE_FAST,
    PACE_SLOW,
    LAMPS_NOT_CONFIRMED,
    EVENTS_MISSING,
    CONTROLLER_LOST,
    CONTROLLER_REBOOTED,
    DEVICE_FAULT,
    CLOCK_OFF,
    DOOR_OPEN,
    IN_REVIEW,
    FLOOR_CALLED,
)


def coup_without_seance(game: Game) -> Alert:
    return COUP_WITHOUT_SEANCE.alert(game)


def staff_missing(game: Game, role: str, rule: str) -> Alert:
    return STAFF_MISSING.alert(game, None, role, rule, role=role)


def dealer_changed(game: Game, before: str, after: str) -> Alert:
    return DEALER_CHANGED.alert(game, before=before, after=after)


def head_changed(game: Game, before: str, after: str) -> Alert:
    return HEAD_CHANGED.alert(game, before=before, after=after)


def head_too_many_tables(game: Game, head: str, tables: int, most: int) -> Alert:
    return HEAD_TOO_MANY_TABLES.alert(game, None, head, head=head, tables=tables, most=most)


def unknown_badge(game: Game) -> Alert:
    return UNKNOWN_BADGE.alert(game)


def authority_missing(game: Game, key: str) -> Alert:
    return AUTHORITY_MISSING.alert(game, key=key)


def key_out_of_place(game: Game, key: str, phase: str, seat: int) -> Alert:
    return KEY_OUT_OF_PLACE.alert(game, seat or None, key=key, phase=phase)


def last_hands_not_announced(game: Game, hands: int) -> Alert:
    return LAST_HANDS_NOT_ANNOUNCED.alert(game, hands=hands)


def float_too_small(game: Game, amount: int, least: int) -> Alert:
    return FLOAT_TOO_SMALL.alert(game, amount_cents=amount, least_cents=least)


def shuffle_before_close(game: Game) -> Alert:
    return SHUFFLE_BEFORE_CLOSE.alert(game)


def coup_stalled(game: Game, phase: str) -> Alert:
    return COUP_STALLED.alert(game, phase=phase)


def pace_fast(game: Game, seconds: int) -> Alert:
    return PACE_FAST.alert(game, seconds=seconds)


def pace_slow(game: Game, seconds: int) -> Alert:
    return PACE_SLOW.alert(game, seconds=seconds)


def lamps_not_confirmed(game: Game, revision: int) -> Alert:
    return LAMPS_NOT_CONFIRMED.alert(game, revision=revision)


def events_missing(game: Game, device: str, first: int, last: int) -> Alert:
    return EVENTS_MISSING.alert(game, None, device or None, first=first, last=last)


def controller_lost(game: Game, device: str) -> Alert:
    return CONTROLLER_LOST.alert(game, None, device or None, device=device)


def controller_rebooted(game: Game, device: str, cause: str) -> Alert:
    return CONTROLLER_REBOOTED.alert(game, None, device or None, device=device, cause=cause)


def device_fault(game: Game, device: str, fault: str, part: int) -> Alert:
    return DEVICE_FAULT.alert(game, None, f"{device}:{fault}:{part}", device=device, fault=fault, part=part)


def clock_off(game: Game, device: str, off_ms: int) -> Alert:
    return CLOCK_OFF.alert(game, None, device or None, device=device, off_ms=off_ms)


def door_open(game: Game, device: str) -> Alert:
    return DOOR_OPEN.alert(game, None, device or None, device=device)


def in_review(game: Game, cause: str) -> Alert:
    return IN_REVIEW.alert(game, cause=cause)


def floor_called(game: Game) -> Alert:
    return FLOOR_CALLED.alert(game)
