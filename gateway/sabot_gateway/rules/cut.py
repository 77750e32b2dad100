"""Who cuts the cards: the player at the dealer's far left, then clockwise past each refusal.

Only articles 55-21 and 55-16 have a player's cut; `has_cut` says so.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game


@dataclass(frozen=True, slots=True)
class CutOffer:
    """The seat that cuts, and the rule that makes it so."""

    cutter: int
    rule: str


def has_cut(game: Game) -> bool:
    return game in _RULES


def cut_offer(game: Game, players: Collection[int], refused: Collection[int]) -> CutOffer:
    """The cutter among at least one player; when all refuse the cut returns to the first one asked."""
    offered, passed_on = _RULES[game]
    order = sorted(set(players))
    for seat in order:
        if seat not in refused:
            return CutOffer(seat, offered if seat == order[0] else passed_on)
    return CutOffer(order[0], passed_on)


_RULES: Final[Mapping[Game, tuple[str, str]]] = MappingProxyType(
    {Game.TCF: ("TCF-08", "TCF-10"), Game.STU: ("STU-08", "STU-10")}
)
