"""The hours in which a table may be open (THE-12).

The table has no clock and no calendar. The time of day comes from the event and
from how far the house's clock is ahead of UTC (`Timing.ahead_min`), which whoever
configures the table changes with summer and winter.
"""

from sabot_gateway.rules.hours import is_within
from sabot_gateway.table.alerts.procedure import out_of_hours
from sabot_gateway.table.turn import Turn


def judge_hours(turn: Turn) -> None:
    """An opening or a coup outside the hours of the house."""
    hours = turn.setup.ruleset.values.get("session_hours")
    if isinstance(hours, str) and not is_within(hours, turn.event.at_ms, turn.setup.timing.ahead_min):
        turn.state_alert(out_of_hours(turn.setup.game, hours))
