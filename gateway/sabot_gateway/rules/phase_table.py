"""The steps of a coup, per game: what must come before each step, and after what it comes too late.

Data only; `phase` walks it. A step may have several prerequisites: the first
one missing is the finding, so the order of the lines is the order of weight.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game


@dataclass(frozen=True, slots=True)
class Need:
    """`event` may not happen before `missing` has."""

    event: str
    missing: str
    rule: str


@dataclass(frozen=True, slots=True)
class Late:
    """`event` may not happen after `after`: until `until` has happened, or in the whole game when `ever`."""

    event: str
    after: str
    rule: str
    until: str = ""
    ever: bool = False


@dataclass(frozen=True, slots=True)
class Steps:
    """One game. `pending` names the steps that wait for every decision; `seated` those that name a seat."""

    events: frozenset[str]
    needs: tuple[Need, ...]
    lates: tuple[Late, ...]
    pending: Mapping[str, str]
    seat_rule: str
    seated: frozenset[str] = frozenset({"decision", "early_look", "purchase", "seat_change"})


# A step of this kind after the payments opens the next coup.
OPENING: Final = frozenset({"count", "button", "shuffle", "cut", "stakes_checked", "bet", "bets", "blinds"})
# The cards are off the felt, or the coup was declared void (TCF-35, TCP-48, THE-125).
CLOSING: Final = frozenset({"clear", "void"})
# What outlives a coup: cards are counted once, and the button has been drawn.
LASTING: Final = frozenset({"count", "button"})

_BANK: Final = frozenset(
    {"open_bets", "bet", "bets", "shuffle", "rnvp", "deal", "decision", "reveal", "compare", "pay"}
    | {"clear", "void", "relief"}
)
_FRENCH_BANK: Final = _BANK | {"count", "cut", "stakes_checked", "early_look", "burn_stub"}

_TCF: Final = Steps(
    events=_FRENCH_BANK,
    needs=(
        Need("shuffle", "count", "TCF-06"),
        Need("cut", "shuffle", "TCF-08"),
        Need("deal", "rnvp", "TCF-25"),
        Need("deal", "shuffle", "TCF-06"),
        Need("decision", "deal", "TCF-39"),
        Need("burn_stub", "deal", "TCF-34"),
        Need("reveal", "deal", "TCF-44"),
        Need("compare", "reveal", "TCF-51"),
        Need("pay", "reveal", "TCF-44"),
        Need("clear", "deal", "TCF-64"),
    ),
    lates=(
        Late("bet", "rnvp", "TCF-25"),
        Late("bets", "rnvp", "TCF-25"),
        Late("rnvp", "deal", "TCF-25"),
        Late("decision", "reveal", "TCF-44"),
        Late("relief", "deal", "TCF-15", until="pay"),
    ),
    pending=MappingProxyType({"reveal": "TCF-44"}),
    seat_rule="TCF-18",
)

_STU: Final = Steps(
    events=_FRENCH_BANK | {"purchase"},
    needs=(
        Need("shuffle", "count", "STU-06"),
        Need("cut", "shuffle", "STU-08"),
        Need("deal", "rnvp", "STU-25"),
        Need("deal", "shuffle", "STU-06"),
        Need("decision", "deal", "STU-38"),
        Need("purchase", "deal", "STU-59"),
        Need("burn_stub", "deal", "STU-32"),
        Need("reveal", "deal", "STU-44"),
        Need("compare", "reveal", "STU-51"),
        Need("pay", "reveal", "STU-44"),
        Need("clear", "deal", "STU-56"),
    ),
    lates=(
        Late("bet", "rnvp", "STU-25"),
        Late("bets", "rnvp", "STU-25"),
        Late("rnvp", "deal", "STU-25"),
        Late("purchase", "burn_stub", "STU-32"),
        Late("purchase", "reveal", "STU-44"),
        Late("decision", "reveal", "STU-44"),
        Late("relief", "deal", "STU-14", until="pay"),
    ),
    # A-STU-07: purchases are served when everybody has decided, and before the dealer's cards are shown.
    pending=MappingProxyType({"reveal": "STU-44", "purchase": "STU-44"}),
    seat_rule="STU-17",
)

_TCP: Final = Steps(
    events=_BANK | {"count"},
    needs=(
        Need("deal", "shuffle", "TCP-07"),
        Need("decision", "deal", "TCP-09"),
        Need("reveal", "deal", "TCP-12"),
        Need("compare", "reveal", "TCP-15"),
        Need("pay", "reveal", "TCP-12"),
        Need("clear", "deal", "TCP-07"),
    ),
    lates=(
        Late("bet", "rnvp", "TCP-08"),
        Late("bets", "rnvp", "TCP-08"),
        Late("bet", "deal", "TCP-08"),
        Late("bets", "deal", "TCP-08"),
        Late("decision", "reveal", "TCP-12"),
    ),
    pending=MappingProxyType({"reveal": "TCP-12"}),
    seat_rule="TCP-55",
)

_UTH: Final = Steps(
    events=_BANK | {"count", "flop", "board"},
    needs=(
        Need("shuffle", "count", "UTH-04"),
        Need("deal", "bets", "UTH-18"),
        Need("deal", "shuffle", "UTH-04"),
        Need("decision", "deal", "UTH-20"),
        Need("flop", "deal", "UTH-21"),
        Need("board", "flop", "UTH-23"),
        Need("reveal", "board", "UTH-27"),
        Need("compare", "reveal", "UTH-27"),
        Need("pay", "reveal", "UTH-27"),
        Need("clear", "deal", "UTH-47"),
    ),
    lates=(
        Late("bet", "deal", "UTH-18"),
        Late("bets", "deal", "UTH-18"),
        Late("decision", "reveal", "UTH-24"),
        Late("relief", "deal", "UTH-09", until="pay"),
    ),
    pending=MappingProxyType({"reveal": "UTH-24"}),
    seat_rule="UTH-13",
)

_THE: Final = Steps(
    events=frozenset(
        {"count", "button", "shuffle", "blinds", "option", "deal", "decision", "gather", "flop", "turn", "river"}
        | {"showdown", "rake", "pay", "clear", "void", "relief", "recave", "seat_change"}
    ),
    needs=(
        Need("shuffle", "count", "THE-04"),
        Need("deal", "blinds", "THE-50"),
        Need("deal", "shuffle", "THE-44"),
        Need("deal", "button", "THE-41"),
        Need("option", "blinds", "THE-49"),
        Need("decision", "deal", "THE-56"),
        Need("flop", "deal", "THE-71"),
        Need("turn", "flop", "THE-85"),
        Need("river", "turn", "THE-88"),
        Need("rake", "deal", "THE-109"),
        Need("pay", "rake", "THE-111"),
        Need("clear", "deal", "THE-111"),
    ),
    lates=(
        Late("button", "deal", "THE-41", until="pay"),
        Late("blinds", "deal", "THE-45", until="pay"),
        Late("option", "deal", "THE-49", until="pay"),
        Late("seat_change", "deal", "THE-21", ever=True),
        Late("recave", "deal", "THE-39", until="pay"),
        Late("relief", "deal", "THE-09", until="pay"),
    ),
    pending=MappingProxyType({}),
    seat_rule="THE-18",
)

STEPS: Final[Mapping[Game, Steps]] = MappingProxyType(
    {Game.TCF: _TCF, Game.STU: _STU, Game.TCP: _TCP, Game.UTH: _UTH, Game.THE: _THE}
)

# A-TCF-11: the stakes are verified before the shuffle or before the deal, as the house has chosen.
STAKES_RULE: Final[Mapping[Game, str]] = MappingProxyType({Game.TCF: "TCF-23", Game.STU: "STU-23"})
STAKES_BEFORE: Final[Mapping[Game, str]] = MappingProxyType({Game.TCF: "deal", Game.STU: "shuffle"})
