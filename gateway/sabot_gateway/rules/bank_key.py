"""Ruleset keys that the four bank games share, each with the rules of its own game."""

from sabot_gateway.model.money import Rounding
from sabot_gateway.rules.key import Key, Kind
from sabot_gateway.rules.opening import MOST_CENTS, LimitScope


def limit_keys(seats: str, limits: str, amounts: str, fewest_seats: int) -> tuple[Key, ...]:
    """Seats, limits and chips; the arguments are the rules behind them and the smallest legal table."""
    return (
        Key("table_min", Kind.INTEGER, "Smallest ante, in cents.", (limits,), least=1, most=MOST_CENTS),
        Key("table_max", Kind.INTEGER, "Largest ante, in cents.", (limits,), least=1, most=MOST_CENTS),
        Key("chip_unit", Kind.INTEGER, "Smallest chip in play, in cents.", (amounts,), least=1, most=MOST_CENTS),
        Key(
            "rounding",
            Kind.CHOICE,
            "How a payment that does not divide is rounded to the chip unit.",
            ("A-UTH-07",),
            default="floor",
            choices=tuple(Rounding),
        ),
        Key(
            "limit_scope",
            Kind.CHOICE,
            "Whether limits bind each opening stake or their sum per player.",
            ("A-TCF-12", limits),
            default="per_bet",
            choices=tuple(LimitScope),
        ),
        Key(
            "seats_total",
            Kind.INTEGER,
            "Seats marked on the layout.",
            (seats,),
            default=7,
            least=fewest_seats,
            most=7,
            code="SEATS_TOTAL",
        ),
    )


def side_keys(rule: str) -> tuple[Key, ...]:
    """Limits of the optional stakes; left empty they are the table's."""
    return (
        _side("side_min", "Smallest optional stake, in cents; empty: table_min.", rule),
        _side("side_max", "Largest optional stake, in cents; empty: table_max.", rule),
    )


def early_look_key(rule: str) -> Key:
    return Key(
        "early_look",
        Kind.CHOICE,
        "Stakes of a hand looked at before the end of the deal: returned or lost.",
        ("A-TCF-08", rule),
        default="void",
        choices=("void", "forfeit"),
    )


def claim_key(*rules: str) -> Key:
    return Key(
        "claim_required",
        Kind.FLAG,
        "Whether a bonus goes unpaid unless announced when the dealer does not qualify.",
        ("A-TCF-09", *rules),
        default=False,
    )


def rnvp_key(rule: str, default: str) -> Key:
    return Key(
        "rnvp_before",
        Kind.CHOICE,
        "Whether stakes close before the shuffle or before the deal.",
        ("A-TCF-11", rule),
        default=default,
        choices=("shuffle", "deal"),
    )


def chef_key(rule: str, default: int) -> Key:
    return Key(
        "chef_max_tables",
        Kind.INTEGER,
        "How many tables one table head may watch.",
        (rule, "A-STU-09"),
        default=default,
        least=1,
        most=2,
    )


def deal_mode_key(rule: str, ambiguity: str, default: str) -> Key:
    return Key(
        "deal_mode",
        Kind.CHOICE,
        "Whether a hand is dealt card by card in rounds or as one packet.",
        (rule, ambiguity),
        default=default,
        choices=("rounds", "packets"),
    )


def _side(name: str, meaning: str, rule: str) -> Key:
    return Key(name, Kind.INTEGER, meaning, ("A-TCF-16", rule), default=None, nullable=True, least=1, most=MOST_CENTS)
