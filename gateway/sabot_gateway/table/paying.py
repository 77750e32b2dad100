"""The payments, as a closed loop: each spot must come to hold exactly what is due.

A stake that is lost must leave its spot; one that wins must grow to stake plus
winnings; one that is returned lies there until the payments have come to it. A
spot that was right once may be emptied by its player. Too much is seen at once;
too little when the dealer says he has paid, collects the cards or calls for new bets.
"""

from sabot_gateway.model.alert import Alert, Holds
from sabot_gateway.model.coup import Decision
from sabot_gateway.model.event import ChipsRead, KeyPressed
from sabot_gateway.model.settlement import Comparison, Outcome, Settlement
from sabot_gateway.table.alerts import payout, stakes
from sabot_gateway.table.change import replace
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.doubt import cleared_doubts, is_doubted
from sabot_gateway.table.settled import Settled
from sabot_gateway.table.state import Due, DueStatus, Place, Table, amount_at
from sabot_gateway.table.turn import Turn


def begin_payment(turn: Turn, settled: Settled) -> None:
    """The dues, with those that are right already; a claim keeps what was paid before it.

    Where several bets meet, or a stake was raised too late, the right amount may be chance: it counts once chips moved
    to it or the dealer says `paid`.
    """
    known = {due.place: due for due in turn.coup.dues}
    dues = []
    for due in course_of(turn).dues(turn, settled):
        old = known.get(due.place)
        if old is not None and old.target == due.target and old.status is not DueStatus.PENDING:
            due = replace(due, status=old.status)
        elif amount_at(turn, due.place) == due.target and not _may_be_chance(due):
            due = replace(due, status=DueStatus.RIGHT)
        dues.append(due)
    turn.coup = replace(turn.coup, dues=tuple(dues))
    if not known:
        for due in dues:
            if due.is_quiet and due.target > 0:
                turn.alert(payout.unclaimed_bonus(turn.setup.game, *due.place))


def _may_be_chance(due: Due) -> bool:
    """What the bank has to add cannot lie there before it has paid: a late stake that was let stand looks like it."""
    return due.is_shared or 0 < due.stake < due.target


def spot_paid(turn: Turn) -> None:
    """A spot changed while the dealer pays."""
    event = turn.event
    assert isinstance(event, ChipsRead)
    place = (event.seat, event.spot)
    for other in sorted(cleared_doubts(turn) - {place}):
        _judge_move(turn, other)
    if turn.felt is not turn.before.felt and not is_doubted(turn, place):
        amount, due = amount_at(turn, place), _due_at(turn, place)
        # Chips exchanged for others of the same worth are a payment only where they make the spot right (TCP-19).
        if amount != _before(turn, place) or (due is not None and amount == due.target):
            _judge_move(turn, place)


def paid_again(turn: Turn) -> None:
    """All was right and the cards are being collected: more chips on top of a payment are too much.

    A spot that its player emptied first may hold his next stake.
    """
    event = turn.event
    assert isinstance(event, ChipsRead)
    place = (event.seat, event.spot)
    due = _due_at(turn, place)
    if due is None or due.outcome is not Outcome.WIN or place[1] in _TABLE_SPOTS or is_doubted(turn, place):
        return
    amount, before = amount_at(turn, place), _before(turn, place)
    known = [(alert.seat, alert.spot) for alert in turn.alerts.values() if alert.code == payout.OVERPAID.code]
    if amount <= due.target:
        turn.clear_code(payout.OVERPAID.code, *place)
    elif amount != before and (place in known or before == due.target):
        turn.state_alert(payout.overpaid(turn.setup.game, *place, amount, due.target, due.rule))


def _judge_move(turn: Turn, place: Place) -> None:
    amount, due = amount_at(turn, place), _due_at(turn, place)
    if due is None:
        _new_bet(turn, place, amount)
    else:
        _judge(turn, due, amount, _before(turn, place))


def _due_at(table: Table, place: Place) -> Due | None:
    return next((due for due in table.coup.dues if due.place == place), None)


def check_paid(turn: Turn) -> None:
    """The dealer has finished: whatever is not right is named, spot by spot."""
    turn.coup = replace(turn.coup, claims_closed=True, dues=tuple(replace(d, is_quiet=False) for d in turn.coup.dues))
    for due in turn.coup.dues:
        if due.status is not DueStatus.PENDING or is_doubted(turn, due.place):
            continue
        if amount_at(turn, due.place) == due.target:
            _mark(turn, due, DueStatus.RIGHT)
        else:
            turn.state_alert(_shortfall(turn, due))


def is_paid(turn: Turn) -> bool:
    """Every spot has held what is due, or the table head let it pass."""
    for due in turn.coup.dues:
        if due.status is DueStatus.PENDING:
            return False
    return not turn.is_held(Holds.PAY)


def claim(turn: Turn) -> bool:
    """TCF-77, TCF-78, STU-73: the player announced his bonus; his cards are turned."""
    event = turn.event
    assert isinstance(event, KeyPressed)
    places = {due.place for due in turn.coup.dues if due.is_quiet and due.place[0] == event.seat}
    if not places or turn.coup.claims_closed:
        return False
    turn.coup = replace(turn.coup, claims=turn.coup.claims | places)
    for place in places:
        turn.clear_code(payout.UNCLAIMED_BONUS.code, *place)
    return True


