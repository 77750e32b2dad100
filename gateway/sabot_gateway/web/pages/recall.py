"""One coup step by step: what came in, what Sabot concluded and by which rule, the felt at that moment, the video.

Law 7: sealed hands are shown only under an opening that stands in the journal, of this coup and by this very person;
`unseal` writes one, and only for a coup that is over.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypedDict
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from sabot_gateway.model.review import HandsUnsealed
from sabot_gateway.projections.coups import RUNNING, CoupEntry, coup_at
from sabot_gateway.projections.recall import Recalled, RecallError, RecallStep, SpotAccount
from sabot_gateway.projections.sentence import Sentence
from sabot_gateway.web.accounts.role import Right
from sabot_gateway.web.asked import number_asked, path_number
from sabot_gateway.web.declaring import MOST_WORDS, declare, words_given
from sabot_gateway.web.felt import felt_of
from sabot_gateway.web.page import BUSY, NOT_FOUND, REFUSED, WRONG, Action, Data, Field, In, Page, PageError
from sabot_gateway.web.pages.alerts import RuleShown, rule_of
from sabot_gateway.web.pages.coups import CoupLine, last_id_of, line_of
from sabot_gateway.web.pages.tables import TABLE
from sabot_gateway.web.recall_ribbon import is_settled, ribbon_of
from sabot_gateway.web.recall_video import VideoLink, video_links
from sabot_gateway.web.rendering import site_of
from sabot_gateway.web.unsealing import OPEN_MS, is_opened


class Said(TypedDict):
    fr: str
    en: str
    rules: list[str]


class SpotLine(TypedDict):
    """What must lie on a spot, and what lay there when it was last judged."""

    seat: int
    spot: str
    stake_cents: int
    expected_cents: int
    actual_cents: int
    outcome: str
    status: str
    rule: str


class StepLine(TypedDict):
    """`device_ms` is the controller's own clock, `at_ms` the same moment in UTC give or take `spread_ms`."""

    number: int
    id: int
    kind: str
    device: str
    device_ms: int | None
    at_ms: int
    spread_ms: int
    received_ms: int
    by: str
    fr: str
    en: str
    concluded: list[Said]


class RecallPage(TypedDict):
    """`step` is the number of the one chosen, from 1; `view`, `spots` and `video` are of that step.

    `rules` are the words of every rule that the coup cites. `differs` lists journal positions of decisions that this
    release would make otherwise: the journal's word stands. `sealed` is empty but under a journaled opening.
    """

    coup: CoupLine
    is_running: bool
    steps: list[StepLine]
    step: int
    view: dict[str, object]
    spots: list[SpotLine]
    rules: list[RuleShown]
    video: list[VideoLink]
    differs: list[int]
    sealed: dict[str, list[str]]
    last_id: int


async def load_recall(request: Request) -> Data:
    site, table = site_of(request), str(request.path_params["table"])
    number, opened = path_number(request, "number"), number_asked(request, "opened")
    coup, last_id = await run_in_threadpool(_entry, request, table, number)
    if opened is not None:
        await run_in_threadpool(_check_opening, request, coup, opened)
    try:
        recalled: Recalled = await run_in_threadpool(request.state.recalls.read, coup, unsealed=opened is not None)
    except RecallError as error:
        raise PageError(BUSY, "recall.unreadable") from error
    chosen = _chosen(request, recalled.steps)
    shown = recalled.steps[chosen - 1] if recalled.steps else None
    cameras = next((status.cameras for status in site.desk.tables() if status.name == table), ())
    spots = recalled.spots if shown is None else shown.spots
    data: dict[str, object] = {
        "coup": line_of(coup),
        "is_running": coup.end_id is None and not _is_cut_off(coup),
        "steps": [_step_line(place, step) for place, step in enumerate(recalled.steps, 1)],
        "step": chosen,
        "view": {} if shown is None else dict(shown.view),
        "spots": [_spot_line(spot) for spot in spots],
        "rules": _rules(recalled),
        "video": [] if shown is None else video_links(site.video, cameras, shown.at_ms, shown.spread_ms),
        "differs": [*recalled.differs],
        "sealed": {} if shown is None else {name: [*cards] for name, cards in shown.sealed.items()},
        "last_id": last_id,
    }
    return data if request.state.is_json else data | _around(request, coup, shown, recalled, opened)


def _around(
    request: Request, coup: CoupEntry, shown: RecallStep | None, recalled: Recalled, opened: int | None
) -> dict[str, object]:
    """What only the page itself needs."""
    site = site_of(request)
    is_known = any(status.name == coup.table for status in site.desk.tables())
    view = {} if shown is None else shown.view
    return {
        "table": coup.table,
        "game": coup.game,
        "felt": felt_of(view) if "coup" in view else None,
        "final_spots": [_spot_line(spot) for spot in recalled.spots],
        "ribbon": ribbon_of(recalled.steps),
        "opened": opened,
        "now_ms": site.clock_ms(),
        "open_minutes": OPEN_MS // 60_000,
        "is_live": coup.end_id is None and not _is_cut_off(coup) and is_known,
        "is_configured": is_known,
        "is_following": "step" not in request.query_params and "at" not in request.query_params,
        "whole_video": video_links(
            site.video,
            next((status.cameras for status in site.desk.tables() if status.name == coup.table), ()),
            coup.start_ms,
            0,
            site.clock_ms() if coup.end_ms is None else coup.end_ms,
        ),
    }


