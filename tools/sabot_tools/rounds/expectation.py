"""What a script may expect of the table: each kind compares one line with the state, or says how they differ.

A check returns None when the table agrees and one sentence when it does not. It
never changes the table; naming an alert is the only mark it leaves on the rig.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sabot_tools.rounds import alert_checks, money_checks, table_checks
from sabot_tools.rounds.arguments import Arguments
from sabot_tools.rounds.rig import Rig

Check = Callable[[Rig, Arguments], str | None]


@dataclass(frozen=True, slots=True)
class Kind:
    name: str
    usage: str
    meaning: str
    check: Check


KINDS: Final = {
    kind.name: kind
    for kind in (
        Kind("phase", "phase PHASE", "the phase of the coup", table_checks.phase),
        Kind("seance", "seance PHASE", "the phase of the séance", table_checks.seance),
        Kind("shoe", "shoe PHASE", "the phase of the deck in use", table_checks.shoe),
        Kind("coup", "coup NUMBER", "the number of the coup", table_checks.coup),
        Kind("review", "review [CAUSE]", "the coup is in review", table_checks.review),
        Kind("plays", "plays SEAT …", "exactly these seats are in the coup", table_checks.plays),
        Kind("decision", "decision SEAT DECISION|none", "what a seat has decided", table_checks.decision),
        Kind("bet", "bet SEAT SPOT AMOUNT", "the stake that counts on a spot", table_checks.bet),
        Kind("staff", "staff dealer|head BADGE|none", "whose badge stands", table_checks.staff),
        Kind("seat", "seat SEAT taken|empty|absent", "who the table thinks sits there", table_checks.seat),
        Kind("waiting", "waiting PLAYER …|nobody", "the waiting list", table_checks.waiting),
        Kind("button", "button SEAT|nowhere", "where the button stands", table_checks.button),
        Kind("house", "house KEY VALUE", "the value of the ruleset by which the table plays", table_checks.house),
        Kind("turn", "turn SEAT|nobody", "who has the word at hold'em", table_checks.turn),
        Kind(
            "alert",
            "alert CODE [seat N] [spot S] [by RULE] [count N] [is SEVERITY]",
            "this alert was raised, and is named by this line",
            alert_checks.alert,
        ),
        Kind("open", "open CODE [seat N] [spot S]", "the alert still stands", alert_checks.is_open),
        Kind("cleared", "cleared CODE [seat N] [spot S]", "the alert does not stand any more", alert_checks.is_cleared),
        Kind("blocked", "blocked [close|settle|pay]", "an open alert holds the coup up", alert_checks.blocked),
        Kind(
            "lamp",
            "lamp SEAT SPOT win|lose|push|claim|decide|wrong|dark [AMOUNT]",
            "what a lamp shows",
            money_checks.lamp,
        ),
        Kind("order", "order SEAT SPOT [SEAT SPOT …]", "the lamps stand in this order", money_checks.order),
        Kind("display", 'display "TEXT"', "the dealer's display says this, in French or English", money_checks.display),
        Kind(
            "settle",
            "settle SEAT [SPOT] OUTCOME ±AMOUNT [by RULE] · settle void [by RULE]",
            "the decision on a stake: what the player gains on it, by which rule",
            money_checks.settle,
        ),
        Kind("pot", "pot NUMBER AMOUNT [for SEAT …]", "a pot of hold'em and who can win it", money_checks.pot),
        Kind("rake", "rake AMOUNT", "the levy on the whole coup", money_checks.rake),
    )
}
NEGATED: Final = {
    "alert": Kind("no alert", "no alert", "nothing was raised that no line has named", alert_checks.no_alert),
    "settlement": Kind("no settlement", "no settlement", "this coup is not decided", money_checks.no_settlement),
    "review": Kind("no review", "no review", "the coup is not in review", table_checks.no_review),
    "display": Kind("no display", 'no display "TEXT"', "the display does not say this", money_checks.no_display),
    "lamps": Kind("no lamps", "no lamps", "every lamp is dark", money_checks.no_lamps),
}
NOT_BLOCKED: Final = Kind("not blocked", "not blocked", "nothing holds the coup up", alert_checks.not_blocked)


def kind_of(words: tuple[str, ...]) -> tuple[Kind, tuple[str, ...]] | None:
    """The kind of an EXPECT line and the words left for it."""
    match words:
        case ("no", name, *rest) if name in NEGATED:
            return NEGATED[name], tuple(rest)
        case ("not", "blocked", *rest):
            return NOT_BLOCKED, tuple(rest)
        case (name, *rest) if name in KINDS:
            return KINDS[name], tuple(rest)
        case _:
            return None
