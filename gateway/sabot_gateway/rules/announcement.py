"""What is said aloud at the table, in French as the documents word it, with its English and its rule.

One constructor per situation. A situation that a document does not know has no
words there: asking for it is a bug and fails as a KeyError. `SAYABLE` lists what
each game can say, so that displays and tests can walk it. Who wins, and whether
a situation has arisen, is decided elsewhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.vocabulary import Language, category_name


@dataclass(frozen=True, slots=True)
class Announcement:
    """Spoken words, and the rule that calls for them; `seat` where they concern one player."""

    say: str
    english: str
    rule: str
    seat: int | None = None


class Situation(StrEnum):
    PLACE_BETS = "place_bets"
    BETS_CLOSED = "bets_closed"
    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "allin"
    NO_GAME = "no_game"
    BANK_WINS = "bank_wins"
    BONUS_PAID = "bonus_paid"
    COMBINATION = "combination"
    CLAIM_BONUS = "claim_bonus"
    CLAIM_PAIR_PLUS = "claim_pair_plus"
    COUP_VOID = "coup_void"
    HAND_VOID = "hand_void"
    LAST_HANDS = "last_hands"


def place_bets(game: Game) -> Announcement:
    return _fixed(Situation.PLACE_BETS, game)


def bets_closed(game: Game) -> Announcement:
    """From these words on, no opening stake moves."""
    return _fixed(Situation.BETS_CLOSED, game)


def fold(game: Game, seat: int) -> Announcement:
    """UTH and TCP have their own word: at ultimate hold'em "passer" is only to wait."""
    return _fixed(Situation.FOLD, game, seat)


def check(game: Game, seat: int) -> Announcement:
    return _fixed(Situation.CHECK, game, seat)


def spoken_action(act: str, seat: int) -> Announcement:
    """A hold'em action (fold, check, call, bet, raise, allin) in the words of article 57."""
    return _fixed(Situation(act), Game.THE, seat)


def no_game(game: Game) -> Announcement:
    """The dealer does not qualify."""
    return _fixed(Situation.NO_GAME, game)


def bank_wins(game: Game) -> Announcement:
    """A qualified dealer beat every hand compared (A-TCF-15)."""
    return _fixed(Situation.BANK_WINS, game)


def bonus_paid(game: Game, seat: int) -> Announcement:
    return _fixed(Situation.BONUS_PAID, game, seat)


def combination(game: Game, category: str, seat: int | None = None) -> Announcement:
    """The winning combination of a comparison (TCF, STU), or the dealer's best one (UTH)."""
    return Announcement(
        say=category_name(game, category, Language.FR),
        english=category_name(game, category, Language.EN),
        rule=_RULES[Situation.COMBINATION][game],
        seat=seat,
    )


def claim(game: Game, spot: str, seat: int) -> Announcement:
    """A player's call for his `bonus` or `pair_plus` when the dealer does not qualify."""
    return _fixed(Situation(f"claim_{spot}"), game, seat)


def coup_void(game: Game, cause: str = "card_count") -> Announcement:
    """The whole coup is null; where collusion has its own sentence it is cited."""
    said = _fixed(Situation.COUP_VOID, game)
    rule = _COLLUSION.get(game, said.rule) if cause == "collusion" else said.rule
    return Announcement(said.say, said.english, rule)


def hand_void(game: Game, seat: int) -> Announcement:
    return _fixed(Situation.HAND_VOID, game, seat)


def last_hands(game: Game, remaining: int) -> Announcement:
    """THE-112: the last three hands are announced; the two that follow are counted down."""
    say, english = _LAST_HANDS[remaining]
    return Announcement(say, english, _RULES[Situation.LAST_HANDS][game])


def _fixed(situation: Situation, game: Game, seat: int | None = None) -> Announcement:
    say, english = _OWN_WORDS.get((game, situation)) or _WORDS[situation]
    return Announcement(say, english, _RULES[situation][game], seat)


