"""The house's levy on the pots, for the cagnotte (THE-109 to THE-111, THE-124, A-THE-15).

Takes amounts, gives amounts: who wins is no concern of the rake. It is always a
whole number of chips, never more than its pot, and never more in all than the cap.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sabot_gateway.model.holdem import RakeBasis
from sabot_gateway.model.money import Rounding, round_to_unit

FULL_BP = 10_000  # basis points in the whole


@dataclass(frozen=True, slots=True)
class RakeTerms:
    """What the house takes; `cap` None means no limit for a coup."""

    bp: int
    cap: int | None
    basis: RakeBasis
    no_flop_no_drop: bool
    rounding: Rounding
    chip_unit: int


def take_rake(amounts: Sequence[int], terms: RakeTerms, flop_seen: bool) -> tuple[int, ...]:
    """The rake of each pot, in the order given, main pot first."""
    if terms.no_flop_no_drop and not flop_seen:
        return (0,) * len(amounts)
    total = sum(amounts)
    # A cap that no chips can make is the next lower one that they can.
    left = total if terms.cap is None else terms.cap - terms.cap % terms.chip_unit
    if terms.basis is RakeBasis.TOTAL:
        left = min(left, _levy(total, terms))
    rakes = []
    for amount in amounts:
        due = amount if terms.basis is RakeBasis.TOTAL else _levy(amount, terms)
        # THE-124: the main pot is raked first; later pots bear what the cap leaves.
        rakes.append(min(due, amount, left))
        left -= rakes[-1]
    return tuple(rakes)


def _levy(amount: int, terms: RakeTerms) -> int:
    return round_to_unit(amount * terms.bp, FULL_BP, terms.chip_unit, terms.rounding)
