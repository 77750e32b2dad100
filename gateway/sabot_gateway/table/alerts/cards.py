"""Alerts about cards and the deck. No sentence and no evidence ever names a card."""

from typing import Final

from sabot_gateway.model.alert import Alert, Clears, Holds, Severity
from sabot_gateway.model.game import Game
from sabot_gateway.table.alerts.kind import AlertKind, by_game
from sabot_gateway.table.alerts.words import DECK_STEPS, DOUBTS, RECIPIENTS

_WHOLE: Final = by_game("TCF-01", "STU-01", "TCP-07", "UTH-01", "THE-01")
_COUNT: Final = by_game("TCF-35", "STU-33", "TCP-48", "UTH-46", "THE-125")
_ORDER: Final = by_game("TCF-29", "STU-27", "TCP-55", "UTH-19", "THE-51")
_DECIDE: Final = "the table head overrides, confirms the hands of a review or voids the coup"

UNKNOWN_CARD: Final = AlertKind(
    "UNKNOWN_CARD",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Carte inconnue du registre sortie du sabot (carte n° {nth}).",
    "A card that the register does not know left the shoe (card {nth}).",
    _DECIDE,
    Holds.SETTLE,
    _WHOLE,
)
DUPLICATE_CARD: Final = AlertKind(
    "DUPLICATE_CARD",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Une carte déjà sortie est lue une seconde fois (carte n° {nth}).",
    "A card that was already out was read a second time (card {nth}).",
    _DECIDE,
    Holds.SETTLE,
    _WHOLE,
)
CARD_OF_ANOTHER_DECK: Final = AlertKind(
    "CARD_OF_ANOTHER_DECK",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Une carte d'un autre jeu ({deck}) est sortie du sabot.",
    "A card of another deck ({deck}) left the shoe.",
    _DECIDE,
    Holds.SETTLE,
    _WHOLE,
)
CARD_BEFORE_BETS_CLOSED: Final = AlertKind(
    "CARD_BEFORE_BETS_CLOSED",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Carte tirée avant « rien ne va plus ».",
    "A card was drawn before the bets were closed.",
    "the table head overrides or voids the coup",
    Holds.SETTLE,
    by_game("TCF-23", "STU-23", "TCP-08", "UTH-18", "THE-50"),
)
CARD_OUT_OF_COUP: Final = AlertKind(
    "CARD_OUT_OF_COUP",
    Severity.ALARM,
    Clears.OPERATOR,
    "Carte tirée hors d'un coup.",
    "A card was drawn while no coup was being played.",
    "an authorised person clears it",
    rules=by_game("TCF-09", "STU-09", "TCP-08", "UTH-18", "THE-50"),
)
TOO_MANY_CARDS: Final = AlertKind(
    "TOO_MANY_CARDS",
    Severity.ALARM,
    Clears.OVERRIDE,
    "{cards} {cards:carte|cartes} de trop : coup nul si une main est incorrecte.",
    "{cards} {cards:card|cards} too many: the coup is void if a hand is wrong.",
    "the card is declared burned, or the table head overrides or voids the coup",
    Holds.SETTLE,
    _COUNT,
)
TOO_FEW_CARDS: Final = AlertKind(
    "TOO_FEW_CARDS",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Il manque {cards} {cards:carte|cartes} à la donne : coup nul si une main est incorrecte.",
    "The deal lacks {cards} {cards:card|cards}: the coup is void if a hand is wrong.",
    "the missing cards are dealt, or the table head overrides, confirms the hands of a review or voids the coup",
    Holds.SETTLE,
    _COUNT,
)
DEAL_OUT_OF_ORDER: Final = AlertKind(
    "DEAL_OUT_OF_ORDER",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Une carte est mal placée : lue devant {got}, elle était pour {expected}.",
    "A card is misplaced: it was read before {got} and meant for {expected}.",
    "the card is read at its place, or the table head overrides or voids the coup",
    Holds.SETTLE,
    _ORDER,
    {"expected": RECIPIENTS, "got": RECIPIENTS},
)
CARD_WHILE_PENDING: Final = AlertKind(
    "CARD_WHILE_PENDING",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Carte tirée alors que la place {seat} ne s'est pas déterminée.",
    "A card was drawn while seat {seat} had not decided.",
    "the seat decides, or the table head overrides",
    Holds.SETTLE,
    by_game("TCF-44", "STU-44", "TCP-12", "UTH-21", "THE-83"),
)
DECISION_PENDING: Final = AlertKind(
    "DECISION_PENDING",
    Severity.WARNING,
    Clears.CORRECTION,
    "La place {seat} ne s'est pas déterminée.",
    "Seat {seat} has not decided.",
    "the seat folds or raises",
    Holds.NOTHING,
    by_game("TCF-44", "STU-44", "TCP-12", "UTH-24", "THE-83"),
)
HAND_LOOKED_EARLY: Final = AlertKind(
    "HAND_LOOKED_EARLY",
    Severity.WARNING,
    Clears.COUP_END,
    "Place {seat} : main regardée avant la fin de la donne.",
    "Seat {seat}: the hand was looked at before the end of the deal.",
    "with the coup",
    rules=by_game("TCF-37", "STU-35"),
)
EXPOSED_CARD: Final = AlertKind(
    "EXPOSED_CARD",
    Severity.NOTICE,
    Clears.COUP_END,
    "Place {seat} : carte exposée, retournée ; la donne continue.",
    "Seat {seat}: a card was exposed and turned back; the deal goes on.",
    "with the coup",
    rules=by_game("TCF-33", "STU-31", "TCP-10", "UTH-19", "THE-51"),
)
BURNED_CARD: Final = AlertKind(
    "BURNED_CARD",
    Severity.NOTICE,
    Clears.COUP_END,
    "Carte détachée et découverte par erreur : brûlée.",
    "A card was detached and uncovered by mistake: it is burned.",
    "with the coup",
    rules=by_game("TCF-09", "STU-09", "TCP-48", "UTH-48", "THE-71"),
)
CARD_DOUBTFUL: Final = AlertKind(
    "CARD_DOUBTFUL",
    Severity.ALARM,
    Clears.OVERRIDE,
    "Lecture douteuse d'une carte : {reason}.",
    "A card was read doubtfully: {reason}.",
    _DECIDE,
    Holds.SETTLE,
    _WHOLE,
    {"reason": DOUBTS},
)
CUT_CARD_IN_DEAL: Final = AlertKind(
    "CUT_CARD_IN_DEAL",
    Severity.WARNING,
    Clears.COUP_END,
    "La carte de coupe est sortie pendant le coup.",
    "The cut card came out during the coup.",
    "with the coup",
    rules=by_game("TCF-08", "STU-08", "TCP-07", "UTH-01", "THE-01"),
)
DISCARD_NOT_SEEN: Final = AlertKind(
    "DISCARD_NOT_SEEN",
    Severity.WARNING,
    Clears.OVERRIDE,
    "Place {seat} : carte achetée, mais aucune défausse lue.",
    "Seat {seat}: a card was bought, but no discard was read.",
    "the discard is read in the rack, or the table head reads out the hands in a review, or overrides",
    Holds.SETTLE,
    by_game(stu="STU-59"),
)
CARD_MISSING: Final = AlertKind(
    "CARD_MISSING",
    Severity.ALARM,
    Clears.OPERATOR,
    "Le compte est faux : il manque {cards} {cards:carte|cartes}.",
    "The count is wrong: {cards} {cards:card is|cards are} missing.",
    "the deck is counted whole, or an authorised person clears it",
    rules=_WHOLE,
)
CARD_EXTRA: Final = AlertKind(
    "CARD_EXTRA",
    Severity.ALARM,
    Clears.OPERATOR,
    "Le compte est faux : {cards} {cards:carte étrangère|cartes étrangères} au jeu.",
    "The count is wrong: {cards} {cards:card does|cards do} not belong to the deck.",
    "the deck is counted whole, or an authorised person clears it",
    rules=_WHOLE,
)
DECK_NOT_NEW: Final = AlertKind(
    "DECK_NOT_NEW",
    Severity.ALARM,
    Clears.OPERATOR,
    "Le jeu {deck} a déjà servi : cartes neuves exigées au début de la séance.",
    "Deck {deck} has been used before: the séance must start with new cards.",
    "a new deck is brought, or an authorised person clears it",
    rules=by_game("TCF-02", "STU-02"),
)
DECKS_NOT_TWO_COLOURS: Final = AlertKind(
    "DECKS_NOT_TWO_COLOURS",
    Severity.WARNING,
    Clears.OPERATOR,
    "Mélangeur automatique : deux jeux de couleurs différentes exigés.",
    "Automatic shuffler: two decks of different colours are required.",
    "two decks of different colours are registered, or an authorised person clears it",
    rules=by_game(uth="UTH-06", the="THE-06"),
)
DECK_NOT_READY: Final = AlertKind(
    "DECK_NOT_READY",
    Severity.WARNING,
    Clears.COUP_END,
    "Cartes sorties sans {missing}.",
    "Cards were drawn without {missing}.",
    "with the coup",
    rules=by_game("TCF-06", "STU-06", "TCP-07", "UTH-04", "THE-04"),
    words={"missing": DECK_STEPS},
)
_MISSING: Final = {
    "count": DECK_NOT_READY.rules,
    "shuffle": by_game("TCF-07", "STU-07", "TCP-07", "UTH-04", "THE-04"),
    "cut": by_game("TCF-08", "STU-08"),
}
KINDS: Final = (
    UNKNOWN_CARD,
    DUPLICATE_CARD,
    CARD_OF_ANOTHER_DECK,
    CARD_BEFORE_BETS_CLOSED,
    CARD_OUT_OF_COUP,
    TOO_MANY_CARDS,
    TOO_FEW_CARDS,
    DEAL_OUT_OF_ORDER,
    CARD_WHILE_PENDING,
    DECISION_PENDING,
    HAND_LOOKED_EARLY,
    EXPOSED_CARD,
    BURNED_CARD,
    CARD_DOUBTFUL,
    CUT_CARD_IN_DEAL,
    DISCARD_NOT_SEEN,
    CARD_MISSING,
    CARD_EXTRA,
    DECK_NOT_NEW,
    DECKS_NOT_TWO_COLOURS,
    DECK_NOT_READY,
)


