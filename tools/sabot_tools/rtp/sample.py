"""`--sample`: random starting points instead of all of them, each solved exactly.

A starting point is the player's hand (stud, three cards), the hand that decides
a side bet, or the flop (ultimate hold'em). What follows it is enumerated, not
drawn, so a few hundred points already lie close. The interval is 95 %, by the
normal approximation, and rounded up.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import isqrt
from typing import Final

from sabot_gateway.model.card import DECK, Card
from sabot_gateway.model.game import Game
from sabot_gateway.rules.hand import best5, category_of, is_mini_royal, rank3
from sabot_gateway.rules.published_return import MINI_ROYAL
from sabot_gateway.rules.ruleset import Ruleset
from sabot_tools.progress import Progress
from sabot_tools.rtp import three_card
from sabot_tools.rtp.bet_return import Return
from sabot_tools.rtp.compiled import require
from sabot_tools.rtp.game_bets import UnanswerableError, ante_rules, pay_table
from sabot_tools.rtp.side_bet import NO_DECISION, RAISES_WHAT_PAYS

# 1.96 standard deviations hold 95 % of a normal distribution.
_DEVIATIONS: Final = Fraction(196, 100)
_SCALE: Final = 10**12

Draw = Callable[[], Fraction]  # the exact value of one random starting point, in stakes


def sampled(ruleset: Ruleset, bets: Sequence[str], strategy: str, samples: int, seed: int) -> Iterator[Return]:
    for bet in bets:
        chance = random.Random(seed)  # noqa: S311  # a reproducible estimate, nothing is secret
        draw, decided = _draw_of(ruleset, bet, strategy, chance)
        values = []
        with Progress(samples, f"{ruleset.game} {bet}") as progress:
            for _ in range(samples):
                values.append(draw())
                progress.advance()
        yield replace(_estimate(ruleset.game, bet, values), strategy=decided)


def _estimate(game: Game, bet: str, values: Sequence[Fraction]) -> Return:
    size = len(values)
    if len(set(values)) == 1:
        # No spread was seen, so none can be stated; an interval of nothing would be a lie.
        raise UnanswerableError(f"{game} {bet}: all {size:,} samples came out alike, take more.")
    mean = sum(values, Fraction()) / size
    variance = sum(((value - mean) ** 2 for value in values), Fraction()) / (size - 1) / size
    deviation = Fraction(isqrt(variance.numerator * _SCALE**2 // variance.denominator) + 1, _SCALE)
    return Return(game, bet, "", mean * size, size, (("starting points", size),), margin=_DEVIATIONS * deviation)


def _draw_of(ruleset: Ruleset, bet: str, strategy: str, chance: random.Random) -> tuple[Draw, str]:
    match (ruleset.game, bet):
        case (Game.TCF | Game.TCP, "ante"):
            return _three_card(ruleset, strategy, chance), strategy
        case (Game.STU, _):
            return _stud(ruleset, bet, strategy, chance), RAISES_WHAT_PAYS if bet == "bonus" else strategy
        case (Game.UTH, "ante"):
            return _ultimate(ruleset, chance), "published 4 times, then optimal"
        case _:
            return _side_bet(ruleset, bet, chance), RAISES_WHAT_PAYS if bet == "bonus" else NO_DECISION


def _three_card(ruleset: Ruleset, strategy: str, chance: random.Random) -> Draw:
    rules = ante_rules(ruleset)
    dealer = three_card.DealerHands(rules.ace_low)

    def draw() -> Fraction:
        hand = tuple(sorted(chance.sample(DECK, 3)))
        return three_card.value_of(hand, dealer.against(hand), rules, strategy)

    return draw


def _side_bet(ruleset: Ruleset, bet: str, chance: random.Random) -> Draw:
    table = pay_table(ruleset, f"{bet}_table")
    cards = {"six_card": 6, "trips": 7}.get(bet, 3)

    def draw() -> Fraction:
        hand = chance.sample(DECK, cards)
        odds = table.get(_name_of(ruleset, hand, has_mini_royal=MINI_ROYAL in table))
        return Fraction(odds.win, odds.per) if odds else Fraction(-1)

    return draw


def _name_of(ruleset: Ruleset, hand: Sequence[Card], *, has_mini_royal: bool) -> str:
    values = ruleset.values
    if len(hand) > 3:
        return category_of(best5(hand, bool(values.get("six_card_wheel", values.get("wheel"))))).value
    if has_mini_royal and is_mini_royal(hand):
        return MINI_ROYAL
    return category_of(rank3(hand, bool(values.get("ace_low_straight", True)))).value


def _stud(ruleset: Ruleset, bet: str, strategy: str, chance: random.Random) -> Draw:
    require()
    import numpy as np

    from sabot_tools.rtp import stud

    raise_table, bonus_table = pay_table(ruleset, "raise_table"), pay_table(ruleset, "bonus_table")
    weight = np.ones(1, dtype=np.int64)

    def draw() -> Fraction:
        hand = np.array([sorted(chance.sample(DECK, 5))], dtype=np.int64)
        totals = stud.tally(raise_table, hand, weight, with_buy=bet == "ante_buy", quiet=True)
        match bet:
            case "ante":
                found = stud.ante(totals, strategy)
            case "ante_buy":
                found = stud.ante_with_purchase(totals)
            case _:
                found = stud.bonus(totals, bonus_table, str(ruleset.values["bonus_on_tie"]))
        return found.net / found.deals

    return draw


def _ultimate(ruleset: Ruleset, chance: random.Random) -> Draw:
    require()
    from sabot_tools.rtp import ultimate

    blind_table, wheel = pay_table(ruleset, "blind_table"), bool(ruleset.values["wheel"])

    def draw() -> Fraction:
        return ultimate.value_of_flop(blind_table, wheel, sorted(chance.sample(DECK, 3)))

    return draw
