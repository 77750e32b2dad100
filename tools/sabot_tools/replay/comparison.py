"""One table's stream folded again, decision by decision (law 4).

A decision that is not byte for byte what this release would decide is a difference, with its position, its cause and
both versions in words. Law 7: the words are those of the sentences, which name no card.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import Kind, Record, Stream
from sabot_gateway.model.effect import CancelTimer, Effect, RecordSettlement, StartTimer
from sabot_gateway.projections.sentence import NO_SCENE
from sabot_gateway.projections.sentences import scene_of, sentence_of
from sabot_gateway.projections.source import Source
from sabot_gateway.transcript.decision import body_from_decision, decision_from_body
from sabot_gateway.transcript.error import FactError
from sabot_gateway.transcript.fold import Fold, Lookup, Taken, kept_steps, skip_decision, take
from sabot_gateway.transcript.fold_snapshot import fold_from_bytes


@dataclass(frozen=True, slots=True)
class Difference:
    """`position` is that of the decision, 0 where the journal has none; `cause` that of the fact behind it."""

    table: str
    position: int
    cause: int
    happened: str
    journaled: tuple[str, ...]
    replayed: tuple[str, ...]
    sentence: str


@dataclass(slots=True)
class Replay:
    """What came of one table; `pending` is a last fact whose decision may still be on its way."""

    table: str
    records: int = 0
    decisions: int = 0
    from_snapshot: int = 0  # the position that a snapshot stood for, where older records are gone
    pending: int = 0
    differences: list[Difference] = field(default_factory=list)


def replayed(source: Source, stream: Stream, lookup: Lookup, advance: Callable[[int], None]) -> Replay:
    """The whole stream as far as it is kept; JournalError when it cannot be read."""
    replay = Replay(stream)
    fold = _begun(source, stream, lookup)
    replay.from_snapshot = fold.position
    waiting: dict[int, tuple[bytes, Taken]] = {}  # facts whose decision has not come yet
    try:
        for record in source.read(stream, fold.position):
            replay.records += 1
            if record.kind is Kind.DECISION:
                replay.decisions += 1
                fold = skip_decision(fold)
                replay.differences.extend(_judged(record, waiting))
            else:
                taken = take(fold, record.kind, record.body, record.received_ms)
                fold = taken.fold
                body = body_from_decision(record.position, kept_steps(taken))
                if body:
                    waiting[record.position] = body, taken
            advance(1)
    except (FactError, KeyError) as error:
        why = f"registers {error} are not in the journal" if isinstance(error, KeyError) else str(error)
        sentence = f"{stream}, position {fold.position + 1}: cannot be replayed: {why}"
        replay.differences.append(Difference(stream, fold.position + 1, 0, "", (), (), sentence))
        return replay
    replay.pending = len(waiting)
    return replay


def _missed(stream: str, waiting: dict[int, tuple[bytes, Taken]], cause: int) -> Iterator[Difference]:
    """Facts before `cause` that were never decided: decisions come in the order of their facts."""
    while waiting and (position := next(iter(waiting))) < cause:
        _, taken = waiting.pop(position)
        sentence = f"{stream}: the fact at position {position} has no decision in the journal."
        yield Difference(stream, 0, position, _happened(taken), (), _said(taken), sentence)


def _judged(record: Record, waiting: dict[int, tuple[bytes, Taken]]) -> Iterator[Difference]:
    try:
        decision = decision_from_body(record.body)
    except FactError as error:
        sentence = f"{record.stream}, position {record.position}: {error}"
        yield Difference(record.stream, record.position, 0, "", (), (), sentence)
        return
    yield from _missed(record.stream, waiting, decision.cause)
    body, taken = waiting.pop(decision.cause, (b"", None))
    if body == record.body:
        return
    journaled = tuple(_words(effect, taken) for step in decision.steps for effect in step.effects)
    if taken is None:
        sentence = (
            f"{record.stream}, position {record.position}: a decision on position {decision.cause},"
            " which this release would not decide."
        )
        yield Difference(record.stream, record.position, decision.cause, "", journaled, (), sentence)
        return
    sentence = (
        f"{record.stream}, position {record.position}: another decision on position {decision.cause}"
        f" ({_happened(taken)})"
    )
    yield Difference(
        record.stream, record.position, decision.cause, _happened(taken), journaled, _said(taken), sentence
    )


def _begun(source: Source, stream: Stream, lookup: Lookup) -> Fold:
    """From the first record; where retention removed it, from the snapshot that stands for it."""
    try:
        next(source.read(stream, 0), None)
    except JournalError as error:
        if error.code is not ErrorCode.REMOVED:
            raise
        snapshot = source.snapshot(stream)
        if snapshot is None:
            raise
        return fold_from_bytes(snapshot.body, lookup)
    return Fold(lookup)


def _happened(taken: Taken) -> str:
    events = [sentence_of(step.event).en for step in taken.steps if step.event is not None]
    return " ".join(events) or "The table is configured."


def _said(taken: Taken) -> tuple[str, ...]:
    kept = (
        effect for step in taken.steps for effect in step.effects if not isinstance(effect, StartTimer | CancelTimer)
    )
    return tuple(_words(effect, taken) for effect in kept)


def _words(effect: Effect, taken: Taken | None) -> str:
    state = None if taken is None else taken.fold.state
    said = sentence_of(effect, NO_SCENE if state is None else scene_of(state)).en
    if isinstance(effect, RecordSettlement):
        # Sums and rules tell two settlements apart without telling a card.
        seats = ", ".join(f"seat {seat.seat} {seat.net:+d}" for seat in effect.settlement.seats)
        return f"{said} {seats} ({' '.join(effect.rules)}; ruleset {effect.ruleset_sha256[:12]})"
    return said
