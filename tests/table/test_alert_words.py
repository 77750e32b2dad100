"""Every code that an alert may speak of has words in French and in English, and a sentence says them.

A vocabulary is closed: each test walks the codes of whoever owns them, not those that the words happen to have.
"""

import string
from collections.abc import Iterable

import pytest

from sabot_gateway.model.alert import Holds
from sabot_gateway.model.felt import DeviceFault, Doubt, FeltSpot, Key
from sabot_gateway.model.game import Game
from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.rules.catalogue import packaged
from sabot_gateway.rules.deal import BOARD, BURN, DEALER
from sabot_gateway.rules.fault_words import FAULTS
from sabot_gateway.rules.holdem_config import MOST_SEATS
from sabot_gateway.rules.rejection import SENTENCES
from sabot_gateway.rules.spot import SPOTS
from sabot_gateway.rules.spot_name import spot_label, spot_name
from sabot_gateway.rules.staff import Staffing, check_staff
from sabot_gateway.rules.vocabulary import Language
from sabot_gateway.table.alerts import KINDS, cards, chips, house, payout, stakes
from sabot_gateway.table.alerts.kind import AlertKind
from sabot_gateway.table.alerts.party import DRAW_FAULTS, misread
from sabot_gateway.table.alerts.short_words import FRENCH, short_words
from sabot_gateway.table.alerts.words import (
    DECK_STEPS,
    DEVICE_FAULTS,
    DOUBTS,
    KEYS,
    PHASES,
    RECIPIENTS,
    RESETS,
    REVIEW_CAUSES,
    ROLES,
    Vocabulary,
)
from sabot_gateway.table.display import MOST_BYTES
from sabot_gateway.table.state import CoupPhase, ReviewCause
from sabot_protocol import messages

NOBODY = Staffing(chef_present=False, dealer_present=False)
MISSING = {str(fault.detail) for game in Game for fault in check_staff(game, shipped_ruleset(game).values, NOBODY)}
WORDS: dict[str, tuple[Vocabulary, Iterable[str]]] = {
    "doubts": (DOUBTS, Doubt),
    "faults of a controller": (DEVICE_FAULTS, DeviceFault),
    "causes of a restart": (RESETS, messages.RESET[1]),
    "keys": (KEYS, Key),
    "phases": (PHASES, CoupPhase),
    "roles": (ROLES, MISSING),
    "causes of a review": (REVIEW_CAUSES, ReviewCause),
    "steps of the deck": (DECK_STEPS, ("count", "shuffle", "cut")),
    "recipients": (RECIPIENTS, (DEALER, BOARD, BURN, *(str(seat) for seat in range(1, MOST_SEATS + 1)))),
    "faults of the rules": (FAULTS, SENTENCES),
    "faults of a draw": (DRAW_FAULTS, (*SENTENCES, *map(misread, Doubt))),
}


@pytest.mark.parametrize("name", WORDS)
def test_a_vocabulary_has_all_words_in_both_languages(name: str) -> None:
    words, codes = WORDS[name]
    assert set(words) == set(map(str, codes))
    for code, (french, english) in words.items():
        for said in (french, english):
            assert said.strip() == said != ""
            assert "_" not in said, code
            assert not said.endswith("."), code
    assert len({french for french, _ in words.values()}) > len(words) * 3 // 4  # no placeholder


@pytest.mark.parametrize("game", Game)
def test_no_table_has_more_seats_than_there_are_words_for(game: Game) -> None:
    assert int(str(shipped_ruleset(game).values["seats_total"])) <= MOST_SEATS


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)
def test_words_belong_to_what_the_sentence_says(kind: AlertKind) -> None:
    for sentence in (kind.fr, kind.en):
        assert set(kind.words) <= {name for _, name, _, _ in string.Formatter().parse(sentence)}


@pytest.mark.parametrize("game", Game)
@pytest.mark.parametrize("spot", FeltSpot)
def test_every_spot_has_a_name_in_both_languages(game: Game, spot: FeltSpot) -> None:
    for language in Language:
        name = spot_name(spot, game, language)
        assert name[:1].isupper()
        assert "_" not in name
        assert spot_label(spot, game, language) == name.upper()


@pytest.mark.parametrize("game", [Game.TCF, Game.STU, Game.TCP, Game.UTH])
def test_the_french_name_of_a_spot_is_a_word_of_the_games_document(game: Game) -> None:
    rules = [rule for section in packaged().books[game].sections for rule in section.rules]
    text = " ".join([rule.sentence.fr + " " + " ".join(quote.sentence for quote in rule.quotes) for rule in rules])
    for spot in SPOTS[game]:
        assert spot_name(spot.name, game, Language.FR).lower() in text.lower()


