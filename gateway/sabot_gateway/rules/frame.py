"""What every ruleset file states about its game, and what the law knows only one answer to.

Articles, spots, bet relations, deal plan, qualification, announcements and the
resolution of each ambiguity stand in the file for people to read and sign. The
code behind them is fixed, so a file that states them otherwise is refused: file
and code can never tell two stories.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.announcement import SAYABLE
from sabot_gateway.rules.key import Key, Kind
from sabot_gateway.rules.spot import RELATIONS, Relation, spots_of

FIXED: Final = "fixed"  # an ambiguity that the code resolves in one way only


@dataclass(frozen=True, slots=True)
class Frame:
    """The statements of one game; `resolutions` maps each ambiguity to its ruleset keys, or to `fixed`."""

    articles: tuple[str, ...]
    deal_plan: str
    qualification: str
    resolutions: Mapping[str, str]


def frame_keys(game: Game) -> tuple[Key, ...]:
    """The keys that state rather than choose, plus the version of the text (A-GEN-01)."""
    frame = FRAMES[game]
    return (
        _stated("game", Kind.TEXT, "The game this file is for.", str(game)),
        _stated("articles", Kind.TEXTS, "The texts that govern the game.", list(frame.articles)),
        Key(
            "source_version",
            Kind.TEXT,
            "Version of the text that a compliance officer confirmed.",
            rules=("A-GEN-01",),
        ),
        _stated("spots", Kind.TEXTS, "The bet spots of the layout.", [spot.name for spot in spots_of(game)]),
        _stated("relations", Kind.TEXTS, "How stakes relate.", [text_from_relation(it) for it in RELATIONS[game]]),
        _stated("deal_plan", Kind.TEXT, "How the cards are dealt.", frame.deal_plan),
        _stated("qualification", Kind.TEXT, "What the dealer needs to play.", frame.qualification),
        _stated("announcements", Kind.TEXTS, "What is said aloud.", [str(situation) for situation in SAYABLE[game]]),
        _stated(
            "resolutions",
            Kind.MAPPING,
            "Each ambiguity of the text: the keys that resolve it, or `fixed`.",
            dict(frame.resolutions),
        ),
    )


def text_from_relation(relation: Relation) -> str:
    """`play = 3 or 4 x ante (play_preflop)`, as the file states it."""
    times = " or ".join(str(factor) for factor in relation.times)
    right = f"{times} x {relation.reference}" if relation.per == 1 else f"{times}/{relation.per} x {relation.reference}"
    when = f" ({', '.join(relation.decisions)})" if relation.decisions else ""
    optional = ", optional" if relation.optional else ""
    return f"{relation.spot} = {right}{when}{optional}"


def _stated(name: str, kind: Kind, meaning: str, only: object) -> Key:
    return Key(name, kind, meaning, only=only, house=False)


def _resolved(fixed: tuple[str, ...], **by_keys: str) -> Mapping[str, str]:
    """Ambiguities in order of their ids; `by_keys` is written A_TCF_02="ace_low_straight"."""
    found = dict.fromkeys(fixed, FIXED) | {name.replace("_", "-"): keys for name, keys in by_keys.items()}
    return MappingProxyType(dict(sorted(found.items())))


FRAMES: Final[Mapping[Game, Frame]] = MappingProxyType(
    {
        Game.TCF: Frame(
            ("arrêté du 14 mai 2007, article 55-21",),
            "three rounds clockwise, dealer last, all face down",
            "queen high or better",
            _resolved(
                (
                    "A-GEN-02",
                    "A-TCF-01",
                    "A-TCF-04",
                    "A-TCF-06",
                    "A-TCF-07",
                    "A-TCF-10",
                    "A-TCF-13",
                    "A-TCF-14",
                    "A-TCF-15",
                    "A-TCF-17",
                    "A-TCF-18",
                    "A-TCF-19",
                ),
                A_GEN_01="source_version",
                A_TCF_02="ace_low_straight",
                A_TCF_03="bonus_mode",
                A_TCF_05="pair_plus_on_fold",
                A_TCF_08="early_look",
                A_TCF_09="claim_required",
                A_TCF_11="rnvp_before",
                A_TCF_12="limit_scope",
                A_TCF_16="side_min, side_max",
            ),
        ),
        Game.STU: Frame(
            ("arrêté du 14 mai 2007, article 55-16", "article 55-17 (pay tables of the raise)"),
            "five rounds clockwise, dealer last, all face down but the dealer's fifth card",
            "ace-king high or better",
            _resolved(
                ("A-GEN-02", "A-STU-02", "A-STU-03", "A-STU-06", "A-STU-07", "A-STU-08", "A-STU-10"),
                A_GEN_01="source_version",
                A_STU_01="raise_table",
                A_STU_04="bonus_window",
                A_STU_05="bonus_on_tie",
                A_STU_09="chef_max_tables",
            ),
        ),
        Game.TCP: Frame(
            ("help page of the game, Québec",),
            "three cards to each seat and the house, by deal_mode",
            "queen high or better",
            _resolved(
                ("A-GEN-02", "A-TCP-04", "A-TCP-05", "A-TCP-06", "A-TCP-08"),
                A_GEN_01="source_version",
                A_TCP_01="ante_bonus_table",
                A_TCP_02="pair_plus_table",
                A_TCP_03="six_card_table, six_card_wheel",
                A_TCP_07="seats_total, deal_mode, table_min, table_max, side_min, side_max, chip_unit",
            ),
        ),
        Game.THE: Frame(
            ("arrêté du 14 mai 2007, article 57",),
            "two rounds clockwise from the left of the button, then flop, turn and river",
            "none",
            _resolved(
                (
                    "A-GEN-02",
                    "A-THE-02",
                    "A-THE-05",
                    "A-THE-06",
                    "A-THE-10",
                    "A-THE-11",
                    "A-THE-13",
                    "A-THE-16",
                    "A-THE-18",
                ),
                A_GEN_01="source_version",
                A_THE_01="wheel",
                A_THE_03="heads_up",
                A_THE_04="button_move",
                A_THE_07="option_allowed, option_action",
                A_THE_08="version, min_raise, limit_small, limit_big, limit_cap, limit_cap_counts_blind",
                A_THE_09="short_allin_reopens",
                A_THE_12="return_uncalled",
                A_THE_14="odd_chip, chip_unit",
                A_THE_15="rake_bp, rake_cap, rake_basis, no_flop_no_drop",
                A_THE_17="showdown_first",
                A_THE_19="absence_max_s, missed_blinds",
            ),
        ),
        Game.UTH: Frame(
            ("arrêté du 14 mai 2007, article 55-20",),
            "two cards to each seat and the dealer, by deal_mode, then flop and the last two together",
            "a pair or better",
            _resolved(
                ("A-GEN-02", "A-UTH-04", "A-UTH-05", "A-UTH-06", "A-UTH-09"),
                A_GEN_01="source_version",
                A_UTH_01="wheel",
                A_UTH_02="trips_on_fold",
                A_UTH_03="trips_on_tie",
                A_UTH_07="chip_unit, rounding",
                A_UTH_08="deal_mode, board_burns",
                A_UTH_10="table_min, table_max, side_min, side_max",
            ),
        ),
    }
)
