"""The settle function of each bank game, bound to the typed config of one ruleset."""

from collections.abc import Callable
from functools import lru_cache

from sabot_gateway.model.coup import BankCoup
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import Settlement
from sabot_gateway.rules.games import poker_trois_cartes, stud, three_card_poker, ultimate_holdem
from sabot_gateway.rules.rejection import Refusal
from sabot_gateway.rules.ruleset import Ruleset

Settle = Callable[[BankCoup], Settlement | Refusal]


@lru_cache(maxsize=256)
def bank_settler(ruleset: Ruleset) -> Settle:
    """What decides the coups of a bank game under `ruleset`; made once per ruleset."""
    match ruleset.game:
        case Game.TCF:
            tcf = poker_trois_cartes.Config.from_values(ruleset.values)
            return lambda coup: poker_trois_cartes.settle(coup, tcf)
        case Game.STU:
            stu = stud.Config.from_values(ruleset.values)
            return lambda coup: stud.settle(coup, stu)
        case Game.TCP:
            tcp = three_card_poker.Config.from_values(ruleset.values)
            return lambda coup: three_card_poker.settle(coup, tcp)
        case Game.UTH:
            uth = ultimate_holdem.Config.from_values(ruleset.values)
            return lambda coup: ultimate_holdem.settle(coup, uth)
        case Game.THE:
            raise AssertionError("hold'em has no bank")
