"""What is written as a fact reads back as the same fact, in bytes that any CBOR reader understands."""

from typing import Any

import cbor2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot_gateway.journal.record import Kind
from sabot_gateway.model import event as model
from sabot_gateway.model import review
from sabot_gateway.model.card import Card
from sabot_gateway.model.coup import Decision, Void
from sabot_gateway.model.game import Game
from sabot_gateway.model.person import Person, Role
from sabot_gateway.model.tag import CardTag, Chip, ChipState, Deck, Tag
from sabot_gateway.rulebook import shipped_rulesets
from sabot_gateway.table.setup import Fitted, Timing
from sabot_gateway.transcript.error import FactError
from sabot_gateway.transcript.fact import (
    Batch,
    Configured,
    Said,
    SetupRecord,
    Withheld,
    body_from_batch,
    body_from_event,
    body_from_setup,
    body_from_withheld,
    read_fact,
)
from sabot_protocol.codec import encode

EVENTS: list[tuple[str, dict[str, Any]]] = [
    ("card_scanned", {"device_ms": 5, "reader": 0, "uid": b"1234"}),
    ("cut_card", {"device_ms": 9}),
]
PAYLOAD = encode("event", {"boot": 3, "first": 70, "events": EVENTS})

SAID = [
    model.LinkLost(at_ms=4, device="felt-1"),
    model.LinkRestored(at_ms=4, device="felt-1"),
    model.LinkGap(3, 9, at_ms=4, device="felt-1"),
    model.ControllerRebooted("watchdog", at_ms=4, device="felt-1"),
    model.ClockSkewed(-40, at_ms=4, device="felt-1"),
    model.ServiceResumed(True, at_ms=4),
    model.TimerFired("stall", 7, at_ms=4),
    model.CoupVoided("H1", Void.MALFUNCTION, at_ms=4),
    model.AlertOverridden("H1", "3/OVERPAID/2-ante", "seen", at_ms=4),
    model.AlertCleared("S1", "3/OVERPAID/2-ante", at_ms=4),
    model.HandConfirmed("H1", -1, (Card(0), Card(51)), Decision.FOLD, at_ms=4),
    model.HandConfirmed("H1", 2, (), None, at_ms=4),
    model.PlayerSeated(3, "P9", at_ms=4),
    model.PlayerLeft(3, at_ms=4),
    model.PlayerAbsent(3, at_ms=4),
    model.PlayerReturned(3, at_ms=4),
    model.PlayerWaiting("P9", at_ms=4),
    model.PlayerCalled("P9", False, at_ms=4),
    model.Recaved(3, 10_000, at_ms=4),
    model.StakeConsigned("H1", 3, 10_000, at_ms=4),
    model.ConsignmentClaimed("H1", "P9", at_ms=4),
    model.ButtonPlaced(3, at_ms=4),
    model.RakeDropped(500, at_ms=4),
    model.DeckRegistered(Deck("red", "red", 2), {Tag("aa"): CardTag(Card(7), "red")}, at_ms=4),
    model.ChipsRegistered({Tag("bb"): Chip(500), Tag("cc"): Chip(100, ChipState.WITHDRAWN)}, at_ms=4),
    model.BadgeRegistered(Tag("dd"), Person("D1", Role.DEALER), at_ms=4),
    model.BadgeRegistered(Tag("dd"), None, at_ms=4),
    model.FloatDeclared(1_000_000, at_ms=4),
    review.AlertAssigned("S1", "3/OVERPAID", "S2", at_ms=4),
    review.AlertCommented("S1", "3/OVERPAID", "déjà vu", at_ms=4),
    review.AlertAcknowledged("S1", "3/OVERPAID", "ok", at_ms=4),
    review.AlertEscalated("S1", "3/OVERPAID", "head", "sum", at_ms=4),
    review.HandsUnsealed("I1", 3, "complaint", at_ms=4),
]


@pytest.mark.parametrize("event", SAID, ids=lambda event: type(event).__name__)
def test_what_was_said_reads_back_equal(event: Any) -> None:
    assert read_fact(Kind.OPERATOR, body_from_event(event, "H1")) == Said(event, "H1")


def test_everything_that_can_be_said_is_tried_here() -> None:
    known = {type(event) for event in SAID}
    assert known == {*model.LinkEvent.__args__, *model.OperatorEvent.__args__, *review.ReviewEvent.__args__}


