"""One record in, one decision out: the frame around the games and the checks.

Reads the frame (`id`, `game`, `op`, `config`), applies the coup's own config to
the ruleset of its game, hands the record to the game or to the check, and puts
frame and ruleset around what comes back. Never raises for any JSON object.
"""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.rejection import Fault
from sabot_gateway.rules.ruleset import Ruleset, overridden
from sabot_tools.settle.refusal import rejected
from sabot_tools.settle.shape import MOST_NUMBER, MOST_TEXT, Record, ShapeError, as_record

Settle = Callable[[Record, Ruleset], dict[str, object]]

# The rule that a badly written value breaks, by code and game; other codes are about the shape alone.
RULE_OF: Final[Mapping[str, Mapping[Game, str]]] = {
    "BAD_CARD": {Game.TCF: "TCF-01", Game.STU: "STU-01", Game.TCP: "TCP-07", Game.THE: "THE-01", Game.UTH: "UTH-01"},
    "NO_DECISION": {Game.TCF: "TCF-39", Game.STU: "STU-38", Game.TCP: "TCP-11", Game.UTH: "UTH-24"},
    "BAD_AMOUNT": {Game.TCF: "TCF-24", Game.STU: "STU-24", Game.TCP: "TCP-56", Game.THE: "THE-32", Game.UTH: "UTH-45"},
}


def settle_line(record: Mapping[str, object], rulesets: Mapping[Game, Ruleset]) -> dict[str, object]:
    """The decision on one record; a record that cannot be decided comes back with status `rejected`."""
    identity = record.get("id")
    if not _is_identity(identity):
        return {"id": None, "game": None, **rejected([Fault("BAD_TYPE", "", "id")])}
    name = record.get("game")
    try:
        game = Game(name if isinstance(name, str) else "")
    except ValueError:
        detail = name[:40] if isinstance(name, str) else None
        return {"id": identity, "game": detail, **rejected([Fault("UNKNOWN_GAME", "", detail)])}
    frame: dict[str, object] = {"id": identity, "game": str(game)}
    try:
        ruleset = _effective(record, rulesets[game])
        if not isinstance(ruleset, Ruleset):
            return {**frame, **rejected(ruleset)}
        body = _settler(record, game)(record, ruleset)
    except ShapeError as error:
        return {**frame, **rejected([_cited(error.fault, game)])}
    return {**frame, **body, "ruleset": {"id": ruleset.id, "sha256": ruleset.sha256}}


def _is_identity(value: object) -> bool:
    """A text, a whole number or nothing, short enough to be echoed."""
    if isinstance(value, bool) or not isinstance(value, str | int | None):
        return False
    return len(value) <= MOST_TEXT if isinstance(value, str) else value is None or abs(value) < MOST_NUMBER


def _effective(record: Record, ruleset: Ruleset) -> Ruleset | tuple[Fault, ...]:
    config = record.get("config")
    if config is None or config == {}:
        return ruleset
    try:
        written = json.dumps(as_record(config, "config"), sort_keys=True)
    except RecursionError:
        raise ShapeError("BAD_VALUE", detail="config") from None
    return _overridden(ruleset, written)


@lru_cache(maxsize=256)
def _overridden(ruleset: Ruleset, written: str) -> Ruleset | tuple[Fault, ...]:
    """A book of coups repeats few configs: each is judged once."""
    return overridden(ruleset, json.loads(written))


def _settler(record: Record, game: Game) -> Settle:
    # Imported on demand: a run over one game loads that game only.
    if record.get("op") is not None:
        from sabot_tools.settle.procedure import check

        return check
    if game is Game.THE:
        from sabot_tools.settle.holdem import settle_holdem

        return settle_holdem
    from sabot_tools.settle.bank import settle_bank

    return settle_bank


def _cited(fault: Fault, game: Game) -> Fault:
    rule = fault.rule or RULE_OF.get(fault.code, {}).get(game, "")
    return Fault(fault.code, rule, fault.detail, fault.seat, fault.extra, fault.sentence)
