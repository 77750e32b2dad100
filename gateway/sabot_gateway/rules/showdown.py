"""The end of a hold'em coup: who shows first, whose hand takes each pot, and how a pot is shared.

Works on strengths (stronger is greater) and never on cards. Each award names its
rule: the best of all hands, the all-in hand that wins the main pot alone, the
next best hand for a side pot, equal hands, or a pot with one claimant.
"""

from collections.abc import Mapping, Sequence

from sabot_gateway.model.holdem import OddChip, Pot, PotResult, Showdown, ShowdownFirst
from sabot_gateway.rules.betting_state import Voice


def showdown_order(order: Sequence[int], live: Sequence[int], voice: Voice | None, first: ShowdownFirst) -> Showdown:
    """Every player still in, from the one who shows first, clockwise; `order` starts at the button's left."""
    if voice is None:
        # THE-127: nobody spoke at all.
        return Showdown(tuple(seat for seat in order if seat in live), "THE-127")
    bold = voice.raisers if first is ShowdownFirst.FIRST_RAISER else voice.aggressors
    # A raiser who folded later has nothing to show.
    bold = tuple(seat for seat in bold if seat in live)
    if bold:
        lead, rule = bold[-1 if first is ShowdownFirst.LAST_AGGRESSOR else 0], "THE-101"
    else:
        lead, rule = voice.first, "THE-102"
    start = order.index(lead)
    return Showdown(tuple(seat for seat in (*order[start:], *order[:start]) if seat in live), rule)


def award(
    pots: Sequence[Pot],
    rakes: Sequence[int],
    strengths: Mapping[int, int],
    order: Sequence[int],
    odd_chip: OddChip,
    chip_unit: int,
) -> tuple[PotResult, ...]:
    """Each pot to the best hand among those entitled to it, less its rake; `strengths` may be empty if uncontested."""
    winners = [_best(pot.eligible, strengths) for pot in pots]
    results = []
    for index, (pot, rake) in enumerate(zip(pots, rakes, strict=True)):
        shares = share_out(pot.amount - rake, winners[index], order, odd_chip, chip_unit)
        rule = _rule(index, pots, winners)
        results.append(PotResult(pot, rake, winners[index], shares, rule))
    return tuple(results)


def share_out(
    amount: int, winners: Sequence[int], order: Sequence[int], odd_chip: OddChip, chip_unit: int
) -> tuple[int, ...]:
    """Equal shares in whole chips, beside `winners`; the odd chips by the house's rule (THE-107, THE-115)."""
    each, odd = divmod(amount // chip_unit, len(winners))
    shares = dict.fromkeys(winners, each * chip_unit)
    line = sorted(winners) if odd_chip is OddChip.LOWEST_SEAT else [seat for seat in order if seat in shares]
    loose = amount % chip_unit  # nothing where every stake is a whole number of chips
    if odd_chip is OddChip.ALL_TO_FIRST:
        shares[line[0]] += odd * chip_unit
    else:
        for seat in line[:odd]:
            shares[seat] += chip_unit
    shares[line[0]] += loose
    return tuple(shares[seat] for seat in winners)


def _best(eligible: tuple[int, ...], strengths: Mapping[int, int]) -> tuple[int, ...]:
    if len(eligible) == 1:
        return eligible
    top = max(strengths[seat] for seat in eligible)
    # THE-108: perfect equality is equal strength.
    return tuple(seat for seat in eligible if strengths[seat] == top)


def _rule(index: int, pots: Sequence[Pot], winners: Sequence[tuple[int, ...]]) -> str:
    """Which sentence gives this pot to its winners."""
    pot, won_by = pots[index], winners[index]
    if len(pots) == 1 and len(pot.eligible) == 1:
        return "THE-122"  # all others folded
    if len(won_by) > 1:
        return "THE-107"
    if len(pots) == 1:
        return "THE-104"
    winner = won_by[0]
    if winner in winners[0]:
        if winner not in pots[1].eligible:
            return "THE-96"  # the all-in player: the main pot and no other
        return "THE-99"  # the best hand takes every pot it is entitled to
    # THE-97 gives a side pot to the only player who reached it, THE-98 to the next best hand.
    return "THE-97" if len(pot.eligible) == 1 else "THE-98"
