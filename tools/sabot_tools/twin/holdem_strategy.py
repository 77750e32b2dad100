"""What a hold'em player does when the word comes to him: by temperament, by what he holds, and by chance.

Owns habits, not rules. Amounts are totals of the round in whole euros, so that the pots make uneven shares and rakes.
"""

from collections.abc import Sequence
from random import Random

from sabot_tools.twin.betting import Better, Betting
from sabot_tools.twin.card import rank_of
from sabot_tools.twin.hand import best, score
from sabot_tools.twin.temperament import Temperament

_EURO = 100


def wanted_total(
    temper: Temperament, betting: Betting, better: Better, faces: Sequence[str], board: Sequence[str], chance: Random
) -> int | None:
    """The total that he stakes; his present one is a check, None a fold."""
    strength = _strength(faces, board) + {Temperament.TIMID: -2, Temperament.RECKLESS: 2}.get(temper, 0)
    strength += chance.randrange(-2, 3)
    owes = betting.bet_to > better.street
    least = betting.least_raise(better)
    if least is not None and strength >= 6:
        reach = better.street + better.stack
        if temper is Temperament.RECKLESS and chance.randrange(12) == 0:
            return reach
        if chance.randrange(3) == 0:
            extra = chance.randrange(0, 4) * betting.big_blind + chance.randrange(3) * _EURO
            return min(reach, least + extra)
    if not owes:
        return better.street
    is_cheap = betting.bet_to - better.street <= betting.big_blind
    return betting.call_to(better) if strength >= (2 if is_cheap else 4) else None


def _strength(faces: Sequence[str], board: Sequence[str]) -> int:
    """Nought to ten."""
    if not board:
        high, low = sorted(map(rank_of, faces), reverse=True)
        return min(10, (high + low) // 4 + (3 if high == low else 0))
    cards = (*faces, *board)
    found = score(cards) if len(cards) == 5 else best(cards)
    return min(10, 2 + 2 * found.rank + (found.ranks[0] >= 12))
