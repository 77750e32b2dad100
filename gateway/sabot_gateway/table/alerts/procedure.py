"""Alerts about how things are done around the coup: the count, the cut, the hours, the collecting of the cards."""

from typing import Final

from sabot_gateway.model.alert import Alert, Clears, Severity
from sabot_gateway.model.game import Game
from sabot_gateway.table.alerts.kind import AlertKind, by_game
from sabot_gateway.table.alerts.words import RECIPIENTS

COUNT_UNATTENDED: Final = AlertKind(
    "COUNT_UNATTENDED",
    Severity.NOTICE,
    Clears.COUP_END,
    "Cartes comptées devant {seated} {seated:joueur assis|joueurs assis} ; il en faut {least}.",
    "The cards were counted before {seated} seated {seated:player|players}; {least} must attend.",
    "with the coup",
    rules=by_game("TCF-17", "STU-16", "", "UTH-11", "THE-15"),
)
CUT_OUT_OF_ORDER: Final = AlertKind(
    "CUT_OUT_OF_ORDER",
    Severity.NOTICE,
    Clears.COUP_END,
    "Coupe par la place {seat} ; elle revenait à la place {due}.",
    "Seat {seat} cut the cards; the cut was due to seat {due}.",
    "with the coup",
    rules=by_game("TCF-08", "STU-08"),
)
COLLECTED_OUT_OF_ORDER: Final = AlertKind(
    "COLLECTED_OUT_OF_ORDER",
    Severity.NOTICE,
    Clears.COUP_END,
    "Cartes ramassées hors de l'ordre : {taken} avant {due}.",
    "Cards collected out of order: {taken} before {due}.",
    "with the coup",
    rules=by_game("TCF-64", "STU-56"),
    words={"taken": RECIPIENTS, "due": RECIPIENTS},
)
OUT_OF_HOURS: Final = AlertKind(
    "OUT_OF_HOURS",
    Severity.WARNING,
    Clears.OPERATOR,
    "Table ouverte hors des heures de séance ({hours}).",
    "The table is open outside the hours of the séance ({hours}).",
    "an authorised person clears it",
    rules=by_game(the="THE-12"),
)
KINDS: Final = (COUNT_UNATTENDED, CUT_OUT_OF_ORDER, COLLECTED_OUT_OF_ORDER, OUT_OF_HOURS)


def count_unattended(game: Game, seated: int, least: int) -> Alert:
    return COUNT_UNATTENDED.alert(game, seated=seated, least=least)


def cut_out_of_order(game: Game, seat: int, due: int, rule: str) -> Alert:
    return CUT_OUT_OF_ORDER.alert(game, seat, rule=rule, due=due)


def collected_out_of_order(game: Game, taken: str, due: str) -> Alert:
    return COLLECTED_OUT_OF_ORDER.alert(game, taken=taken, due=due)


def out_of_hours(game: Game, hours: str) -> Alert:
    return OUT_OF_HOURS.alert(game, hours=hours)
