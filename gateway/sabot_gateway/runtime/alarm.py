"""What the service itself complains about: no table can see it, so no table raises it.

Owns these kinds. They are journaled as decisions in the gateway's house stream and shown beside the tables' alerts;
`spot` names the table or the controller, so that one cause at two tables is two alerts.
"""

from dataclasses import replace
from typing import Final

from sabot_gateway.model.alert import Alert, Clears, Severity
from sabot_gateway.model.game import Game
from sabot_gateway.mqtt.ingested import Trouble, TroubleCode
from sabot_gateway.runtime.alarm_words import JOURNAL_ERRORS, PLAYED, REFUSALS
from sabot_gateway.table.alerts.kind import AlertKind

TABLE_NOT_FOLLOWED: Final = AlertKind(
    "TABLE_NOT_FOLLOWED",
    Severity.ALARM,
    Clears.CORRECTION,
    "Sabot ne peut plus suivre cette table : défaut « {why} » ; ses événements restent journalisés.",
    "Sabot cannot follow this table any more: defect “{why}”; its events are still journaled.",
    "the table is followed again after a corrected version was started",
)
DECISION_DIFFERS: Final = AlertKind(
    "DECISION_DIFFERS",
    Severity.ALARM,
    Clears.OPERATOR,
    "Rejoué, l'enregistrement {position} donne une autre décision que celle du journal, qui reste inchangée.",
    "Replayed, record {position} gives another decision than the journal holds; the journal stays as it is.",
    "somebody with the right to do so has dealt with it",
)
JOURNAL_FAULT: Final = AlertKind(
    "JOURNAL_FAULT",
    Severity.ALARM,
    Clears.CORRECTION,
    "Le journal n'a rien pu écrire : {code} ; rien n'a été confirmé aux tables dans l'intervalle.",
    "The journal could not be written: {code}; nothing was acknowledged to the tables meanwhile.",
    "the journal takes records again",
    words={"code": JOURNAL_ERRORS},
)
TWIN_DEVICE: Final = AlertKind(
    "TWIN_DEVICE",
    Severity.ALARM,
    Clears.OPERATOR,
    "Deux contrôleurs se présentent sous le nom {device} ; rien de l'un ni de l'autre n'est retenu.",
    "Two controllers call themselves {device}; nothing of either is taken.",
    "a technician has removed one of them and released the name",
)
DEVICE_REFUSED: Final = AlertKind(
    "DEVICE_REFUSED",
    Severity.ALARM,
    Clears.OPERATOR,
    "Le contrôleur {device} est refusé : {reason} ; ses événements sont mis en quarantaine.",
    "The controller {device} is refused: {reason}; its events are quarantined.",
    "a technician has given it software that the house accepts",
    words={"reason": REFUSALS},
)
EVENTS_LATE: Final = AlertKind(
    "EVENTS_LATE",
    Severity.WARNING,
    Clears.OPERATOR,
    "Des événements du contrôleur {device} sont arrivés après avoir été donnés pour perdus ; ils sont en quarantaine.",
    "Events of the controller {device} came after they had been given up; they are quarantined.",
    "somebody with the right to do so has dealt with it",
)
MESSAGES_REFUSED: Final = AlertKind(
    "MESSAGES_REFUSED",
    Severity.WARNING,
    Clears.OPERATOR,
    "Des messages au nom de {device} sont mis en quarantaine, {reason} : rejeu, copie ou mauvaise clé.",
    "Messages in the name of {device} are quarantined, {reason}: a replay, a copy or a wrong key.",
    "somebody with the right to do so has looked at the quarantine",
    words={"reason": REFUSALS},
)
PLAYED_TO_DEVICE: Final = AlertKind(
    "PLAYED_TO_DEVICE",
    Severity.WARNING,
    Clears.OPERATOR,
    "Le contrôleur {device} a refusé un message reçu au nom de la passerelle, {reason} : rejoué, détourné ou altéré.",
    "The controller {device} refused a message in the gateway's name, {reason}: played again, lifted or altered.",
    "somebody with the right to do so has found who sends them",
    words={"reason": PLAYED},
)
QUARANTINE_FULL: Final = AlertKind(
    "QUARANTINE_FULL",
    Severity.ALARM,
    Clears.OPERATOR,
    "Tant de messages au nom de {device} sont refusés que les suivants ne sont plus que comptés, heure par heure.",
    "So many messages in the name of {device} are refused that further ones are only counted, hour by hour.",
    "somebody with the right to do so has found who sends them",
)
PICTURE_NOT_CONFIRMED: Final = AlertKind(
    "PICTURE_NOT_CONFIRMED",
    Severity.ALARM,
    Clears.CORRECTION,
    "Le contrôleur {device} ne confirme pas les lampes que d'autres de la table {table} confirment.",
    "The controller {device} does not confirm the lamps that others of table {table} do.",
    "the controller confirms the current picture, or is not there any more",
)
KINDS: Final = (
    TABLE_NOT_FOLLOWED,
    DECISION_DIFFERS,
    JOURNAL_FAULT,
    TWIN_DEVICE,
    DEVICE_REFUSED,
    EVENTS_LATE,
    MESSAGES_REFUSED,
    PLAYED_TO_DEVICE,
    QUARANTINE_FULL,
    PICTURE_NOT_CONFIRMED,
)


