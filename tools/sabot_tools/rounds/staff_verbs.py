"""Verbs of people: badges, the dealer's keys, players who come and go, and what is declared at a console."""

import tomllib
from dataclasses import replace
from typing import Final

from sabot_gateway.model.coup import Decision, Void
from sabot_gateway.model.event import (
    AlertCleared,
    AlertOverridden,
    BadgeRead,
    ButtonPlaced,
    ConsignmentClaimed,
    CoupVoided,
    FloatDeclared,
    HandConfirmed,
    KeyPressed,
    PlayerAbsent,
    PlayerCalled,
    PlayerLeft,
    PlayerReturned,
    PlayerSeated,
    PlayerWaiting,
    RakeDropped,
    Recaved,
    SeatSensed,
    StakeConsigned,
)
from sabot_gateway.model.felt import Key
from sabot_gateway.rules.ruleset import Ruleset, overridden
from sabot_tools.rounds.arguments import Arguments
from sabot_tools.rounds.rig import BADGES, DESK, SPOTS, Rig, badge_tag
from sabot_tools.rounds.script import ScriptError
from sabot_tools.rounds.verb import Verb

HEAD: Final = BADGES["head"].id
BOARD: Final = -1  # whose cards a confirmation calls the board's

# The words a casino uses for some keys.
SPOKEN: Final = {
    "faites_vos_jeux": Key.BETS_OPEN,
    "rien_ne_va_plus": Key.BETS_CLOSED,
    "passe": Key.FOLD,
    "parole": Key.CHECK,
}


def _badge(rig: Rig, args: Arguments) -> None:
    rig.sense(DESK, BadgeRead(badge_tag(args.one_of("a badge", (*BADGES, "unknown")))))


def _key(rig: Rig, args: Arguments) -> None:
    name = args.one_of("a key", (*Key, *SPOKEN))
    rig.sense(DESK, KeyPressed(SPOKEN.get(name) or Key(name), args.seat() if args else 0))


def _keyed(key: Key, *, seated: bool) -> Verb:
    """A key that has a verb of its own."""

    def act(rig: Rig, args: Arguments) -> None:
        rig.sense(DESK, KeyPressed(key, args.seat() if seated else 0))

    where = " SEAT" if seated else ""
    name = str(key).replace("_", "-")
    return Verb(name, f"{name}{where}", f"the dealer presses the key {key}{' of a seat' if seated else ''}", act)


def _reveal(rig: Rig, args: Arguments) -> None:
    rig.sense(DESK, KeyPressed(Key.REVEAL, args.seat() if args else 0))


def _cave(rig: Rig, args: Arguments) -> None:
    seats = rig.script.players if args.accept("all") else (args.seat(),)
    amount = args.cents()
    for seat in seats:
        rig.tell(Recaved(seat, amount))


def _chair(rig: Rig, args: Arguments) -> None:
    seat = args.seat()
    rig.sense(SPOTS, SeatSensed(seat, args.one_of("a state", ("taken", "empty")) == "taken"))


def _sit(rig: Rig, args: Arguments) -> None:
    seat = args.seat()
    rig.tell(PlayerSeated(seat, args.take("a player") if args else f"P{seat}"))


def _void(rig: Rig, args: Arguments) -> None:
    rig.tell(CoupVoided(HEAD, Void(args.one_of("a cause", tuple(Void)))))


def _alert_id(rig: Rig, args: Arguments) -> str:
    code = args.take("an alert")
    seat = args.seat() if args else None
    spot = str(args.spot()) if args else None
    found = next(rig.alerts(code, seat, spot), None)
    if found is None:
        raise ScriptError(args.line, f"no alert {code} is open there.")
    return found.id


def _override(rig: Rig, args: Arguments) -> None:
    rig.tell(AlertOverridden(HEAD, _alert_id(rig, args), "script"))


def _clear(rig: Rig, args: Arguments) -> None:
    rig.tell(AlertCleared(HEAD, _alert_id(rig, args), "script"))


def _confirm(rig: Rig, args: Arguments) -> None:
    seat = BOARD if args.accept("board") else args.hand()
    is_given_up = args.peek() == Decision.FOLD  # a hand that was thrown away is not read out
    is_empty = seat == BOARD and not args  # no common card lies there yet
    cards = () if is_given_up or is_empty else args.cards()
    decision = Decision(args.one_of("a decision", tuple(Decision))) if args else None
    rig.tell(HandConfirmed(HEAD, seat, cards, decision))


def _consign(rig: Rig, args: Arguments) -> None:
    rig.tell(StakeConsigned(HEAD, args.seat(), args.cents()))


