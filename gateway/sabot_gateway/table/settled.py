"""A coup put to the rules: what was asked, and what they answered."""

from dataclasses import dataclass, field

from sabot_gateway.model.coup import BankCoup
from sabot_gateway.model.holdem import HoldemCoup, HoldemSettlement
from sabot_gateway.model.settlement import Settlement


@dataclass(frozen=True, slots=True)
class Settled:
    coup: BankCoup | HoldemCoup = field(repr=False)
    settlement: Settlement | HoldemSettlement = field(repr=False)
