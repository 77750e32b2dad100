"""The order in which a bank settles: seat by seat from right to left, and spot by spot before each seat.

Lamps, display and settlement all follow this one order. Amounts are no concern
of this file. Seats ascend clockwise, so right to left is descending (TCF-19).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game


@dataclass(frozen=True, slots=True)
class PaymentStep:
    """One spot before one seat; `rule` says why it comes at this point."""

    seat: int
    spot: str
    rule: str


def settlement_order(seats: Iterable[int]) -> tuple[int, ...]:
    """TCF-51, STU-51, UTH-47: counter-clockwise, the highest seat first."""
    return tuple(sorted(set(seats), reverse=True))


def spot_order(game: Game) -> tuple[str, ...]:
    """The spots of one seat as they are paid or collected."""
    return tuple(spot for spot, _ in _SPOTS[game])


def payment_order(game: Game, stakes: Mapping[int, Iterable[str]]) -> tuple[PaymentStep, ...]:
    """Every spot that carries a stake (or a payment without one), in the order the dealer comes to it."""
    laid = {seat: frozenset(spots) for seat, spots in stakes.items()}
    return tuple(
        PaymentStep(seat, spot, rule)
        for seat in settlement_order(laid)
        for spot, rule in _SPOTS[game]
        if spot in laid[seat]
    )


def clearing_order(seats: Iterable[int]) -> tuple[int | str, ...]:
    """TCF-64, STU-56: hands leave the felt from right to left, the dealer's own last."""
    return (*settlement_order(seats), "D")


def gathering_order(seats: Iterable[int]) -> tuple[int, ...]:
    """THE-70: hold'em stakes are gathered into the pot from the dealer's left, clockwise."""
    return tuple(sorted(set(seats)))


_SPOTS: Final[Mapping[Game, tuple[tuple[str, str], ...]]] = MappingProxyType(
    {
        # TCF-76: Paire Plus together with stake and raise; TCF-68: the bonus after the raise.
        Game.TCF: (("ante", "TCF-59"), ("play", "TCF-62"), ("pair_plus", "TCF-76"), ("bonus", "TCF-68")),
        # STU-61: the price of a card left the felt when the card was served, before any comparison.
        Game.STU: (("buy", "STU-61"), ("ante", "STU-77"), ("raise", "STU-65"), ("bonus", "STU-68")),
        Game.TCP: (
            ("ante", "TCP-17"),
            ("play", "TCP-17"),
            ("ante_bonus", "TCP-20"),
            ("pair_plus", "TCP-23"),
            ("six_card", "TCP-27"),
        ),
        Game.UTH: (("ante", "UTH-28"), ("play", "UTH-28"), ("blind", "UTH-29"), ("trips", "UTH-36")),
        Game.THE: (),
    }
)
