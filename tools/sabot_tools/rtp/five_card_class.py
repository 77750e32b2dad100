"""All five-card hands up to a relabelling of suits (see `suit_class`), compiled."""

import numpy as np

from sabot_tools.rtp.compiled import compiled
from sabot_tools.rtp.rank_table import Array


@compiled
def five_card_classes() -> tuple[Array, Array]:
    """The 134,459 classes of five cards and their weights."""
    hands = np.empty((134459, 5), dtype=np.int64)
    weights = np.empty(134459, dtype=np.int64)
    found = 0
    masks = np.empty(4, dtype=np.int64)
    for a in range(52):
        for b in range(a + 1, 52):
            for c in range(b + 1, 52):
                for d in range(c + 1, 52):
                    for e in range(d + 1, 52):
                        masks[:] = 0
                        for card in (a, b, c, d, e):
                            masks[card & 3] |= 1 << (card >> 2)
                        if masks[0] < masks[1] or masks[1] < masks[2] or masks[2] < masks[3]:
                            continue
                        ways = 24
                        run = 1
                        for suit in range(1, 4):
                            run = run + 1 if masks[suit] == masks[suit - 1] else 1
                            ways //= run
                        hands[found, 0], hands[found, 1], hands[found, 2] = a, b, c
                        hands[found, 3], hands[found, 4] = d, e
                        weights[found] = ways
                        found += 1
    assert found == 134459
    return hands, weights
