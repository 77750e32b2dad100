"""The bet spots of the four bank games and how their stakes relate, as data.

Owns which spots a layout has, which of them a hand needs, when each is laid, and
the multiples that tie one stake to another. Hold'em has no spots of this kind:
its bets are the business of `betting`. Table limits and what a stake wins are
decided elsewhere.

Invariant: relations are exact integer proportions; nothing is ever rounded here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.rejection import Fault


class Laid(StrEnum):
    """When a stake comes to the table."""

    BEFORE_DEAL = "before_deal"
    AFTER_DEAL = "after_deal"


class Limit(StrEnum):
    """Which limits bind a stake; a mandated multiple is bound by none (A-TCF-12)."""

    TABLE = "table"
    SIDE = "side"
    MANDATED = "mandated"


@dataclass(frozen=True, slots=True)
class Spot:
    """A marked box before each seat. `required`: without this stake there is no hand."""

    name: str
    laid: Laid
    limit: Limit
    rule: str
    required: bool = False
    only_if: tuple[str, object] | None = None  # ruleset key and the value with which the spot exists


@dataclass(frozen=True, slots=True)
class Relation:
    """`stake * per` must be one of `times` x the reference stake (or ruleset amount), for these decisions."""

    spot: str
    times: tuple[int, ...]
    reference: str
    code: str
    rule: str
    per: int = 1
    decisions: tuple[str, ...] = ()  # empty: whatever the decision
    optional: bool = False  # no stake at all is fine too

    def allowed(self, reference_amount: int) -> tuple[int, ...]:
        """The whole amounts that satisfy the relation, smallest first."""
        exact = sorted(factor * reference_amount for factor in self.times)
        return tuple(amount // self.per for amount in exact if amount % self.per == 0)

    def holds(self, stake: int, reference_amount: int) -> bool:
        return (self.optional and stake == 0) or any(
            stake * self.per == factor * reference_amount for factor in self.times
        )


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A stake that may not stand beside this decision."""

    spot: str
    decision: str
    code: str
    rule: str


def spots_of(game: Game, values: Mapping[str, object] | None = None) -> tuple[Spot, ...]:
    """The spots on the felt, in the order they are read; with ruleset values, only those this house has."""
    return tuple(spot for spot in SPOTS[game] if values is None or _exists(spot, values))


def spot_names(game: Game) -> frozenset[str]:
    return frozenset(spot.name for spot in SPOTS[game])


def broken_relations(
    game: Game, decision: str | None, stakes: Mapping[str, int], values: Mapping[str, object], seat: int
) -> tuple[Fault, ...]:
    """Every stake of one seat that is not the multiple its rule asks for, or that its decision excludes."""
    faults: list[Fault] = []
    for exclusion in EXCLUSIONS[game]:
        if exclusion.decision == decision and stakes.get(exclusion.spot):
            faults.append(Fault(exclusion.code, exclusion.rule, seat=seat))
    for relation in RELATIONS[game]:
        if relation.decisions and decision not in relation.decisions:
            continue
        reference = stakes.get(relation.reference, values.get(relation.reference, 0))
        assert isinstance(reference, int)
        if not relation.holds(stakes.get(relation.spot, 0), reference):
            faults.append(Fault(relation.code, relation.rule, seat=seat))
    return tuple(faults)


def _exists(spot: Spot, values: Mapping[str, object]) -> bool:
    if spot.only_if is None:
        return True
    key, value = spot.only_if
    return values.get(key) == value


_BEFORE, _AFTER = Laid.BEFORE_DEAL, Laid.AFTER_DEAL

SPOTS: Final[Mapping[Game, tuple[Spot, ...]]] = MappingProxyType(
    {
        Game.TCF: (
            Spot("ante", _BEFORE, Limit.TABLE, "TCF-23", required=True),
            Spot("play", _AFTER, Limit.MANDATED, "TCF-42"),
            Spot("pair_plus", _BEFORE, Limit.SIDE, "TCF-27"),
            Spot("bonus", _BEFORE, Limit.SIDE, "TCF-28", only_if=("bonus_mode", "separate_stake")),
        ),
        Game.STU: (
            Spot("ante", _BEFORE, Limit.TABLE, "STU-23", required=True),
            Spot("raise", _AFTER, Limit.MANDATED, "STU-42"),
            Spot("buy", _AFTER, Limit.MANDATED, "STU-58", only_if=("buy_allowed", True)),
            Spot("bonus", _BEFORE, Limit.MANDATED, "STU-71"),
        ),
        Game.TCP: (
            Spot("ante", _BEFORE, Limit.TABLE, "TCP-08", required=True),
            Spot("play", _AFTER, Limit.MANDATED, "TCP-12"),
            Spot("pair_plus", _BEFORE, Limit.SIDE, "TCP-04"),
            Spot("six_card", _BEFORE, Limit.SIDE, "TCP-04"),
        ),
        Game.UTH: (
            Spot("ante", _BEFORE, Limit.TABLE, "UTH-16", required=True),
            Spot("blind", _BEFORE, Limit.MANDATED, "UTH-16", required=True),
            Spot("trips", _BEFORE, Limit.SIDE, "UTH-17"),
            Spot("play", _AFTER, Limit.MANDATED, "UTH-20"),
        ),
        Game.THE: (),
    }
)

RELATIONS: Final[Mapping[Game, tuple[Relation, ...]]] = MappingProxyType(
    {
        Game.TCF: (Relation("play", (1,), "ante", "PLAY_NOT_EQUAL_ANTE", "TCF-42", decisions=("raise",)),),
        Game.STU: (
            Relation("raise", (2,), "ante", "RAISE_NOT_DOUBLE_ANTE", "STU-42", decisions=("raise",)),
            Relation("buy", (1,), "ante", "BUY_PRICE_NOT_ANTE", "STU-58", decisions=("raise",), optional=True),
            Relation("bonus", (1,), "table_min", "BONUS_NOT_ONE_FIFTH_OF_MIN", "STU-71", per=5, optional=True),
        ),
        Game.TCP: (Relation("play", (1,), "ante", "PLAY_NOT_EQUAL_ANTE", "TCP-12", decisions=("raise",)),),
        Game.UTH: (
            Relation("blind", (1,), "ante", "BLIND_NOT_EQUAL_ANTE", "UTH-16"),
            Relation("play", (3, 4), "ante", "PLAY_MULTIPLE", "UTH-20", decisions=("play_preflop",)),
            Relation("play", (2,), "ante", "PLAY_MULTIPLE", "UTH-22", decisions=("play_flop",)),
            Relation("play", (1,), "ante", "PLAY_MULTIPLE", "UTH-24", decisions=("play_river",)),
        ),
        Game.THE: (),
    }
)

EXCLUSIONS: Final[Mapping[Game, tuple[Exclusion, ...]]] = MappingProxyType(
    {
        Game.TCF: (Exclusion("play", "fold", "PLAY_AFTER_FOLD", "TCF-40"),),
        Game.STU: (
            Exclusion("raise", "fold", "RAISE_AFTER_FOLD", "STU-40"),
            Exclusion("buy", "fold", "BUY_WITHOUT_RAISE", "STU-59"),
        ),
        Game.TCP: (Exclusion("play", "fold", "PLAY_AFTER_FOLD", "TCP-11"),),
        Game.UTH: (Exclusion("play", "fold", "PLAY_AND_FOLD", "UTH-26"),),
        Game.THE: (),
    }
)
