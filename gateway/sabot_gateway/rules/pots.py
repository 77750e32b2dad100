"""Main pot, side pots and the uncalled bet, from what each player staked in all (THE-93 to THE-100, A-THE-13).

One pot per distinct level that a player still in has reached; folded players'
chips stay in the layers they reached. Knows no cards, rake or button.

Invariants: pots plus the uncalled part are exactly what was staked; each pot's
players are a subset of those of the pot before it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sabot_gateway.model.holdem import Pot, Uncalled


@dataclass(frozen=True, slots=True)
class Layers:
    """All chips of a coup: the pots, main pot first, and what goes back unmatched."""

    pots: tuple[Pot, ...]
    uncalled: Uncalled | None = None


def split_pots(stakes: Mapping[int, int], folded: Collection[int], return_uncalled: bool = True) -> Layers:
    """The layers of `stakes` (seat to total staked); at least one seat is still in."""
    live = sorted(seat for seat in stakes if seat not in folded)
    uncalled = _uncalled(stakes, live) if return_uncalled else None
    matched = dict(stakes)
    if uncalled is not None:
        matched[uncalled.seat] -= uncalled.amount
    if len(live) == 1:
        # THE-122: nobody is left to divide it with; all layers are one.
        return Layers((Pot(sum(matched.values()), tuple(live)),), uncalled)
    # THE-123: one layer per level that somebody still in has reached.
    levels = sorted({matched[seat] for seat in live})
    pots = []
    floor = 0
    for level in levels:
        # A fold above the last level of those still in can only come from a record without actions:
        # its chips lie in the last pot, for they were staked and nobody takes them back.
        ceiling = max(matched.values()) if level == levels[-1] else level
        amount = sum(min(stake, ceiling) - min(stake, floor) for stake in matched.values())
        if amount:
            pots.append(Pot(amount, tuple(seat for seat in live if matched[seat] >= level)))
        floor = level
    return Layers(tuple(pots), uncalled)


def _uncalled(stakes: Mapping[int, int], live: Collection[int]) -> Uncalled | None:
    """THE-114: what one player still in staked beyond everybody else, folded players included."""
    top = max(live, key=lambda seat: stakes[seat])
    others = max((stake for seat, stake in stakes.items() if seat != top), default=0)
    excess = stakes[top] - others
    return Uncalled(top, excess) if excess > 0 else None
