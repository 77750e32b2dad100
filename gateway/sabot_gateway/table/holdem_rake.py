"""The levy of the house: what went into the cagnotte against what the rules computed (THE-109, THE-110)."""

from sabot_gateway.model.alert import Alert
from sabot_gateway.model.event import RakeDropped
from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.holdem import HoldemSettlement
from sabot_gateway.table.alerts.holdem import WRONG_RAKE, wrong_rake
from sabot_gateway.table.holdem_settlement import RAKE
from sabot_gateway.table.state import CoupPhase, Due, Table
from sabot_gateway.table.turn import Turn


def rake_due(table: Table) -> int:
    """What this coup owes the cagnotte; nothing before it is settled."""
    settlement = table.coup.settlement
    return settlement.rake_total if isinstance(settlement, HoldemSettlement) else 0


def tell_rake(turn: Turn) -> None:
    """Somebody says what was dropped, where no sensor reads the slot; told after the coup it is only noted."""
    event = turn.event
    assert isinstance(event, RakeDropped)
    due = rake_due(turn)
    turn.clear_code(WRONG_RAKE.code, 0, FeltSpot.RAKE)
    turn.note("rake", amount_cents=event.amount_cents, due_cents=due)
    if event.amount_cents != due and turn.coup.phase not in (CoupPhase.IDLE, CoupPhase.BETTING):
        turn.state_alert(wrong_rake(event.amount_cents, due))


def wrong_due(table: Table, due: Due, actual: int) -> Alert | None:
    """A levy that is too much or too little has its own alert."""
    if due.place != RAKE:
        return None
    owed = rake_due(table)
    return wrong_rake(actual - (due.target - owed), owed)
