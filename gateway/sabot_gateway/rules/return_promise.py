"""Pay tables held to the returns that their document publishes (TCP-45, TCP-46, TCP-47).

Only the Québec page promises returns, and gives no tables: a table is right
when it keeps the promise, to the last published digit.
"""

from collections.abc import Mapping
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.paytable import table_from_values
from sabot_gateway.rules.published_return import PUBLISHED, is_as_published, percent_text, return_of

PROMISED: Final[Mapping[str, str]] = {
    "ante_bonus_table": "ante_bonus",
    "pair_plus_table": "pair_plus",
    "six_card_table": "six_card",
}


def broken_promises(game: Game, values: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Each pay table (its key) that does not return what was published, with the reason."""
    if game is not Game.TCP:
        return ()
    broken = []
    for key, bet in PROMISED.items():
        odds = table_from_values(values[key])
        promise = PUBLISHED[bet]
        if any(each.per != 1 for each in odds.values()):
            broken.append((key, f"must be in odds to one ({promise.rule})"))
            continue
        table = {hand: each.win for hand, each in odds.items()}
        exact = return_of(bet, table, six_card_wheel=bool(values["six_card_wheel"]))
        if not is_as_published(bet, exact):
            published = f"{promise.basis_points // 100}.{promise.basis_points % 100:02d}"
            reason = f"returns {percent_text(exact)} %, not the published {published} % ({promise.rule})"
            broken.append((key, reason))
    return tuple(broken)
