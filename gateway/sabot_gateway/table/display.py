"""The dealer's display: at most four short lines in French and English, a function of the state.

First what is wrong or due now, then the words to be said. No line names a card;
a combination is named only where the rules announce it.
"""

from collections.abc import Iterator
from typing import Final

from sabot_gateway.model.effect import Line
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import Outcome, Settlement, Status
from sabot_gateway.rules.announcement import Announcement, bets_closed, coup_void, place_bets
from sabot_gateway.rules.cut import cut_offer, has_cut
from sabot_gateway.table.alerts.kind import spot_label, text_from_cents
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.state import CoupPhase, Due, DueStatus, SeancePhase, ShoePhase, Table

MOST_LINES: Final = 4
MOST_BYTES: Final = 40


def display_of(table: Table) -> tuple[Line, ...]:
    """The lines that stand now."""
    lines = [Line(_short(line.fr), _short(line.en)) for line in _lines(table)]
    return tuple(lines[:MOST_LINES])


def _lines(table: Table) -> Iterator[Line]:
    if table.review is not None:
        yield Line("COUP A VERIFIER : chef de table", "IN REVIEW: table head")
    held = [alert for alert in table.alerts.values() if alert.holds != "nothing"]
    if held:
        first = held[0]
        where = f" {first.seat}" if first.seat else ""
        yield Line(f"! {_code(first.code)}{where}", f"! {_code(first.code)}{where}")
    own = course_of(table).lines(table)
    if own:
        yield from own
        return
    match table.coup.phase:
        case CoupPhase.IDLE:
            yield from _idle(table)
        case CoupPhase.BETTING:
            yield _said(place_bets(table.setup.game))
        case CoupPhase.DEALING:
            yield from _dealing(table)
        case CoupPhase.DECIDING:
            seats = " ".join(str(seat) for seat in course_of(table).pending(table))
            yield Line(f"Décision : {seats}", f"To decide: {seats}")
        case CoupPhase.REVEALING:
            yield Line("Montrer la main", "Show the hand")
        case CoupPhase.PAYING:
            yield from _paying(table)
        case CoupPhase.CLEARING:
            yield from _void_words(table)
            yield Line("Ramasser les cartes", "Collect the cards")


def _idle(table: Table) -> Iterator[Line]:
    seance = table.seance
    if seance.phase is SeancePhase.CLOSED:
        yield Line("Table fermée", "Table closed")
    elif seance.phase is SeancePhase.OPENING:
        if not seance.deck_checked:
            yield Line("Compter les cartes", "Count the cards")
        if not seance.announced:
            values = table.setup.ruleset.values
            least, most = int(str(values["table_min"])), int(str(values.get("table_max") or 0))
            low, high = text_from_cents(least, ","), text_from_cents(most, ",")
            yield Line(f"Annoncer {low} - {high}", f"Announce {low.replace(',', '.')} - {high.replace(',', '.')}")
        if not table.staff.dealer:
            yield Line("Badge du croupier", "Dealer's badge")
    else:
        yield from _deck_lines(table)
        yield _said(place_bets(table.setup.game))


def _deck_lines(table: Table) -> Iterator[Line]:
    match table.shoe.phase:
        case ShoePhase.EMPTY | ShoePhase.COUNTING:
            yield Line("Compter les cartes", "Count the cards")
        case ShoePhase.COUNTED:
            yield Line("Mélanger", "Shuffle")
        case ShoePhase.SHUFFLED if has_cut(table.setup.game):
            seats = [seat for seat, state in table.seats.items() if state.taken] or list(table.coup.players)
            who = f" : {cut_offer(table.setup.game, seats, ()).cutter}" if seats else ""
            yield Line(f"Couper{who}", f"Cut{who}")
        case _:
            return


def _dealing(table: Table) -> Iterator[Line]:
    coup = table.coup
    if coup.served == 0 and table.setup.game in (Game.TCF, Game.STU):
        yield _said(bets_closed(table.setup.game))
        yield from _deck_lines(table)
    yield Line("Donne", "Deal")


def _paying(table: Table) -> Iterator[Line]:
    yield from _void_words(table)
    settlement = table.coup.settlement
    if isinstance(settlement, Settlement):
        for words in settlement.announcements:
            if words.seat is None or _is_open(table, words.seat):
                yield Line(words.say, words.english)
    due = next((due for due in table.coup.dues if due.status is DueStatus.PENDING and not due.is_quiet), None)
    if due is not None:
        yield _due_line(due)


def _void_words(table: Table) -> Iterator[Line]:
    """TCF-35: said until the cards are collected, for the stakes of a void coup may all lie where they belong."""
    settlement = table.coup.settlement
    if isinstance(settlement, Settlement) and settlement.status is Status.VOID:
        yield _said(coup_void(table.setup.game))


def _is_open(table: Table, seat: int) -> bool:
    """A bonus is announced once it is no secret any more."""
    return not any(due.is_quiet for due in table.coup.dues if due.place[0] == seat)


def _due_line(due: Due) -> Line:
    seat, spot = due.place
    fr, en = text_from_cents(due.target, ","), text_from_cents(due.target, ".")
    if due.outcome is Outcome.WIN:
        return Line(f"{seat} {spot_label(spot)} payer = {fr}", f"{seat} {spot_label(spot)} pay = {en}")
    if due.target < due.stake:
        return Line(f"{seat} {spot_label(spot)} ramasser", f"{seat} {spot_label(spot)} collect")
    return Line(f"{seat} {spot_label(spot)} laisser {fr}", f"{seat} {spot_label(spot)} leave {en}")


def _said(words: Announcement) -> Line:
    return Line(words.say, words.english)


def _code(code: str) -> str:
    return code.replace("_", " ").lower()


def _short(text: str) -> str:
    """Within the wire's forty bytes, never cut in the middle of a letter."""
    if len(text) <= MOST_BYTES and text.isascii():
        return text
    while len(text.encode()) > MOST_BYTES:
        text = text[:-1]
    return text
