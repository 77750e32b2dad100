"""A kind of alert: its code, weight, sentences, rules and what clears it; `alert` fills in one occasion.

Sentences take the seat, the spot and the evidence by name; amounts in evidence
end in `_cents` and are said in the currency. No sentence names a card.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.alert import Alert, Clears, Holds, Severity
from sabot_gateway.model.game import Game

NO_RULES: Final[Mapping[Game, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class AlertKind:
    """`rules` cites the article of each game; `clears_when` says in words what ends the alert."""

    code: str
    severity: Severity
    clears: Clears
    fr: str
    en: str
    clears_when: str
    holds: Holds = Holds.NOTHING
    rules: Mapping[Game, str] = field(default_factory=lambda: NO_RULES)

    def alert(
        self, game: Game, seat: int | None = None, spot: str | None = None, rule: str = "", **evidence: int | str
    ) -> Alert:
        """This alert on one occasion; `rule` where the occasion knows better than the kind."""
        return Alert(
            code=self.code,
            severity=self.severity,
            rule=rule or self.rules.get(game, ""),
            fr=_said(self.fr, seat, spot, evidence, ","),
            en=_said(self.en, seat, spot, evidence, "."),
            clears=self.clears,
            holds=self.holds,
            seat=seat,
            spot=spot,
            evidence=tuple(evidence.items()),
        )


def by_game(tcf: str = "", stu: str = "", tcp: str = "", uth: str = "", the: str = "") -> Mapping[Game, str]:
    """The rule of each game that has one."""
    pairs = ((Game.TCF, tcf), (Game.STU, stu), (Game.TCP, tcp), (Game.UTH, uth), (Game.THE, the))
    return MappingProxyType({game: rule for game, rule in pairs if rule})


def text_from_cents(cents: int, point: str) -> str:
    """`1250` as 12,50 or 12.50; whole amounts without the fraction."""
    whole, rest = divmod(abs(cents), 100)
    sign = "-" if cents < 0 else ""
    return f"{sign}{whole}{point}{rest:02d}" if rest else f"{sign}{whole}"


def spot_label(spot: str) -> str:
    """A spot as the felt prints it."""
    return spot.replace("_", " ").upper()


def _said(sentence: str, seat: int | None, spot: str | None, evidence: Mapping[str, int | str], point: str) -> str:
    words: dict[str, object] = {"seat": seat, "spot": spot_label(spot or "")}
    for name, value in evidence.items():
        words[name] = text_from_cents(int(value), point) if name.endswith("_cents") else value
    return sentence.format(**words)
