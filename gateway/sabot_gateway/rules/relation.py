"""Whether the values of one ruleset can stand together: limits, chips, blinds.

Each key is right by itself when it gets here; this file knows only what two or
more of them must have in common.
"""

from collections.abc import Iterator, Mapping

from sabot_gateway.model.game import Game

Problem = tuple[str, str]  # the key, and why it cannot stand beside the others


def relation_problem(game: Game, values: Mapping[str, object]) -> Problem | None:
    """The first key that contradicts another, with the reason; None when all agree."""
    return next(_problems(game, values), None)


def _problems(game: Game, values: Mapping[str, object]) -> Iterator[Problem]:
    amount = {name: value for name, value in values.items() if isinstance(value, int) and not isinstance(value, bool)}
    for low, high in (("table_min", "table_max"), ("side_min", "side_max")):
        if low in amount and high in amount and amount[low] > amount[high]:
            yield low, f"{amount[low]} is above {high} {amount[high]}"
    unit = amount.get("chip_unit", 1)
    for name in ("table_min", "table_max", "side_min", "side_max", "big_blind", "cave_min", "recave_max"):
        if amount.get(name, 0) % unit:
            yield name, f"{amount[name]} is not a whole number of chips of {unit}"
    if game is Game.STU and amount["table_min"] % (5 * unit):
        yield "table_min", f"one fifth of it, the bonus stake, is not a whole number of chips of {unit} (STU-71)"
    if game is Game.THE:
        if amount["table_min"] % (2 * unit):
            yield "table_min", f"half of it, the small blind, is not a whole number of chips of {unit} (THE-46)"
        small = amount["table_min"] // 2
        if "big_blind" in amount and not small <= amount["big_blind"] <= 2 * small:
            yield "big_blind", f"must lie between {small} and {2 * small} (THE-47)"
