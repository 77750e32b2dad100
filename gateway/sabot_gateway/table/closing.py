"""From the first stake to *rien ne va plus*: a coup begins, stakes are verified, bets close."""

from typing import Final

from sabot_gateway.model.alert import Alert, Holds
from sabot_gateway.model.event import CardDoubted, ChipsRead
from sabot_gateway.rules.staff import Staffing, check_staff
from sabot_gateway.table.alerts import blinds, cards, chips, house, stakes
from sabot_gateway.table.change import replace
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.doubt import has_doubts, tell_doubts
from sabot_gateway.table.hours import judge_hours
from sabot_gateway.table.links import review_holes
from sabot_gateway.table.state import Coup, CoupPhase, SeancePhase, ShoePhase
from sabot_gateway.table.turn import Turn


def is_stake(turn: Turn) -> bool:
    """Chips came to a spot where opening stakes lie."""
    event = turn.event
    assert isinstance(event, ChipsRead)
    place = (event.seat, event.spot)
    pile = turn.felt.get(place)
    return pile is not None and pile.cents > 0 and course_of(turn).is_opening_place(turn, place)


def is_proper(turn: Turn) -> bool:
    """Every stake is proper, at least one seat plays, and no alert holds the closing."""
    opening = course_of(turn).opening(turn)
    return bool(opening.players) and not opening.alerts and not _chips_hold(turn)


def closes_by_card(turn: Turn) -> bool:
    return course_of(turn).first_card_closes and is_proper(turn)


def has_players(turn: Turn) -> bool:
    return bool(course_of(turn).opening(turn).players)


def closes_by_doubt(turn: Turn) -> bool:
    return deals_by_doubt(turn) and closes_by_card(turn)


def deals_by_doubt(turn: Turn) -> bool:
    """The first card was not read clearly; while the deck is being handled, a doubt at the shoe is no card."""
    event = turn.event
    assert isinstance(event, CardDoubted)
    return event.reader == 0 and turn.shoe.phase is ShoePhase.READY and has_players(turn)


def open_coup(turn: Turn) -> None:
    """A new coup begins with the first stake, the dealer's call, or the first card."""
    number = turn.coup.number + 1
    turn.coup = Coup(number=number, started_ms=turn.event.at_ms, phase=turn.coup.phase)
    _judge_seance(turn)
    judge_hours(turn)


def flag_stakes(turn: Turn) -> None:
    """TCF-23, STU-23, UTH-18: the bets stay open until every stake is proper."""
    opening = course_of(turn).opening(turn)
    _clear_corrected(turn, {alert.code for alert in opening.alerts})
    for alert in opening.alerts:
        turn.state_alert(alert)
    tell_doubts(turn)


def recheck_stakes(turn: Turn) -> None:
    """A stake moved while the bets are open: what was improper and is so no longer clears."""
    if any(map(is_opening, turn.alerts.values())):
        opening = course_of(turn).opening(turn)
        standing = {(alert.code, alert.seat, alert.spot) for alert in opening.alerts}
        for alert in turn.alerts.values():
            if is_opening(alert) and (alert.code, alert.seat, alert.spot) not in standing:
                turn.clear(alert.id)


def close_bets(turn: Turn) -> None:
    """From here on the opening stakes are frozen."""
    course = course_of(turn)
    opening = course.opening(turn)
    players = opening.players
    _clear_corrected(turn, {alert.code for alert in opening.alerts})
    turn.coup = replace(turn.coup, closed_ms=turn.event.at_ms)
    course.close(turn, players)
    _judge_seance(turn)
    review_holes(turn)
    turn.note("bets_closed", players=",".join(str(seat) for seat in players))
    game = turn.setup.game
    staffing = Staffing(chef_present=bool(turn.staff.head), dealer_present=bool(turn.staff.dealer))
    for fault in check_staff(game, turn.setup.ruleset.values, staffing):
        turn.state_alert(house.staff_missing(game, str(fault.detail), fault.rule))


def close_by_surprise(turn: Turn) -> None:
    """A card came before the closing words: the coup is followed, with those whose stakes are proper."""
    game = turn.setup.game
    turn.alert(cards.card_before_bets_closed(game))
    for alert in course_of(turn).opening(turn).alerts:
        turn.state_alert(alert)
    tell_doubts(turn)
    close_bets(turn)


def is_opening(alert: Alert) -> bool:
    """About an opening stake as the course judged it, not about the chips it is made of."""
    return alert.code in _NOBODY or (alert.holds is Holds.CLOSE and alert.code not in chips.CODES)


def exclude_seat(turn: Turn, seat: int) -> None:
    """The table head lets the coup begin without a seat whose stake is improper."""
    if turn.coup.phase in (CoupPhase.IDLE, CoupPhase.BETTING):
        turn.coup = replace(turn.coup, excluded=turn.coup.excluded | {seat})


def _judge_seance(turn: Turn) -> None:
    """A coup begins, or goes on with the stakes that lay there when the séance was closed."""
    if turn.seance.phase not in (SeancePhase.OPEN, SeancePhase.LAST_HANDS):
        turn.state_alert(house.coup_without_seance(turn.setup.game))


def _chips_hold(turn: Turn) -> bool:
    if has_doubts(turn):
        return True
    return any(alert.holds is Holds.CLOSE and alert.code in chips.CODES for alert in turn.alerts.values())


def _clear_corrected(turn: Turn, standing: set[str]) -> None:
    for alert in turn.alerts.values():
        if is_opening(alert) and alert.code not in standing:
            turn.clear(alert.id)


_NOBODY: Final = frozenset({stakes.NO_PLAYER.code, blinds.TOO_FEW_PLAYERS.code})
