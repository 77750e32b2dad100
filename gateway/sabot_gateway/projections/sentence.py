"""A sentence in French and in English, and the words that all sentences share: amounts, spots, seats, people.

Owns the wording of small things only; what happened is said in `sentences`. No sentence names a card or a tag.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple

from sabot_gateway.model.game import Game
from sabot_gateway.rules.spot_name import spot_label
from sabot_gateway.rules.vocabulary import Language
from sabot_gateway.table.alerts.kind import text_from_cents


class Sentence(NamedTuple):
    fr: str
    en: str

    def said_in(self, language: Language) -> str:
        return self.fr if language is Language.FR else self.en


UNDEALT: Final = -1  # of `Scene.street`: the players have not yet got their hands
NO_AMOUNTS: Final[Mapping[tuple[int, str], int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Scene:
    """What a sentence may draw on besides the fact itself: the game, what lies where, and the stakes that stand.

    `street` counts the cards on the board; UNDEALT before there are hands.
    """

    game: Game | None = None
    felt: Mapping[tuple[int, str], int] = field(default_factory=lambda: NO_AMOUNTS)
    bets: Mapping[tuple[int, str], int] = field(default_factory=lambda: NO_AMOUNTS)
    street: int = UNDEALT


NO_SCENE: Final = Scene()


def money(cents: int, game: Game | None) -> Sentence:
    """`20 €` and `€20`; the Québec game is played in dollars."""
    fr, en = text_from_cents(cents, ","), text_from_cents(abs(cents), ".")
    sign = "$" if game is Game.TCP else "€"
    return Sentence(f"{fr}\N{NO-BREAK SPACE}{sign}", f"{'-' if cents < 0 else ''}{sign}{en}")


def place(seat: int, spot: str, game: Game | None) -> Sentence:
    """A spot before a seat, or of the table itself, as the felt of the game names it."""
    fr, en = (spot_label(spot, game, language) for language in (Language.FR, Language.EN))
    if seat == 0:
        return Sentence(f"{fr} de la table", f"the table's {en}")
    return Sentence(f"{fr} du siège {seat}", f"seat {seat}'s {en}")


def seat_name(seat: int) -> Sentence:
    """A hand by its seat; 0 is the dealer, -1 the board (as a review counts them)."""
    if seat > 0:
        return Sentence(f"Siège {seat}", f"Seat {seat}")
    return Sentence("Croupier", "Dealer") if seat == 0 else Sentence("Tableau", "Board")


def by_whom(by: str) -> Sentence:
    """` par H1` and ` by H1`; nothing where nobody is named."""
    return Sentence(f" par {by}", f" by {by}") if by else Sentence("", "")


def because(reason: str) -> Sentence:
    return Sentence(f" ({reason})", f" ({reason})") if reason else Sentence("", "")


def timer_name(timer: str) -> Sentence:
    """What is waited for; a timer that stands for a place names it after its kind."""
    return _TIMERS.get(timer.partition(":")[0].partition("/")[0], _ANY_TIMER)


_ANY_TIMER: Final = Sentence("attente de la table", "something that the table waits for")
_TIMERS: Final[Mapping[str, Sentence]] = MappingProxyType(
    {
        "lamps": Sentence("confirmation des témoins", "the lamps' confirmation"),
        "stall": Sentence("suite du coup", "the coup's next step"),
        "two_spots": Sentence("jetons lus à deux endroits", "chips read in two places"),
        "absence": Sentence("absence d'un joueur", "a player's absence"),
    }
)
