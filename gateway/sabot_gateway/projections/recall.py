"""Any coup step by step: what came in, what Sabot concluded and by which rule, and the table as it stood after it.

Folds the coup's part of its stream with the one fold, from the nearest bookmark, snapshot or the stream's start, and
holds what it concludes against what was journaled that night.
Law 7: steps show what the table showed at that moment. Hands that stayed sealed open only with `unsealed=True`, only
when the coup is over, and the caller must journal that (`HandsUnsealed`) before anybody sees them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import Head, Kind, Record, Stream
from sabot_gateway.model.card import text_from_card
from sabot_gateway.model.effect import CancelTimer, Effect, RaiseAlert, RecordDecision, RecordSettlement, StartTimer
from sabot_gateway.model.event import Event
from sabot_gateway.model.review import ReviewEvent
from sabot_gateway.projections.bookmarks import EVERY, Bookmarks
from sabot_gateway.projections.coups import CoupEntry
from sabot_gateway.projections.note_rules import rule_of_note
from sabot_gateway.projections.rule_text import RuleText, rule_text
from sabot_gateway.projections.sentence import NO_SCENE, Scene, Sentence
from sabot_gateway.projections.sentences import scene_of, sentence_of
from sabot_gateway.projections.shelf import Shelf
from sabot_gateway.projections.source import Source
from sabot_gateway.table.machine import step
from sabot_gateway.table.sealed import unsealed_for_rules
from sabot_gateway.table.state import DueStatus, TableState, amount_at
from sabot_gateway.table.view import view_of
from sabot_gateway.transcript.decision import body_from_decision, decision_from_body
from sabot_gateway.transcript.error import FactError
from sabot_gateway.transcript.fact import Batch, Fact, Said, read_fact
from sabot_gateway.transcript.fold import Fold, Taken, kept_steps, take
from sabot_gateway.transcript.fold_snapshot import bytes_from_fold, fold_from_bytes


class RecallError(Exception):
    """Why a coup cannot be recalled, in one sentence."""


@dataclass(frozen=True, slots=True)
class Concluded:
    """One effect of a step, said in words, with the words of its rules."""

    sentence: Sentence
    rules: tuple[RuleText, ...] = ()


@dataclass(frozen=True, slots=True)
class SpotAccount:
    """Expected against actual on one spot: what must lie there, and what lay there when it was last judged."""

    seat: int
    spot: str
    stake_cents: int
    expected_cents: int
    actual_cents: int
    outcome: str
    status: str
    rule: str


@dataclass(frozen=True, slots=True)
class RecallStep:
    """One fact and what followed from it.

    `device_ms` is what the controller's own clock said, `at_ms` the same moment in UTC give or take `spread_ms`,
    `received_ms` when the gateway had it. `sealed` is empty unless sealed hands were asked for.
    """

    id: int
    position: int
    nth: int
    kind: str
    device: str
    device_ms: int | None
    at_ms: int
    spread_ms: int
    received_ms: int
    by: str
    sentence: Sentence
    concluded: tuple[Concluded, ...]
    spots: tuple[SpotAccount, ...]
    view: Mapping[str, object]
    sealed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recalled:
    """`differs` lists positions of decisions that this release would make otherwise: the journal's word stands."""

    table: str
    number: int
    steps: tuple[RecallStep, ...]
    spots: tuple[SpotAccount, ...]
    differs: tuple[int, ...]
    folded: int  # records that had to be folded before the first step


def recall(source: Source, coup: CoupEntry, *, bookmarks: Bookmarks | None = None, unsealed: bool = False) -> Recalled:
    """The coup of the index; RecallError when its records are gone or cannot be folded."""
    if unsealed and coup.end_id is None:
        raise RecallError(f"Coup {coup.number} of {coup.table} is not over: its sealed cards stay sealed.")
    stream = Stream(coup.table)
    fold = _begun(source, stream, coup.start_position, bookmarks)
    begun_at = fold.position
    steps: list[RecallStep] = []
    differs: list[int] = []
    spots: dict[tuple[int, str], SpotAccount] = {}
    awaited: set[bytes] = set()  # several facts may be journaled before the first decision on them
    try:
        for record in source.read(stream, fold.position):
            if coup.end_position is not None and record.position > coup.end_position:
                break
            before = fold.state
            taken = take(fold, record.kind, record.body, record.received_ms)
            fold = taken.fold
            if record.kind is not Kind.DECISION:
                awaited.add(body_from_decision(record.position, kept_steps(taken)))
            elif record.body in awaited:
                awaited.remove(record.body)
            elif record.position >= coup.start_position and _cause(record) > begun_at:
                differs.append(record.position)
            if record.position < coup.start_position:
                if bookmarks is not None and record.position % EVERY == 0:
                    bookmarks.keep(stream, Head(record.position, record.hash), bytes_from_fold(fold))
                continue
            if record.kind is not Kind.DECISION:
                steps.extend(_steps(record, before, taken, spots, coup.number, unsealed))
    except JournalError as error:
        raise RecallError(f"Coup {coup.number} of {coup.table} cannot be read: {error}") from error
    except (FactError, KeyError) as error:
        raise RecallError(f"Coup {coup.number} of {coup.table} cannot be folded: {error}") from error
    return Recalled(
        coup.table, coup.number, tuple(steps), tuple(spots.values()), tuple(differs), coup.start_position - begun_at - 1
    )


