"""What other systems are told: the fields, the ids, and that no sealed card is ever among them (law 7)."""

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sabot_gateway.journal.record import Kind, Owner, Record, Stream
from sabot_gateway.model.alert import Alert, Clears, Holds, Severity
from sabot_gateway.model.card import DECK, Card, cards_from_text
from sabot_gateway.model.coup import BankCoup, BankSeat, Decision
from sabot_gateway.model.effect import ClearAlert, Effect, RaiseAlert, RecordDecision, RecordSettlement, SetLamps
from sabot_gateway.model.game import Game
from sabot_gateway.model.holdem import (
    HoldemCoup,
    HoldemSeat,
    HoldemSeatResult,
    HoldemSettlement,
    Pot,
    PotResult,
    Uncalled,
)
from sabot_gateway.model.money import Odds
from sabot_gateway.model.settlement import (
    BetResult,
    Comparison,
    DealerResult,
    HandView,
    Outcome,
    SeatResult,
    Settlement,
    Status,
)
from sabot_gateway.outputs.notice import Notice, notices_from_news, notices_from_record
from sabot_gateway.runtime.outlet import News, told
from sabot_gateway.transcript.decision import body_from_decision

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "integrations.md"
ENVELOPE = {
    "site": "dieppe",
    "gateway": "pit-1",
    "table": "table-4",
    "journal_id": 812,
    "at_ms": 1_790_000_000_123,
}

RAISED = RaiseAlert(
    Alert(
        "stake_changed", Severity.ALARM, "TCF-40", "Mise changée.", "Stake changed.", Clears.OVERRIDE, Holds.SETTLE,
        seat=3, spot="ante", evidence=(("before_cents", 1000), ("after_cents", 1500)), coup=17, count=2,
        first_ms=1_790_000_000_000, last_ms=1_790_000_000_100,
    )
)  # fmt: skip
ANTE = BetResult("ante", Outcome.WIN, 1000, 1000, "TCF-59", Odds(1), Fraction(0))
PLAY = BetResult("play", Outcome.WIN, 1000, 1000, "TCF-60", Odds(1), Fraction(0))
FORFEIT = BetResult("ante", Outcome.FORFEIT, 500, -500, "TCF-45")
WINNER = SeatResult(3, (ANTE, PLAY), HandView("pair", (8, 2)), Comparison.WIN)
FOLDER = SeatResult(4, (FORFEIT,), HandView("three_of_a_kind", (13,)), Comparison.FOLDED)
DEALER = DealerResult(HandView("high_card", (14, 9, 4)), True, "TCF-46")


def _bank(deck: list[Card], *seats: SeatResult) -> RecordSettlement:
    """A coup with these cards, settled as if they did not matter."""
    coup = BankCoup(
        (
            BankSeat(3, tuple(deck[:3]), {"ante": 1000, "play": 1000}, Decision.RAISE),
            BankSeat(4, tuple(deck[3:6]), {"ante": 500}, Decision.FOLD),
        ),
        dealer=tuple(deck[6:9]),
        board=tuple(deck[9:14]),
        burned=tuple(deck[14:16]),
    )
    settlement = Settlement(Status.SETTLED, seats, DEALER)
    return RecordSettlement(17, Game.TCF, coup, settlement, "tcf", "ab" * 32, ("TCF-59", "TCF-60"))


BANK = _bank(list(DECK), WINNER, FOLDER)
PARTY = RecordSettlement(
    18,
    Game.THE,
    HoldemCoup(1, (HoldemSeat(1, 5000, cards_from_text("KsKd")), HoldemSeat(2, 5000, cards_from_text("AsAd")))),
    HoldemSettlement(
        Status.SETTLED,
        (
            HoldemSeatResult(1, Outcome.LOSE, 500, 0, "THE-120", Comparison.FOLDED),
            HoldemSeatResult(2, Outcome.WIN, 3000, 3360, "THE-122", None),
        ),
        (PotResult(Pot(1500, (2,)), 140, (2,), (1360,), "THE-122"),),
        Uncalled(2, 2000),
    ),
    "the",
    "cd" * 32,
)  # fmt: skip


def test_a_raised_alert() -> None:
    assert _told(RAISED) == [
        {
            "schema": "sabot.alert.v1", "id": "table-4/260/1", **ENVELOPE, "event": "raised",
            "alert": "17/stake_changed/3-ante", "code": "stake_changed", "severity": "alarm", "rule": "TCF-40",
            "fr": "Mise changée.", "en": "Stake changed.", "coup": 17, "seat": 3, "spot": "ante",
            "evidence": {"before_cents": 1000, "after_cents": 1500}, "holds": "settle", "clears": "override",
            "count": 2, "first_ms": 1_790_000_000_000, "last_ms": 1_790_000_000_100,
        }
    ]  # fmt: skip


def test_a_cleared_alert() -> None:
    clearing = ClearAlert("17/stake_changed/3-ante", "override", "b-12", "seen on camera")
    assert _told(clearing) == [
        {
            "schema": "sabot.alert.v1", "id": "table-4/260/1", **ENVELOPE, "event": "cleared",
            "alert": "17/stake_changed/3-ante", "how": "override", "by": "b-12", "reason": "seen on camera",
        }
    ]  # fmt: skip


