"""Cards out of the shoe: the n-th goes to the n-th place of the plan, and what is wrong with it is an alert."""

from sabot_gateway.model.event import CardDoubted, CardScanned, KeyPressed
from sabot_gateway.model.tag import Tag
from sabot_gateway.rules.deal import BOARD, BURN, DEALER, place_of
from sabot_gateway.table.alerts import cards
from sabot_gateway.table.change import replace
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.review import begin_review
from sabot_gateway.table.sealed import SealedCard
from sabot_gateway.table.shoe import missing_step
from sabot_gateway.table.state import CoupPhase, ReviewCause
from sabot_gateway.table.turn import Turn


def from_shoe(turn: Turn) -> bool:
    return isinstance(turn.event, CardScanned) and turn.event.reader == 0


def is_dealt_out(turn: Turn) -> bool:
    """The cards of this round are all out."""
    return turn.coup.served >= course_of(turn).due_cards(turn, turn.coup.round)


def deals_then_decides(turn: Turn) -> bool:
    return is_dealt_out(turn) and turn.coup.round < course_of(turn).rounds


def cards_follow(turn: Turn) -> bool:
    """More cards are due once this round is over."""
    return turn.coup.served < course_of(turn).due_cards(turn, turn.coup.round + 1)


def serve_card(turn: Turn) -> None:
    """One card out of the shoe to its place."""
    event = turn.event
    assert isinstance(event, CardScanned)
    if turn.coup.served == 0 and not turn.coup.drawn:
        missing = missing_step(turn)
        if missing:
            turn.state_alert(cards.deck_not_ready(turn.setup.game, missing))
    card = identify(turn, event.tag)
    if card is None:
        return
    place = place_of(course_of(turn).plan(turn), turn.coup.served)
    assert place is not None
    _give(turn, card, event.tag, place.to, place.nth, served=turn.coup.served + 1)


def extra_card(turn: Turn) -> None:
    """A card nobody is due: burned if the stub is being burned, else one too many until the dealer says otherwise."""
    event = turn.event
    assert isinstance(event, CardScanned)
    card = identify(turn, event.tag)
    if card is None:
        return
    _give(turn, card, event.tag, BURN, 0, served=turn.coup.served)
    if not turn.coup.is_burning:
        known = next((alert for alert in turn.alerts.values() if alert.code == cards.TOO_MANY_CARDS.code), None)
        count = int(dict(known.evidence)["cards"]) + 1 if known else 1
        turn.alert(cards.too_many_cards(turn.setup.game, count))


def stray_card(turn: Turn) -> None:
    """A card drawn while no coup is being played."""
    turn.alert(cards.card_out_of_coup(turn.setup.game))


def burn_last(turn: Turn) -> None:
    """A-TCF-10: a card uncovered before it reached a hand is burned, and the next one takes its place."""
    coup = turn.coup
    last = coup.last_drawn
    if coup.phase is not CoupPhase.DEALING or last is None or coup.served == 0:
        turn.coup = replace(coup, is_burning=True)
        turn.clear_code(cards.TOO_MANY_CARDS.code)
        return
    hands = {seat: tuple(card for card in hand if card != last) for seat, hand in coup.hands.items()}
    bought = {
        seat: kept for seat, hand in coup.bought.items() if (kept := tuple(card for card in hand if card != last))
    }
    drawn = {tag: BURN if last.has_tag((tag,)) else whose for tag, whose in coup.drawn.items()}
    turn.coup = replace(
        coup,
        hands=hands,
        bought=bought,
        dealer=tuple(card for card in coup.dealer if card != last),
        board=tuple(card for card in coup.board if card != last),
        burned=(*(card for card in coup.burned if card != last), last),
        drawn=drawn,
        served=coup.served - 1,
        last_drawn=None,
    )
    turn.alert(cards.burned_card(turn.setup.game))