@given(
    st.text(min_size=1, max_size=32),
    st.integers(0, 31),
    st.integers(-(2**40), 2**48),
    st.integers(0, 2**33),
    st.binary(max_size=944),
)
def test_a_batch_is_written_as_cbor2_would_write_it(
    device: str, skip: int, offset_ms: int, spread_ms: int, payload: bytes
) -> None:
    plain = [1, "batch", device, skip, offset_ms, spread_ms, payload]
    assert body_from_batch(device, skip, offset_ms, spread_ms, payload) == cbor2.dumps(plain)


def test_a_batch_keeps_the_payload_as_it_came() -> None:
    body = body_from_batch("felt-1", 1, 1_790_000_000_000, 50, PAYLOAD)
    assert PAYLOAD in body
    assert read_fact(Kind.FACT, body) == Batch("felt-1", 1, 1_790_000_000_000, 50, 3, 70, EVENTS)


@pytest.mark.parametrize("game", Game)
def test_a_setup_carries_every_value_of_its_ruleset(game: Game) -> None:
    ruleset = shipped_rulesets()[game]
    setup = SetupRecord("t1", ruleset, "ab" * 32, Timing(lamps_ms=9), Fitted(seat_readers={1: 4}, pot=True))
    fact = read_fact(Kind.FACT, body_from_setup(setup))
    assert isinstance(fact, Configured)
    read = fact.setup
    assert (read.table, read.registers, read.timing, read.fitted) == ("t1", "ab" * 32, setup.timing, setup.fitted)
    assert (read.ruleset.id, read.ruleset.game, read.ruleset.sha256) == (ruleset.id, game, ruleset.sha256)
    assert read.ruleset.values == ruleset.values
    again = read_fact(Kind.FACT, body_from_setup(setup))
    assert isinstance(again, Configured)
    assert again.setup.ruleset is read.ruleset, "the rules cache by identity"


def test_a_ruleset_that_does_not_fit_its_digest_is_refused() -> None:
    setup = SetupRecord("t1", shipped_rulesets()[Game.TCF], "")
    body = cbor2.loads(body_from_setup(setup))
    body[3][0] = "another name"
    body[3][3]["table_min"] = 1
    with pytest.raises(FactError):
        read_fact(Kind.FACT, cbor2.dumps(body))


def test_withheld_numbers_read_back() -> None:
    withheld = Withheld("felt-1", 4, 80, 99, 12_000, "schema_unknown")
    assert read_fact(Kind.FACT, body_from_withheld(withheld)) == withheld


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff",
        cbor2.dumps([]),
        cbor2.dumps({"a": 1}),
        cbor2.dumps([1]),
        cbor2.dumps([1, "unheard of", 3]),
        cbor2.dumps([1, "batch", "felt-1", 2, 0, 0, PAYLOAD]),
        cbor2.dumps([1, "batch", "felt-1", 0, 0, 0, PAYLOAD + b"\x00"]),
        cbor2.dumps([1, "batch", "felt-1", 0, 0, 0]),
        cbor2.dumps([1, "said", "", ["LinkGap", [4, "felt-1", 0, 0, "three", 9]]]),
        cbor2.dumps([1, "said", "", ["NoSuchEvent", []]]),
        cbor2.dumps([1, "said", "", ["LinkGap", [4]]]),
        cbor2.dumps([1, "said", "", ["LinkLost", [4, "felt-1", 0, 0, 0]]]),
    ],
)
def test_a_malformed_body_is_one_clear_error(body: bytes) -> None:
    with pytest.raises(FactError):
        read_fact(Kind.FACT, body)


def test_a_body_of_a_later_release_names_its_version() -> None:
    with pytest.raises(FactError, match="version 2"):
        read_fact(Kind.FACT, cbor2.dumps([2, "batch", "felt-1", 0, 0, 0, PAYLOAD]))


def test_a_decision_is_no_fact() -> None:
    with pytest.raises(FactError):
        read_fact(Kind.DECISION, body_from_withheld(Withheld("felt-1", 4, 80, 99, 0, "late")))


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_else(body: bytes) -> None:
    try:
        read_fact(Kind.FACT, body)
    except FactError:
        return


def test_a_fact_of_the_first_release_still_reads() -> None:
    """Written out by hand, so that no change of the writer can hide a change of the form."""
    body = bytes.fromhex("84 01 64 73616964 60 82 67 4c696e6b476170 86 04 66 66656c742d31 00 00 03 09".replace(" ", ""))
    assert read_fact(Kind.FACT, body) == Said(model.LinkGap(3, 9, at_ms=4, device="felt-1"))