def override_due(turn: Turn, seat: int, spot: str) -> None:
    """The table head's recorded word that this spot is settled as it lies."""
    turn.coup = replace(
        turn.coup,
        dues=tuple(
            replace(due, status=DueStatus.OVERRIDDEN) if due.place == (seat, spot) else due for due in turn.coup.dues
        ),
    )


def _judge(turn: Turn, due: Due, amount: int, before: int) -> None:
    game, (seat, spot) = turn.setup.game, due.place
    for alert in turn.alerts.values():
        if alert.seat == seat and alert.spot == spot and (alert.holds is Holds.PAY or alert.code == "LATE_BET"):
            turn.clear(alert.id)
    if amount == due.target:
        _mark(turn, due, DueStatus.RIGHT)
    elif due.status is DueStatus.PENDING:
        if amount > max(due.target, due.stake):
            turn.state_alert(_own(turn, due) or payout.overpaid(game, seat, spot, amount, due.target, due.rule))
        elif due.target >= due.stake > amount:
            # A stake that is not lost was taken before it was paid.
            turn.state_alert(payout.underpaid(game, seat, spot, amount, due.target, due.rule))
        elif turn.coup.claims_closed:
            turn.state_alert(_shortfall(turn, due))
    elif amount < before and _is_before_its_turn(turn, due):
        _mark(turn, due, DueStatus.PENDING)
        turn.state_alert(payout.underpaid(game, seat, spot, amount, due.target, due.rule))
    elif amount > due.target and amount > before:
        if due.target == 0:
            turn.state_alert(stakes.moved_after_close(game, seat, spot, 0, amount))
        else:
            _mark(turn, due, DueStatus.PENDING)
            turn.state_alert(payout.overpaid(game, seat, spot, amount, due.target, due.rule))


def _is_before_its_turn(turn: Turn, due: Due) -> bool:
    """A returned stake is right as it lies, so its leaving says nothing, unless the dealer has not come to it yet."""
    if due.outcome is not Outcome.PUSH or due.status is not DueStatus.RIGHT:
        return False
    first = next((each for each in turn.coup.dues if each.status is DueStatus.PENDING and not each.is_quiet), due)
    return turn.coup.dues.index(first) < turn.coup.dues.index(due)


def _shortfall(turn: Turn, due: Due) -> Alert:
    game, (seat, spot) = turn.setup.game, due.place
    amount = amount_at(turn, due.place)
    own = _own(turn, due)
    if own is not None:
        return own
    if due.target < due.stake and amount > due.target:
        return payout.losing_stake_left(game, seat, spot, amount, due.rule)
    if amount > due.target:
        return payout.overpaid(game, seat, spot, amount, due.target, due.rule)
    if spot in _SIDE_SPOTS and is_beaten(turn, seat):
        return payout.side_bet_unpaid(game, seat, spot, amount, due.target, due.rule)
    return payout.underpaid(game, seat, spot, amount, due.target, due.rule)


def _own(turn: Turn, due: Due) -> Alert | None:
    return course_of(turn).wrong_due(turn, due, amount_at(turn, due.place))


def is_beaten(table: Table, seat: int) -> bool:
    """A hand that folded or lost: its side bets are the ones a dealer forgets."""
    settlement = table.coup.settlement
    if table.coup.decisions.get(seat) is Decision.FOLD:
        return True
    if not isinstance(settlement, Settlement):
        return False
    return any(result.seat == seat and result.comparison is Comparison.LOSE for result in settlement.seats)


def _new_bet(turn: Turn, place: Place, amount: int) -> None:
    seat, spot = place
    for code in stakes.MOVED_CODES:
        turn.clear_code(code, seat, spot)
    if amount > _before(turn, place) and spot not in _TABLE_SPOTS:
        turn.state_alert(stakes.moved_after_close(turn.setup.game, seat, spot, 0, amount))


def _mark(turn: Turn, due: Due, status: DueStatus) -> None:
    dues = turn.coup.dues
    nth = next(nth for nth, each in enumerate(dues) if each.place == due.place)
    turn.coup = replace(turn.coup, dues=(*dues[:nth], replace(dues[nth], status=status), *dues[nth + 1 :]))


def _before(turn: Turn, place: Place) -> int:
    return amount_at(turn.before, place)


_SIDE_SPOTS = frozenset({"pair_plus", "six_card", "trips", "bonus"})
_TABLE_SPOTS = frozenset({"stack", "pot", "rake", "float", "bet"})


def cards_collected(turn: Turn) -> None:
    """The hand of a seat went to the rack: what is not right there by now is wrong."""
    rack = turn.shoe.rack
    gone = {seat for seat, hand in turn.coup.hands.items() if hand and all(card.has_tag(rack) for card in hand)}
    before = turn.before.shoe.rack
    for due in turn.coup.dues:
        seat = due.place[0]
        if due.status is not DueStatus.PENDING or seat not in gone:
            continue
        if turn.coup.decisions.get(seat) is Decision.FOLD and all(
            card.has_tag(before) for card in turn.coup.hands[seat]
        ):
            continue  # his cards had been given up before
        if amount_at(turn, due.place) != due.target:
            turn.state_alert(_shortfall(turn, due))