def table_not_followed(table: str, why: str, at_ms: int) -> Alert:
    return _timed(TABLE_NOT_FOLLOWED.alert(_NO_GAME, spot=table, why=why), at_ms)


def decision_differs(table: str, position: int, at_ms: int) -> Alert:
    return _timed(DECISION_DIFFERS.alert(_NO_GAME, spot=table, position=position), at_ms)


def journal_fault(code: str, at_ms: int) -> Alert:
    return _timed(JOURNAL_FAULT.alert(_NO_GAME, code=code), at_ms)


def device_trouble(trouble: Trouble) -> Alert:
    kind, device = _OF_TROUBLE[trouble.code], trouble.device
    alert = kind.alert(_NO_GAME, spot=device, device=device, table=trouble.table, reason=trouble.reason)
    return _timed(alert, trouble.at_ms)


def messages_refused(device: str, reason: str, at_ms: int) -> Alert:
    """One alarm per name and reason, however many messages: a flood is one cause."""
    return _timed(MESSAGES_REFUSED.alert(_NO_GAME, spot=f"{device}.{reason}", device=device, reason=reason), at_ms)


def quarantine_full(device: str, at_ms: int) -> Alert:
    return _timed(QUARANTINE_FULL.alert(_NO_GAME, spot=device, device=device), at_ms)


def picture_not_confirmed(device: str, table: str, at_ms: int) -> Alert:
    return _timed(PICTURE_NOT_CONFIRMED.alert(_NO_GAME, spot=device, device=device, table=table), at_ms)


def picture_alarm(device: str) -> str:
    """The id of the alarm about this controller's lamps."""
    return PICTURE_NOT_CONFIRMED.alert(_NO_GAME, spot=device, device=device, table="").id


def twin_alarm(device: str) -> str:
    """The id of the alarm about two controllers under this name."""
    return TWIN_DEVICE.alert(_NO_GAME, spot=device, device=device).id


def _timed(alert: Alert, at_ms: int) -> Alert:
    return replace(alert, first_ms=at_ms, last_ms=at_ms)


_NO_GAME: Final = Game.TCF  # the game only chooses an article, and these alarms cite none
_OF_TROUBLE: Final = {
    TroubleCode.TWIN_DEVICE: TWIN_DEVICE,
    TroubleCode.REFUSED: DEVICE_REFUSED,
    TroubleCode.EVENTS_LATE: EVENTS_LATE,
    TroubleCode.PLAYED_TO: PLAYED_TO_DEVICE,
}