def unknown_card(game: Game, nth: int) -> Alert:
    return UNKNOWN_CARD.alert(game, nth=nth)


def duplicate_card(game: Game, nth: int) -> Alert:
    return DUPLICATE_CARD.alert(game, nth=nth)


def card_of_another_deck(game: Game, deck: str) -> Alert:
    return CARD_OF_ANOTHER_DECK.alert(game, deck=deck)


def card_before_bets_closed(game: Game) -> Alert:
    return CARD_BEFORE_BETS_CLOSED.alert(game)


def card_out_of_coup(game: Game) -> Alert:
    return CARD_OUT_OF_COUP.alert(game)


def too_many_cards(game: Game, cards: int, seat: int | None = None) -> Alert:
    return TOO_MANY_CARDS.alert(game, seat, cards=cards)


def too_few_cards(game: Game, cards: int) -> Alert:
    return TOO_FEW_CARDS.alert(game, cards=cards)


def deal_out_of_order(game: Game, expected: str, got: str) -> Alert:
    return DEAL_OUT_OF_ORDER.alert(game, expected=expected, got=got)


def card_while_pending(game: Game, seat: int) -> Alert:
    return CARD_WHILE_PENDING.alert(game, seat)


def decision_pending(game: Game, seat: int) -> Alert:
    return DECISION_PENDING.alert(game, seat)


