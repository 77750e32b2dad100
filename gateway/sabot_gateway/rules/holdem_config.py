"""The ruleset keys of texas hold'em and their typed form.

Owns the list of keys, their legal values and what each one is for (A-THE-01 to
A-THE-19). What a key does is written where it is used.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sabot_gateway.model.holdem import (
    HeadsUp,
    MinRaise,
    OddChip,
    OptionAction,
    RakeBasis,
    ShowdownFirst,
    Version,
)
from sabot_gateway.model.money import Rounding
from sabot_gateway.rules.bank_key import chef_key
from sabot_gateway.rules.key import REQUIRED, Key, Kind
from sabot_gateway.rules.opening import MOST_CENTS
from sabot_gateway.rules.raise_limits import Structure
from sabot_gateway.rules.rake import FULL_BP, RakeTerms

MOST_SEATS: Final = 10  # THE-18: places marked on the cloth


@dataclass(frozen=True, slots=True)
class HoldemConfig:
    """One table's settings, derived amounts resolved."""

    table_min: int
    seats_total: int
    structure: Structure
    rake: RakeTerms
    heads_up: HeadsUp
    option_allowed: bool
    option_action: OptionAction
    showdown_first: ShowdownFirst
    return_uncalled: bool
    odd_chip: OddChip
    wheel: bool
    cave_min: int | None
    recave_max: int | None

    @property
    def chip_unit(self) -> int:
        return self.structure.chip_unit

    @classmethod
    def from_ruleset(cls, values: Mapping[str, object]) -> "HoldemConfig":
        """The typed form of validated values."""
        table_min, unit = _whole(values, "table_min"), _whole(values, "chip_unit")
        small_blind = table_min // 2  # THE-46
        big_blind = _whole_or_none(values, "big_blind")
        structure = Structure(
            small_blind=small_blind,
            big_blind=2 * small_blind if big_blind is None else big_blind,
            chip_unit=unit,
            version=Version(str(values["version"])),
            min_raise=MinRaise(str(values["min_raise"])),
            limit_small=_whole_or_none(values, "limit_small"),
            limit_big=_whole_or_none(values, "limit_big"),
            limit_cap=_whole_or_none(values, "limit_cap"),
            limit_cap_counts_blind=bool(values["limit_cap_counts_blind"]),
            short_allin_reopens=bool(values["short_allin_reopens"]),
        )
        rake = RakeTerms(
            bp=_whole(values, "rake_bp"),
            cap=_whole_or_none(values, "rake_cap"),
            basis=RakeBasis(str(values["rake_basis"])),
            no_flop_no_drop=bool(values["no_flop_no_drop"]),
            rounding=Rounding(str(values["rounding"])),
            chip_unit=unit,
        )
        return cls(
            table_min=table_min,
            seats_total=_whole(values, "seats_total"),
            structure=structure,
            rake=rake,
            heads_up=HeadsUp(str(values["heads_up"])),
            option_allowed=bool(values["option_allowed"]),
            option_action=OptionAction(str(values["option_action"])),
            showdown_first=ShowdownFirst(str(values["showdown_first"])),
            return_uncalled=bool(values["return_uncalled"]),
            odd_chip=OddChip(str(values["odd_chip"])),
            wheel=bool(values["wheel"]),
            cave_min=_whole_or_none(values, "cave_min"),
            recave_max=_whole_or_none(values, "recave_max"),
        )


def _whole(values: Mapping[str, object], name: str) -> int:
    value = values[name]
    assert isinstance(value, int)
    return value


def _whole_or_none(values: Mapping[str, object], name: str) -> int | None:
    return None if values[name] is None else _whole(values, name)


def _amount(name: str, meaning: str, *rules: str, default: object = None, code: str = "BAD_VALUE") -> Key:
    """An amount in cents that may be left empty."""
    return Key(name, Kind.INTEGER, meaning, rules, default=default, nullable=True, least=1, most=MOST_CENTS, code=code)


def _flag(name: str, meaning: str, default: object, *rules: str) -> Key:
    return Key(name, Kind.FLAG, meaning, rules, default=default)


def _choice(name: str, meaning: str, choices: tuple[str, ...], default: object, *rules: str) -> Key:
    return Key(name, Kind.CHOICE, meaning, rules, default=default, choices=choices)


