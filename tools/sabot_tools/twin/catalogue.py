"""Every incident by name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from sabot_tools.twin.bonus_incidents import BONUS_INCIDENTS
from sabot_tools.twin.card_incidents import CARD_INCIDENTS
from sabot_tools.twin.holdem_incidents import HOLDEM_INCIDENTS
from sabot_tools.twin.house_incidents import HOUSE_INCIDENTS
from sabot_tools.twin.incident import Incident
from sabot_tools.twin.payment_incidents import PAYMENT_INCIDENTS
from sabot_tools.twin.procedure_incidents import PROCEDURE_INCIDENTS
from sabot_tools.twin.stake_incidents import STAKE_INCIDENTS

INCIDENTS: Final[Mapping[str, Incident]] = MappingProxyType(
    {
        each.name: each
        for each in (
            *STAKE_INCIDENTS,
            *CARD_INCIDENTS,
            *PAYMENT_INCIDENTS,
            *BONUS_INCIDENTS,
            *HOUSE_INCIDENTS,
            *PROCEDURE_INCIDENTS,
            *HOLDEM_INCIDENTS,
        )
    }
)