_WORDS: Final[Mapping[Situation, tuple[str, str]]] = MappingProxyType(
    {
        Situation.PLACE_BETS: ("faites vos jeux", "place your bets"),
        Situation.BETS_CLOSED: ("rien ne va plus", "no more bets"),
        Situation.FOLD: ("passe", "fold"),
        Situation.CHECK: ("parole", "check"),
        Situation.CALL: ("suit", "call"),
        Situation.BET: ("ouvre", "bet"),
        Situation.RAISE: ("relance", "raise"),
        Situation.ALL_IN: ("tapis", "all in"),
        Situation.NO_GAME: ("pas de jeu", "no game"),
        Situation.BANK_WINS: ("banque gagne", "bank wins"),
        Situation.BONUS_PAID: ("bonus payé", "bonus paid"),
        Situation.CLAIM_BONUS: ("bonus", "bonus"),
        Situation.CLAIM_PAIR_PLUS: ("paire plus", "pair plus"),
        Situation.COUP_VOID: ("coup nul", "coup void"),
        Situation.HAND_VOID: ("main nulle", "hand void"),
    }
)

# Where a document uses another word for the same thing.
_OWN_WORDS: Final[Mapping[tuple[Game, Situation], tuple[str, str]]] = MappingProxyType(
    {
        (Game.TCP, Situation.FOLD): ("abandonne", "fold"),
        (Game.UTH, Situation.FOLD): ("renonce", "fold"),
        (Game.UTH, Situation.CHECK): ("passe", "check"),
    }
)

_LAST_HANDS: Final[Mapping[int, tuple[str, str]]] = MappingProxyType(
    {
        3: ("les trois dernières mains", "the last three hands"),
        2: ("les deux dernières mains", "the last two hands"),
        1: ("la dernière main", "the last hand"),
    }
)

_COLLUSION: Final[Mapping[Game, str]] = MappingProxyType({Game.TCF: "TCF-36", Game.STU: "STU-34"})


def _rules(**by_game: str) -> Mapping[Game, str]:
    return MappingProxyType({Game(name): rule for name, rule in by_game.items()})


_RULES: Final[Mapping[Situation, Mapping[Game, str]]] = MappingProxyType(
    {
        Situation.PLACE_BETS: _rules(TCF="TCF-14", STU="STU-13", TCP="TCP-02", THE="THE-07", UTH="UTH-07"),
        Situation.BETS_CLOSED: _rules(TCF="TCF-25", STU="STU-25", TCP="TCP-08", UTH="UTH-18"),
        Situation.FOLD: _rules(TCF="TCF-40", STU="STU-40", TCP="TCP-11", THE="THE-58", UTH="UTH-25"),
        Situation.CHECK: _rules(THE="THE-74", UTH="UTH-20"),
        Situation.CALL: _rules(THE="THE-59"),
        Situation.BET: _rules(THE="THE-75"),
        Situation.RAISE: _rules(THE="THE-60"),
        Situation.ALL_IN: _rules(THE="THE-92"),
        Situation.NO_GAME: _rules(TCF="TCF-47", STU="STU-47"),
        Situation.BANK_WINS: _rules(TCF="TCF-63", STU="STU-55"),
        Situation.BONUS_PAID: _rules(TCF="TCF-68", STU="STU-68"),
        Situation.COMBINATION: _rules(TCF="TCF-52", STU="STU-52", UTH="UTH-27"),
        Situation.CLAIM_BONUS: _rules(TCF="TCF-77", STU="STU-73"),
        Situation.CLAIM_PAIR_PLUS: _rules(TCF="TCF-78"),
        Situation.COUP_VOID: _rules(TCF="TCF-35", STU="STU-33", TCP="TCP-48", THE="THE-125", UTH="UTH-46"),
        Situation.HAND_VOID: _rules(TCF="TCF-37", STU="STU-35"),
        Situation.LAST_HANDS: _rules(THE="THE-112"),
    }
)

SAYABLE: Final[Mapping[Game, tuple[Situation, ...]]] = MappingProxyType(
    {game: tuple(situation for situation in Situation if game in _RULES[situation]) for game in Game}
)
