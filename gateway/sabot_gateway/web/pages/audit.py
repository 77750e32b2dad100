"""Proof: where every chain ends, what was signed, whether the journal is whole, and what was refused.

For whoever has the right to audit. Refused bytes are strangers' bytes: they are shown as hexadecimal digits only.
"""

from collections.abc import Mapping
from typing import Final, TypedDict
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from sabot_gateway.journal.error import JournalError
from sabot_gateway.journal.quarantine import Quarantined
from sabot_gateway.journal.record import Head, Stream
from sabot_gateway.projections.staff import CONFIGURATION, StaffAction, staff_actions
from sabot_gateway.web.accounts.role import Right
from sabot_gateway.web.asked import number_asked, path_number, text_asked
from sabot_gateway.web.declaring import receipt_of
from sabot_gateway.web.evidence import Extent, Verification, Verifier, extent_of, own_digest, own_version
from sabot_gateway.web.page import BUSY, NOT_FOUND, WRONG, Action, Data, Field, In, Page, PageError
from sabot_gateway.web.pages.devices import Software, line_of, software_of
from sabot_gateway.web.rendering import site_of

LIMIT: Final = 50
LATEST: Final = 5  # changes of configuration on the first page; the rest is a link away
ABOUT: Final = ("configuration",)
PREVIEW: Final = 24  # bytes of a refused message in the list
MOST_SHOWN: Final = 4096  # bytes of one refused message; all of it is in the journal
_ROW: Final = 16


class ChainEnd(TypedDict):
    stream: str
    position: int
    hash: str


class Ruled(TypedDict):
    table: str
    ruleset: str
    sha256: str


class OwnSoftware(TypedDict):
    version: str
    digest: str


class Retention(TypedDict):
    """0 days keeps records for ever; 0 hours makes no copies."""

    days: int
    checkpoint_minutes: int
    backup_hours: int
    backups_kept: int


class Changed(TypedDict):
    """One value of a configuration; null where there was none before, or is none any more."""

    what: str
    before: str | None
    after: str | None


class HistoryLine(TypedDict):
    """`by` is empty where nobody of the floor did it: a configuration comes from the gateway's settings."""

    id: int
    record: int
    table: str
    at_ms: int
    kind: str
    by: str
    coup: int
    fr: str
    en: str
    changes: list[Changed]


class AuditPage(TypedDict):
    """`extent` and `retention` are null where this gateway was started without a journal to read from."""

    heads: list[ChainEnd]
    extent: Extent | None
    fault: str
    verification: Verification | None
    refused: dict[str, int]
    gateway: OwnSoftware
    controllers: list[Software]
    rulesets: list[Ruled]
    configuration: list[HistoryLine]
    retention: Retention | None


class VerificationPage(TypedDict):
    verification: Verification


class Refused(TypedDict):
    """`hex` is the beginning of what came in; `length` how many bytes that were."""

    id: int
    stream: str
    position: int
    received_ms: int
    reason: str
    source: str
    length: int
    hex: str


class QuarantinePage(TypedDict):
    """`next` is the value of `before` for the following page, 0 on the last one."""

    refused: list[Refused]
    counts: dict[str, int]
    next: int


class RefusedPage(TypedDict):
    refused: Refused


class HistoryPage(TypedDict):
    """`next` is the value of `before` for the following page, 0 on the last one."""

    actions: list[HistoryLine]
    next: int


async def load_audit(request: Request) -> Data:
    site = site_of(request)
    evidence = site.evidence

    def read() -> tuple[Mapping[Stream, Head], Mapping[str, int], Extent | None, str, list[StaffAction]]:
        extent = None
        if evidence is not None:
            with evidence.reader() as reader:
                extent = extent_of(reader)
        with site.views.reading() as db:
            latest = staff_actions(db, kinds=CONFIGURATION, limit=LATEST)
        return site.journal.heads(), site.journal.quarantine_counts(), extent, own_digest(), latest

    try:
        heads, refused, extent, digest, latest = await run_in_threadpool(read)
    except JournalError as error:
        raise PageError(BUSY, "audit.unreadable") from error
    fault = site.journal.fault
    return {
        "heads": [
            {"stream": name, "position": head.position, "hash": head.hash.hex()} for name, head in sorted(heads.items())
        ],
        "extent": extent,
        "fault": "" if fault is None else str(fault.code),
        "verification": None if evidence is None else _verifier(request).state(),
        "refused": dict(sorted(refused.items())),
        "gateway": {"version": own_version(), "digest": digest},
        "controllers": software_of([line_of(each) for each in site.desk.devices()]),
        "rulesets": _rulesets(request),
        "configuration": [_history_line(each) for each in latest],
        "retention": None
        if evidence is None
        else {
            "days": evidence.retention_days,
            "checkpoint_minutes": evidence.checkpoint_minutes,
            "backup_hours": evidence.backup_hours,
            "backups_kept": evidence.backups_kept,
        },
    }


async def load_verification(request: Request) -> Data:
    return {"verification": _verifier(request).state()}


async def load_quarantine(request: Request) -> Data:
    site, reason, before = site_of(request), text_asked(request, "reason"), number_asked(request, "before")

    def read() -> tuple[list[Quarantined], Mapping[str, int]]:
        found = site.journal.quarantined(reason or None, before, LIMIT + 1)
        return [*found], site.journal.quarantine_counts()

    try:
        found, counts = await run_in_threadpool(read)
    except JournalError as error:
        raise PageError(BUSY, "audit.unreadable") from error
    data: dict[str, object] = {
        "refused": [_refused(each, PREVIEW) for each in found[:LIMIT]],
        "counts": dict(sorted(counts.items())),
        "next": found[LIMIT - 1].id if len(found) > LIMIT else 0,
    }
    return data if request.state.is_json else data | {"reason": reason}