def test_a_settled_bank_coup_names_compared_hands_and_no_folded_one() -> None:
    (message,) = _told(BANK)
    won = {"outcome": "win", "stake": 1000, "returned": 2000, "net": 1000, "pay": "1:1"}
    forfeit = {"outcome": "forfeit", "stake": 500, "returned": 0, "net": -500, "rule": "TCF-45", "pay": None}
    assert message == {
        "schema": "sabot.settlement.v1", "id": "table-4/260/1", **ENVELOPE,
        "coup": 17, "game": "TCF", "status": "settled", "rule": "", "rules": ["TCF-59", "TCF-60"], "by": "",
        "ruleset": {"id": "tcf", "sha256": "ab" * 32}, "bank_net": -1500,
        "dealer": {"category": "high_card", "qualified": True, "rule": "TCF-46"},
        "seats": [
            {
                "seat": 3, "comparison": "win", "category": "pair", "stake": 2000, "returned": 4000, "net": 2000,
                "bets": {"ante": {**won, "rule": "TCF-59"}, "play": {**won, "rule": "TCF-60"}},
            },
            {
                "seat": 4, "comparison": "folded", "category": None, "stake": 500, "returned": 0, "net": -500,
                "bets": {"ante": forfeit},
            },
        ],
    }  # fmt: skip


def test_a_dealers_hand_that_nobody_played_against_stays_closed() -> None:
    (message,) = _told(_bank(list(DECK), FOLDER))
    assert message["dealer"] is None


def test_a_settled_party_has_its_pots_and_what_nobody_called() -> None:
    (message,) = _told(PARTY)
    assert message["pots"] == [
        {"amount": 1500, "rake": 140, "eligible": [2], "winners": [2], "shares": [1360], "rule": "THE-122"}
    ]
    assert (message["uncalled"], message["bank_net"]) == ({"seat": 2, "amount": 2000}, 140)
    assert [seat["net"] for seat in message["seats"]] == [-500, 360]
    assert [seat["category"] for seat in message["seats"]] == [None, None]


def test_lamps_and_changes_of_phase_are_told_to_nobody() -> None:
    assert _told(SetLamps(1, (), ()), RecordDecision(1, "phase", (("to", "dealing"),))) == []
    assert notices_from_record("dieppe", _record(b"whatever", Kind.FACT)) == ()


def test_ids_are_by_place_in_the_journal_and_the_same_at_each_reading() -> None:
    record = _record(
        body_from_decision(259, [(0, [RAISED, RecordDecision(1, "x")]), (1, [ClearAlert("a", "b"), BANK])])
    )
    first, again = notices_from_record("dieppe", record), notices_from_record("dieppe", record)
    assert [notice.id for notice in first] == ["table-4/260/1", "table-4/260/2", "table-4/260/3"]
    assert first == again


def test_a_decision_in_hand_and_its_record_give_the_same_bytes() -> None:
    effects: tuple[Effect, ...] = (
        SetLamps(1, (), ()), RAISED, RecordDecision(1, "x"), ClearAlert("a", "b", "c", "d"), BANK, PARTY,
    )  # fmt: skip
    record = _record(body_from_decision(259, [(0, effects[:3]), (1, effects[3:])]))
    news = News(record.stream, record.id, record.position, record.received_ms, told(effects))
    in_hand = notices_from_news("dieppe", record.owner, news)
    assert in_hand == notices_from_record("dieppe", record)
    assert len(in_hand) == 4


@settings(deadline=None)
@given(st.permutations(range(52)))
def test_no_card_of_a_coup_is_ever_told(deck: list[int]) -> None:
    """Whatever was dealt, the message is the same: cards are not in it in any form."""
    assert _notices(_bank([Card(number) for number in deck], WINNER, FOLDER)) == _notices(BANK)


def test_the_guide_shows_every_field_of_every_message() -> None:
    """Each example of the guide has exactly the fields that such a message has."""
    text = GUIDE.read_text()
    examples = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.S)]
    told = [*_told(RAISED), *_told(ClearAlert("a", "b")), *_told(BANK), *_told(PARTY)]
    assert [_fields(example) for example in examples if "schema" in example] == [_fields(message) for message in told]


def _fields(message: dict[str, Any]) -> list[str]:
    names = list(message)
    seats = message.get("seats")
    if isinstance(seats, list):
        names += [f"seat.{name}" for name in seats[0]]
    return names


def _told(*effects: Effect) -> list[dict[str, Any]]:
    return [json.loads(notice.body) for notice in _notices(*effects)]


def _notices(*effects: Effect) -> tuple[Notice, ...]:
    return notices_from_record("dieppe", _record(body_from_decision(259, [(0, effects)])))


def _record(body: bytes, kind: Kind = Kind.DECISION) -> Record:
    return Record(812, Stream("table-4"), Owner("pit-1"), 1, 260, kind, None, 1_790_000_000_123, body, b"")
