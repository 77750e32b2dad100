"""Why a coup or a check is refused: faults as data, with a closed code, the rule, and a sentence.

Irregular play never raises: a rule function returns a tuple of faults, empty
when all is well. The code names the kind of fault for programs, `detail` the
spot, card or figure at issue, and `sentence_of` says it to people. This file
knows no game and no file format.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason for a refusal; `rule` is empty where no rule of the games but the shape of the input is broken."""

    code: str
    rule: str
    detail: int | str | None = None
    seat: int | None = None
    extra: tuple[tuple[str, object], ...] = ()
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A coup that cannot be settled as it is told; it moves no money."""

    faults: tuple[Fault, ...]


def sentence_of(fault: Fault) -> str:
    """The fault in one sentence: its own where it brought one, else the sentence of its code."""
    if fault.sentence:
        return fault.sentence
    said = SENTENCES.get(fault.code) or fault.code.replace("_", " ").lower()
    what = f" ({fault.detail})" if fault.detail is not None else ""
    if fault.seat is not None:
        return f"Seat {fault.seat}: {said}{what}."
    return f"{said[0].upper()}{said[1:]}{what}."


SENTENCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ABOVE_MAX": "the stake is above the maximum",
        "ABOVE_MAXIMUM": "the bet is above the maximum",
        "ACTION_AFTER_END": "an action follows the end of the hand",
        "ACTION_MISSING": "the player still has to act",
        "ALREADY_OPENED": "the round has been opened already",
        "BAD_AMOUNT": "an amount must be a whole number of cents, not negative and not beyond all reason",
        "BAD_CARD": "this is not a card of the deck",
        "BAD_CONTRIBUTION": "the contribution is impossible",
        "BAD_JSON": "the line is not a JSON object",
        "BAD_STACK": "the stack is impossible",
        "BAD_TYPE": "a value has the wrong type",
        "BAD_VALUE": "a value is impossible",
        "BELOW_MIN": "the stake is below the minimum",
        "BELOW_MINIMUM": "the bet is below the minimum",
        "BET_ON_VACANT_SPOT": "a stake or a hand lies before a vacant seat",
        "BIG_BLIND_RANGE": "the big blind is outside its legal range",
        "BLIND_NOT_EQUAL_ANTE": "the blind must equal the ante",
        "BOARD_COUNT": "the board has the wrong number of cards",
        "BONUS_NOT_ONE_FIFTH_OF_MIN": "the bonus stake must be exactly one fifth of the table minimum",
        "BONUS_UNIT_NOT_WHOLE": "one fifth of the table minimum is not a whole number of chips",
        "BURNED_CARD": "a card was uncovered before it reached a hand and is burned",
        "BUTTON_SEAT": "the button is not before a player",
        "BUY_NOT_OFFERED": "this table sells no cards",
        "BUY_PRICE_NOT_ANTE": "the price of a card is exactly the ante",
        "BUY_STAKE_WITHOUT_DISCARD": "the price of a card was laid without a discard",
        "BUY_WITHOUT_RAISE": "only a player who raises may buy a card",
        "CALL_AMOUNT": "a call must match the highest bet",
        "CALL_BET": "a bet was announced without chips",
        "CARDS_NOT_NEW": "the session must start with new cards",
        "CAVE_BELOW_MIN": "the buy-in is below the minimum",
        "CHECK_FACING_BET": "a player facing a bet cannot check",
        "CHEF_TOO_MANY_TABLES": "the table head watches too many tables",
        "DECISION_PENDING": "a player has not decided yet",
        "DECK_NOT_52_DISTINCT": "the deck is not 52 different cards",
        "DISCARD_NOT_IN_HAND": "the discard is not one of the player's cards",
        "DRAW_ORDER": "the draw for the button was not dealt in order",
        "DUPLICATE_CARD": "the same card appears twice",
        "DUPLICATE_KEY": "the same key is written twice in one object",
        "EVERYBODY_FOLDED": "everybody folded",
        "EXPOSED_CARD": "a card was shown by mistake and is turned back",
        "EXTRA_CARD": "a card was dealt beyond the plan",
        "LAST_THREE_NOT_ANNOUNCED": "the last three hands were not announced",
        "LINE_TOO_LONG": "the line is longer than any coup",
        "MISSING_CARD": "a card of the plan was not dealt",
        "MISSING_KEY": "a key is missing",
        "MORE_THAN_ONE_CARD": "a player buys at most one card",
        "MORE_THAN_STACK": "the player bets more than he has",
        "NOTHING_TO_CALL": "there is nothing to call",
        "NOTHING_TO_RAISE": "there is nothing to raise",
        "NOT_A_CLUB": "the draw for the button uses clubs only",
        "NOT_CHIP_MULTIPLE": "the amount is not a whole number of chips",
        "NOT_TEXT": "the line is not UTF-8 text",
        "NO_ANTE": "a hand needs an ante",
        "NO_DECISION": "the player has made no decision that this game knows",
        "NO_PLAYER": "a coup needs at least one player",
        "OPTION_NOT_AUTHORISED": "this table has no option blind",
        "OPTION_NOT_DOUBLE_BB": "the option is exactly twice the big blind",
        "OPTION_WRONG_SEAT": "the option belongs to another seat",
        "OUT_OF_ORDER": "a step was out of its order",
        "OUT_OF_TURN": "the player acted out of turn",
        "PLAYER_TWO_HANDS": "one player holds two hands",
        "PLAY_AFTER_FOLD": "a folded hand has no raise",
        "PLAY_AND_FOLD": "a folded hand has no Play bet",
        "PLAY_MULTIPLE": "the Play bet is not a multiple of the ante that this moment allows",
        "PLAY_NOT_EQUAL_ANTE": "the raise must equal the ante",
        "RAISE_AFTER_FOLD": "a folded hand has no raise",
        "RAISE_NOT_ALLOWED": "no further raise is allowed",
        "RAISE_NOT_DOUBLE_ANTE": "the raise must be exactly twice the ante",
        "RAISE_NOT_HIGHER": "a raise must be higher than the bet it raises",
        "RECAVE_ABOVE_MAX": "the re-buy is above the maximum",
        "RELIEVED_DURING_COUP": "nobody is relieved during a coup",
        "RTP_MISMATCH": "the pay table does not return what was published",
        "SEATS_TOTAL": "the number of seats is outside the law",
        "SEAT_NUMBER": "the table has no such seat",
        "SEAT_TWICE": "the same seat is listed twice",
        "SHUFFLE_INCOMPLETE": "the shuffle was not complete",
        "SMALL_BLIND_NOT_WHOLE": "half the table minimum is not a whole number of chips",
        "STAFF_MISSING": "the staff of the table is not complete",
        "STANDING_PLAYER": "only seated players have a hand",
        "TOO_EARLY": "this step came too early",
        "TOO_FEW_PLAYERS": "there are too few players",
        "TOO_LATE": "this step came too late",
        "TWO_CARDS": "one seat drew two cards",
        "TWO_DECKS_TWO_COLOURS": "an automatic shuffler needs two decks of different colours",
        "UNKNOWN_ACTION": "there is no such action",
        "UNKNOWN_EVENT": "there is no such step",
        "UNKNOWN_GAME": "there is no such game",
        "UNKNOWN_KEY": "a key is not known here",
        "UNKNOWN_OP": "there is no such check",
        "UNKNOWN_SPOT": "the layout has no such spot",
        "WINDOW_CLOSED": "chips moved after their spot was closed",
        "WRONG_FACE": "a card shows the wrong face",
        "WRONG_RECIPIENT": "a card went to the wrong place",
    }
)
