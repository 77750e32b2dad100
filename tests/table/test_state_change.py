"""The quick copies of the state's parts are the dataclasses' own: equal, frozen, and of the same class."""

import dataclasses
import pickle

import pytest

from sabot_gateway.model.event import LampsApplied
from sabot_gateway.table.change import maker, replace
from sabot_gateway.table.state import Coup, CoupPhase, Lamps


def test_a_changed_copy_is_what_dataclasses_would_make() -> None:
    coup = Coup(number=3, players=(1, 2))
    changed = replace(coup, phase=CoupPhase.DEALING, served=4)
    assert changed == dataclasses.replace(coup, phase=CoupPhase.DEALING, served=4)
    assert type(changed) is Coup
    assert coup == Coup(number=3, players=(1, 2))


def test_a_copy_is_as_frozen_as_the_original() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        replace(Lamps(), revision=2).revision = 3  # type: ignore[misc]


def test_a_part_that_was_made_is_as_one_that_was_constructed() -> None:
    made = maker(Lamps)(2, 1, (), ())
    assert made == Lamps(2, 1, (), ())
    assert hash(made) == hash(Lamps(2, 1, (), ()))
    assert pickle.loads(pickle.dumps(made)) == made
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.revision = 3  # type: ignore[misc]


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(AttributeError):
        replace(Lamps(), colour=1)  # type: ignore[call-arg]


def test_an_event_that_was_made_is_as_one_that_was_constructed() -> None:
    made = maker(LampsApplied)(revision=3, at_ms=5, device="felt", boot=1, seq=2)
    assert made == LampsApplied(3, at_ms=5, device="felt", boot=1, seq=2)
    assert type(made) is LampsApplied
    assert dataclasses.replace(made, seq=3) == LampsApplied(3, at_ms=5, device="felt", boot=1, seq=3)
    assert pickle.loads(pickle.dumps(made)) == made
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.at_ms = 3  # type: ignore[misc]


def test_a_class_with_grandparents_is_refused() -> None:
    @dataclasses.dataclass(frozen=True, slots=True)
    class Grandparent:
        one: int = 1

    @dataclasses.dataclass(frozen=True, slots=True)
    class Parent(Grandparent):
        two: int = 2

    @dataclasses.dataclass(frozen=True, slots=True)
    class Child(Parent):
        three: int = 3

    with pytest.raises(AssertionError):
        replace(Child(), three=4)


def test_a_class_that_keeps_its_fields_elsewhere_is_refused() -> None:
    @dataclasses.dataclass(frozen=True)
    class Open:
        one: int = 1

    with pytest.raises((AssertionError, AttributeError)):
        replace(Open(), one=2)
