"""What each stake against the bank gains or loses, by the twin's own reading of the rule book.

Independent of the gateway's rules (it imports none of them). Takes faces and
stakes as the people at the table know them, and the house's values as its
ruleset file states them; answers cents gained per spot, the stake not counted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from sabot_tools.twin.hand import ACE, KING, QUEEN, Score, best, is_mini_royal, score

Values = Mapping[str, object]
Gains = dict[str, int]


@dataclass(frozen=True, slots=True)
class Player:
    """One seat of a finished coup; `faces` are the final ones, `has_bought` says that one of them was bought."""

    faces: Sequence[str]
    bets: Mapping[str, int]
    has_folded: bool
    has_bought: bool = False
    claims: frozenset[str] = field(default_factory=frozenset)


def gains(game: str, player: Player, house: Sequence[str], board: Sequence[str], values: Values) -> Gains:
    """Cents that the player gains on each spot."""
    return _GAMES[game](player, house, board, values)


def _table(values: Values, name: str) -> Mapping[str, object]:
    table = values[name]
    assert isinstance(table, Mapping)
    return table


def _times(values: Values, name: str, line: str) -> tuple[int, int] | None:
    """What a pay table gives for a combination, as win per stake."""
    odds = _table(values, name).get(line)
    if odds is None:
        return None
    if isinstance(odds, int):
        return odds, 1
    assert isinstance(odds, Sequence)
    return int(odds[0]), int(odds[1])


def _side(stake: int, odds: tuple[int, int] | None) -> int:
    """A side bet is paid by its table, or lost."""
    return -stake if odds is None else stake * odds[0] // odds[1]


def _versus(mine: Score, theirs: Score) -> int:
    return (mine[:2] > theirs[:2]) - (mine[:2] < theirs[:2])


def _has_queen(hand: Score) -> bool:
    """TCF-46, TCP-15: a pair or better, or a queen at the top."""
    return hand.name != "high_card" or hand.ranks[0] >= QUEEN


def _trois_cartes(player: Player, house: Sequence[str], _board: Sequence[str], values: Values) -> Gains:
    ace_low = bool(values["ace_low_straight"])
    mine, theirs = score(player.faces, ace_low), score(house, ace_low)
    plays = _has_queen(theirs)
    bets = player.bets
    ante, result = bets["ante"], _versus(mine, theirs)
    found: Gains = {}
    if player.has_folded:
        found["ante"] = -ante  # TCF-41
    elif not plays:
        found |= {"ante": ante, "play": 0}  # TCF-48, TCF-49
    else:
        best_odds = _times(values, "ante_win_table", mine.name) or (1, 1)  # TCF-59 to TCF-61
        found["ante"] = ante * best_odds[0] // best_odds[1] if result > 0 else result * ante
        found["play"] = result * bets["play"]  # TCF-54, TCF-58, TCF-62
    needs_claim = bool(values["claim_required"]) and not plays and not player.has_folded
    if stake := bets.get("pair_plus", 0):
        odds = _times(values, "pair_plus_table", mine.name)
        is_kept = player.has_folded and values["pair_plus_on_fold"] == "forfeit"
        is_silent = needs_claim and "pair_plus" not in player.claims
        found["pair_plus"] = -stake if is_kept or is_silent else _side(stake, odds)
    odds = _times(values, "bonus_table", mine.name)
    if player.has_folded or (needs_claim and "bonus" not in player.claims):
        odds = None  # TCF-71, TCF-77
    if stake := bets.get("bonus", 0):
        found["bonus"] = _side(stake, odds)
    elif values["bonus_mode"] == "ante_bonus" and odds is not None:
        found["bonus"] = _side(ante, odds)
    return found


def _stud(player: Player, house: Sequence[str], _board: Sequence[str], values: Values) -> Gains:
    bets, bonus = player.bets, player.bets.get("bonus", 0)
    if player.has_folded:
        return {"ante": -bets["ante"]} | ({"bonus": -bonus} if bonus else {})  # STU-41, STU-75
    mine, theirs = score(player.faces), score(house)
    plays = theirs.name != "high_card" or theirs.ranks[:2] == (ACE, KING)
    result = _versus(mine, theirs) if plays else 1
    found: Gains = {"ante": result * bets["ante"]}
    if not plays:
        found["raise"] = 0  # A-STU-03
    elif result > 0:
        found["raise"] = _side(bets["raise"], _times(values, "raise_table", mine.name))
    else:
        found["raise"] = result * bets["raise"]
    if player.has_bought:
        found["buy"] = -bets["buy"]  # STU-61
    if bonus:
        odds = None if player.has_bought else _times(values, "bonus_table", mine.name)
        if plays and result < 0:
            odds = None  # STU-69
        if not plays and values["claim_required"] and "bonus" not in player.claims:
            odds = None
        found["bonus"] = _side(bonus, odds)
        if plays and result == 0 and odds is not None:
            found["bonus"] = {"push": 0, "pay": found["bonus"], "lose": -bonus}[str(values["bonus_on_tie"])]
    return found


def _three_card(player: Player, house: Sequence[str], _board: Sequence[str], values: Values) -> Gains:
    mine, theirs = score(player.faces), score(house)
    bets = player.bets
    found: Gains = {}
    if player.has_folded:
        found["ante"] = -bets["ante"]  # TCP-11
    else:
        plays = _has_queen(theirs)
        result = _versus(mine, theirs)
        found["ante"] = (result if plays else 1) * bets["ante"]  # TCP-14, TCP-16 to TCP-18
        found["play"] = (result if plays else 0) * bets["play"]  # TCP-13
        extra = _times(values, "ante_bonus_table", mine.name)
        if extra is not None:
            found["ante_bonus"] = _side(bets["ante"], extra)  # TCP-19
    if stake := bets.get("pair_plus", 0):
        line = "mini_royal" if is_mini_royal(player.faces) else mine.name
        found["pair_plus"] = _side(stake, _times(values, "pair_plus_table", line))
    if stake := bets.get("six_card", 0):
        six = best((*player.faces, *house), bool(values["six_card_wheel"]))
        found["six_card"] = _side(stake, _times(values, "six_card_table", six.name))
    return found


def _ultimate(player: Player, house: Sequence[str], board: Sequence[str], values: Values) -> Gains:
    wheel = bool(values["wheel"])
    mine, theirs = best((*player.faces, *board), wheel), best((*house, *board), wheel)
    bets, result = player.bets, _versus(mine, theirs)
    found: Gains = {}
    if player.has_folded:
        found |= {"ante": -bets["ante"], "blind": -bets["blind"]}  # UTH-42
    else:
        found["ante"] = result * bets["ante"] if theirs.name != "high_card" else 0  # UTH-34
        found["play"] = result * bets["play"]
        found["blind"] = min(result, 0) * bets["blind"]
        odds = _times(values, "blind_table", mine.name)
        if result > 0 and odds is not None:
            found["blind"] = _in_chips(bets["blind"] * odds[0], odds[1], values)  # UTH-44
    if stake := bets.get("trips", 0):
        found["trips"] = _side(stake, _times(values, "trips_table", mine.name))
        if player.has_folded and values["trips_on_fold"] == "forfeit":
            found["trips"] = -stake
        if not player.has_folded and result == 0 and values["trips_on_tie"] == "push":
            found["trips"] = 0
    return found


def _in_chips(numerator: int, denominator: int, values: Values) -> int:
    """A payment that no chips can make is rounded as the house says."""
    step = denominator * int(str(values["chip_unit"]))
    count, rest = divmod(numerator, step)
    if rest:
        count += {"floor": 0, "ceil": 1, "half_up": int(2 * rest >= step)}[str(values["rounding"])]
    return count * step // denominator


_GAMES: Final[Mapping[str, Callable[[Player, Sequence[str], Sequence[str], Values], Gains]]] = {
    "TCF": _trois_cartes,
    "STU": _stud,
    "TCP": _three_card,
    "UTH": _ultimate,
}