KEYS: Final[tuple[Key, ...]] = (
    Key("table_min", Kind.INTEGER, "Minimum stake of the table, in cents.", ("THE-46",), least=2, most=MOST_CENTS),
    Key("chip_unit", Kind.INTEGER, "Smallest chip in play, in cents.", ("THE-32",), least=1, most=MOST_CENTS),
    Key(
        "seats_total",
        Kind.INTEGER,
        "Seats marked on the layout.",
        ("THE-18",),
        default=MOST_SEATS,
        least=2,
        most=MOST_SEATS,
        code="SEATS_TOTAL",
    ),
    _choice(
        "version",
        "Version of hold'em, which fixes the size of raises.",
        tuple(Version),
        REQUIRED,
        "THE-60",
        "A-THE-08",
    ),
    Key(
        "rake_bp",
        Kind.INTEGER,
        "Levy on the pots, in hundredths of a percent.",
        ("THE-109", "THE-124", "A-THE-15"),
        least=0,
        most=FULL_BP,
    ),
    Key(
        "rake_cap",
        Kind.INTEGER,
        "Most that one coup is raked, in cents; empty: no cap.",
        ("THE-124", "A-THE-15"),
        nullable=True,
        least=0,
        most=MOST_CENTS,
    ),
    _choice(
        "rake_basis",
        "Whether each pot is raked by itself or their total is.",
        tuple(RakeBasis),
        REQUIRED,
        "THE-124",
        "A-THE-15",
    ),
    _flag(
        "no_flop_no_drop", "Whether a coup that ends before the flop is free of rake.", REQUIRED, "THE-109", "A-THE-15"
    ),
    _choice(
        "rounding",
        "How the rake is rounded to the chip unit.",
        tuple(Rounding),
        "floor",
        "THE-124",
        "A-THE-15",
    ),
    _amount("cave_min", "Smallest buy-in of a new player, in cents; empty: none.", "THE-35", default=REQUIRED),
    _amount("recave_max", "Largest re-buy, in cents; empty: none.", "THE-40", default=REQUIRED),
    _amount(
        "big_blind",
        "The big blind, in cents; empty: twice the small blind.",
        "THE-47",
        "A-THE-05",
        code="BIG_BLIND_RANGE",
    ),
    _choice(
        "min_raise",
        "Least raise: by the last full bet or raise, or to double the stake to match.",
        tuple(MinRaise),
        "last_raise",
        "THE-118",
        "A-THE-08",
    ),
    _amount("limit_small", "Limit: bet of the first two rounds; empty: the big blind.", "THE-120", "A-THE-08"),
    _amount("limit_big", "Limit: bet of the last two rounds; empty: twice the small bet.", "THE-120", "A-THE-08"),
    Key(
        "limit_cap",
        Kind.INTEGER,
        "Limit: most bets in one round; empty: no limit.",
        ("THE-120", "A-THE-08"),
        default=4,
        nullable=True,
        least=1,
        most=100,
    ),
    _flag("limit_cap_counts_blind", "Limit: whether the big blind is the first bet.", True, "THE-120", "A-THE-08"),
    _flag(
        "short_allin_reopens",
        "Whether an all-in raise below a full one lets those who spoke raise again.",
        False,
        "THE-121",
        "A-THE-09",
    ),
    _flag("option_allowed", "Whether the third player may post an option.", False, "THE-48", "A-THE-07"),
    _choice(
        "option_action",
        "Whether the option speaks last, or first as the letter has it.",
        tuple(OptionAction),
        "straddle",
        "THE-126",
        "A-THE-07",
    ),
    _choice(
        "heads_up",
        "Blinds of two players: by the letter, or small blind on the button.",
        tuple(HeadsUp),
        "literal",
        "THE-116",
        "A-THE-03",
    ),
    _choice("button_move", "Where the button goes after a coup.", ("next_occupied",), "next_occupied", "THE-117"),
    _choice(
        "showdown_first",
        "Who shows first after a bet in the last round.",
        tuple(ShowdownFirst),
        "first_raiser",
        "THE-101",
        "A-THE-17",
    ),
    _flag("return_uncalled", "Whether the unmatched part of a bet goes back unraked.", True, "THE-114", "A-THE-12"),
    _choice(
        "odd_chip",
        "Who gets the odd chips of a shared pot.",
        tuple(OddChip),
        "left_of_button",
        "THE-115",
        "A-THE-14",
    ),
    _flag("wheel", "Whether A-2-3-4-5 is the lowest straight.", True, "THE-113", "A-THE-01"),
    Key(
        "absence_max_s",
        Kind.INTEGER,
        "Longest absence before a seat is given away, in seconds; empty: no limit.",
        ("THE-28", "A-THE-19"),
        default=None,
        nullable=True,
        least=1,
    ),
    _choice(
        "missed_blinds",
        "Blinds of an absent player: they fall on the next players present.",
        ("next_present",),
        "next_present",
        "THE-27",
        "A-THE-19",
    ),
    Key(
        "session_hours",
        Kind.HOURS,
        "Hours in which the table may be open, on the house's clock; empty: not watched.",
        ("THE-12",),
        default=None,
        nullable=True,
    ),
    chef_key("THE-10", 2),
)
