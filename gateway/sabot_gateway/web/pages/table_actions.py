"""What a table head declares at a console: a void coup, an override, a hand in review, players and their chips.

Owns what must be said and when it makes sense. Each declaration is confirmed by a tick, journaled under a name, and
only then taken by the table. What the table would pass over in silence is refused here with a sentence.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from starlette.requests import Request

from sabot_gateway.model.card import Card, cards_from_text
from sabot_gateway.model.coup import Decision, Void
from sabot_gateway.model.event import (
    AlertOverridden,
    ButtonPlaced,
    ConsignmentClaimed,
    CoupVoided,
    FloatDeclared,
    HandConfirmed,
    OperatorEvent,
    PlayerAbsent,
    PlayerCalled,
    PlayerLeft,
    PlayerReturned,
    PlayerSeated,
    PlayerWaiting,
    RakeDropped,
    Recaved,
    StakeConsigned,
)
from sabot_gateway.model.game import Game
from sabot_gateway.web.accounts.role import Right
from sabot_gateway.web.declaring import MOST_WORDS, declare, words_given
from sabot_gateway.web.page import WRONG, Action, Field, In, PageError
from sabot_gateway.web.pages.tables import TABLE, view_of_table

_View = Mapping[str, Any]
_Form = Mapping[str, str]
_UNDER_WAY: Final = frozenset({"dealing", "deciding", "revealing", "paying"})
_MOST_NAME: Final = 40
_AMOUNT: Final = re.compile(r"([0-9]{1,8})(?:[.,]([0-9]{2}))?", re.ASCII)
_SIGNS: Final = {"♣": "c", "♦": "d", "♥": "h", "♠": "s", "10": "T", " ": "", ",": ""}


def _void(view: _View, form: _Form, by: str) -> OperatorEvent:
    if view["coup"]["phase"] not in _UNDER_WAY:
        raise PageError(WRONG, "table.no_coup")
    return CoupVoided(by, Void(_one_of(form, "cause", set(Void))))


def _override(view: _View, form: _Form, by: str) -> OperatorEvent:
    alert = form.get("alert", "")
    if not any(each["id"] == alert for each in view["alerts"]):
        raise PageError(WRONG, "table.no_alert")
    return AlertOverridden(by, alert, words_given(form.get("reason", ""), "reason"))


def _confirm(view: _View, form: _Form, by: str) -> OperatorEvent:
    """Seat 0 is the dealer, -1 the board."""
    if view["review"] is None:
        raise PageError(WRONG, "table.no_review")
    seat = _number(form, "seat", -1, len(view["seats"]))
    if seat > 0 and seat not in view["coup"]["players"]:
        raise PageError(WRONG, "table.no_player", seat=seat)
    decision = form.get("decision", "")
    said = Decision(_one_of(form, "decision", set(Decision))) if decision else None
    may_be_none = said is Decision.FOLD or seat == -1  # thrown away; or no common card lies there yet
    return HandConfirmed(by, seat, _cards(form.get("cards", ""), may_be_none=may_be_none), said)


def _seat(view: _View, form: _Form, by: str) -> OperatorEvent:
    del by
    seat = _number(form, "seat", 1, len(view["seats"]))
    change = _one_of(form, "change", {"seated", "left", "absent", "returned"})
    if change == "seated":
        return PlayerSeated(seat, _name(form, is_required=False))
    if not view["seats"][seat - 1]["taken"] and seat not in view["coup"]["players"]:
        raise PageError(WRONG, "table.seat_free", seat=seat)
    if change == "left":
        return PlayerLeft(seat)
    return PlayerAbsent(seat) if change == "absent" else PlayerReturned(seat)


def _wait(view: _View, form: _Form, by: str) -> OperatorEvent:
    del by
    name = _name(form)
    if name in view["seance"]["waiting"]:
        raise PageError(WRONG, "table.waits_already", name=name)
    return PlayerWaiting(name)


def _call(view: _View, form: _Form, by: str) -> OperatorEvent:
    del by
    name = _name(form)
    if name not in view["seance"]["waiting"]:
        raise PageError(WRONG, "table.waits_not", name=name)
    return PlayerCalled(name, _one_of(form, "answered", {"yes", "no"}) == "yes")


def _recave(view: _View, form: _Form, by: str) -> OperatorEvent:
    del by
    return Recaved(_taken_seat(view, form), _cents(form))


def _consign(view: _View, form: _Form, by: str) -> OperatorEvent:
    return StakeConsigned(by, _taken_seat(view, form), _cents(form))


def _claim(view: _View, form: _Form, by: str) -> OperatorEvent:
    _holdem(view)
    return ConsignmentClaimed(by, _name(form))


def _button(view: _View, form: _Form, by: str) -> OperatorEvent:
    del by
    return ButtonPlaced(_taken_seat(view, form))


def _rake(view: _View, form: _Form, by: str) -> OperatorEvent:
    del by
    _holdem(view)
    return RakeDropped(_cents(form))


def _float(view: _View, form: _Form, by: str) -> OperatorEvent:
    del view, by
    return FloatDeclared(_cents(form))


def _holdem(view: _View) -> None:
    if view["game"] != Game.THE:
        raise PageError(WRONG, "table.only_holdem")


def _taken_seat(view: _View, form: _Form) -> int:
    _holdem(view)
    seat = _number(form, "seat", 1, len(view["seats"]))
    if not view["seats"][seat - 1]["taken"]:
        raise PageError(WRONG, "table.seat_free", seat=seat)
    return seat


def _one_of(form: _Form, name: str, allowed: set[Any]) -> str:
    value = form.get(name, "")
    if value not in allowed:
        raise PageError(WRONG, "error.value", name=name)
    return value


def _number(form: _Form, name: str, least: int, most: int) -> int:
    text = form.get(name, "").strip()
    number = int(text) if re.fullmatch(r"-?[0-9]{1,3}", text, re.ASCII) else None
    if number is None or not least <= number <= most:
        raise PageError(WRONG, "error.value", name=name)
    return number


def _cents(form: _Form) -> int:
    found = _AMOUNT.fullmatch(form.get("amount", "").strip())
    cents = 0 if found is None else int(found[1]) * 100 + int(found[2] or 0)
    if not cents:
        raise PageError(WRONG, "table.amount")
    return cents


def _name(form: _Form, *, is_required: bool = True) -> str:
    name = form.get("player", "").strip()
    if len(name) > _MOST_NAME or not name.isprintable() or (is_required and not name):
        raise PageError(WRONG, "error.value", name="player")
    return name


def _cards(text: str, *, may_be_none: bool) -> tuple[Card, ...]:
    """`As Kd`, `A♠ K♦` or `10h`; a folded hand need not be read, an empty board cannot."""
    for sign, letter in _SIGNS.items():
        text = text.replace(sign, letter)
    try:
        cards = cards_from_text(text)
    except ValueError as error:
        raise PageError(WRONG, "table.cards") from error
    if len(set(cards)) != len(cards) or not (cards or may_be_none):
        raise PageError(WRONG, "table.cards")
    return cards


_Make = Callable[[_View, _Form, str], OperatorEvent]


def _declaration(name: str, make: _Make, summary: str, *fields: Field) -> Action:
    async def act(request: Request, form: _Form) -> str:
        table: str = request.path_params["table"]
        view = view_of_table(request, table)
        if "coup" not in view:
            raise PageError(WRONG, "table.not_followed")
        if form.get("sure") != "yes":
            raise PageError(WRONG, "table.sure_wanted")
        await declare(request, table, make(view, form, request.state.visitor.name))
        return f"/tables/{table}?done={name}"

    sure = Field("sure", In.FORM, {"type": "string"}, is_required=True, description="yes: whoever sends it is sure.")
    return Action(
        f"/tables/{{table}}/{name}", f"{name}_at_table", Right.DIRECT_TABLE, act, summary, (TABLE, _CSRF, sure, *fields)
    )


_CSRF: Final = Field("csrf", In.FORM, {"type": "string"}, is_required=True, description="Of the session; or as X-CSRF.")
_SEAT: Final = Field("seat", In.FORM, {"type": "string", "maxLength": 3}, is_required=True)
_PLAYER: Final = Field("player", In.FORM, {"type": "string", "maxLength": _MOST_NAME}, is_required=True)
_EUROS: Final = Field(
    "amount", In.FORM, {"type": "string", "maxLength": 12}, is_required=True, description="20 or 20,50"
)


def _choice(name: str, *values: str) -> Field:
    return Field(name, In.FORM, {"type": "string", "enum": [*values]}, is_required=True)


ACTIONS: Final = (
    _declaration("void", _void, "Declares the coup void.", _choice("cause", *map(str, Void))),
    _declaration(
        "override",
        _override,
        "Lets play go on in spite of an alert.",
        Field("alert", In.FORM, {"type": "string", "maxLength": 128}, is_required=True),
        Field("reason", In.FORM, {"type": "string", "minLength": 1, "maxLength": MOST_WORDS}, is_required=True),
    ),
    _declaration(
        "confirm",
        _confirm,
        "Confirms one hand of a coup in review; seat 0 is the dealer, -1 the board.",
        _SEAT,
        Field("cards", In.FORM, {"type": "string", "maxLength": 64}),
        Field("decision", In.FORM, {"type": "string", "maxLength": 16}),
    ),
    _declaration(
        "seat",
        _seat,
        "Says that a player took, left, or for a while leaves a seat.",
        _SEAT,
        _choice("change", "seated", "left", "absent", "returned"),
        Field("player", In.FORM, {"type": "string", "maxLength": _MOST_NAME}),
    ),
    _declaration("wait", _wait, "Puts a name on the waiting list.", _PLAYER),
    _declaration("call", _call, "Calls a name of the waiting list.", _PLAYER, _choice("answered", "yes", "no")),
    _declaration("recave", _recave, "Says that a player brought chips.", _SEAT, _EUROS),
    _declaration("consign", _consign, "Puts an absent player's chips aside.", _SEAT, _EUROS),
    _declaration("claim", _claim, "Gives a player the chips that were put aside for him.", _PLAYER),
    _declaration("button", _button, "Says where the button stands.", _SEAT),
    _declaration("rake", _rake, "Says what went into the rake.", _EUROS),
    _declaration("float", _float, "Says what the float is at the opening.", _EUROS),
)
