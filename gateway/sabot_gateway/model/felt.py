"""The words of the felt and its controller: spots, keys, lamps, doubts and faults.

The same nouns as on the wire, in the wire's order; a test holds the two equal.
The core imports nothing of the wire itself.
"""

from enum import StrEnum


class FeltSpot(StrEnum):
    """Every place where chips can lie; seat 0 stands for the table itself."""

    ANTE = "ante"
    PLAY = "play"
    RAISE = "raise"
    BONUS = "bonus"
    PAIR_PLUS = "pair_plus"
    SIX_CARD = "six_card"
    BLIND = "blind"
    TRIPS = "trips"
    BUY = "buy"
    BET = "bet"
    STACK = "stack"
    POT = "pot"
    RAKE = "rake"
    FLOAT = "float"


class Key(StrEnum):
    """The dealer's keypad."""

    BETS_OPEN = "bets_open"
    BETS_CLOSED = "bets_closed"
    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    RAISE = "raise"
    ALL_IN = "all_in"
    BUY = "buy"
    LOOK = "look"
    REVEAL = "reveal"
    ANNOUNCE = "announce"
    EXPOSED_CARD = "exposed_card"
    BURN = "burn"
    CLAIM = "claim"
    VOID = "void"
    PAID = "paid"
    CONFIRM = "confirm"
    CANCEL = "cancel"
    OPEN_SESSION = "open_session"
    CLOSE_SESSION = "close_session"
    NEW_DECK = "new_deck"
    SHUFFLE = "shuffle"
    CUT = "cut"
    LAST_HANDS = "last_hands"
    BUTTON = "button"
    OVERRIDE = "override"
    CALL_FLOOR = "call_floor"
    SEAT_TAKEN = "seat_taken"
    SEAT_LEFT = "seat_left"
    ABSENT = "absent"
    REBUY = "rebuy"


class Colour(StrEnum):
    WHITE = "white"
    BLUE = "blue"
    ORANGE = "orange"
    GREEN = "green"
    RED = "red"
    VIOLET = "violet"


class Pattern(StrEnum):
    STEADY = "steady"
    BLINK = "blink"
    PULSE = "pulse"
    CHASE = "chase"
    FAULT = "fault"


class Doubt(StrEnum):
    """Why a controller is not sure of what it read."""

    TWO_CARDS = "two_cards"
    DRAWN_BACK = "drawn_back"
    READ_AGAIN = "read_again"
    NEIGHBOUR = "neighbour"
    UNREADABLE = "unreadable"
    UNSTABLE = "unstable"
    TOO_MANY = "too_many"


class DeviceFault(StrEnum):
    READER = "reader"
    ANTENNA = "antenna"
    LAMPS = "lamps"
    KEYPAD = "keypad"
    DISPLAY = "display"
    FLASH = "flash"
    LINK = "link"
    DIGEST = "digest"
    CONFIG = "config"
    CLOCK = "clock"
    MEMORY = "memory"
    DOOR = "door"
    OUTBOX_FULL = "outbox_full"
    WATCHDOG = "watchdog"
    INTERNAL = "internal"
