"""What each player of a hold'em coup gets back, by the twin's own reading of the rule book.

Independent of the gateway's rules. Knows what everybody staked and who folded;
answers pots, rake and returns to the cent (THE-93 to THE-115, THE-123, THE-124).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sabot_tools.twin.hand import best

Values = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class PotPlayer:
    """One seat dealt in; `staked` is everything he put before him in this coup."""

    seat: int
    faces: Sequence[str]
    staked: int
    has_folded: bool


@dataclass(frozen=True, slots=True)
class PotLine:
    amount: int
    rake: int
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PotResult:
    returned: Mapping[int, int]
    pots: tuple[PotLine, ...]

    @property
    def rake(self) -> int:
        return sum(pot.rake for pot in self.pots)


def share_out(players: Sequence[PotPlayer], button: int, board: Sequence[str], values: Values) -> PotResult:
    """Every pot to the best hand among those who can win it, less the levy of the house."""
    left = {player.seat: player.staked for player in players}
    returned = dict.fromkeys(left, 0)
    if values["return_uncalled"]:
        seat, unmatched = _unmatched(left)
        left[seat] -= unmatched
        returned[seat] += unmatched
    live = [player for player in players if not player.has_folded]
    pots = []
    for amount, able in _layers(left, [player.seat for player in live]):
        rake = _levy(amount, board, values)
        winners = _winners([player for player in live if player.seat in able], board, bool(values["wheel"]))
        for seat, share in _shares(amount - rake, winners, button, values).items():
            returned[seat] += share
        pots.append(PotLine(amount, rake, tuple(sorted(winners))))
    return PotResult(returned, _capped(tuple(pots), values))


def _unmatched(staked: Mapping[int, int]) -> tuple[int, int]:
    """THE-114: what the highest staked beyond the second highest."""
    order = sorted(staked, key=lambda seat: staked[seat], reverse=True)
    return order[0], staked[order[0]] - staked[order[1]]


def _layers(staked: Mapping[int, int], live: Sequence[int]) -> list[tuple[int, frozenset[int]]]:
    """THE-94 to THE-97, THE-123: one pot per level at which somebody still in stops."""
    pots: list[tuple[int, frozenset[int]]] = []
    floor = 0
    for level in sorted({staked[seat] for seat in live}):
        able = frozenset(seat for seat in live if staked[seat] >= level)
        amount = sum(min(cents, level) - min(cents, floor) for cents in staked.values())
        if amount:
            pots.append((amount, able))
        floor = level
    over = sum(max(0, cents - floor) for cents in staked.values())
    if over:  # staked by players who folded since
        amount, able = pots[-1]
        pots[-1] = (amount + over, able)
    return pots


def _levy(amount: int, board: Sequence[str], values: Values) -> int:
    """THE-124: rounded down to the chip; some houses take none before the flop."""
    if values["no_flop_no_drop"] and not board:
        return 0
    unit = int(str(values["chip_unit"]))
    return amount * int(str(values["rake_bp"])) // 10_000 // unit * unit


def _capped(pots: tuple[PotLine, ...], values: Values) -> tuple[PotLine, ...]:
    # Caps and other bases are not played by the twin: `share_out` would have to divide otherwise.
    assert values["rake_cap"] is None
    assert values["rake_basis"] == "each_pot"
    return pots


def _winners(players: Sequence[PotPlayer], board: Sequence[str], wheel: bool) -> tuple[int, ...]:
    if len(players) == 1:
        return (players[0].seat,)  # THE-122: he need not show
    scores = {player.seat: best((*player.faces, *board), wheel)[:2] for player in players}
    top = max(scores.values())
    return tuple(seat for seat, found in scores.items() if found == top)


def _shares(amount: int, winners: Sequence[int], button: int, values: Values) -> dict[int, int]:
    """THE-107, THE-115: equal parts; odd chips one by one from the left of the button."""
    unit = int(str(values["chip_unit"]))
    ordered = sorted(winners)
    if values["odd_chip"] == "left_of_button":
        ordered.sort(key=lambda seat: (seat <= button, seat))
    each, rest = divmod(amount // unit, len(ordered))
    shares = {seat: (each + (at < rest)) * unit for at, seat in enumerate(ordered)}
    shares[ordered[0]] += amount % unit
    return shares
