"""The settlement: the dealer shows his hand, the rules decide, the decision is recorded with its evidence."""

from sabot_gateway.model.alert import Holds
from sabot_gateway.model.coup import Void
from sabot_gateway.model.effect import RecordSettlement
from sabot_gateway.model.event import CoupVoided, KeyPressed
from sabot_gateway.model.holdem import HoldemSettlement
from sabot_gateway.model.settlement import Settlement
from sabot_gateway.rules.rejection import Refusal
from sabot_gateway.table.alerts import cards, house, payout
from sabot_gateway.table.authority import has_authority
from sabot_gateway.table.change import replace
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.doubt import has_doubts
from sabot_gateway.table.paying import begin_payment, claim
from sabot_gateway.table.review import begin_review, end_review
from sabot_gateway.table.sealed import SealedCard
from sabot_gateway.table.settled import Settled
from sabot_gateway.table.state import CoupPhase, ReviewCause
from sabot_gateway.table.turn import Turn


def reveal(turn: Turn) -> None:
    """TCF-44, STU-44, UTH-27: the dealer's hand is on the table for all to see."""
    turn.coup = replace(turn.coup, is_revealed=True)
    check_evidence(turn)


def check_evidence(turn: Turn) -> None:
    """What must still be seen once the hand is shown, and what has been seen since (STU-59)."""
    if not turn.coup.is_revealed:
        return
    missing = course_of(turn).missing_evidence(turn)
    seats = {alert.seat for alert in missing}
    for alert in turn.alerts.values():
        if alert.code == cards.DISCARD_NOT_SEEN.code and alert.seat not in seats:
            turn.clear(alert.id)
    for alert in missing:
        turn.state_alert(alert)
    if missing and not turn.setup.fitted.rack:
        begin_review(turn, ReviewCause.DISCARD_NOT_SEEN)  # nobody will read it: the table head reads out the hands


def is_uncontested(turn: Turn) -> bool:
    """THE-122: all but one have folded, so nobody has to show."""
    hand = turn.coup.holdem
    return hand is not None and not turn.coup.is_revealed and hand.betting.is_uncontested


def end_uncontested(turn: Turn) -> None:
    turn.coup = replace(turn.coup, is_revealed=True)


def flag_pending(turn: Turn) -> None:
    """The dealer would show his hand while somebody still has to decide."""
    for seat in course_of(turn).pending(turn):
        turn.state_alert(cards.decision_pending(turn.setup.game, seat))


def settles(turn: Turn) -> bool:
    """The hand is shown, nothing holds the settlement, and the rules accept the coup."""
    coup = turn.coup
    if not coup.is_revealed or turn.review is not None or turn.is_held(Holds.SETTLE) or has_doubts(turn):
        return False  # a chip that counts on two spots could make an unpaid stake look paid
    if turn.settled is None:
        turn.settled = course_of(turn).settle(turn)
    return isinstance(turn.settled, Settled)


def is_refused(turn: Turn) -> bool:
    """The rules would not settle this coup as it was read."""
    return isinstance(turn.settled, Refusal) and turn.review is None


def flag_refusal(turn: Turn) -> None:
    """Evidence that the rules refuse is incomplete or wrong: people must look."""
    assert isinstance(turn.settled, Refusal)
    for fault in turn.settled.faults:
        turn.state_alert(payout.cannot_settle(turn.setup.game, fault.code, fault.rule, fault.seat))
    begin_review(turn, ReviewCause.CANNOT_SETTLE)
    turn.settled = None


def record(turn: Turn) -> None:
    """The decision, journaled with cards, stakes, ruleset and rules; then the payments begin."""
    settled = turn.settled
    assert isinstance(settled, Settled)
    turn.settled = None
    turn.clear_code(payout.CANNOT_SETTLE.code)
    ruleset = turn.setup.ruleset
    turn.effects.append(
        RecordSettlement(
            turn.coup.number,
            ruleset.game,
            settled.coup,
            settled.settlement,
            ruleset.id,
            ruleset.sha256,
            _rules(settled.settlement),
            turn.coup.void_by,
        )
    )
    turn.coup = replace(turn.coup, settlement=settled.settlement, discarded=_discarded(turn))
    begin_payment(turn, settled)


def may_void(turn: Turn) -> bool:
    """A-TCF-18: void only while no payment has begun."""
    return turn.coup.phase is not CoupPhase.PAYING or not course_of(turn).has_paid(turn)


def void_coup(turn: Turn) -> None:
    """TCF-35, TCP-48, THE-125: every stake goes back, by the table head's word."""
    event = turn.event
    by = event.by if isinstance(event, CoupVoided) else turn.staff.head
    cause = event.cause if isinstance(event, CoupVoided) else Void.CARD_COUNT
    turn.coup = replace(turn.coup, void=cause, void_by=by)
    end_review(turn)
    for alert in turn.alerts.values():
        if alert.holds is Holds.SETTLE:
            turn.clear(alert.id, "void", by)
    turn.settled = course_of(turn).settle(turn)
    assert isinstance(turn.settled, Settled)
    record(turn)


def refuse_void(turn: Turn) -> None:
    turn.alert(payout.void_too_late(turn.setup.game))


def _rules(settlement: Settlement | HoldemSettlement) -> tuple[str, ...]:
    """Every rule that moved money, once, in order."""
    found: dict[str, None] = {}
    if isinstance(settlement, HoldemSettlement):
        found.update((result.rule, None) for result in settlement.pots)
        found.update((seat.rule, None) for seat in settlement.seats)
    else:
        if settlement.dealer is not None:
            found[settlement.dealer.rule] = None
        found.update((bet.rule, None) for seat in settlement.seats for bet in seat.bets)
    if settlement.rule:
        found[settlement.rule] = None
    return tuple(rule for rule in found if rule)


def claim_bonus(turn: Turn) -> None:
    """TCF-77, TCF-78, STU-73: announced, so its cards are turned; where a claim is a condition it decides anew."""
    event = turn.event
    assert isinstance(event, KeyPressed)
    if not claim(turn):
        turn.state_alert(house.key_out_of_place(turn.setup.game, event.key, turn.coup.phase, event.seat))
        return
    settled = course_of(turn).settle(turn)
    if isinstance(settled, Settled):
        if settled.settlement == turn.coup.settlement:
            begin_payment(turn, settled)
        else:
            turn.settled = settled
            record(turn)


def may_void_by_key(turn: Turn) -> bool:
    return has_authority(turn) and may_void(turn)


def claim_early(turn: Turn) -> None:
    """A player announces his bonus before the dealer's hand is shown: it is remembered."""
    event = turn.event
    assert isinstance(event, KeyPressed)
    places = {place for place in turn.coup.bets if place[0] == event.seat and place[1] in ("bonus", "pair_plus")}
    turn.coup = replace(turn.coup, claims=turn.coup.claims | places)


def _discarded(turn: Turn) -> frozenset[SealedCard]:
    """Later every card lies in the rack; what a buyer laid aside must stay unknown even then."""
    rack, hands = turn.shoe.rack, turn.coup.hands
    return turn.coup.discarded | frozenset(
        card for seat in turn.coup.bought for card in hands.get(seat, ()) if card.has_tag(rack)
    )
