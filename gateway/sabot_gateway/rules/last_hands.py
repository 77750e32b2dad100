"""Closing a hold'em game: the last three hands are announced beforehand, and exactly three are then played."""

from typing import Final

from sabot_gateway.rules.rejection import Fault

RULE: Final = "THE-112"
ANNOUNCED_HANDS: Final = 3  # THE-112: "les trois dernières mains"


def check_closing(announced: bool, hands_since: int) -> tuple[Fault, ...]:
    """Whether the game may stop now; empty when it may."""
    if announced and hands_since == ANNOUNCED_HANDS:
        return ()
    return (Fault("LAST_THREE_NOT_ANNOUNCED", RULE, detail=hands_since, sentence=_sentence(announced, hands_since)),)


def hands_left(hands_since: int) -> int:
    """How many of the announced hands are still to be played."""
    return max(0, ANNOUNCED_HANDS - hands_since)


def _sentence(announced: bool, hands_since: int) -> str:
    if not announced:
        return "The last three hands were not announced beforehand."
    return f"Exactly three hands follow the announcement, and {hands_since} were played."
