"""The five games and where each is written down."""

from enum import StrEnum


class Game(StrEnum):
    TCF = "TCF"  # poker trois cartes, article 55-21
    STU = "STU"  # stud poker de casino, article 55-16
    TCP = "TCP"  # Three Card Poker, Québec
    THE = "THE"  # texas hold'em poker, article 57
    UTH = "UTH"  # ultimate hold'em poker, article 55-20