def expose_card(turn: Turn) -> None:
    """TCF-33, STU-31: with a seat, the card is already his: turned back, no misdeal; without one, it is burned."""
    event = turn.event
    assert isinstance(event, KeyPressed)
    if event.seat == 0:
        burn_last(turn)
    else:
        turn.alert(cards.exposed_card(turn.setup.game, event.seat))


def look_early(turn: Turn) -> None:
    """TCF-37, STU-35: the hand is void, the others stand."""
    event = turn.event
    assert isinstance(event, KeyPressed)
    if event.seat not in turn.coup.players:
        return
    if turn.setup.game in cards.HAND_LOOKED_EARLY.rules:
        turn.coup = replace(turn.coup, looked=turn.coup.looked | {event.seat})
    turn.alert(cards.hand_looked_early(turn.setup.game, event.seat))


def too_few(turn: Turn) -> None:
    """The dealer goes on although hands are incomplete (TCF-35)."""
    lacking = course_of(turn).due_cards(turn, turn.coup.round) - turn.coup.served
    turn.state_alert(cards.too_few_cards(turn.setup.game, lacking))


def confirm_place(turn: Turn) -> None:
    """A seat reader, where fitted, sees the card: is it where the plan put it? (A-TCF-17: an alarm, no more)."""
    event = turn.event
    assert isinstance(event, CardScanned)
    seat = turn.setup.fitted.seat_readers.get(event.reader)
    if seat is None:
        return
    got = DEALER if seat == 0 else seat
    whose = turn.coup.drawn.get(event.tag)
    if whose is None:
        turn.alert(cards.too_many_cards(turn.setup.game, 1, seat))
    elif whose != got:
        turn.alert(cards.deal_out_of_order(turn.setup.game, str(whose), str(got)))


def doubt_card(turn: Turn) -> None:
    """The shoe is not sure what it saw: in a coup, the evidence has a hole."""
    event = turn.event
    assert isinstance(event, CardDoubted)
    turn.alert(cards.card_doubtful(turn.setup.game, event.reason))
    begin_review(turn, ReviewCause.CARD_DOUBTFUL)


def identify(turn: Turn, tag: Tag) -> SealedCard | None:
    """The card behind a tag, sealed; None when this very card is already out."""
    game, coup = turn.setup.game, turn.coup
    nth = len(coup.drawn) + 1
    if tag in coup.drawn:
        turn.alert(cards.duplicate_card(game, nth))
        return None
    known = turn.setup.cards.get(tag)
    if known is None:
        turn.alert(cards.unknown_card(game, nth))
        begin_review(turn, ReviewCause.UNKNOWN_CARD)
        return SealedCard(None, tag)
    if known.deck != turn.shoe.deck:
        turn.alert(cards.card_of_another_deck(game, known.deck))
    return SealedCard(known.card, tag)


def _give(turn: Turn, card: SealedCard, tag: Tag, to: int | str, nth: int, served: int) -> None:
    coup = turn.coup
    hands, bought, dealer, board, burned = coup.hands, coup.bought, coup.dealer, coup.board, coup.burned
    if to == DEALER:
        dealer = (*dealer, card)
    elif to == BOARD:
        board = (*board, card)
    elif isinstance(to, str):
        burned = (*burned, card)
    elif nth > 5:
        bought = {**bought, to: (card,)}  # STU-61: the sixth card is the bought one
    else:
        hands = {**hands, to: (*hands.get(to, ()), card)}
    turn.coup = replace(
        coup,
        drawn={**coup.drawn, tag: to},
        hands=hands,
        bought=bought,
        dealer=dealer,
        board=board,
        burned=burned,
        served=served,
        last_drawn=card,
    )


def from_elsewhere(turn: Turn) -> bool:
    return not from_shoe(turn)


def is_due_from_shoe(turn: Turn) -> bool:
    return from_shoe(turn) and not is_dealt_out(turn)


def is_short(turn: Turn) -> bool:
    """STU-58: a price laid at the last moment asks for one more card."""
    return not turn.coup.is_revealed and not is_dealt_out(turn)
