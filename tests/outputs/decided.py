"""Decisions in a real journal, as the runtime writes them."""

from pathlib import Path

from sabot_gateway.journal.port import Append, Journal
from sabot_gateway.journal.record import Entry, Kind, Owner, Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.model.alert import Alert, Clears, Severity
from sabot_gateway.model.effect import Effect, RaiseAlert
from sabot_gateway.runtime.outlet import News, Told
from sabot_gateway.settings.shape import Subject, WebhookSettings
from sabot_gateway.transcript.decision import body_from_decision

SECRET = b"sixteen bytes or more"
AT_MS = 1_790_000_000_000


def open_journal(folder: Path) -> Journal:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return open_sqlite_journal(folder / "journal.db")


def decide(journal: Journal, table: str, *effects: Effect, owner: str = "pit-1") -> News:
    """A fact and the decision on it; what the runtime would then say to its outlets."""
    stream, gateway = Stream(table), Owner(owner)
    (fact,) = journal.append(Append(stream, gateway, 1, [Entry(Kind.FACT, b"fact", AT_MS)])).result()
    body = body_from_decision(fact.position, [(0, effects)])
    (receipt,) = journal.append(Append(stream, gateway, 1, [Entry(Kind.DECISION, body, AT_MS)])).result()
    told = tuple(effect for effect in effects if isinstance(effect, Told))
    return News(stream, receipt.id, receipt.position, AT_MS, told)


def alert(code: str = "spot_changed", coup: int = 7) -> RaiseAlert:
    return RaiseAlert(
        Alert(
            code,
            Severity.ALARM,
            "TCF-40",
            "Mise changée.",
            "Stake changed.",
            Clears.OVERRIDE,
            seat=3,
            spot="ante",
            coup=coup,
        )
    )


def webhook(url: str, **changes: object) -> WebhookSettings:
    values: dict[str, object] = {
        "name": "erp", "url": url, "secret": SECRET, "subjects": tuple(Subject), "tables": (),
    }  # fmt: skip
    return WebhookSettings(**(values | changes))  # type: ignore[arg-type]  # a test names its fields
