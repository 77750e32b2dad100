"""The deck in use: counted, shuffled, cut, in the shoe, and counted again when the coup is over.

Cards are counted where they can be seen all at once: in the discard rack. A
table without a rack reader takes the dealer's `confirm` key for it.
"""

from sabot_gateway.model.event import DiscardRead, KeyPressed
from sabot_gateway.model.game import Game
from sabot_gateway.model.tag import Tag
from sabot_gateway.rules.cut import CutOffer, cut_offer, has_cut
from sabot_gateway.rules.deal import DECK_SIZE
from sabot_gateway.rules.deck import DeckState, check_deck
from sabot_gateway.table.alerts import cards, house, procedure
from sabot_gateway.table.authority import has_authority
from sabot_gateway.table.change import replace
from sabot_gateway.table.state import CoupPhase, ShoePhase, Table
from sabot_gateway.table.turn import Turn


def is_out_of_coup(turn: Turn) -> bool:
    """No card of a coup is on the table, so the deck may be touched."""
    return not turn.coup.drawn


def read_rack(turn: Turn) -> None:
    """The rack was read: a level, kept in every phase; cards that are not of the deck in use are an alert."""
    event = turn.event
    assert isinstance(event, DiscardRead)
    rack = frozenset(event.tags)
    if rack == turn.shoe.rack:
        return
    turn.shoe = replace(turn.shoe, rack=rack)
    if turn.shoe.phase in (ShoePhase.EMPTY, ShoePhase.COUNTING):
        return
    strangers = _strangers(turn, rack)
    if strangers:
        turn.state_alert(cards.card_extra(turn.setup.game, strangers))


def begin_count(turn: Turn) -> None:
    """A deck is brought; which one, its tags will say."""
    other = turn.shoe.deck or turn.shoe.other
    turn.shoe = replace(turn.shoe, deck="", other=other, cutter=0, cut_card=False, refused=frozenset())


def is_whole_and_fit(turn: Turn) -> bool:
    """TCF-01, TCF-02: 52 different cards of one deck, new where the article asks for it."""
    return _count_faults(turn) == ()


def is_whole(turn: Turn) -> bool:
    return "DECK_NOT_52_DISTINCT" not in _count_faults(turn)


def accept_deck(turn: Turn) -> None:
    """The deck is counted: it is the deck in use from now on."""
    deck = _deck_of(turn, turn.shoe.rack) or next(iter(turn.setup.decks), "")
    turn.shoe = replace(turn.shoe, deck=deck, cutter=0, cut_card=False, refused=frozenset())
    turn.seance = replace(turn.seance, deck_checked=True)
    for kind in (cards.CARD_MISSING, cards.CARD_EXTRA, cards.DECK_NOT_NEW, cards.DECKS_NOT_TWO_COLOURS):
        turn.clear_code(kind.code)
    _judge_witnesses(turn)
    turn.note("deck_counted", deck=deck)


def flag_deck(turn: Turn) -> None:
    """Why the deck may not be used."""
    game, rack = turn.setup.game, turn.shoe.rack
    faults = _count_faults(turn)
    if "DECK_NOT_52_DISTINCT" in faults:
        deck = _deck_of(turn, rack)
        own = sum(1 for tag in rack if _is_of(turn, tag, deck))
        if len(rack) > own:
            turn.state_alert(cards.card_extra(game, len(rack) - own))
        if own < DECK_SIZE:
            turn.state_alert(cards.card_missing(game, DECK_SIZE - own))
    if "CARDS_NOT_NEW" in faults:
        turn.state_alert(cards.deck_not_new(game, _deck_of(turn, rack)))
    if "TWO_DECKS_TWO_COLOURS" in faults:
        turn.state_alert(cards.decks_not_two_colours(game))


def counts_by_rack(turn: Turn) -> bool:
    return turn.setup.fitted.rack


def needs_cut(turn: Turn) -> bool:
    """TCF-08, STU-08: a player cuts, unless a shuffler does all of it."""
    return has_cut(turn.setup.game) and not turn.setup.fitted.shuffler


def shuffle(turn: Turn) -> None:
    """The dealer confirms the shuffle as the article describes it (TCF-07)."""
    turn.shoe = replace(turn.shoe, cutter=0, cut_card=False, refused=frozenset())
    before = turn.setup.ruleset.values.get("rnvp_before")
    if before == "shuffle" and turn.coup.phase is CoupPhase.BETTING:
        # A-TCF-11: here the stakes are verified before the shuffle.
        turn.alert(house.shuffle_before_close(turn.setup.game))
    turn.note("shuffled")


def take_cut(turn: Turn) -> None:
    """TCF-08, TCF-10: the cut goes from the dealer's far left clockwise; without a seat nobody says who cut."""
    event = turn.event
    assert isinstance(event, KeyPressed)
    turn.shoe = replace(turn.shoe, cutter=event.seat)
    offer = cut_due(turn)
    if event.seat and offer is not None and event.seat != offer.cutter:
        turn.state_alert(procedure.cut_out_of_order(turn.setup.game, event.seat, offer.cutter, offer.rule))


