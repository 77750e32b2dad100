"""`Site`: everything a page may reach, handed to each request. Built by app.py and by tests; knows no route."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import tzinfo

from sabot_gateway.journal.port import Journal
from sabot_gateway.projections.bookmarks import Bookmarks
from sabot_gateway.projections.store import Views
from sabot_gateway.runtime.desk import Desk
from sabot_gateway.settings.shape import Language, MetricsReader
from sabot_gateway.web.accounts.door import Door
from sabot_gateway.web.accounts.vault import Vault
from sabot_gateway.web.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Site:
    """`video` is an address with {camera}, {from} and {to} in it, empty where no video system is linked.

    `bookmarks` make the recall of old coups quick; without them it begins at the journal's snapshot or start.
    """

    name: str
    desk: Desk
    views: Views
    journal: Journal
    vault: Vault
    door: Door
    clock_ms: Callable[[], int]
    zone: tzinfo
    language: Language = Language.FR
    is_tls: bool = False
    video: str = ""
    metrics: MetricsReader = MetricsReader.LOOPBACK
    bookmarks: Bookmarks | None = None
    evidence: Evidence | None = None
