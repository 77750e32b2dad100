"""What a hold'em coup remembers beyond the cards: the betting so far."""

from dataclasses import dataclass

from sabot_gateway.rules.betting_state import Betting


@dataclass(frozen=True, slots=True)
class HoldemHand:
    betting: Betting