def _begun(source: Source, stream: Stream, position: int, bookmarks: Bookmarks | None) -> Fold:
    """The nearest fold before `position`."""
    lookup = Shelf(source)
    for head, body in _candidates(source, stream, position, bookmarks):
        try:
            if _stands(source, stream, head):
                return fold_from_bytes(body, lookup)
        except (FactError, KeyError, JournalError):
            pass  # written by another release, or past its retention: the next one, or the stream itself
        if bookmarks is not None:
            bookmarks.drop(stream, head.position)
    return Fold(lookup)


def _candidates(
    source: Source, stream: Stream, position: int, bookmarks: Bookmarks | None
) -> Iterator[tuple[Head, bytes]]:
    snapshot = source.snapshot(stream)
    kept = None if bookmarks is None else bookmarks.before(stream, position)
    nearest = 0 if kept is None else kept[0].position
    if snapshot is not None and nearest <= snapshot.head.position < position:
        yield snapshot.head, snapshot.body
    while kept is not None and bookmarks is not None:
        yield kept
        kept = bookmarks.before(stream, kept[0].position)


def _cause(decision: Record) -> int:
    """The position of the fact that was decided on; the record's own where this release cannot read it."""
    try:
        return decision_from_body(decision.body, with_lamps=False, with_notes=False).cause
    except FactError:
        return decision.position


def _stands(source: Source, stream: Stream, head: Head) -> bool:
    """Whether the chain has this very record at this place."""
    try:
        record = next(source.read(stream, head.position - 1), None)
    except JournalError as error:
        # Retention has removed the record itself: a signed snapshot stands for it.
        return error.code is ErrorCode.REMOVED
    return record is not None and record.hash == head.hash


def _steps(
    record: Record,
    before: TableState | None,
    taken: Taken,
    spots: dict[tuple[int, str], SpotAccount],
    number: int,
    unsealed: bool,
) -> Iterator[RecallStep]:
    fact = read_fact(record.kind, record.body)
    device, offset_ms, spread_ms, by = "", None, 0, ""
    if isinstance(fact, Batch):
        device, offset_ms, spread_ms = fact.device, fact.offset_ms, fact.spread_ms
    elif isinstance(fact, Said):
        device, by = fact.event.device, fact.by
    for nth, event, effects, state in _stepped(fact, before, taken):
        if state is not None and state.coup.number == number:
            _account(state, spots)
        at_ms = record.received_ms if event is None or not event.at_ms else event.at_ms
        scene = NO_SCENE if state is None else scene_of(state)
        yield RecallStep(
            id=record.id,
            position=record.position,
            nth=nth,
            kind="operator" if record.kind is Kind.OPERATOR else "fact",
            device=device,
            device_ms=None if offset_ms is None else at_ms - offset_ms,
            at_ms=at_ms,
            spread_ms=spread_ms,
            received_ms=record.received_ms,
            by=by,
            sentence=_CONFIGURED if event is None else sentence_of(event, scene),
            concluded=tuple(_concluded(effect, scene) for effect in effects if not isinstance(effect, _TIMERS)),
            spots=tuple(spots.values()),
            view={} if state is None else view_of(state),
            sealed=_unsealed(state, number) if unsealed and state is not None else {},
        )


_Stepped = tuple[int, Event | ReviewEvent | None, tuple[Effect, ...], TableState | None]


def _stepped(fact: Fact, before: TableState | None, taken: Taken) -> Iterator[_Stepped]:
    """Each step with the table as it stood after it; the fold itself tells only the last."""
    if isinstance(fact, Said) and not taken.steps:  # what people do in the alert queue concerns no table
        yield 0, fact.event, (), taken.fold.state
    state = before
    last = len(taken.steps) - 1
    for nth, (_, event, effects) in enumerate(taken.steps):
        if nth == last:
            state = taken.fold.state
        elif state is not None and event is not None:
            state = step(state, event).state
        yield nth, event, effects, state


def _concluded(effect: Effect, scene: Scene) -> Concluded:
    ids: tuple[str, ...] = ()
    if isinstance(effect, RaiseAlert):
        ids = (effect.alert.rule,)
    elif isinstance(effect, RecordSettlement):
        ids = effect.rules
    elif isinstance(effect, RecordDecision):
        ids = (rule_of_note(scene.game, effect, scene.street),)
    texts = (rule_text(rule) for rule in ids if rule)
    return Concluded(sentence_of(effect, scene), tuple(text for text in texts if text is not None))


def _account(state: TableState, spots: dict[tuple[int, str], SpotAccount]) -> None:
    """A spot that was right once may be emptied by its player: what it held when it was judged stands."""
    for due in state.coup.dues:
        if due.is_quiet:
            continue  # A-TCF-09: not to be shown until it is claimed or the dealer has paid
        place = due.place
        known = spots.get(place)
        judged = None if known is None or due.status is DueStatus.PENDING else (known.status, known.expected_cents)
        if judged == (str(due.status), due.target):
            continue
        spots[place] = SpotAccount(
            place[0],
            str(place[1]),
            due.stake,
            due.target,
            amount_at(state, place),
            str(due.outcome),
            str(due.status),
            due.rule,
        )


def _unsealed(state: TableState, number: int) -> dict[str, tuple[str, ...]]:
    """Every hand of the coup as it lay, by seat; the dealer's as `dealer`."""
    coup = state.coup
    if coup.number != number:
        return {}
    hands = {str(seat): hand for seat, hand in coup.hands.items()} | {"dealer": coup.dealer}
    return {
        name: tuple(text_from_card(card) for card in unsealed_for_rules(hand)) for name, hand in hands.items() if hand
    }


_CONFIGURED: Final = Sentence("La table est configurée.", "The table is configured.")
_TIMERS: Final = (StartTimer, CancelTimer)
