"""What keeps the gateway from following its tables, in the log: a journal that cannot be written, a table not followed.

Owns when a sentence is said: once when it begins and once when it is over, however often it is looked at. The alerts
of the same matters are journaled elsewhere; this is for those who run the software.
"""

from typing import Final

from sabot_gateway.logs import logger
from sabot_gateway.runtime.desk import Health

_LOG: Final = logger("health")


class HealthLog:
    def __init__(self) -> None:
        self._journal_fault = ""
        self._not_followed: frozenset[str] = frozenset()

    def look(self, health: Health) -> None:
        """Says what is new since the last look."""
        if health.journal_fault and health.journal_fault != self._journal_fault:
            sentence = health.reasons[0] if health.reasons else "The journal cannot be written."
            _LOG.error("%s Nothing is acknowledged, and every table shows its fault lamps.", sentence)
        elif self._journal_fault and not health.journal_fault:
            _LOG.info("The journal is written again.")
        self._journal_fault = health.journal_fault
        faulted = frozenset(health.tables_faulted)
        for table in sorted(faulted - self._not_followed):
            _LOG.error("Table %s is not followed; its events are still journaled.", table)
        for table in sorted(self._not_followed - faulted):
            _LOG.info("Table %s is followed again.", table)
        self._not_followed = faulted
