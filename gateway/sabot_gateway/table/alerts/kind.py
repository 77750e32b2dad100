"""A kind of alert: its code, weight, sentences, rules and what clears it; `alert` fills in one occasion.

Sentences take the seat, the spot and the evidence by name; amounts in evidence
end in `_cents` and are said in the currency. Evidence keeps codes, a sentence says
the kind's `words` for them, and `{cards:carte|cartes}` is the noun after a number.
No sentence names a card.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.alert import Alert, Clears, Holds, Severity
from sabot_gateway.model.game import Game
from sabot_gateway.rules.spot_name import spot_label
from sabot_gateway.rules.vocabulary import Language
from sabot_gateway.table.alerts.words import Vocabulary

NO_RULES: Final[Mapping[Game, str]] = MappingProxyType({})
NO_WORDS: Final[Mapping[str, Vocabulary]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class AlertKind:
    """`rules` cites the article of each game; `clears_when` says in words what ends the alert.

    `words` names the vocabulary of each piece of evidence that is a code.
    """

    code: str
    severity: Severity
    clears: Clears
    fr: str
    en: str
    clears_when: str
    holds: Holds = Holds.NOTHING
    rules: Mapping[Game, str] = field(default_factory=lambda: NO_RULES)
    words: Mapping[str, Vocabulary] = field(default_factory=lambda: NO_WORDS)

    def alert(
        self, game: Game, seat: int | None = None, spot: str | None = None, rule: str = "", **evidence: int | str
    ) -> Alert:
        """This alert on one occasion; `rule` where the occasion knows better than the kind."""
        return Alert(
            code=self.code,
            severity=self.severity,
            rule=rule or self.rules.get(game, ""),
            fr=self._said(Language.FR, game, seat, spot, evidence),
            en=self._said(Language.EN, game, seat, spot, evidence),
            clears=self.clears,
            holds=self.holds,
            seat=seat,
            spot=spot,
            evidence=tuple(evidence.items()),
        )

    def word(self, name: str, value: str, language: Language) -> str:
        """A piece of evidence as it is said: the word of a code, anything else as it is."""
        vocabulary = self.words.get(name)
        if vocabulary is None or value not in vocabulary:
            return value
        pair = vocabulary[value]
        return pair[0] if language is Language.FR else pair[1]

    def _said(
        self, language: Language, game: Game, seat: int | None, spot: str | None, evidence: Mapping[str, int | str]
    ) -> str:
        point = _POINTS[language]
        said: dict[str, object] = {"seat": seat, "spot": spot_label(spot or "", game, language)}
        for name, value in evidence.items():
            if name.endswith("_cents"):
                said[name] = text_from_cents(int(value), point)
            elif name.endswith("_spot"):
                said[name] = spot_label(str(value), game, language)
            elif isinstance(value, int):
                said[name] = _NUMBERS[language](value)
            else:
                said[name] = _Amounts(self.word(name, value, language))
        return (self.fr if language is Language.FR else self.en).format(**said)


def by_game(tcf: str = "", stu: str = "", tcp: str = "", uth: str = "", the: str = "") -> Mapping[Game, str]:
    """The rule of each game that has one."""
    pairs = ((Game.TCF, tcf), (Game.STU, stu), (Game.TCP, tcp), (Game.UTH, uth), (Game.THE, the))
    return MappingProxyType({game: rule for game, rule in pairs if rule})


def text_from_cents(cents: int, point: str) -> str:
    """`1250` as 12,50 or 12.50; whole amounts without the fraction."""
    whole, rest = divmod(abs(cents), 100)
    sign = "-" if cents < 0 else ""
    return f"{sign}{whole}{point}{rest:02d}" if rest else f"{sign}{whole}"


class _Number(int):
    """A number; `{n:one|many}` is the noun that goes with it."""

    last_singular = 0

    def __format__(self, spec: str) -> str:
        one, bar, many = spec.partition("|")
        if not bar:
            return super().__format__(spec)
        return one if self in (1, self.last_singular) else many


class _FrenchNumber(_Number):
    """*0 carte*, *1 carte*, *2 cartes*."""


class _EnglishNumber(_Number):
    """*0 cards*, *1 card*, *2 cards*."""

    last_singular = 1


class _Amounts(str):
    """Amounts that a text lists, `12.50/20`; `{text:or}` says them in the language of that word."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        return f" {spec} ".join(self.split("/")).replace(".", "," if spec == "ou" else ".")


_POINTS: Final = MappingProxyType({Language.FR: ",", Language.EN: "."})
_NUMBERS: Final = MappingProxyType({Language.FR: _FrenchNumber, Language.EN: _EnglishNumber})
