"""Verbs that move cards: hands are planned and dealt, cards leave the shoe, fall, are swept and counted."""

from typing import Final

from sabot_gateway.model.card import Card
from sabot_gateway.model.event import CardDoubted, CardScanned, CutCardSeen, DiscardRead
from sabot_gateway.model.felt import Doubt
from sabot_gateway.model.tag import Tag
from sabot_tools.rounds.arguments import Arguments
from sabot_tools.rounds.card_box import DEALER, DECKS, tag_of
from sabot_tools.rounds.rig import READERS, SHOE, Rig
from sabot_tools.rounds.script import ScriptError
from sabot_tools.rounds.verb import Verb

_SHOE_READER: Final = 0
_UNKNOWN: Final = Tag("caf0000000")


def _hand(rig: Rig, args: Arguments) -> None:
    seat = args.hand()
    rig.cards.planned[seat] = list(args.cards())


def _deal(rig: Rig, args: Arguments) -> None:
    order = rig.cards.deal_order(rig.script.game, rig.state.button)
    dealt = sum(len(hand) for hand in rig.cards.hands.values())
    last = dealt + args.number("a number of cards") if args else len(order)
    if not order[dealt:last]:
        raise ScriptError(args.line, "there is nothing to deal; write the hands first: hand SEAT CARD …")
    for seat, card in order[dealt:last]:
        draw(rig, card, seat)


def draw(rig: Rig, card: Card, seat: int | None = None) -> None:
    """A card passes the reader of the shoe."""
    tag = rig.cards.tag(card)
    rig.cards.laid(seat, tag)
    rig.sense(SHOE, CardScanned(_SHOE_READER, tag))


def _card(rig: Rig, args: Arguments) -> None:
    if args.accept("unknown"):
        rig.sense(SHOE, CardScanned(_SHOE_READER, _UNKNOWN))
        return
    cards = args.cards()
    if args.accept("of"):
        deck = args.one_of("a deck", tuple(DECKS))
        for card in cards:
            rig.sense(SHOE, CardScanned(_SHOE_READER, tag_of(card, deck)))
        return
    for card in cards:
        draw(rig, card)


def _serve(rig: Rig, args: Arguments) -> None:
    seat = args.hand()
    for card in args.cards():
        draw(rig, card, seat)


def _seen(rig: Rig, args: Arguments) -> None:
    seat = args.hand()
    reader = next(reader for reader, before in READERS.items() if before == seat)
    for card in args.cards():
        rig.sense(SHOE, CardScanned(reader, rig.cards.tag(card)))


def _blurred(rig: Rig, args: Arguments) -> None:
    reason = Doubt(args.one_of("a doubt", tuple(Doubt)))
    tags = tuple(rig.cards.tag(card) for card in args.cards()) if args else ()
    rig.sense(SHOE, CardDoubted(_SHOE_READER, tags, reason))


def _drop(rig: Rig, args: Arguments) -> None:
    rig.cards.floor.update(rig.cards.tag(card) for card in args.cards())


def _find(rig: Rig, args: Arguments) -> None:
    rig.cards.floor.difference_update(rig.cards.tag(card) for card in args.cards())


def _sweep(rig: Rig, args: Arguments) -> None:
    cards = rig.cards
    if args.accept("all"):
        seats = sorted(seat for seat in cards.hands if seat != DEALER)
        for seat in (*reversed(seats), DEALER):
            _discard(rig, cards.hands.get(seat, []))
        _discard(rig, cards.out)
        _discard(rig, cards.whole())
        return
    while args:
        if args.accept("stub"):
            _discard(rig, cards.stub())
        elif args.accept("extra"):
            _discard(rig, [tag_of(args.card(), "B")])
        elif len(args.peek()) == 2 and not args.peek().isdecimal():
            _discard(rig, [cards.tag(args.card())])
        else:
            _discard(rig, cards.hands.get(args.hand(), []))


def _discard(rig: Rig, tags: list[Tag]) -> None:
    before = len(rig.cards.rack)
    rig.cards.discard(tags)
    if len(rig.cards.rack) != before:
        rig.sense(SHOE, DiscardRead(tuple(rig.cards.rack)))


def _gather(rig: Rig, _args: Arguments) -> None:
    had_any = bool(rig.cards.rack)
    rig.cards.gather()
    if had_any:
        rig.sense(SHOE, DiscardRead(()))


def _deck(rig: Rig, args: Arguments) -> None:
    rig.cards.gather()
    rig.cards.in_use = args.one_of("a deck", tuple(DECKS))


def _cut_card(rig: Rig, _args: Arguments) -> None:
    rig.sense(SHOE, CutCardSeen())


VERBS: Final = (
    Verb("hand", "hand SEAT|dealer CARD …", "which cards this hand is going to be dealt", _hand),
    Verb(
        "deal", "deal [NUMBER]", "the planned hands leave the shoe in the game's order, or so many cards of them", _deal
    ),
    Verb("card", "card CARD … [of DECK] · card unknown", "cards leave the shoe, whoever they are for", _card),
    Verb("serve", "serve SEAT|dealer CARD …", "cards leave the shoe for one hand", _serve),
    Verb("board", "board CARD …", "community cards leave the shoe", _card),
    Verb("burn", "burn CARD …", "cards leave the shoe and are burned", _card),
    Verb("seen", "seen SEAT|dealer CARD …", "the reader before a seat sees cards", _seen),
    Verb("misread", "misread DOUBT [CARD …]", "the shoe is not sure of what passed it", _blurred),
    Verb("drop", "drop CARD …", "cards fall on the floor: no rack will hold them", _drop),
    Verb("find", "find CARD …", "cards come back from the floor", _find),
    Verb("sweep", "sweep all · sweep SEAT|dealer|stub|CARD|extra CARD …", "cards go into the discard rack", _sweep),
    Verb("gather", "gather", "the deck is taken out of the rack", _gather),
    Verb("deck", "deck A|B|C", "this deck is at hand from now on (C has served before)", _deck),
    Verb("cut-card", "cut-card", "the blue cut card passes the shoe", _cut_card),
)
