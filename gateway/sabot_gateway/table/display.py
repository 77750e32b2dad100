"""The dealer's display: at most four short lines in French and English, a function of the state.

First what is wrong or due now, then the words to be said. No line names a card;
a combination is named only where the rules announce it.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from sabot_gateway.model.alert import Holds
from sabot_gateway.model.effect import Line
from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import Outcome, Settlement, Status
from sabot_gateway.rules.announcement import Announcement, bets_closed, coup_void, place_bets
from sabot_gateway.rules.cut import has_cut
from sabot_gateway.rules.spot_name import spot_label
from sabot_gateway.rules.vocabulary import Language
from sabot_gateway.table.alerts.kind import text_from_cents
from sabot_gateway.table.alerts.short_words import short_words
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.shoe import cut_due
from sabot_gateway.table.state import CoupPhase, DueStatus, SeancePhase, ShoePhase, Table

MOST_LINES: Final = 4
MOST_BYTES: Final = 40


def display_of(table: Table) -> tuple[Line, ...]:
    """The lines that stand now."""
    lines: list[Line] = []
    if table.review is not None:
        lines.append(Line("COUP A VERIFIER : chef de table", "IN REVIEW: table head"))
    for alert in table.alerts.values():
        if alert.holds is not Holds.NOTHING:
            where = f" {alert.seat}" if alert.seat else ""
            fr, en = short_words(alert.code)
            lines.append(Line(f"! {fr}{where}", f"! {en}{where}"))
            break
    lines.extend(course_of(table).lines(table) or _phase_lines(table))
    return tuple([_fitting(line) for line in lines[:MOST_LINES]])


def _phase_lines(table: Table) -> Iterator[Line]:
    """The words of each phase where the game has none of its own."""
    match table.coup.phase:
        case CoupPhase.IDLE:
            yield from _idle(table)
        case CoupPhase.BETTING if table.seance.phase in (SeancePhase.CLOSED, SeancePhase.OPENING):
            yield from _idle(table)  # stakes at a closed table invite nobody to more of them
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
            offer = cut_due(table)
            who = f" : {offer.cutter}" if offer is not None else ""
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
    # The amount first: announcements may be more than the display has lines.
    due = next((due for due in table.coup.dues if due.status is DueStatus.PENDING and not due.is_quiet), None)
    if due is not None:
        yield _due_line(table.setup.game, *due.place, due.target, due.outcome is Outcome.WIN, due.target < due.stake)
    settlement = table.coup.settlement
    if isinstance(settlement, Settlement):
        for words in settlement.announcements:
            if words.seat is None or _is_open(table, words.seat):
                yield Line(words.say, words.english)


def _void_words(table: Table) -> Iterator[Line]:
    """TCF-35: said until the cards are collected, for the stakes of a void coup may all lie where they belong."""
    settlement = table.coup.settlement
    if isinstance(settlement, Settlement) and settlement.status is Status.VOID:
        yield _said(coup_void(table.setup.game))


def _is_open(table: Table, seat: int) -> bool:
    """A bonus is announced once it is no secret any more."""
    return not any(due.is_quiet for due in table.coup.dues if due.place[0] == seat)


@lru_cache(maxsize=1024)
def _due_line(game: Game, seat: int, spot: FeltSpot, target: int, wins: bool, loses: bool) -> Line:
    fr, en = text_from_cents(target, ","), text_from_cents(target, ".")
    case, box = (f"{seat} {spot_label(spot, game, language)}" for language in (Language.FR, Language.EN))
    if wins:
        return Line(f"{case} payer = {fr}", f"{box} pay = {en}")
    if loses:
        return Line(f"{case} ramasser", f"{box} collect")
    return Line(f"{case} laisser {fr}", f"{box} leave {en}")


def _said(words: Announcement) -> Line:
    return Line(words.say, words.english)


def _fitting(line: Line) -> Line:
    """The line itself, or a shorter one."""
    if 2 * len(line.fr) <= MOST_BYTES and 2 * len(line.en) <= MOST_BYTES:
        return line  # the letters of both languages take two bytes at most
    fr, en = _short(line.fr), _short(line.en)
    return line if fr is line.fr and en is line.en else Line(fr, en)


def _short(text: str) -> str:
    """Within the wire's forty bytes, never cut in the middle of a letter."""
    if len(text) <= MOST_BYTES and text.isascii():
        return text
    while len(text.encode()) > MOST_BYTES:
        text = text[:-1]
    return text