def _claimed(rig: Rig, args: Arguments) -> None:
    rig.tell(ConsignmentClaimed(HEAD, args.take("a player")))


def _elsewhere(rig: Rig, args: Arguments) -> None:
    name, head = args.take("a table"), args.one_of("a table head", ("head", "head2", "nobody"))
    rig.see_elsewhere(name, BADGES[head].id if head in BADGES else "")


def _configure(rig: Rig, args: Arguments) -> None:
    key, text = args.take("a key of the ruleset"), args.take("its value")
    try:
        values = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        values = {"value": text}
    changed = overridden(rig.setup.ruleset, {key: values["value"]})
    if not isinstance(changed, Ruleset):
        raise ScriptError(args.line, f"the ruleset cannot be changed so ({changed[0].detail}).")
    rig.wait(rig.beat_ms)
    rig.configure(replace(rig.setup, ruleset=changed))


def _called(rig: Rig, args: Arguments) -> None:
    player = args.take("a player")
    rig.tell(PlayerCalled(player, args.one_of("an answer", ("came", "silent")) == "came"))


VERBS: Final = (
    Verb("badge", "badge head|head2|dealer|dealer2|technician|unknown", "a badge is read at the table", _badge),
    Verb("key", "key NAME [SEAT]", "the dealer presses a key (rien-ne-va-plus is bets_closed)", _key),
    _keyed(Key.FOLD, seated=True),
    _keyed(Key.CHECK, seated=True),
    _keyed(Key.CALL, seated=True),
    _keyed(Key.BUY, seated=True),
    _keyed(Key.LOOK, seated=True),
    _keyed(Key.CLAIM, seated=True),
    _keyed(Key.ALL_IN, seated=True),
    _keyed(Key.PAID, seated=False),
    Verb("reveal", "reveal [SEAT]", "the dealer shows his hand; at hold'em, a player or all of them do", _reveal),
    Verb("chair", "chair SEAT taken|empty", "the sensor in a chair", _chair),
    Verb("sit", "sit SEAT [PLAYER]", "a player is given a seat", _sit),
    Verb("leave", "leave SEAT", "a player gives up his seat", lambda rig, args: rig.tell(PlayerLeft(args.seat()))),
    Verb(
        "absent", "absent SEAT", "a player goes away for a while", lambda rig, args: rig.tell(PlayerAbsent(args.seat()))
    ),
    Verb("return", "return SEAT", "he is back", lambda rig, args: rig.tell(PlayerReturned(args.seat()))),
    Verb(
        "wait-list",
        "wait-list PLAYER",
        "a name is put on the waiting list",
        lambda rig, args: rig.tell(PlayerWaiting(args.take("a player"))),
    ),
    Verb("called", "called PLAYER came|silent", "a name of the waiting list is called", _called),
    Verb("cave", "cave SEAT|all AMOUNT", "a player brings chips, for the first time or again", _cave),
    Verb("consign", "consign SEAT AMOUNT", "the table head puts an absent player's chips aside", _consign),
    Verb("claimed", "claimed PLAYER", "a player comes for the chips that were put aside", _claimed),
    Verb(
        "elsewhere",
        "elsewhere TABLE head|head2|nobody",
        "another table of the floor is open under this table head, or closed",
        _elsewhere,
    ),
    Verb(
        "configure",
        "configure KEY VALUE",
        "the house changes a value of its ruleset; the table takes it between coups",
        _configure,
    ),
    Verb("button", "button SEAT", "the button is placed", lambda rig, args: rig.tell(ButtonPlaced(args.seat()))),
    Verb(
        "rake",
        "rake AMOUNT",
        "chips are dropped into the cagnotte",
        lambda rig, args: rig.tell(RakeDropped(args.cents())),
    ),
    Verb(
        "float",
        "float AMOUNT",
        "the table's float is declared",
        lambda rig, args: rig.tell(FloatDeclared(args.cents())),
    ),
    Verb("void", "void card_count|collusion|malfunction", "the table head declares the coup void", _void),
    Verb("override", "override CODE [SEAT [SPOT]]", "the table head lets play go on in spite of an alert", _override),
    Verb("clear", "clear CODE [SEAT [SPOT]]", "an authorised person clears an alert", _clear),
    Verb(
        "confirm",
        "confirm SEAT|dealer|board CARD … [DECISION] · confirm SEAT fold · confirm board",
        "in review, the table head reads out a hand, or says that it was given up, or that no common card lies there",
        _confirm,
    ),
)