async def load_refused(request: Request) -> Data:
    site, number = site_of(request), path_number(request, "id")
    try:
        found = await run_in_threadpool(site.journal.quarantined, None, number + 1, 1)
    except JournalError as error:
        raise PageError(BUSY, "audit.unreadable") from error
    if not found or found[0].id != number:
        raise PageError(NOT_FOUND, "audit.no_refused")
    data: dict[str, object] = {"refused": _refused(found[0], MOST_SHOWN)}
    if request.state.is_json:
        return data
    raw = found[0].raw[:MOST_SHOWN]
    rows = [(f"{at:04x}", raw[at : at + _ROW].hex(" ")) for at in range(0, len(raw), _ROW)]
    return data | {"rows": rows, "is_cut": found[0].length > len(raw)}


async def load_history(request: Request) -> Data:
    site = site_of(request)
    table, by, before = text_asked(request, "table"), text_asked(request, "by"), number_asked(request, "before")
    about = text_asked(request, "about")
    if about and about not in ABOUT:
        raise PageError(WRONG, "error.value", name="about")
    kinds = CONFIGURATION if about else ()

    def read() -> list[StaffAction]:
        with site.views.reading() as db:
            return staff_actions(db, table=table or None, by=by or None, kinds=kinds, before_id=before, limit=LIMIT + 1)

    found = await run_in_threadpool(read)
    actions = [_history_line(each) for each in found[:LIMIT]]
    data: dict[str, object] = {"actions": actions, "next": found[LIMIT - 1].id if len(found) > LIMIT else 0}
    if request.state.is_json:
        return data
    asked = {"about": about, "table": table, "by": by}
    following = {name: value for name, value in asked.items() if value} | {"before": str(data["next"])}
    return data | {"asked": asked, "abouts": ABOUT, "next_address": f"/audit/history?{urlencode(following)}"}


async def begin_verification(request: Request, form: Mapping[str, str]) -> str:
    """Journaled like anything a person does; while one runs nobody starts another."""
    del form
    verifier, by = _verifier(request), request.state.visitor.name
    if verifier.state()["state"] != "running":
        await receipt_of(site_of(request).desk.note("verification_begun", {}, by))
        verifier.start(by)
    return "/audit"


def _verifier(request: Request) -> Verifier:
    """One for the application."""
    site, state = site_of(request), request.app.state
    if site.evidence is None:
        raise PageError(NOT_FOUND, "audit.no_evidence")
    if not hasattr(state, "verifier"):
        state.verifier = Verifier(site.evidence, site.clock_ms)
    verifier: Verifier = state.verifier
    return verifier


def _rulesets(request: Request) -> list[Ruled]:
    """What each table plays by now; earlier ones stand in the history and with each coup."""
    found: list[Ruled] = []
    desk = site_of(request).desk
    for status in desk.tables():
        ruleset = desk.view(status.name).get("ruleset")
        if isinstance(ruleset, Mapping):
            found.append({"table": status.name, "ruleset": str(ruleset["id"]), "sha256": str(ruleset["sha256"])})
    return found


def _history_line(each: StaffAction) -> HistoryLine:
    return {
        "id": each.id,
        "record": each.record,
        "table": each.table,
        "at_ms": each.at_ms,
        "kind": each.kind,
        "by": each.by,
        "coup": each.coup,
        "fr": each.fr,
        "en": each.en,
        "changes": [{"what": what, "before": before, "after": after} for what, before, after in each.changes],
    }


def _refused(each: Quarantined, most: int) -> Refused:
    return {
        "id": each.id,
        "stream": each.stream,
        "position": each.position,
        "received_ms": each.received_ms,
        "reason": each.reason,
        "source": each.source,
        "length": each.length,
        "hex": each.raw[:most].hex(),
    }


_TEXT: Final = {"type": "string", "maxLength": 128}
_BEFORE: Final = Field("before", In.QUERY, {"type": "integer", "minimum": 0, "maximum": 10**18 - 1})
PAGES: Final = (
    Page("/audit", "audit", Right.AUDIT, load_audit, "audit.html", AuditPage, "The state of the proof."),
    Page(
        "/audit/verification",
        "verification",
        Right.AUDIT,
        load_verification,
        "audit_verification.html",
        VerificationPage,
        "How far the verification has come.",
    ),
    Page(
        "/audit/quarantine",
        "quarantine",
        Right.AUDIT,
        load_quarantine,
        "audit_quarantine.html",
        QuarantinePage,
        "What was refused, newest first.",
        (Field("reason", In.QUERY, _TEXT), _BEFORE),
    ),
    Page(
        "/audit/quarantine/{id}",
        "refused",
        Right.AUDIT,
        load_refused,
        "audit_refused.html",
        RefusedPage,
        "One refused message, its bytes in hexadecimal.",
        (Field("id", In.PATH, {"type": "integer", "minimum": 0}),),
    ),
    Page(
        "/audit/history",
        "history",
        Right.AUDIT,
        load_history,
        "audit_history.html",
        HistoryPage,
        "What people did, and how tables were set up, newest first.",
        (
            Field("about", In.QUERY, {"enum": [*ABOUT]}, description="Only what changed how things are set up."),
            Field("table", In.QUERY, _TEXT),
            Field("by", In.QUERY, _TEXT),
            _BEFORE,
        ),
    ),
)
ACTIONS: Final = (
    Action(
        "/audit/verify",
        "verify",
        Right.AUDIT,
        begin_verification,
        "Begins to verify the whole journal, unless that is under way.",
        (Field("csrf", In.FORM, {"type": "string"}, is_required=True, description="Of the session; or as X-CSRF."),),
    ),
)
