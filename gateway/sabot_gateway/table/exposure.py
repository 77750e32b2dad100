"""What the table shows: the only place where a sealed card becomes a card that anybody may see (law 7, A-GEN-02).

The dealer's hand when it is revealed, his open fifth card at stud (STU-29), the
common cards, a bought card (STU-61), and hands that the rules have turned. A
folded hand and a buyer's discard (STU-59) stay sealed, whatever happens.
"""

from sabot_gateway.model.card import Card
from sabot_gateway.model.game import Game
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.sealed import Hand, SealedCard, unsealed_for_rules
from sabot_gateway.table.state import Table

Shown = tuple[Card | None, ...]  # None: a card lies there, face down or unread


def shown_dealer(table: Table) -> Shown:
    coup = table.coup
    if coup.is_revealed:
        return _faces(coup.dealer)
    if table.setup.game is Game.STU:
        return tuple(_face(card) if nth == 5 else None for nth, card in enumerate(coup.dealer, start=1))
    return (None,) * len(coup.dealer)


def shown_board(table: Table) -> Shown:
    """UTH-21, UTH-23, THE-71: turned when their street is complete, not card by card; a void coup turns no more."""
    coup = table.coup
    if coup.is_revealed:
        return _faces(coup.board)
    whole = 0 if len(coup.board) < 3 else (len(coup.board) if table.setup.game is Game.THE else 3)
    count = 5 if len(coup.board) == 5 else whole
    return tuple(_face(card) if nth < count else None for nth, card in enumerate(coup.board))


def shown_hand(table: Table, seat: int) -> Shown:
    hand = table.coup.hands.get(seat, ())
    if course_of(table).shows_hand(table, seat):
        laid_aside = table.coup.discarded
        return tuple(None if card in laid_aside else _face(card) for card in hand)
    return (None,) * len(hand)


def shown_purchase(table: Table, seat: int) -> Shown:
    return _faces(table.coup.bought.get(seat, ()))


def _faces(hand: Hand) -> Shown:
    return tuple(_face(card) for card in hand)


def _face(card: SealedCard) -> Card | None:
    known = unsealed_for_rules((card,))
    return known[0] if known else None
