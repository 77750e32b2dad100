"""Every event, key, effect and note has a sentence in both languages, and none of them names a card (law 7)."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest

import sabot_gateway.table
from sabot_gateway.model import effect as effects
from sabot_gateway.model import event as facts
from sabot_gateway.model import review
from sabot_gateway.model.alert import Alert, Clears, Severity
from sabot_gateway.model.card import RANKS, SUITS, cards_from_text
from sabot_gateway.model.coup import BankCoup, BankSeat, Void
from sabot_gateway.model.effect import Lamp, Line, RecordDecision, RecordSettlement, SetLamps
from sabot_gateway.model.felt import Colour, DeviceFault, Doubt, FeltSpot, Key, Pattern
from sabot_gateway.model.game import Game
from sabot_gateway.model.person import Person, Role
from sabot_gateway.model.settlement import Settlement, Status
from sabot_gateway.model.tag import Chip, Deck, Tag
from sabot_gateway.projections.sentences import NO_SCENE, Scene, Sentence, sentence_of

TAG = Tag("04a1b2c3d4e5f6")
ALERT = Alert("OVERPAID", Severity.ALARM, "TCF-13", "Trop payé.", "Overpaid.", Clears.OVERRIDE, seat=3, spot="ante")
CARDS = cards_from_text("As Kd 7h")
EXAMPLES: tuple[Any, ...] = (
    facts.CardScanned(0, TAG),
    facts.CardScanned(4, TAG),
    *(facts.CardDoubted(0, (TAG,), reason) for reason in Doubt),
    facts.ChipsRead(3, FeltSpot.ANTE, (TAG,)),
    facts.ChipsRead(3, FeltSpot.ANTE, ()),
    *(facts.ChipsDoubted(0, FeltSpot.POT, (TAG,), reason) for reason in Doubt),
    *(facts.KeyPressed(key, seat) for key in Key for seat in (0, 5)),
    facts.BadgeRead(TAG),
    facts.CutCardSeen(),
    facts.DiscardRead((TAG,)),
    facts.SeatSensed(2, True),
    facts.SeatSensed(2, False),
    facts.LampsApplied(7),
    facts.DoorMoved(True),
    facts.DoorMoved(False),
    *(facts.DeviceFaulted(code, 1, active, device="shoe") for code in DeviceFault for active in (True, False)),
    facts.LinkLost(device="shoe"),
    facts.LinkRestored(device="shoe"),
    facts.LinkGap(3, 9, device="shoe"),
    facts.ControllerRebooted("power", device="shoe"),
    facts.ClockSkewed(2500, device="shoe"),
    facts.ServiceResumed(True),
    facts.ServiceResumed(False),
    facts.TimerFired("stall", 4),
    facts.TimerFired("something", 4),
    *(facts.CoupVoided("H1", cause) for cause in Void),
    facts.AlertOverridden("H1", "4/OVERPAID/3-ante", "the player agreed"),
    facts.AlertCleared("S1", "4/OVERPAID/3-ante", "seen on video"),
    facts.HandConfirmed("H1", 3, CARDS),
    facts.HandConfirmed("H1", 0, CARDS),
    facts.HandConfirmed("H1", -1, CARDS),
    facts.PlayerSeated(3, "P3"),
    facts.PlayerLeft(3),
    facts.PlayerAbsent(3),
    facts.PlayerReturned(3),
    facts.PlayerWaiting("P9"),
    facts.PlayerCalled("P9", True),
    facts.PlayerCalled("P9", False),
    facts.Recaved(3, 20_000),
    facts.StakeConsigned("H1", 3, 20_000),
    facts.ConsignmentClaimed("H1", "P3"),
    facts.ButtonPlaced(3),
    facts.RakeDropped(300),
    facts.DeckRegistered(Deck("A", "blue"), {}),
    facts.ChipsRegistered({TAG: Chip(500)}),
    facts.BadgeRegistered(TAG, Person("D1", Role.DEALER)),
    facts.BadgeRegistered(TAG, None),
    facts.FloatDeclared(500_000),
    review.AlertAssigned("S1", "4/OVERPAID/3-ante", "S2"),
    review.AlertAssigned("S1", "4/OVERPAID/3-ante", ""),
    review.AlertCommented("S1", "4/OVERPAID/3-ante", "camera 4"),
    review.AlertAcknowledged("S1", "4/OVERPAID/3-ante", "seen"),
    review.AlertEscalated("S1", "4/OVERPAID/3-ante", "pit boss", "twice tonight"),
    review.HandsUnsealed("I1", 12, "complaint"),
    effects.SetLamps(3, (Lamp(3, FeltSpot.ANTE, Colour.GREEN, Pattern.BLINK, 2_000),), (Line("Donne", "Deal"),)),
    effects.SetLamps(4, (), ()),
    effects.RaiseAlert(ALERT),
    *(effects.ClearAlert(ALERT.id, how) for how in ("corrected", "cleared", "overridden", "coup_end", "void")),
    *(
        RecordSettlement(4, Game.TCF, BankCoup((BankSeat(3, CARDS),), CARDS), Settlement(status, ()))
        for status in Status
    ),
    RecordDecision(4, "phase", (("to", "dealing"),)),
    effects.StartTimer("stall", 1, 180_000),
    effects.CancelTimer("stall"),
)
EVERYTHING = (*get_args(facts.Event), *get_args(review.ReviewEvent), *get_args(effects.Effect))
NOTES: dict[str, tuple[tuple[str, int | str], ...]] = {
    "seance_opening": (("by", "H1"),),
    "seance_closed": (("by", "H1"),),
    "last_hands": (("hands", 3),),
    "coup_finished": (),
    "configured": (("changed", "ruleset,timing"), ("ruleset", "tcf"), ("sha256", "00")),
    "button_drawn": (("seat", 3),),
    "button_placed": (("seat", 3),),
    "hand_confirmed": (("seat", 0), ("by", "H1")),
    "rake": (("amount_cents", 300), ("due_cents", 500)),
    "mucked": (("seat", 3),),
    "shown": (("seat", 3),),
    "decision": (("seat", 3), ("decision", "raise")),
    "deck_counted": (("deck", "A"),),
    "shuffled": (),
    "phase": (("to", "paying"),),
    "cave": (("seat", 3), ("amount_cents", 20_000)),
    "recave_wanted": (("seat", 3),),
    "stake_consigned": (("seat", 3), ("player", "P3"), ("amount_cents", 20_000), ("by", "H1")),
    "consignment_claimed": (("player", "P3"), ("amount_cents", 20_000), ("by", "H1")),
    "stake_orphaned": (("player", "P3"), ("amount_cents", 20_000)),
    "chips_exchanged": (("seat", 3), ("spot", "ante"), ("amount_cents", 20_000)),
    "bets_closed": (("players", "1,3"),),
    "action": (("seat", 3), ("act", "raise"), ("to", 2_000)),
}


@pytest.mark.parametrize("kind", EVERYTHING, ids=lambda kind: kind.__name__)
def test_every_class_has_an_example_here(kind: type) -> None:
    assert any(type(example) is kind for example in EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES, ids=repr)
def test_a_sentence_in_both_languages_and_no_card_in_it(example: Any) -> None:
    said = sentence_of(example)
    for text in said:
        assert text[:1].isupper() or text[:1].isdigit() or text[:1] in "€$"
        assert "{" not in text
        assert "None" not in text
        assert TAG not in text
        assert not re.search(rf"\b[{RANKS}][{SUITS}]\b", text)
    if not isinstance(example, effects.RaiseAlert):
        assert said.fr != said.en


def test_a_phase_has_words_of_its_own() -> None:
    phases = ("idle", "betting", "dealing", "deciding", "revealing", "paying", "clearing")
    assert len({sentence_of(RecordDecision(1, "phase", (("to", phase),))) for phase in phases}) == len(phases)


def test_every_note_that_the_table_takes_has_words() -> None:
    folder = Path(str(sabot_gateway.table.__file__)).parent
    written = {
        kind for path in folder.glob("*.py") for kind in re.findall(r'turn\.note\(\s*"(\w+)"', path.read_text("utf-8"))
    }
    assert written == set(NOTES)
    for kind, detail in NOTES.items():
        said = sentence_of(RecordDecision(1, kind, detail))
        assert said.fr != said.en
        assert not any(f"{name}=" in said.en for name, _ in detail)


def test_a_note_of_a_later_release_is_shown_as_it_is() -> None:
    assert sentence_of(RecordDecision(1, "new_thing", (("seat", 3),))).en == "new thing seat=3."


RAISED = RecordDecision(4, "decision", (("seat", 3), ("decision", "raise")))


@pytest.mark.parametrize(
    ("happened", "scene", "expected"),
    [
        (
            RAISED,
            Scene(Game.TCF, bets={(3, "play"): 2_000}),
            Sentence("Siège 3 relance 20\N{NO-BREAK SPACE}€.", "Seat 3 raises €20."),
        ),
        (
            RAISED,
            Scene(Game.TCP, bets={(3, "play"): 2_050}),
            Sentence("Siège 3 relance 20,50\N{NO-BREAK SPACE}$.", "Seat 3 raises $20.50."),
        ),
        (RAISED, NO_SCENE, Sentence("Siège 3 relance.", "Seat 3 raises.")),
        (
            RecordDecision(4, "decision", (("seat", 2), ("decision", "fold"))),
            Scene(Game.UTH),
            Sentence("Siège 2 renonce.", "Seat 2 folds."),
        ),
        (
            RecordDecision(4, "action", (("seat", 5), ("act", "raise"), ("to", 6_000))),
            Scene(Game.THE),
            Sentence("Siège 5 relance à 60\N{NO-BREAK SPACE}€.", "Seat 5 raises to €60."),
        ),
        (
            facts.ChipsRead(3, FeltSpot.PAIR_PLUS, (TAG, Tag("05"))),
            Scene(Game.TCF, felt={(3, "pair_plus"): 1_000}),
            Sentence("PAIRE PLUS du siège 3 : 10\N{NO-BREAK SPACE}€.", "Seat 3's PAIR PLUS holds €10."),
        ),
    ],
)
def test_said_as_people_at_the_table_say_it(happened: Any, scene: Scene, expected: Sentence) -> None:
    assert sentence_of(happened, scene) == expected


def test_lamps_say_colour_amount_and_display() -> None:
    picture = (Lamp(3, FeltSpot.ANTE, Colour.GREEN, Pattern.BLINK, 4_000),)
    said = sentence_of(SetLamps(9, picture, (Line("Donne", "Deal"),)), Scene(Game.STU))
    assert said.en == "Lamps 9: seat 3's ANTE green €40; display: Deal."
