"""What the pages call a spot and a piece of evidence: the words of the alert's sentence, in the reader's language."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.game import Game
from sabot_gateway.rules.spot_name import spot_name
from sabot_gateway.rules.vocabulary import Language
from sabot_gateway.runtime.alarm import KINDS as SERVICE_KINDS
from sabot_gateway.table.alerts import KINDS
from sabot_gateway.table.alerts.kind import AlertKind


def evidence_word(code: str, name: str, value: int | str, game: str, language: str) -> str:
    """A code as the alert's own sentence says it; anything else, and what an earlier release wrote, as it is."""
    if name.endswith("spot") and value in set(FeltSpot):
        return name_of_spot(str(value), game, language)
    kind = _KINDS.get(code)
    return str(value) if kind is None or isinstance(value, int) else kind.word(name, value, Language(language))


def name_of_spot(spot: str, game: str, language: str) -> str:
    """As the felt of this game names it; without a game, the word that most games have."""
    return spot_name(spot, Game(game) if game in set(Game) else None, Language(language))


_KINDS: Final[Mapping[str, AlertKind]] = MappingProxyType({kind.code: kind for kind in (*KINDS, *SERVICE_KINDS)})
