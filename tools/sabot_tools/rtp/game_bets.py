"""Which bets each bank game has, and who computes them from a ruleset.

The link between rulesets and enumerations: it reads values and calls, and
computes nothing itself. Compiled enumerations are imported where they are used.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.paytable import PayTable, table_from_values
from sabot_gateway.rules.ruleset import Ruleset
from sabot_tools.rtp import three_card
from sabot_tools.rtp.bet_return import Return
from sabot_tools.rtp.compiled import require
from sabot_tools.rtp.side_bet import best5_bet, three_card_bet
from sabot_tools.rtp.stud_strategy import STRATEGIES as STUD_STRATEGIES

BETS: Final[Mapping[Game, tuple[str, ...]]] = MappingProxyType(
    {
        Game.TCF: ("ante", "pair_plus", "bonus"),
        Game.STU: ("ante", "ante_buy", "bonus"),
        Game.TCP: ("ante", "pair_plus", "six_card"),
        Game.UTH: ("ante", "trips"),
    }
)


class UnanswerableError(Exception):
    """A question that has no answer; the text says why in one sentence."""


def strategies_of(game: Game) -> tuple[str, ...]:
    match game:
        case Game.TCF | Game.TCP:
            return three_card.STRATEGIES
        case Game.STU:
            return STUD_STRATEGIES
        case _:
            return ("optimal",)


def returns_of(
    ruleset: Ruleset, bet: str | None = None, strategy: str = "optimal", samples: int | None = None, seed: int = 1
) -> Iterator[Return]:
    """The return of one bet, or of every bet that this ruleset offers."""
    game = ruleset.game
    if bet is not None and bet not in BETS[game]:
        raise UnanswerableError(f"{game} has no bet {bet!r}: there are {', '.join(BETS[game])}.")
    if strategy not in strategies_of(game):
        raise UnanswerableError(f"{game} knows no strategy {strategy!r}: there are {', '.join(strategies_of(game))}.")
    offered = [name for name in BETS[game] if bet in (None, name)]
    problems = {name: _not_offered(ruleset, name, strategy) for name in offered}
    if bet is not None and problems[bet]:
        raise UnanswerableError(problems[bet])
    offered = [name for name in offered if not problems[name]]
    if samples is not None:
        from sabot_tools.rtp.sample import sampled

        yield from sampled(ruleset, offered, strategy, samples, seed)
        return
    match game:
        case Game.TCF | Game.TCP:
            yield from _three_card(ruleset, offered, strategy)
        case Game.STU:
            yield from _stud(ruleset, offered, strategy)
        case _:
            yield from _ultimate(ruleset, offered)


def ante_rules(ruleset: Ruleset) -> three_card.AnteRules:
    """How ante and play are paid at one of the three-card games."""
    if ruleset.game is Game.TCP:
        return three_card.AnteRules(ante_bonus=pay_table(ruleset, "ante_bonus_table"))  # TCP-17, TCP-19
    # A-TCF-03: the bonus is a stake of its own, comes on top of the ante, or does not exist.
    bonus = pay_table(ruleset, "bonus_table") if ruleset.values["bonus_mode"] == "ante_bonus" else {}
    return three_card.AnteRules(bool(ruleset.values["ace_low_straight"]), pay_table(ruleset, "ante_win_table"), bonus)


def side_bets(ruleset: Ruleset, bet: str) -> Return:
    """A bet that the cards of one hand decide."""
    match (ruleset.game, bet):
        case (Game.TCF, "pair_plus" | "bonus"):
            ace_low = bool(ruleset.values["ace_low_straight"])
            return three_card_bet(Game.TCF, bet, pay_table(ruleset, f"{bet}_table"), ace_low)
        case (Game.TCP, "pair_plus"):
            return three_card_bet(Game.TCP, bet, pay_table(ruleset, "pair_plus_table"))
        case (Game.TCP, "six_card"):
            wheel = bool(ruleset.values["six_card_wheel"])
            return best5_bet(Game.TCP, bet, pay_table(ruleset, "six_card_table"), 6, wheel)
        case (Game.UTH, "trips"):
            return best5_bet(Game.UTH, bet, pay_table(ruleset, "trips_table"), 7, bool(ruleset.values["wheel"]))
        case _:
            raise AssertionError(f"{ruleset.game} {bet} is no side bet")


def pay_table(ruleset: Ruleset, key: str) -> PayTable:
    return table_from_values(ruleset.values[key])


def _not_offered(ruleset: Ruleset, bet: str, strategy: str) -> str:
    """Why this ruleset leaves a bet without an answer, or nothing."""
    values = ruleset.values
    match (ruleset.game, bet):
        case (Game.TCF, "bonus") if values["bonus_mode"] != "separate_stake":
            return f"with bonus_mode {values['bonus_mode']} the bonus is no stake of its own."
        case (Game.STU, "ante_buy") if not values["buy_allowed"]:
            return "this ruleset sells no card (buy_allowed)."
        case (Game.STU, "ante_buy") if strategy != "optimal":
            return "a card is bought under the optimal strategy only."
        case (Game.UTH, "trips") if (values["trips_on_fold"], values["trips_on_tie"]) != ("settle", "settle"):
            return "trips that depend on folds or ties (trips_on_fold, trips_on_tie) are not enumerated."
        case _:
            return ""


def _three_card(ruleset: Ruleset, bets: list[str], strategy: str) -> Iterator[Return]:
    for bet in bets:
        if bet == "ante":
            yield three_card.ante_play(ruleset.game, ante_rules(ruleset), strategy)
        else:
            yield side_bets(ruleset, bet)


def _stud(ruleset: Ruleset, bets: list[str], strategy: str) -> Iterator[Return]:
    require()
    from sabot_tools.rtp import stud

    totals = stud.tally(pay_table(ruleset, "raise_table"), *stud.all_hands(), with_buy="ante_buy" in bets)
    for bet in bets:
        match bet:
            case "ante":
                yield stud.ante(totals, strategy)
            case "ante_buy":
                yield stud.ante_with_purchase(totals)
            case _:
                yield stud.bonus(totals, pay_table(ruleset, "bonus_table"), str(ruleset.values["bonus_on_tie"]))


def _ultimate(ruleset: Ruleset, bets: list[str]) -> Iterator[Return]:
    for bet in bets:
        if bet == "trips":
            yield side_bets(ruleset, bet)
            continue
        require()
        from sabot_tools.rtp import ultimate

        yield ultimate.ante(pay_table(ruleset, "blind_table"), bool(ruleset.values["wheel"]))
