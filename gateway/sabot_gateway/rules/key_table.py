"""Which keys each game has: those of every file (`frame`) and those of the game itself."""

from functools import cache

from sabot_gateway.model.game import Game
from sabot_gateway.rules.frame import frame_keys
from sabot_gateway.rules.key import Key


@cache
def keys_of(game: Game) -> tuple[Key, ...]:
    """Every key of the game, frame first; a game's own wording of a key wins."""
    own = _own_keys(game)
    names = {key.name for key in own}
    return (*(key for key in frame_keys(game) if key.name not in names), *own)


def _own_keys(game: Game) -> tuple[Key, ...]:
    # Imported on demand: a reader of one game's file does not load the other four games.
    match game:
        case Game.TCF:
            from sabot_gateway.rules.games import poker_trois_cartes

            return poker_trois_cartes.KEYS
        case Game.STU:
            from sabot_gateway.rules.games import stud

            return stud.KEYS
        case Game.TCP:
            from sabot_gateway.rules.games import three_card_poker

            return three_card_poker.KEYS
        case Game.THE:
            from sabot_gateway.rules.games import texas_holdem

            return texas_holdem.KEYS
        case Game.UTH:
            from sabot_gateway.rules.games import ultimate_holdem

            return ultimate_holdem.KEYS
