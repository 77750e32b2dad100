"""Which keys each game has: those of every file (`frame`) and those of the game itself."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.frame import frame_keys
from sabot_gateway.rules.games import poker_trois_cartes, stud, texas_holdem, three_card_poker, ultimate_holdem
from sabot_gateway.rules.key import Key

_OWN_KEYS: Final[Mapping[Game, tuple[Key, ...]]] = MappingProxyType(
    {
        Game.TCF: poker_trois_cartes.KEYS,
        Game.STU: stud.KEYS,
        Game.TCP: three_card_poker.KEYS,
        Game.THE: texas_holdem.KEYS,
        Game.UTH: ultimate_holdem.KEYS,
    }
)


@cache
def keys_of(game: Game) -> tuple[Key, ...]:
    """Every key of the game, frame first; a game's own wording of a key wins."""
    own = _OWN_KEYS[game]
    names = {key.name for key in own}
    return (*(key for key in frame_keys(game) if key.name not in names), *own)
