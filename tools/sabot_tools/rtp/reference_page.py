"""The page docs/return-to-player.md, written by `make rtp` from what it has just computed."""

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Final

from sabot_tools.rtp.bet_return import Return, decimal, percent

_HEAD: Final = """# Return to player

What each bet of the four bank games gives back over every possible deal, as an
exact fraction of the stake (for ante games: of the ante). `make rtp` computes
every figure again, stops when one differs from its reference, and writes this
page; `sabot rtp GAME` answers for any ruleset.

Computed on {day}. "published" figures agree, to the digits printed there, with
the game's own page or the literature; "independent program" ones agree to the last
unit (or to four decimals of a percent) with a second program written apart from this
one; what is "first computed here" is held by tests against plain dealing of single hands.

| game | bet | pay table or mode | strategy | return % | house edge % | net / deals | held against |
| --- | --- | --- | --- | ---: | ---: | ---: | --- |
"""

_TAIL: Final = """
## Stud with the card purchase

A player who has seen his five cards and the dealer's open card may raise and, with
the raise, change one card for the price of an ante (STU-58 to STU-65). Under the best
choice of fold, raise, or raise and buy with the best discard:

{purchase}

## How it is counted

- Three cards: for each of 1,755 hands up to suits, the dealer's hands below it are
  counted by inclusion and exclusion of the player's cards. A second, without compiled code.
- Side bets: each set of ranks is weighed by its suits; hands with five cards of a suit are
  counted apart. Tests deal all 20,358,520 and 133,784,560 hands and find the same.
- Stud: for each of 134,459 hands up to suits and each card shown, the dealer's hands
  below a class are a look-up: by the ranks that are gone, corrected by the flushes that
  the suit shown still allows. Less than a second without, half a minute with the purchase.
- Ultimate hold'em: for each of 1,755 flops and each turn and river, all 1,081 hands are
  sorted once; what each beats follows from its place. About a minute on one core.

Decisions are taken hand by hand on exact integers; no figure was rounded before it was printed.
"""


def page(rows: Sequence[tuple[str, Return, str]], day: date) -> str:
    """The whole page for (pay table or mode, return, source) rows."""
    table = "\n".join(_row(*row) for row in rows)
    purchase = "\n".join(_purchase(what, found) for what, found, _ in rows if found.bet == "ante_buy")
    return _HEAD.format(day=day.isoformat()) + table + "\n" + _TAIL.format(purchase=purchase)


def _row(what: str, found: Return, source: str) -> str:
    cells = [
        found.game.value,
        found.bet,
        what,
        found.strategy,
        percent(found.rtp),
        percent(found.house_edge),
        f"{found.numerator:,} / {found.denominator:,}",
        source,
    ]
    return f"| {' | '.join(cells)} |"


def _purchase(what: str, found: Return) -> str:
    counts = dict(found.counts)
    shares = ", ".join(f"{name.removeprefix('deals ')} {percent(_share(found, n), 3)} %" for name, n in counts.items())
    stake = decimal(found.average_stake) if found.average_stake is not None else "?"
    warning = " **This favours the player: a house that sells cards should not choose it.**" if found.rtp > 1 else ""
    return f"- {what}: {percent(found.rtp)} %, with {shares}; {stake} antes staked on average.{warning}"


def _share(found: Return, number: int) -> Fraction:
    return Fraction(number, found.deals)
