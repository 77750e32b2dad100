"""Everything a table can complain about: one function per alert, by family, and the list of all kinds."""

from typing import Final

from sabot_gateway.table.alerts import cards, chips, holdem, house, payout, procedure, stakes
from sabot_gateway.table.alerts.kind import AlertKind

KINDS: Final[tuple[AlertKind, ...]] = (
    *stakes.KINDS,
    *chips.KINDS,
    *cards.KINDS,
    *payout.KINDS,
    *house.KINDS,
    *procedure.KINDS,
    *holdem.KINDS,
)
