"""How players play: what they stake before the deal, and what they do with the cards they hold.

Owns habits, not rules: every choice here is a legal one. Cheats are a matter of
`incident`; a past-poster and a chip-capper play by basic strategy while they wait for their moment.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from random import Random
from typing import Final

from sabot_tools.twin.card import rank_of
from sabot_tools.twin.hand import best, score

Values = Mapping[str, object]


class Temperament(StrEnum):
    BASIC = "basic"
    TIMID = "timid"
    RECKLESS = "reckless"
    PAST_POSTER = "past-poster"
    CHIP_CAPPER = "chip-capper"


HONEST: Final = (Temperament.BASIC, Temperament.TIMID, Temperament.RECKLESS)

_SIDES: Final = {"TCF": ("pair_plus", "bonus"), "STU": ("bonus",), "TCP": ("pair_plus", "six_card"), "UTH": ("trips",)}
# How often out of ten, and how many times the minimum at most.
_SIDE_TENTHS: Final = {Temperament.TIMID: 1, Temperament.RECKLESS: 8}
_MOST_UNITS: Final = {Temperament.TIMID: 1, Temperament.RECKLESS: 10}


def opening_stakes(game: str, temper: Temperament, values: Values, chance: Random) -> dict[str, int]:
    """The stakes of one player before a deal against the bank."""
    least, most = int(str(values["table_min"])), int(str(values["table_max"]))
    units = _MOST_UNITS.get(temper, 4)
    ante = min(most, least * chance.randint(1, units))
    stakes = {"ante": ante}
    if game == "UTH":
        stakes["blind"] = ante  # UTH-16
    for spot in _SIDES[game]:
        if spot == "bonus" and game == "TCF" and values["bonus_mode"] != "separate_stake":
            continue
        if chance.randrange(10) < _SIDE_TENTHS.get(temper, 4):
            # STU-71: exactly a fifth of the minimum.
            stakes[spot] = least // 5 if game == "STU" else least * chance.randint(1, min(2, units))
    return stakes


def raises(game: str, temper: Temperament, faces: Sequence[str], up_card: str = "") -> bool:
    """Whether a hand of poker trois cartes, Three Card Poker or stud goes on."""
    if temper is Temperament.RECKLESS:
        return True
    hand = score(faces)
    if game == "STU":
        if hand.name != "high_card":
            return temper is not Temperament.TIMID or hand.rank > 1 or hand.ranks[0] >= rank_of(up_card or "2c")
        return temper is not Temperament.TIMID and hand.ranks >= (14, 13, 11, 8, 3)
    # Queen, six, four: the least hand that is worth a second stake.
    return hand.name != "high_card" or hand.ranks >= ((14,) if temper is Temperament.TIMID else (12, 6, 4))


def discard(faces: Sequence[str], temper: Temperament, chance: Random) -> str | None:
    """STU-58: the card that a player of stud would change for another, if he buys one."""
    hand = score(faces)
    if temper is Temperament.TIMID or hand.rank >= score(["2c", "3c", "4c", "5c", "6d"]).rank:
        return None
    if chance.randrange(10) >= (5 if temper is Temperament.RECKLESS else 1):
        return None
    # The lowest card that is no part of a pair.
    ranks = [rank_of(face) for face in faces]
    single = [face for face in faces if ranks.count(rank_of(face)) == 1]
    return min(single or faces, key=rank_of)


def plays_times(temper: Temperament, faces: Sequence[str], board: Sequence[str], chance: Random) -> int:
    """UTH-20 to UTH-24: how many antes go on Play now; 0 passes, or folds on the last round."""
    high, low = sorted(map(rank_of, faces), reverse=True)
    if not board:
        is_strong = high == low > 2 or high == 14 or (high == 13 and low >= 5) or (high == 12 and low >= 8)
        if temper is Temperament.RECKLESS and chance.randrange(3):
            return 3 + chance.randrange(2)
        if temper is Temperament.TIMID:
            is_strong = high == low > 9
        return 4 if is_strong else 0
    own = best((*faces, *board)) if len(board) == 5 else None
    if own is None:
        found = score((*faces, *board))
        return 2 if found.rank >= (2 if temper is Temperament.TIMID else 1) else 0
    return 1 if own.name != "high_card" or temper is Temperament.RECKLESS or high >= 13 else 0
