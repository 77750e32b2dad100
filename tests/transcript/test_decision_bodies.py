"""Decisions read back equal, are written the same way every time, and leave timers out."""

from itertools import chain

import cbor2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot_gateway.model.effect import (
    CancelTimer,
    Effect,
    Lamp,
    Line,
    RecordDecision,
    RecordSettlement,
    SetLamps,
    StartTimer,
)
from sabot_gateway.model.felt import Colour, FeltSpot, Pattern
from sabot_gateway.model.game import Game
from sabot_gateway.transcript.decision import Decided, Decision, body_from_decision, decision_from_body
from sabot_gateway.transcript.error import FactError
from transcript.story import played

LAMPS = SetLamps(
    7,
    (
        Lamp(1, FeltSpot.ANTE, Colour.GREEN, Pattern.STEADY, 2_500),
        Lamp(0, FeltSpot.FLOAT, Colour.VIOLET, Pattern.FAULT),
    ),
    (Line("Payez la place 1", "Pay seat 1"),),
)


@pytest.mark.parametrize("game", Game)
def test_every_effect_of_a_night_reads_back_equal(game: Game) -> None:
    effects = [each for seed in range(4) for each in played(game, seed, 250).effects]
    kept = tuple(each for each in effects if not isinstance(each, StartTimer | CancelTimer))
    assert any(isinstance(each, RecordSettlement) for each in kept), "the story must come to a settlement"
    body = body_from_decision(12, ((0, effects),))
    assert decision_from_body(body) == Decision(12, (Decided(0, kept),))
    assert body_from_decision(12, ((0, kept),)) == body


def test_steps_stay_apart() -> None:
    other = SetLamps(8, (), ())
    body = body_from_decision(3, ((0, (LAMPS,)), (4, (other, LAMPS))))
    assert decision_from_body(body) == Decision(3, (Decided(0, (LAMPS,)), Decided(4, (other, LAMPS))))


def test_timers_alone_leave_nothing_to_keep() -> None:
    assert body_from_decision(3, ((0, (StartTimer("lamps", 1, 2_000), CancelTimer("stall"))),)) == b""
    assert body_from_decision(3, ()) == b""


_PICTURES = st.builds(
    SetLamps,
    st.integers(0, 1 << 40),
    st.lists(
        st.builds(
            Lamp,
            st.integers(0, 10),
            st.sampled_from(FeltSpot),
            st.sampled_from(Colour),
            st.sampled_from(Pattern),
            st.none() | st.integers(0, 1 << 40),
        ),
        max_size=40,
    ).map(tuple),
    st.lists(st.builds(Line, st.text(max_size=30), st.text(max_size=30)), max_size=4).map(tuple),
)
_NOTES = st.builds(
    RecordDecision,
    st.integers(0, 1 << 40),
    st.text(max_size=12),
    st.lists(st.tuples(st.text(max_size=9), st.integers(-9, 1 << 40) | st.text(max_size=9)), max_size=4).map(tuple),
)


@given(st.integers(0, 1 << 40), st.lists(st.tuples(st.integers(0, 300), st.lists(_PICTURES | _NOTES, max_size=3))))
def test_the_bytes_are_those_of_one_plain_list(cause: int, steps: list[tuple[int, list[Effect]]]) -> None:
    """What is written piece by piece, and remembered, is the array that the module's head describes."""
    plain: list[object] = [1, cause]
    for at, effects in steps:
        for effect in effects:
            plain += [at, 0, _picture(effect)] if isinstance(effect, SetLamps) else [at, 4, _note(effect)]
    expected = cbor2.dumps(plain) if len(plain) > 2 else b""
    assert body_from_decision(cause, steps) == expected
    assert body_from_decision(cause, steps) == expected


def _picture(effect: SetLamps) -> list[object]:
    spots, colours, patterns = list(FeltSpot), list(Colour), list(Pattern)
    lamps = [
        (each.seat, spots.index(each.spot), colours.index(each.colour), patterns.index(each.pattern), each.amount_cents)
        for each in effect.picture
    ]
    lines = [(line.fr, line.en) for line in effect.display]
    return [effect.revision, len(lamps), *chain.from_iterable(lamps), *chain.from_iterable(lines)]


def _note(effect: Effect) -> list[object]:
    assert isinstance(effect, RecordDecision)
    return [effect.number, effect.kind, [list(pair) for pair in effect.detail]]


def test_a_picture_of_the_first_release_still_reads() -> None:
    """Places in felt.py: ante 0, float 13; green 3, violet 5; steady 0, fault 4."""
    picture = [7, 2, 1, 0, 3, 0, 2_500, 0, 13, 5, 4, None, "Payez la place 1", "Pay seat 1"]
    assert decision_from_body(cbor2.dumps([1, 3, 0, 0, picture])) == Decision(3, (Decided(0, (LAMPS,)),))


@pytest.mark.parametrize(
    "parts",
    [
        [1, 3],
        [1, 3, 0, 0],
        [1, 3, 0, 9, []],
        [1, 3, 0, 0, [7, 1, 1, 0, 3]],
        [1, 3, 0, 0, [7, 1, 1, 99, 3, 0, None]],
        [1, 3, 0, 0, [7, -1, "a"]],
        [1, 3, 0, 0, [7, 0, "only one language"]],
        [1, 3, 0, 2, ["id"]],
        [2, 3, 0, 0, [7, 0]],
        ["x"],
    ],
)
def test_what_is_no_decision_is_one_clear_error(parts: list[object]) -> None:
    with pytest.raises(FactError):
        decision_from_body(cbor2.dumps(parts))
