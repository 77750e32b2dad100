"""Deal plans, made once per table layout and shared by all coups that look alike."""

from functools import lru_cache

from sabot_gateway.rules.deal import DealPlan, plan_deal
from sabot_gateway.rules.ruleset import Ruleset


@lru_cache(maxsize=4096)
def plan_for(
    ruleset: Ruleset, players: tuple[int, ...], button: int = 0, buyers: tuple[int, ...] = (), board: int = 5
) -> DealPlan:
    """The plan of `rules.deal` for these players; equal questions get the same plan."""
    return plan_deal(ruleset.game, ruleset.values, players, button=button, buyers=buyers, board=board)
