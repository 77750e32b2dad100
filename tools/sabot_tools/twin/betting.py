"""The betting of hold'em as the players follow it: whose word it is, what a call costs, how far a raise goes.

Owns one coup's money on the twin's side; independent of the gateway's rules. No limit, the version that the twin
plays (THE-118). Seats are in the order of play, the first left of the button.
"""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Better:
    seat: int
    stack: int  # behind, not yet staked
    street: int = 0  # staked in this round
    total: int = 0  # staked in this coup
    has_folded: bool = False
    has_acted: bool = False
    may_raise: bool = True


@dataclass(slots=True)
class Betting:
    """`bet_to` is the amount to match, `full` the last full bet or raise of the round."""

    betters: list[Better]
    big_blind: int
    bet_to: int = 0
    full: int = 0
    first: int = 0  # who speaks first in this round, as an index
    _at: int = field(default=0)

    def post(self, small: int) -> None:
        """THE-45 to THE-47, THE-128: the blinds; a short stack posts what it has."""
        count = len(self.betters)
        self._stake(self.betters[0], min(small, self.betters[0].stack))
        self._stake(self.betters[1], min(self.big_blind, self.betters[1].stack))
        self.bet_to = self.full = self.big_blind
        self._at = self.first = 2 % count

    def next_round(self) -> None:
        """THE-73: the first player still in, left of the button."""
        for better in self.betters:
            better.street, better.has_acted, better.may_raise = 0, False, True
        self.bet_to, self.full, self._at = 0, self.big_blind, 0

    @property
    def live(self) -> list[Better]:
        return [better for better in self.betters if not better.has_folded]

    def in_turn(self) -> Better | None:
        """Who has the word; None when the round is over (THE-83)."""
        if len(self.live) < 2:
            return None
        able = [better for better in self.live if better.stack]
        for step in range(len(self.betters)):
            better = self.betters[(self._at + step) % len(self.betters)]
            if better.has_folded or not better.stack:
                continue
            owes = better.street < self.bet_to
            if owes or (not better.has_acted and len(able) > 1):
                return better
        return None

    def fold(self, better: Better) -> None:
        better.has_folded = True
        self._spoken(better)

    def check(self, better: Better) -> None:
        self._spoken(better)

    def stake_to(self, better: Better, to: int) -> None:
        """Call, open, raise or all-in: the player's total of the round."""
        self._stake(better, to - better.street)
        if to > self.bet_to:
            is_full = to - self.bet_to >= self.full
            for other in self.betters:
                if other is better:
                    continue
                # THE-121: a raise below the minimum does not reopen the word of those who have spoken.
                other.may_raise = is_full or (other.may_raise and not other.has_acted)
            if is_full:
                self.full = to - self.bet_to
            self.bet_to = to
        self._spoken(better)

    def call_to(self, better: Better) -> int:
        """THE-59: the amount to match, or the whole stack."""
        return min(self.bet_to, better.street + better.stack)

    def least_raise(self, better: Better) -> int | None:
        """THE-118: the least total that is a raise; None where he may not, or has nobody left to raise against."""
        others = [each for each in self.live if each is not better and each.stack]
        reach = better.street + better.stack
        if not others or not better.may_raise or reach <= self.bet_to:
            return None
        return min(reach, self.bet_to + self.full)

    def _stake(self, better: Better, cents: int) -> None:
        better.stack -= cents
        better.street += cents
        better.total += cents

    def _spoken(self, better: Better) -> None:
        better.has_acted = True
        self._at = (self.betters.index(better) + 1) % len(self.betters)
