"""The optional `deal` and `bet_log` of a coup record, read and judged: they never change a settlement.

Shared by the bank games and hold'em; each makes its own deal plan.
"""

from typing import Final

from sabot_gateway.rules.deal import DealPlan, Face
from sabot_gateway.rules.deal_check import Dealt, check_deal
from sabot_gateway.rules.ruleset import Ruleset
from sabot_gateway.rules.window import BetMove, BetOp, BetPhase, check_window
from sabot_tools.settle.refusal import record_from_fault
from sabot_tools.settle.shape import (
    Record,
    ShapeError,
    as_card,
    read_choice,
    read_int,
    read_records,
    read_text,
    refuse_unknown,
)

MOST_AMOUNT: Final = 10**15  # cents: more than all the chips of any house
OBSERVATION_KEYS: Final = frozenset({"deal", "bet_log"})


def deal_check(record: Record, plan: DealPlan) -> dict[str, object]:
    """`{"deal_check": …}` when the record tells its deal, else nothing."""
    if record.get("deal") is None:
        return {}
    found = check_deal(plan, [_dealt(item, f"deal[{n}]") for n, item in enumerate(read_records(record, "deal"))])
    body = {
        "ok": found.ok,
        "violations": [record_from_fault(fault) for fault in found.violations],
        "observations": [record_from_fault(fault) for fault in found.observations],
    }
    return {"deal_check": body}


def window_check(record: Record, ruleset: Ruleset) -> dict[str, object]:
    """`{"window_check": …}` when the record tells how chips moved, else nothing."""
    if record.get("bet_log") is None:
        return {}
    log = [_move(item, f"bet_log[{n}]") for n, item in enumerate(read_records(record, "bet_log"))]
    violations = check_window(ruleset.game, ruleset.values, log)
    return {"window_check": {"ok": not violations, "violations": [record_from_fault(fault) for fault in violations]}}


def _dealt(item: Record, path: str) -> Dealt:
    refuse_unknown(item, ("to", "card", "face"), path)
    to = item.get("to")
    if isinstance(to, bool) or not isinstance(to, int | str):
        raise ShapeError("BAD_TYPE", detail=f"{path}.to")
    as_card(item.get("card"))
    return Dealt(to[:40] if isinstance(to, str) else to, Face(read_choice(item, "face", tuple(Face), path) or "down"))


def _move(item: Record, path: str) -> BetMove:
    refuse_unknown(item, ("phase", "seat", "spot", "op", "amount"), path)
    phase = read_choice(item, "phase", tuple(BetPhase), path)
    op = read_choice(item, "op", tuple(BetOp), path)
    if phase is None or op is None:
        raise ShapeError("MISSING_KEY", detail=f"{path}.{'phase' if phase is None else 'op'}")
    seat, spot = read_int(item, "seat", path), read_text(item, "spot", path)[:40]
    return BetMove(BetPhase(phase), seat, spot, BetOp(op), _amount(item.get("amount"), f"{path}.amount", seat))


def _amount(value: object, path: str, seat: int) -> int:
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < MOST_AMOUNT:
        raise ShapeError("BAD_AMOUNT", detail=path, seat=seat)
    return value