def hand_looked_early(game: Game, seat: int) -> Alert:
    return HAND_LOOKED_EARLY.alert(game, seat)


def exposed_card(game: Game, seat: int) -> Alert:
    return EXPOSED_CARD.alert(game, seat)


def burned_card(game: Game) -> Alert:
    return BURNED_CARD.alert(game)


def card_doubtful(game: Game, reason: str) -> Alert:
    return CARD_DOUBTFUL.alert(game, reason=reason)


def cut_card_in_deal(game: Game) -> Alert:
    return CUT_CARD_IN_DEAL.alert(game)


def discard_not_seen(game: Game, seat: int) -> Alert:
    return DISCARD_NOT_SEEN.alert(game, seat)


def card_missing(game: Game, cards: int) -> Alert:
    return CARD_MISSING.alert(game, cards=cards)


def card_extra(game: Game, cards: int) -> Alert:
    return CARD_EXTRA.alert(game, cards=cards)


def deck_not_new(game: Game, deck: str) -> Alert:
    return DECK_NOT_NEW.alert(game, deck=deck)


def decks_not_two_colours(game: Game) -> Alert:
    return DECKS_NOT_TWO_COLOURS.alert(game)


def deck_not_ready(game: Game, missing: str) -> Alert:
    return DECK_NOT_READY.alert(game, rule=_MISSING[missing].get(game, ""), missing=missing)
