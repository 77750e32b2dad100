"""One record after the other into the views: decisions and what people did; facts only where they name people.

Owns which record concerns which view, and the sheets in between. It never folds a table: settlements, alerts and
phases stand in the decisions as they were journaled, so ten million records need no rules to be run again. Of a
controller's batches only those that hold a badge are opened.
"""

import sqlite3
from typing import Final

from sabot_gateway.journal.record import Kind, Record
from sabot_gateway.model.effect import ClearAlert, Effect, RaiseAlert, RecordDecision, RecordSettlement
from sabot_gateway.model.registers import Registers
from sabot_gateway.projections import alerts, cards, coups, statistics
from sabot_gateway.projections.declared import apply_waiting, take_fact, take_house_action
from sabot_gateway.projections.happening import Happening
from sabot_gateway.projections.sentence import Scene
from sabot_gateway.projections.sentences import sentence_of
from sabot_gateway.projections.sheet import Sheet, sheet_from_text, text_from_sheet
from sabot_gateway.projections.shelf import HOUSE
from sabot_gateway.projections.staff import keep_action
from sabot_gateway.transcript.decision import decision_from_body
from sabot_gateway.transcript.error import FactError
from sabot_gateway.transcript.fold import Lookup

_QUARANTINE: Final = "quarantine/"


class Projector:
    """Used by one thread, inside the store's transactions."""

    def __init__(self, db: sqlite3.Connection) -> None:
        """`lookup` finds registers by digest; whoever hands in records sets it first."""
        self._db = db
        self._sheets: dict[str, Sheet] = {}
        self._changed: set[str] = set()
        self.lookup: Lookup = _nothing
        self.unreadable = 0  # records whose body this release cannot read; `sabot replay` names them

    def take(self, record: Record) -> None:
        stream = record.stream
        if stream.startswith(HOUSE):
            self._take_house(record)
            return
        if stream.startswith(_QUARANTINE):
            return
        sheet = self._sheet(stream)
        self._changed.add(stream)
        at_ms = record.received_ms if record.device_ms is None else record.device_ms
        sheet.last_id = record.id
        if record.kind is Kind.DECISION:
            self._decide(record, sheet)
            return
        sheet.remember(record.position, at_ms)
        at = Happening(record.id, stream, record.position, record.position, at_ms)
        self.unreadable += not take_fact(self._db, self.lookup, sheet, record, at)

    def _take_house(self, record: Record) -> None:
        """Alarms of the gateway itself and what people do about them; actions that concern no table."""
        if record.kind is Kind.DECISION:
            self._decide(record, Sheet())  # no coup, no dealer: nothing of a sheet outlasts the record
        else:
            self.unreadable += not take_house_action(self._db, record)

    def flush(self) -> None:
        """Writes the sheets that changed; the store commits."""
        self._db.executemany(
            "INSERT OR REPLACE INTO sheet (stream, content) VALUES (?, ?)",
            [(stream, text_from_sheet(self._sheets[stream])) for stream in sorted(self._changed)],
        )
        self._changed.clear()
        if self.unreadable:
            self._db.execute("UPDATE progress SET unreadable = unreadable + ?", (self.unreadable,))
            self.unreadable = 0

    def forget(self) -> None:
        """The transaction was taken back: what is in memory is not true any more."""
        self._sheets.clear()
        self._changed.clear()
        self.unreadable = 0

    def _sheet(self, stream: str) -> Sheet:
        sheet = self._sheets.get(stream)
        if sheet is None:
            row = self._db.execute("SELECT content FROM sheet WHERE stream = ?", (stream,)).fetchone()
            sheet = self._sheets[stream] = Sheet() if row is None else sheet_from_text(row[0])
        return sheet

    def _decide(self, record: Record, sheet: Sheet) -> None:
        try:
            decision = decision_from_body(record.body)
        except FactError:
            self.unreadable += 1
            return
        at_ms = sheet.recall(decision.cause, record.received_ms)
        sheet.changed_ms = at_ms
        at = Happening(record.id, record.stream, record.position, decision.cause, at_ms)
        for _, effects in decision.steps:
            for effect in effects:
                self._perform(effect, sheet, at)

    def _perform(self, effect: Effect, sheet: Sheet, at: Happening) -> None:
        db = self._db
        match effect:
            case RaiseAlert(alert=alert):
                alerts.raise_alert(db, sheet, alert, at)
            case ClearAlert(how=how, by=by):
                alerts.end_alert(db, sheet, effect, at)
                if by and how == "overridden":
                    keep_action(db, sheet, at, "alert_overridden", by, sentence_of(effect, _scene(sheet)))
            case RecordSettlement(coup=evidence, number=number, by=by):
                if not sheet.coup:
                    coups.begin_coup(db, sheet, number, at)
                coups.settle_coup(db, sheet, effect, at)
                sheet.cards = list(cards.cards_of(evidence))
                if by:
                    keep_action(db, sheet, at, "coup_settled", by, sentence_of(effect, _scene(sheet)))
            case RecordDecision():
                self._note(effect, sheet, at)
            case _:
                pass  # lamps are performed, and shown by the recall of a coup; timers are not journaled

    def _note(self, effect: RecordDecision, sheet: Sheet, at: Happening) -> None:
        db, detail = self._db, dict(effect.detail)
        match effect.kind:
            case "phase":
                self._phase(str(detail["to"]), effect.number, sheet, at)
            case "bets_closed":
                coups.close_bets(db, sheet, effect)
            case "coup_finished":
                self._finish(sheet, at)
            case "seance_opening":
                sheet.seance, sheet.is_open = sheet.seance + 1, True
                keep_action(db, sheet, at, effect.kind, str(detail["by"]), sentence_of(effect))
            case "seance_closed":
                sheet.is_open = False
                keep_action(db, sheet, at, effect.kind, str(detail["by"]), sentence_of(effect))
            case _:
                pass

    def _phase(self, to: str, number: int, sheet: Sheet, at: Happening) -> None:
        db = self._db
        if to == "idle":
            if sheet.coup:
                coups.end_coup(db, sheet, at, abandoned=True)
                sheet.coup = 0
                apply_waiting(self.lookup, sheet)
        elif not sheet.coup or number != sheet.number:
            coups.begin_coup(db, sheet, number, at)
        if to == "clearing":
            sheet.paid_ms = at.at_ms
        sheet.phase, sheet.phase_ms = to, at.at_ms

    def _finish(self, sheet: Sheet, at: Happening) -> None:
        if not sheet.coup:
            return  # its beginning is in no record that is kept
        coups.end_coup(self._db, sheet, at)
        statistics.count_coup(self._db, sheet, at)
        if sheet.cards:
            cards.count_cards(self._db, at.stream, sheet.game, sheet.cards)
        row = self._db.execute("SELECT status, win_cents FROM coup WHERE id = ?", (sheet.coup,)).fetchone()
        sheet.outcome = {
            "number": sheet.number,
            "status": row[0],
            "win_cents": row[1],
            "category": sheet.category,
            "end_ms": at.at_ms,
        }
        sheet.coup, sheet.end_ms, sheet.cards = 0, at.at_ms, []
        apply_waiting(self.lookup, sheet)


def _nothing(digest: str) -> Registers:
    raise KeyError(digest)


def _scene(sheet: Sheet) -> Scene:
    return Scene(sheet.game_or_none)
