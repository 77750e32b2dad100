"""Spoken words: each document's own vocabulary, complete in French and English."""

import pytest

from sabot_gateway.model.game import Game
from sabot_gateway.rules import announcement
from sabot_gateway.rules.announcement import SAYABLE, Announcement, Situation
from sabot_gateway.rules.hand import CATS3, CATS5, Category
from sabot_gateway.rules.vocabulary import Language, category_name, named_categories


@pytest.mark.rules("TCF-47", "STU-47")
def test_a_dealer_who_does_not_qualify_says_pas_de_jeu() -> None:
    assert announcement.no_game(Game.TCF) == Announcement("pas de jeu", "no game", "TCF-47")
    assert announcement.no_game(Game.STU) == Announcement("pas de jeu", "no game", "STU-47")


@pytest.mark.rules("TCF-63", "STU-55")
def test_a_bank_that_beats_everybody_says_banque_gagne() -> None:
    assert (announcement.bank_wins(Game.TCF).say, announcement.bank_wins(Game.TCF).rule) == ("banque gagne", "TCF-63")
    assert announcement.bank_wins(Game.STU).rule == "STU-55"


@pytest.mark.rules("TCF-68", "STU-68")
def test_a_paid_bonus_is_announced_for_its_seat() -> None:
    assert announcement.bonus_paid(Game.STU, 1) == Announcement("bonus payé", "bonus paid", "STU-68", 1)
    assert announcement.bonus_paid(Game.TCF, 7).rule == "TCF-68"


@pytest.mark.rules("TCF-40", "STU-40", "TCP-11", "THE-58", "UTH-25")
def test_each_document_has_its_own_word_for_a_fold() -> None:
    said = {game: announcement.fold(game, 3).say for game in Game}
    assert said == {
        Game.TCF: "passe",
        Game.STU: "passe",
        Game.TCP: "abandonne",
        Game.THE: "passe",
        Game.UTH: "renonce",
    }


@pytest.mark.rules("UTH-20", "UTH-22", "THE-68", "THE-74")
def test_passe_only_waits_at_ultimate_and_parole_checks_at_holdem() -> None:
    assert announcement.check(Game.UTH, 1).say == "passe"
    assert announcement.check(Game.UTH, 1).english == "check"
    assert announcement.check(Game.THE, 1).say == "parole"


@pytest.mark.rules("TCF-52", "STU-52", "UTH-27")
def test_the_same_hand_is_announced_in_the_words_of_its_article() -> None:
    assert announcement.combination(Game.TCF, Category.STRAIGHT, 2) == Announcement("suite", "straight", "TCF-52", 2)
    assert announcement.combination(Game.STU, Category.STRAIGHT, 2) == Announcement("quinte", "straight", "STU-52", 2)
    assert announcement.combination(Game.UTH, Category.ROYAL_FLUSH).say == "quinte flush royale"


@pytest.mark.rules("TCP-28", "TCP-29", "TCP-31", "TCP-37")
def test_quinte_is_a_straight_in_france_and_a_straight_flush_in_quebec() -> None:
    assert category_name(Game.TCP, "straight_flush") == category_name(Game.STU, "straight") == "quinte"
    assert category_name(Game.TCP, "straight") == "séquence"
    assert category_name(Game.TCF, "straight_flush") == "suite couleur"
    assert category_name(Game.STU, "straight_flush") == "quinte flush"
    assert category_name(Game.TCP, "full_house") == "main pleine"
    assert category_name(Game.STU, "full_house") == "full"
    assert category_name(Game.STU, "royal_flush") == "quinte royale"
    assert category_name(Game.TCP, "mini_royal") == "mini royal"


@pytest.mark.parametrize("game", Game)
def test_every_combination_of_a_game_has_one_name_in_each_language(game: Game) -> None:
    own = CATS3 if game is Game.TCF else CATS5
    assert {str(category) for category in own} <= set(named_categories(game))
    for language in Language:
        names = [category_name(game, category, language) for category in named_categories(game)]
        assert all(names)
        assert len(set(names)) == len(names)


@pytest.mark.rules("THE-59", "THE-60", "THE-75", "THE-92")
def test_holdem_actions_are_spoken_in_french() -> None:
    acts = ("fold", "check", "call", "bet", "raise", "allin")
    assert [announcement.spoken_action(act, 4).say for act in acts] == [
        "passe",
        "parole",
        "suit",
        "ouvre",
        "relance",
        "tapis",
    ]


@pytest.mark.rules("TCF-77", "TCF-78", "STU-73")
def test_claims_cite_the_rule_of_their_stake() -> None:
    assert announcement.claim(Game.TCF, "bonus", 1).rule == "TCF-77"
    assert announcement.claim(Game.TCF, "pair_plus", 1).rule == "TCF-78"
    assert announcement.claim(Game.STU, "bonus", 1).rule == "STU-73"


@pytest.mark.rules("TCF-35", "TCF-36", "STU-33", "STU-34", "TCP-48")
def test_a_void_coup_cites_its_cause() -> None:
    assert announcement.coup_void(Game.TCF).rule == "TCF-35"
    assert announcement.coup_void(Game.TCF, "collusion").rule == "TCF-36"
    assert announcement.coup_void(Game.STU, "collusion").rule == "STU-34"
    assert announcement.coup_void(Game.TCP, "malfunction").rule == "TCP-48"
    assert announcement.hand_void(Game.STU, 2) == Announcement("main nulle", "hand void", "STU-35", 2)


@pytest.mark.rules("THE-112")
def test_the_last_three_hands_are_counted_down() -> None:
    said = [announcement.last_hands(Game.THE, left).say for left in (3, 2, 1)]
    assert said == ["les trois dernières mains", "les deux dernières mains", "la dernière main"]
    assert announcement.last_hands(Game.THE, 3).rule == "THE-112"


@pytest.mark.rules("TCF-25", "STU-25", "UTH-18", "TCF-14")
def test_bets_are_opened_and_closed_aloud() -> None:
    assert announcement.place_bets(Game.TCF).rule == "TCF-14"
    assert announcement.bets_closed(Game.TCF) == Announcement("rien ne va plus", "no more bets", "TCF-25")
    assert announcement.bets_closed(Game.UTH).rule == "UTH-18"


def test_a_situation_unknown_to_a_document_has_no_words() -> None:
    assert Situation.NO_GAME not in SAYABLE[Game.UTH]
    with pytest.raises(KeyError):
        announcement.no_game(Game.UTH)
    assert Situation.LAST_HANDS in SAYABLE[Game.THE]
