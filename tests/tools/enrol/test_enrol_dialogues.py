"""Deck, chips and badge at the reader, without a reader: what is taken, refused, asked again and taken back."""

import pytest

from sabot_gateway.model.card import text_from_card
from sabot_gateway.model.event import BadgeRead, CardDoubted, CardScanned, ChipsDoubted, ChipsRead, KeyPressed
from sabot_gateway.model.felt import Doubt, FeltSpot, Key
from sabot_gateway.model.tag import Tag
from sabot_tools.enrol.badge_holding import BadgeHolding
from sabot_tools.enrol.chip_laying import ChipLaying
from sabot_tools.enrol.deck_passing import ORDER, DeckPassing, spoken
from sabot_tools.enrol.dialogue import DOUBTS, StoppedError
from sabot_tools.field.trouble import FieldError

KNOWN = Tag("0badbad1")


def why_not(tag: Tag) -> str:
    return "is registered already (badges.csv, line 2)" if tag == KNOWN else ""


def scan(number: int, reader: int = 0) -> CardScanned:
    return CardScanned(reader, Tag(f"{number:08x}"))


def test_the_order_is_suit_by_suit_from_the_deuce_to_the_ace() -> None:
    faces = [text_from_card(card) for card in ORDER]
    assert faces[:13] == ["2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "Tc", "Jc", "Qc", "Kc", "Ac"]
    assert [faces[13], faces[26], faces[39], faces[51]] == ["2d", "2h", "2s", "As"]
    assert spoken(ORDER[31]) == "7 of hearts"
    assert (spoken(ORDER[8]), spoken(ORDER[51])) == ("10 of clubs", "ace of spades")


def test_a_deck_is_whole_after_52_cards_and_enter() -> None:
    deck = DeckPassing("blue-7", why_not)
    assert deck.opening()[-1] == "next: 2 of clubs (0 of 52)"
    for number in range(31):
        (said,) = deck.heard(scan(number))
    assert said == "next: 7 of hearts (31 of 52)"
    for number in range(31, 52):
        (said,) = deck.heard(scan(number))
    assert said == "52 cards: Enter registers deck blue-7."
    assert not deck.is_done
    assert "A 53rd card: not taken" in deck.heard(scan(52))[0]
    assert deck.typed("") == ()
    assert deck.is_done
    assert deck.deck == {card: f"{number:08x}" for number, card in enumerate(ORDER)}


def test_doubtful_foreign_and_repeated_cards_are_not_taken() -> None:
    deck = DeckPassing("d", why_not)
    deck.heard(scan(1))
    cases: list[tuple[CardScanned | CardDoubted, str]] = [
        (scan(1), "passed already, as the 2 of clubs: not taken"),
        (CardScanned(0, KNOWN), "is registered already (badges.csv, line 2): not taken"),
        (scan(2, reader=3), "Read at reader 3, which is not the shoe"),
        *((CardDoubted(0, (Tag("00000005"),), doubt), DOUBTS[doubt]) for doubt in Doubt),
    ]
    for event, words in cases:
        (said,) = deck.heard(event)
        assert words in said
        assert said.endswith("next: 3 of clubs (1 of 52)")
        assert KNOWN not in said
    assert deck.heard(KeyPressed(Key.FOLD, 1)) == ()
    assert len(deck.deck) == 1


def test_the_last_card_is_taken_back_as_often_as_asked() -> None:
    deck = DeckPassing("d", why_not)
    for number in range(3):
        deck.heard(scan(number))
    assert deck.typed("u") == ("The 4 of clubs was taken back. next: 4 of clubs (2 of 52)",)
    deck.typed("u")
    deck.typed("u")
    assert deck.typed("u") == ("There is no card to take back. next: 2 of clubs (0 of 52)",)
    deck.heard(scan(2))
    assert deck.deck == {ORDER[0]: "00000002"}
    with pytest.raises(StoppedError, match="nothing was registered"):
        deck.typed("q")


def test_without_a_keyboard_a_whole_deck_is_enough() -> None:
    deck = DeckPassing("d", why_not)
    deck.ended()
    for number in range(52):
        assert not deck.is_done
        deck.heard(scan(number))
    assert deck.is_done


def stack(*numbers: int, seat: int = 2, spot: FeltSpot = FeltSpot.ANTE) -> ChipsRead:
    return ChipsRead(seat, spot, tuple(Tag(f"{number:016x}") for number in numbers))


def test_stacks_are_counted_shown_and_confirmed() -> None:
    chips = ChipLaying("Chips of 25.00", 5, why_not)
    assert chips.heard(stack(1, 2, 3)) == ("ante of seat 2: 3 chips. Enter takes them.",)
    assert chips.typed("") == ("Taken: 3 chips so far of 5.",)
    assert chips.heard(stack()) == ()
    chips.heard(stack(4))
    assert chips.heard(stack(4, 5)) == ("ante of seat 2: 2 chips. Enter takes them.",)
    assert "waits for Enter" in chips.typed("d")[0]
    chips.typed("")
    assert chips.typed("d") == ()
    assert chips.is_done
    assert chips.tags == [f"{number:016x}" for number in (1, 2, 3, 4, 5)]


def test_stacks_that_do_not_belong_are_named_and_not_taken() -> None:
    chips = ChipLaying("Chips", 0, why_not)
    chips.heard(stack(1, 2))
    chips.typed("")
    assert "this stack was taken already" in chips.heard(stack(2, 1, seat=3))[0]
    (said,) = chips.heard(stack(1, 2, 3))
    assert said.startswith("ante of seat 2: 3 chips, not taken: 2 times: one was taken already.")
    assert chips.typed("")[0] == said
    mixed = ChipsRead(0, FeltSpot.FLOAT, (KNOWN, Tag("00000009")))
    assert "float: 2 chips, not taken: one is registered already (badges.csv, line 2)." in chips.heard(mixed)[0]
    assert len(chips.tags) == 2


def test_a_stack_taken_away_or_doubtful_waits_for_nothing() -> None:
    chips = ChipLaying("Chips", 0, why_not)
    chips.heard(stack(1))
    assert "taken away before Enter" in chips.heard(stack())[0]
    assert chips.typed("") == ("There is no stack to take; lay one on a spot.",)
    chips.heard(stack(1))
    doubt = ChipsDoubted(2, FeltSpot.ANTE, (), Doubt.UNSTABLE)
    assert chips.heard(doubt) == ("ante of seat 2: doubtful, not taken: it does not lie still. Lay the stack again.",)
    assert chips.typed("") == ("There is no stack to take; lay one on a spot.",)


def test_wrong_counts_undo_and_ends_of_laying() -> None:
    chips = ChipLaying("Chips", 2, why_not)
    assert "No stack was taken yet" in chips.typed("d")[0]
    assert chips.typed("u") == ("There is no stack to take back.",)
    chips.heard(stack(1, 2, 3))
    chips.typed("")
    assert chips.typed("d") == ("There are 3 chips instead of 2; lay the others, or stop with q.",)
    assert chips.typed("u") == ("The last stack, 3 chips, was taken back; 0 chips so far of 2.",)
    assert "Enter takes the stack" in chips.typed("what")[0]
    with pytest.raises(FieldError, match="The input ended before d; nothing was registered"):
        chips.ended()
    with pytest.raises(StoppedError):
        chips.typed("q")
    assert not chips.is_done


def test_a_badge_is_held_twice() -> None:
    badge = BadgeHolding("p-9", why_not)
    assert "hold it there again" in badge.heard(BadgeRead(Tag("00000001")))[0]
    assert "another badge: not taken" in badge.heard(BadgeRead(Tag("00000002")))[0]
    badge.heard(BadgeRead(Tag("00000001")))
    assert not badge.is_done
    assert badge.heard(BadgeRead(Tag("00000001"))) == ()
    assert badge.tag == "00000001"


def test_a_known_badge_and_a_stop_end_it() -> None:
    with pytest.raises(FieldError, match=r"This badge is registered already \(badges.csv, line 2\)"):
        BadgeHolding("p-9", why_not).heard(BadgeRead(KNOWN))
    with pytest.raises(StoppedError):
        BadgeHolding("p-9", why_not).typed("q")
