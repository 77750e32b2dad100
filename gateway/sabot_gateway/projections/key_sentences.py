"""Every key of the dealer's keypad as a sentence; a key that speaks for a seat names it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.felt import Key
from sabot_gateway.projections.sentence import Sentence
from sabot_gateway.table.alerts.words import KEYS


def key_sentence(key: Key, seat: int) -> Sentence:
    if seat > 0:
        fr, en = _OF_A_SEAT.get(key) or _about(key)
        return Sentence(f"Siège {seat} {fr}.", f"Seat {seat} {en}.")
    return Sentence(*_OF_THE_TABLE.get(key) or _without_seat(key))


def _about(key: Key) -> tuple[str, str]:
    """A key that no player has, pressed for a seat all the same."""
    fr, en = KEYS[key]
    return f": touche « {fr} »", f": key “{en}”"


def _without_seat(key: Key) -> tuple[str, str]:
    """A key of a player, pressed for nobody."""
    fr, en = KEYS[key]
    return f"Touche « {fr} » sans siège.", f"Key “{en}” without a seat."


# What the dealer keys in for a player.
_OF_A_SEAT: Final[Mapping[Key, tuple[str, str]]] = MappingProxyType(
    {
        Key.FOLD: ("passe", "folds"),
        Key.CHECK: ("fait parole", "checks"),
        Key.CALL: ("suit", "calls"),
        Key.RAISE: ("relance", "raises"),
        Key.ALL_IN: ("fait tapis", "goes all in"),
        Key.BUY: ("achète une carte", "buys a card"),
        Key.LOOK: ("a regardé ses cartes trop tôt", "looked at the cards too early"),
        Key.REVEAL: ("montre sa main", "shows the hand"),
        Key.EXPOSED_CARD: ("a une carte découverte", "has an exposed card"),
        Key.CLAIM: ("annonce son bonus", "claims the bonus"),
        Key.SEAT_TAKEN: ("est occupé", "is taken"),
        Key.SEAT_LEFT: ("est libre", "is free"),
        Key.ABSENT: ("est absent", "is away"),
        Key.REBUY: ("demande une recave", "asks for a recave"),
        Key.CUT: ("coupe", "cuts"),
        Key.OVERRIDE: (": le chef de table passe outre", ": the table head overrides"),
        Key.PAID: ("est payé", "is paid"),
        Key.BUTTON: ("reçoit le bouton", "gets the button"),
    }
)
_OF_THE_TABLE: Final[Mapping[Key, tuple[str, str]]] = MappingProxyType(
    {
        Key.BETS_OPEN: ("Faites vos jeux.", "Place your bets."),
        Key.BETS_CLOSED: ("Rien ne va plus.", "No more bets."),
        Key.REVEAL: ("Le croupier montre sa main.", "The dealer shows his hand."),
        Key.ANNOUNCE: ("Le croupier annonce les limites.", "The dealer announces the limits."),
        Key.EXPOSED_CARD: ("Une carte découverte est brûlée.", "An exposed card is burned."),
        Key.BURN: ("Une carte est brûlée.", "A card is burned."),
        Key.VOID: ("Le coup est déclaré nul.", "The coup is declared void."),
        Key.PAID: ("Le croupier a payé.", "The dealer has paid."),
        Key.CONFIRM: ("Le croupier confirme.", "The dealer confirms."),
        Key.CANCEL: ("Le croupier annule sa saisie.", "The dealer cancels the entry."),
        Key.OPEN_SESSION: ("Le chef de table ouvre la séance.", "The table head opens the séance."),
        Key.CLOSE_SESSION: ("Le chef de table ferme la séance.", "The table head closes the séance."),
        Key.NEW_DECK: ("Un autre jeu de cartes est pris.", "Another deck is taken."),
        Key.SHUFFLE: ("Le croupier mélange.", "The dealer shuffles."),
        Key.CUT: ("Le jeu est coupé.", "The deck is cut."),
        Key.LAST_HANDS: ("Les trois dernières mains sont annoncées.", "The last three hands are announced."),
        Key.BUTTON: ("Le bouton est tiré au sort.", "The button is drawn for."),
        Key.OVERRIDE: ("Le chef de table passe outre.", "The table head overrides."),
        Key.CALL_FLOOR: ("Le croupier appelle le chef de table.", "The dealer calls the floor."),
    }
)