@pytest.mark.parametrize(
    ("game", "spot", "french", "english"),
    [
        (Game.TCF, "play", "Jouer", "Play"),
        (Game.TCF, "pair_plus", "Paire Plus", "Pair Plus"),
        (Game.TCF, "ante", "Mise", "Ante"),
        (Game.TCP, "pair_plus", "Paire ou plus", "Pair Plus"),
        (Game.UTH, "play", "Play", "Play"),
        (Game.STU, "raise", "Relance", "Raise"),
    ],
)
def test_a_game_has_its_own_word_for_a_spot(game: Game, spot: str, french: str, english: str) -> None:
    assert (spot_name(spot, game, Language.FR), spot_name(spot, game, Language.EN)) == (french, english)


def test_sentences_speak_as_people_do() -> None:
    tcf = Game.TCF
    said = [
        (alert.fr, alert.en)
        for alert in (
            house.in_review(tcf, "controller_rebooted"),
            house.coup_stalled(tcf, "deciding"),
            house.key_out_of_place(tcf, "bets_closed", "dealing", 0),
            house.controller_rebooted(tcf, "shoe", "power_on"),
            house.staff_missing(tcf, "dealer", "TCF-11"),
            house.device_fault(tcf, "shoe", "outbox_full", 0),
            cards.card_doubtful(tcf, "two_cards"),
            cards.deal_out_of_order(tcf, "D", "3"),
            payout.overpaid(tcf, 3, "play", 2550, 2000, "TCF-59"),
            payout.cannot_settle(tcf, "PLAY_NOT_EQUAL_ANTE", "TCF-42", 3),
            chips.chip_on_two_spots(Game.TCP, 3, "ante", 2, 4, "pair_plus"),
            stakes.wrong_raise(Game.UTH, 3, "play", 1000, "37.50/50", "UTH-20"),
        )
    ]
    assert said == [
        (
            "Coup à vérifier : un contrôleur a redémarré. Rien n'est réglé automatiquement.",
            "The coup is in review: a controller restarted. Nothing settles by itself.",
        ),
        ("Le coup n'avance plus pendant les décisions.", "The coup has stalled during the decisions."),
        (
            "Touche « rien ne va plus » sans effet pendant la donne.",
            "The key “no more bets” has no effect during the deal.",
        ),
        ("Le contrôleur shoe a redémarré : mise sous tension.", "Controller shoe restarted: the power came on."),
        (
            "Il manque un badge : le croupier ne s'est pas présenté.",
            "A badge is missing: the dealer has not shown up.",
        ),
        (
            "Le contrôleur shoe est en panne : file d'envoi pleine, élément 0.",
            "Controller shoe has a fault: outbox full, part 0.",
        ),
        ("Lecture douteuse d'une carte : deux cartes à la fois.", "A card was read doubtfully: two cards at once."),
        (
            "Une carte est mal placée : lue devant la place 3, elle était pour le croupier.",
            "A card is misplaced: it was read before seat 3 and meant for the dealer.",
        ),
        (
            "Place 3, JOUER : 25,50 au lieu de 20 (trop payé).",
            "Seat 3, PLAY: 25.50 instead of 20 (overpaid).",
        ),
        (
            "Le coup ne peut pas être réglé tel qu'il est lu : la relance doit égaler la mise initiale.",
            "The coup cannot be settled as it was read: the raise must equal the ante.",
        ),
        (
            "Place 3, MISE INITIALE : 2 jetons lus aussi à la place 4, PAIRE OU PLUS.",
            "Seat 3, ANTE: 2 chips were also read at seat 4, PAIR PLUS.",
        ),
        (
            "Place 3 : 10 sur PLAY ; attendu : 37,50 ou 50.",
            "Seat 3: 10 on PLAY; expected: 37.50 or 50.",
        ),
    ]


@pytest.mark.parametrize(
    ("count", "french", "english"),
    [
        (0, "Le compte est faux : il manque 0 carte.", "The count is wrong: 0 cards are missing."),
        (1, "Le compte est faux : il manque 1 carte.", "The count is wrong: 1 card is missing."),
        (2, "Le compte est faux : il manque 2 cartes.", "The count is wrong: 2 cards are missing."),
    ],
)
def test_a_noun_agrees_with_its_number(count: int, french: str, english: str) -> None:
    alert = cards.card_missing(Game.STU, count)
    assert (alert.fr, alert.en) == (french, english)


def test_evidence_keeps_the_code() -> None:
    assert dict(house.in_review(Game.TCF, "events_missing").evidence) == {"cause": "events_missing"}


def test_a_code_of_another_release_does_no_harm() -> None:
    assert house.controller_rebooted(Game.TCF, "shoe", "magic").en == "Controller shoe restarted: magic."


def test_every_alert_that_holds_something_has_french_for_the_display() -> None:
    holding = {kind.code for kind in KINDS if kind.holds is not Holds.NOTHING}
    assert set(FRENCH) == holding
    for code in holding:
        for words in short_words(code):
            assert "_" not in words
            assert len(f"! {words} {MOST_SEATS}".encode()) <= MOST_BYTES
