"""The words of every code that an alert's sentence speaks of: doubts, faults, keys, phases, roles and causes.

Evidence keeps the codes; a sentence says these words. Each table is a closed vocabulary, French first, and a test walks
them all. The log of events (projections) says its own sentences with the same words.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.felt import DeviceFault, Doubt, Key
from sabot_gateway.rules.deal import BOARD, BURN, DEALER
from sabot_gateway.rules.holdem_config import MOST_SEATS
from sabot_gateway.table.state import CoupPhase, ReviewCause

Vocabulary = Mapping[str, tuple[str, str]]

DOUBTS: Final[Vocabulary] = MappingProxyType(
    {
        Doubt.TWO_CARDS: ("deux cartes à la fois", "two cards at once"),
        Doubt.DRAWN_BACK: ("carte retirée en arrière", "the card was drawn back"),
        Doubt.READ_AGAIN: ("carte relue", "the card was read again"),
        Doubt.NEIGHBOUR: ("lu aussi sur la case voisine", "also read on the spot beside it"),
        Doubt.UNREADABLE: ("illisible", "unreadable"),
        Doubt.UNSTABLE: ("lecture instable", "the reading is not steady"),
        Doubt.TOO_MANY: ("trop d'étiquettes", "too many tags"),
    }
)
DEVICE_FAULTS: Final[Vocabulary] = MappingProxyType(
    {
        DeviceFault.READER: ("lecteur", "reader"),
        DeviceFault.ANTENNA: ("antenne", "antenna"),
        DeviceFault.LAMPS: ("témoins", "lamps"),
        DeviceFault.KEYPAD: ("clavier", "keypad"),
        DeviceFault.DISPLAY: ("afficheur", "display"),
        DeviceFault.FLASH: ("mémoire flash", "flash memory"),
        DeviceFault.LINK: ("liaison", "link"),
        DeviceFault.DIGEST: ("empreinte du logiciel", "digest of the software"),
        DeviceFault.CONFIG: ("réglages", "settings"),
        DeviceFault.CLOCK: ("horloge", "clock"),
        DeviceFault.MEMORY: ("mémoire", "memory"),
        DeviceFault.DOOR: ("contact du capot", "door switch"),
        DeviceFault.OUTBOX_FULL: ("file d'envoi pleine", "outbox full"),
        DeviceFault.WATCHDOG: ("chien de garde", "watchdog"),
        DeviceFault.INTERNAL: ("défaut interne", "internal fault"),
    }
)
# The wire's reset causes.
RESETS: Final[Vocabulary] = MappingProxyType(
    {
        "unknown": ("cause inconnue", "cause unknown"),
        "power_on": ("mise sous tension", "the power came on"),
        "hard": ("bouton de réinitialisation", "the reset button"),
        "watchdog": ("chien de garde", "the watchdog"),
        "soft": ("redémarrage par le logiciel", "restarted by its software"),
        "deep_sleep": ("sortie de veille", "woken from sleep"),
        "brownout": ("baisse de tension", "the voltage dropped"),
        "update": ("mise à jour", "an update"),
        "rollback": ("retour au logiciel précédent", "back to the earlier software"),
    }
)
KEYS: Final[Vocabulary] = MappingProxyType(
    {
        Key.BETS_OPEN: ("faites vos jeux", "place your bets"),
        Key.BETS_CLOSED: ("rien ne va plus", "no more bets"),
        Key.FOLD: ("passe", "fold"),
        Key.CHECK: ("parole", "check"),
        Key.CALL: ("suit", "call"),
        Key.RAISE: ("relance", "raise"),
        Key.ALL_IN: ("tapis", "all in"),
        Key.BUY: ("achat", "purchase"),
        Key.LOOK: ("regard", "early look"),
        Key.REVEAL: ("montrer la main", "show the hand"),
        Key.ANNOUNCE: ("annonce des limites", "announce the limits"),
        Key.EXPOSED_CARD: ("carte découverte", "exposed card"),
        Key.BURN: ("brûler", "burn"),
        Key.CLAIM: ("bonus", "claim"),
        Key.VOID: ("coup nul", "void"),
        Key.PAID: ("payé", "paid"),
        Key.CONFIRM: ("confirmer", "confirm"),
        Key.CANCEL: ("annuler", "cancel"),
        Key.OPEN_SESSION: ("ouvrir la séance", "open the séance"),
        Key.CLOSE_SESSION: ("fermer la séance", "close the séance"),
        Key.NEW_DECK: ("nouveau jeu", "new deck"),
        Key.SHUFFLE: ("mélange", "shuffle"),
        Key.CUT: ("coupe", "cut"),
        Key.LAST_HANDS: ("trois dernières mains", "last three hands"),
        Key.BUTTON: ("bouton", "button"),
        Key.OVERRIDE: ("passer outre", "override"),
        Key.CALL_FLOOR: ("appel", "call the floor"),
        Key.SEAT_TAKEN: ("siège occupé", "seat taken"),
        Key.SEAT_LEFT: ("siège libre", "seat left"),
        Key.ABSENT: ("absent", "absence"),
        Key.REBUY: ("recave", "recave"),
    }
)
PHASES: Final[Vocabulary] = MappingProxyType(
    {
        CoupPhase.IDLE: ("entre deux coups", "between two coups"),
        CoupPhase.BETTING: ("pendant les mises", "during the betting"),
        CoupPhase.DEALING: ("pendant la donne", "during the deal"),
        CoupPhase.DECIDING: ("pendant les décisions", "during the decisions"),
        CoupPhase.REVEALING: ("pendant que les mains se montrent", "while the hands are shown"),
        CoupPhase.PAYING: ("pendant les paiements", "during the payments"),
        CoupPhase.CLEARING: ("pendant le ramassage des cartes", "while the cards are collected"),
    }
)
# Who must be there, as the rules of staff name them.
ROLES: Final[Vocabulary] = MappingProxyType(
    {"chef": ("le chef de table", "the table head"), "dealer": ("le croupier", "the dealer")}
)
REVIEW_CAUSES: Final[Vocabulary] = MappingProxyType(
    {
        ReviewCause.CONTROLLER_LOST: (
            "la liaison avec un contrôleur est perdue",
            "the link to a controller is lost",
        ),
        ReviewCause.CONTROLLER_REBOOTED: ("un contrôleur a redémarré", "a controller restarted"),
        ReviewCause.DEVICE_FAULT: ("un contrôleur est en panne", "a controller has a fault"),
        ReviewCause.EVENTS_MISSING: ("des événements manquent", "events are missing"),
        ReviewCause.SERVICE_INTERRUPTED: ("Sabot a été interrompu", "Sabot was interrupted"),
        ReviewCause.CARD_DOUBTFUL: ("la lecture d'une carte est douteuse", "the reading of a card is doubtful"),
        ReviewCause.UNKNOWN_CARD: ("une carte est inconnue du registre", "the register does not know a card"),
        ReviewCause.TOO_FEW_CARDS: ("il manque des cartes à la donne", "the deal lacks cards"),
        ReviewCause.DISCARD_NOT_SEEN: (
            "la carte écartée d'un acheteur n'a pas été lue",
            "the discard of a buyer was not read",
        ),
        ReviewCause.CANNOT_SETTLE: (
            "le coup ne peut pas être réglé tel qu'il est lu",
            "the coup cannot be settled as it was read",
        ),
    }
)
# What the deck lacks, as the rules name its steps.
DECK_STEPS: Final[Vocabulary] = MappingProxyType(
    {"count": ("comptage", "a count"), "shuffle": ("mélange", "a shuffle"), "cut": ("coupe", "a cut")}
)
# Where a card or a hand lies, as the deal plan names its recipients.
RECIPIENTS: Final[Vocabulary] = MappingProxyType(
    {
        DEALER: ("le croupier", "the dealer"),
        BOARD: ("le tableau", "the board"),
        BURN: ("les cartes brûlées", "the burned cards"),
        **{str(seat): (f"la place {seat}", f"seat {seat}") for seat in range(1, MOST_SEATS + 1)},
    }
)