async def unseal(request: Request, form: Mapping[str, str]) -> str:
    """Journals the opening, then leads to the page that shows it."""
    table, number = str(request.path_params["table"]), path_number(request, "number")
    reason = words_given(form.get("reason", ""), "reason")
    coup, _ = await run_in_threadpool(_entry, request, table, number)
    if coup.end_id is None:
        raise PageError(WRONG, "recall.not_over")
    receipt = await declare(request, table, HandsUnsealed(request.state.visitor.name, number, reason))
    return f"/tables/{quote(table, safe='')}/coups/{number}?opened={receipt.id}"


def _entry(request: Request, table: str, number: int) -> tuple[CoupEntry, int]:
    with site_of(request).views.reading() as db:
        coup, last_id = coup_at(db, table, number), last_id_of(db)
        following = coup_at(db, table, number + 1)
    if coup is None:
        raise PageError(NOT_FOUND, "recall.unknown")
    if _is_cut_off(coup) and following is not None and following.start_position > coup.start_position:
        coup = replace(coup, end_position=following.start_position - 1)  # what came later is not its own
    return coup, last_id


def _is_cut_off(coup: CoupEntry) -> bool:
    """Whether it has no end and never will."""
    return coup.end_id is None and coup.status != RUNNING


def _check_opening(request: Request, coup: CoupEntry, opened: int) -> None:
    """Whoever looks must have the right, and must have said why, in the journal, a short while ago."""
    site, visitor = site_of(request), request.state.visitor
    if not visitor.may(Right.UNSEAL):
        raise PageError(REFUSED, "error.right")
    if coup.end_id is None:
        raise PageError(WRONG, "recall.not_over")
    if not is_opened(site.journal, opened, coup, visitor.name, site.clock_ms()):
        raise PageError(REFUSED, "recall.not_opened", minutes=OPEN_MS // 60_000)


def _chosen(request: Request, steps: Sequence[RecallStep]) -> int:
    """`?step=` from 1; `?at=` a journal id: the step that led to that record; else the settlement, or the last."""
    number, at = number_asked(request, "step"), number_asked(request, "at")
    if number is None and at is not None:
        number = sum(step.id <= at for step in steps)
    if number is None:
        number = next((place for place, step in enumerate(steps, 1) if is_settled(step)), len(steps))
    return min(max(number, 1), len(steps))


def _step_line(number: int, step: RecallStep) -> StepLine:
    return {
        "number": number,
        "id": step.id,
        "kind": step.kind,
        "device": step.device,
        "device_ms": step.device_ms,
        "at_ms": step.at_ms,
        "spread_ms": step.spread_ms,
        "received_ms": step.received_ms,
        "by": step.by,
        "fr": step.sentence.fr,
        "en": step.sentence.en,
        "concluded": [_said(each.sentence, [rule.id for rule in each.rules]) for each in step.concluded],
    }


def _said(sentence: Sentence, rules: list[str]) -> Said:
    return {"fr": sentence.fr, "en": sentence.en, "rules": rules}


def _spot_line(spot: SpotAccount) -> SpotLine:
    return {
        "seat": spot.seat,
        "spot": spot.spot,
        "stake_cents": spot.stake_cents,
        "expected_cents": spot.expected_cents,
        "actual_cents": spot.actual_cents,
        "outcome": spot.outcome,
        "status": spot.status,
        "rule": spot.rule,
    }


def _rules(recalled: Recalled) -> list[RuleShown]:
    """Every rule that the coup cites, once, in the order in which it is first cited."""
    cited = [rule.id for step in recalled.steps for each in step.concluded for rule in each.rules]
    cited += [spot.rule for spot in recalled.spots if spot.rule]
    return [rule for rule in map(rule_of, dict.fromkeys(cited)) if rule is not None]


_PATH: Final = (TABLE, Field("number", In.PATH, {"type": "integer", "minimum": 0}))
PAGES: Final = (
    Page(
        "/tables/{table}/coups/{number}",
        "recall",
        Right.LOOK,
        load_recall,
        "recall.html",
        RecallPage,
        "One coup step by step.",
        (
            *_PATH,
            Field("step", In.QUERY, {"type": "integer", "minimum": 0}, description="The step to show, from 1."),
            Field("at", In.QUERY, {"type": "integer", "minimum": 0}, description="Or the step behind a journal id."),
            Field(
                "opened",
                In.QUERY,
                {"type": "integer", "minimum": 0},
                description="The journal id of one's own opening of the sealed hands.",
            ),
        ),
        part="recall_part.html",
    ),
)
ACTIONS: Final = (
    Action(
        "/tables/{table}/coups/{number}/unseal",
        "unseal_coup",
        Right.UNSEAL,
        unseal,
        "Opens the sealed hands of a coup that is over, with a reason, to whoever asks.",
        (
            *_PATH,
            Field("reason", In.FORM, {"type": "string", "minLength": 1, "maxLength": MOST_WORDS}, is_required=True),
        ),
    ),
)
