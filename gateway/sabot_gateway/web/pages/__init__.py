"""The pages and actions of the surveillance room, in the order of the menu."""

from typing import Final

from sabot_gateway.web.page import Action, Page
from sabot_gateway.web.pages import (
    alert_actions,
    alerts,
    audit,
    coups,
    devices,
    floor,
    people,
    recall,
    statistics,
    table_actions,
    tables,
)

PAGES: Final[tuple[Page, ...]] = (
    *floor.PAGES,
    *tables.PAGES,
    *alerts.PAGES,
    *coups.PAGES,
    *recall.PAGES,
    *statistics.PAGES,
    *audit.PAGES,
    *devices.PAGES,
    *people.PAGES,
)
ACTIONS: Final[tuple[Action, ...]] = (
    *table_actions.ACTIONS,
    *alert_actions.ACTIONS,
    *recall.ACTIONS,
    *audit.ACTIONS,
    *devices.ACTIONS,
    *people.ACTIONS,
)
