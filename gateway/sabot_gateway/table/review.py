"""Review: laid over a coup whose evidence has a hole. Nothing settles by itself until people have filled it.

The table goes on reading. The table head confirms each hand (cards, and the
decision where it was not seen), or voids the coup; both are recorded.
"""

from sabot_gateway.model.card import Card
from sabot_gateway.model.coup import Decision
from sabot_gateway.model.event import HandConfirmed
from sabot_gateway.model.tag import Tag
from sabot_gateway.rules.deal import BOARD
from sabot_gateway.table.alerts import cards, house, payout
from sabot_gateway.table.change import replace
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.sealed import Hand, SealedCard, unsealed_for_rules
from sabot_gateway.table.state import CoupPhase, Review, ReviewCause
from sabot_gateway.table.turn import Turn

IN_COUP = frozenset({CoupPhase.DEALING, CoupPhase.DECIDING, CoupPhase.REVEALING})
# A coup that has players in one of these is being closed by this very event.
_OPENING = frozenset({CoupPhase.IDLE, CoupPhase.BETTING})


def begin_review(turn: Turn, cause: ReviewCause) -> None:
    """In a coup that is not settled yet, a hole in the evidence asks for people; later it changes no decision."""
    if turn.coup.phase in IN_COUP or (turn.coup.phase in _OPENING and turn.coup.players):
        turn.review = Review(str(cause), turn.event.at_ms)
        turn.state_alert(house.in_review(turn.setup.game, str(cause)))


def is_in_review(turn: Turn) -> bool:
    return turn.review is not None


def confirm_hand(turn: Turn) -> None:
    """One hand as the table head reads it; when all are confirmed the review is over."""
    event = turn.event
    assert isinstance(event, HandConfirmed)
    course = course_of(turn)
    if turn.review is None or event.seat not in course.confirmable(turn):
        return
    hand = _sealed(turn, event.cards)
    coup = turn.coup
    if event.seat == 0:
        turn.coup = replace(coup, dealer=hand)
    elif event.seat < 0:
        turn.coup = replace(coup, board=hand)
    elif discard := _laid_aside(turn, event.seat, event.cards):
        turn.coup = replace(coup, discarded=coup.discarded | discard)
    else:
        if hand or event.decision is not Decision.FOLD:  # nobody turns a folded hand over to read it out
            turn.coup = replace(coup, hands={**coup.hands, event.seat: hand})
        if event.decision is not None:
            course.confirm(turn, event.seat, event.decision)
    turn.review = replace(turn.review, confirmed=turn.review.confirmed | {event.seat}, by=event.by)
    turn.note("hand_confirmed", seat=event.seat, by=event.by)
    if turn.review.confirmed >= set(course.confirmable(turn)):
        _end(turn)


def end_review(turn: Turn) -> None:
    """The coup is void or over: there is nothing left to confirm."""
    turn.review = None
    turn.clear_code(house.IN_REVIEW.code)


def _end(turn: Turn) -> None:
    assert turn.review is not None
    by = turn.review.by
    end_review(turn)
    # What people have confirmed is the evidence now, also where the shoe missed a card.
    _catch_up(turn)
    for kind in (
        cards.UNKNOWN_CARD,
        cards.DUPLICATE_CARD,
        cards.CARD_DOUBTFUL,
        cards.TOO_FEW_CARDS,
        cards.TOO_MANY_CARDS,
        cards.DEAL_OUT_OF_ORDER,
        cards.CARD_OF_ANOTHER_DECK,
        cards.DISCARD_NOT_SEEN,
        payout.CANNOT_SETTLE,
    ):
        for alert in turn.alerts.values():
            if alert.code == kind.code:
                turn.clear(alert.id, "confirmed", by)


def _catch_up(turn: Turn) -> None:
    """The deal goes on behind the cards that people have seen, in the round to which they belong."""
    course, coup = course_of(turn), turn.coup
    # Every hand is complete; of the common cards and those bought since, only what was read or read out is there.
    served = max(coup.served, course.due_cards(turn, 0), _places_to_board(turn))
    turn.coup = replace(coup, served=served)
    if coup.holdem is None:  # a round of hold'em is bets, which no card can stand for
        for later in range(coup.round + 1, course.rounds):
            if served >= course.due_cards(turn, later):
                turn.coup = replace(turn.coup, round=later, checked=frozenset())


def _places_to_board(turn: Turn) -> int:
    """How many places of the plan have their card when the board lies as it was confirmed."""
    places = course_of(turn).plan(turn).places
    board = [nth for nth, place in enumerate(places, 1) if place.to == BOARD][: len(turn.coup.board)]
    return board[-1] if board else 0


def _laid_aside(turn: Turn, seat: int, read: tuple[Card, ...]) -> frozenset[SealedCard]:
    """STU-59: a buyer's hand is read out with the card that he bought; the one that is not read out was laid aside."""
    bought = unsealed_for_rules(turn.coup.bought.get(seat, ()))
    if not bought or not set(bought) <= set(read):
        return frozenset()
    hand = turn.coup.hands.get(seat, ())
    rest = frozenset(card for card in hand if not set(unsealed_for_rules((card,))) & set(read))
    is_told = len(rest) == 1 and len(set(read)) == len(hand)
    return rest if is_told else frozenset()


def _sealed(turn: Turn, cards_read: tuple[Card, ...]) -> Hand:
    """Confirmed cards, under the tag of the deck in use where the register has it."""
    tags = {known.card: tag for tag, known in turn.setup.cards.items() if known.deck == turn.shoe.deck}
    return tuple(SealedCard(card, tags.get(card, Tag(f"confirmed-{card}"))) for card in cards_read)