def refuse_cut(turn: Turn) -> None:
    event = turn.event
    assert isinstance(event, KeyPressed)
    turn.shoe = replace(turn.shoe, refused=turn.shoe.refused | {event.seat})


def cut_due(table: Table) -> CutOffer | None:
    """Who must cut now, as far as the table knows its players: those who are seated, or whose stakes lie there."""
    game = table.setup.game
    seats = [seat for seat, state in table.seats.items() if state.taken] or list(table.coup.players)
    return cut_offer(game, seats, table.shoe.refused) if seats and has_cut(game) else None


def _judge_witnesses(turn: Turn) -> None:
    """TCF-17, STU-16, UTH-11, THE-15: players attend the count in their seats, where chairs can tell."""
    game = turn.setup.game
    least = 2 if game is Game.THE else 1
    seated = sum(state.taken for state in turn.seats.values())
    if turn.setup.fitted.seats and game in procedure.COUNT_UNATTENDED.rules and seated < least:
        turn.alert(procedure.count_unattended(game, seated, least))


def see_cut_card(turn: Turn) -> None:
    turn.shoe = replace(turn.shoe, cut_card=True)


def is_cut(turn: Turn) -> bool:
    return turn.shoe.cut_card


def cut_card_out(turn: Turn) -> None:
    """The cut card hides the last card: seen in a coup, the shoe has run out."""
    if turn.coup.drawn:
        turn.alert(cards.cut_card_in_deal(turn.setup.game))


def missing_step(table: Table) -> str:
    """What the deck still lacked when its first card was drawn; empty when it was ready."""
    match table.shoe.phase:
        case ShoePhase.READY:
            return ""
        case ShoePhase.EMPTY | ShoePhase.COUNTING:
            return "count"
        case ShoePhase.COUNTED:
            return "shuffle"
        case ShoePhase.SHUFFLED:
            return "cut"


def is_rack_whole(table: Table) -> bool:
    """TCF-65: all 52 cards of the deck in use are back, and no other."""
    rack = table.shoe.rack
    return len(rack) == DECK_SIZE and all(_is_of(table, tag, table.shoe.deck) for tag in rack)


def count_back(turn: Turn) -> None:
    """The coup is over: the deck must be whole again."""
    rack = turn.shoe.rack
    own = sum(1 for tag in rack if _is_of(turn, tag, turn.shoe.deck))
    game = turn.setup.game
    if own < DECK_SIZE:
        turn.state_alert(cards.card_missing(game, DECK_SIZE - own))
    if len(rack) > own:
        turn.state_alert(cards.card_extra(game, len(rack) - own))


def _count_faults(turn: Turn) -> tuple[str, ...]:
    rack = turn.shoe.rack
    deck = _deck_of(turn, rack)
    register = turn.setup.cards
    faces = tuple(register[tag].card for tag in rack if _is_of(turn, tag, deck))
    if len(faces) != len(rack):
        return ("DECK_NOT_52_DISTINCT",)
    known = turn.setup.decks.get(deck)
    colours = _colours_in_use(turn, deck)
    state = DeckState(
        faces,
        session_start=not turn.seance.deck_checked,
        new_cards=known is None or known.uses == 0,
        auto_shuffler=turn.setup.fitted.shuffler,
        decks=len(colours),
        back_colours=colours,
    )
    return tuple(fault.code for fault in check_deck(turn.setup.game, state))


def _colours_in_use(turn: Turn, deck: str) -> tuple[str, ...]:
    """UTH-06, THE-06: of this deck and the one it takes turns with; before that one has come, of any it might be.

    A house owns many decks: those that are not at this table say nothing about it.
    """
    decks = turn.setup.decks
    own = decks[deck].colour if deck in decks else ""
    other = turn.shoe.other
    if other in decks and other != deck:
        return own, decks[other].colour
    rest = [each.colour for name, each in decks.items() if name != deck]
    return own, *([colour for colour in rest if colour != own] or rest)[:1]


def _deck_of(turn: Turn, rack: frozenset[Tag]) -> str:
    """The deck to which most of these cards belong."""
    counts: dict[str, int] = {}
    for tag in rack:
        known = turn.setup.cards.get(tag)
        if known is not None:
            counts[known.deck] = counts.get(known.deck, 0) + 1
    return max(sorted(counts), key=lambda deck: counts[deck], default="")


def _is_of(table: Table, tag: Tag, deck: str) -> bool:
    known = table.setup.cards.get(tag)
    return known is not None and known.deck == deck


def _strangers(turn: Turn, rack: frozenset[Tag]) -> int:
    return sum(1 for tag in rack if not _is_of(turn, tag, turn.shoe.deck))


def shuffles_to_cut(turn: Turn) -> bool:
    return is_out_of_coup(turn) and needs_cut(turn)


def overrides_count(turn: Turn) -> bool:
    """Cards that are whole but not new may be accepted by the table head; a deck that is not whole may not."""
    return has_authority(turn) and is_whole(turn)
