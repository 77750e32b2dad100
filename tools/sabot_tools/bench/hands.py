"""Hand evaluation beside its peers, in the same run on the same hands.

Single hands: phevaluator, treys and PokerKit are Python, eval7 is C. Every
evaluator gets its cards in the form it likes best, so only evaluation is timed,
in CPU time; the fastest of several rounds counts, because noise only ever adds.
"""

import random
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import starmap
from typing import Final

import numpy as np

from sabot_gateway.model.card import DECK, RANKS, SUITS, Card
from sabot_gateway.rules.hand import best5, rank5
from sabot_tools.bench.row import Row
from sabot_tools.rtp.compiled import require
from sabot_tools.rtp.deck_kernel import count_seven
from sabot_tools.rtp.rank_table import rank_table

_HANDS: Final = 5_000
_ROUNDS: Final = 40
_SLOW_HANDS: Final = 100  # PokerKit looks at all 21 choices of a hand
_SEVEN_CARD_HANDS: Final = 133_784_560

Hands = Sequence[tuple[Card, ...]]
Run = Callable[[], Iterator[object]]  # evaluates a fixed set of hands once, lazily, without Python code of ours between


def measure() -> list[Row]:
    require()
    chance = random.Random(7)  # noqa: S311  # the same hands in every run
    seven = [tuple(chance.sample(DECK, 7)) for _ in range(_HANDS)]
    five = [tuple(chance.sample(DECK, 5)) for _ in range(_HANDS)]
    rates = _rates({"sabot": (lambda: map(best5, seven), _HANDS), **_peers(seven)})
    rows = _rows("7-card hand, one at a time", rates)
    rows += _rows("5-card hand, one at a time", _rates({"sabot": (lambda: map(rank5, five), _HANDS), **_peers(five)}))
    return [*rows, _bulk(rates["sabot"])]


def _peers(hands: Hands) -> dict[str, tuple[Run, int]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # eval7 calls names that its own parser library deprecates
        import eval7  # type: ignore[import-untyped]  # none of these peers ships types
    import phevaluator  # type: ignore[import-untyped]  # as above
    import pokerkit
    import treys  # type: ignore[import-untyped]  # as above

    texts = [rank + suit for rank in RANKS for suit in SUITS]
    treys_deck = [treys.Card.new(text) for text in texts]
    eval7_deck = [eval7.Card(text) for text in texts]
    for_treys: list[tuple[list[object], list[object]]] = [([], hand) for hand in _dealt(hands, treys_deck)]
    for_eval7 = _dealt(hands, eval7_deck)
    for_pokerkit = ["".join(texts[card] for card in hand) for hand in hands[:_SLOW_HANDS]]
    treys_evaluate = treys.Evaluator().evaluate
    return {
        "phevaluator": (lambda: starmap(phevaluator.evaluate_cards, hands), _HANDS),
        "treys": (lambda: starmap(treys_evaluate, for_treys), _HANDS),
        "eval7 (C)": (lambda: map(eval7.evaluate, for_eval7), _HANDS),
        "PokerKit": (lambda: map(pokerkit.StandardHighHand.from_game, for_pokerkit), _SLOW_HANDS),
    }


def _dealt(hands: Hands, deck: Sequence[object]) -> list[list[object]]:
    return [[deck[card] for card in hand] for hand in hands]


def _rates(runs: dict[str, tuple[Run, int]]) -> dict[str, int]:
    """Hands per second of CPU time in the best of several rounds; rounds alternate, so that noise meets all alike."""
    best_ns: dict[str, int] = {}
    for turn in range(_ROUNDS + 1):
        for name, (run, _) in runs.items():
            begin = time.process_time_ns()
            deque(run(), maxlen=0)
            taken = time.process_time_ns() - begin
            if turn:  # the first round fills tables and caches
                best_ns[name] = min(taken, best_ns.get(name, taken))
    return {name: hands * 1_000_000_000 // best_ns[name] for name, (_, hands) in runs.items()}


def _rows(name: str, rates: dict[str, int]) -> list[Row]:
    return [_row(name, rates["sabot"], peer, rate) for peer, rate in rates.items() if peer != "sabot"]


def _bulk(rate_of_one: int) -> Row:
    table = rank_table()
    found = np.zeros(len(table.strength), dtype=np.int64)
    count_seven(table, found, 45)  # compiles
    begin = time.process_time_ns()
    for first in range(46):
        count_seven(table, found, first)
    rate = _SEVEN_CARD_HANDS * 1_000_000_000 // (time.process_time_ns() - begin)
    return _row("all 7-card hands, compiled, one core", rate, "one at a time", rate_of_one)


def _row(name: str, rate: int, peer: str, peer_rate: int) -> Row:
    hundredths = rate * 100 // peer_rate
    return Row(name, f"{rate:,}", "hands/s", f"{peer} {peer_rate:,}", f"{hundredths // 100}.{hundredths % 100:02d}x")
