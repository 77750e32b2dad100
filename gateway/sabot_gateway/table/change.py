"""`replace` for the state's dataclasses, as `dataclasses.replace` but several times as fast.

A step replaces a part of the state a few times, and the coup has many fields;
the general function walks them in Python. This one copies the slots. It is typed
as the original, so mypy checks the names and types of every change.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:
    from dataclasses import fields
    from operator import attrgetter

    _COPIES: dict[type, tuple[Any, Any, Any]] = {}

    def replace(part, /, **changes):
        """A copy of a frozen, slotted dataclass with some fields changed; an unknown name is a KeyError."""
        cls = type(part)
        known = _COPIES.get(cls)
        if known is None:
            names = tuple(each.name for each in fields(cls))
            numbers = {name: number for number, name in enumerate(names)}
            known = attrgetter(*names), numbers, tuple(_slot(cls, name) for name in names)
            _COPIES[cls] = known
        read, numbers, writers = known
        values = list(read(part)) if len(numbers) > 1 else [read(part)]
        for name, value in changes.items():
            values[numbers[name]] = value
        new = object.__new__(cls)
        for write, value in zip(writers, values, strict=True):
            write(new, value)
        return new

    def _slot(cls, name):
        """How a slot is written past the class's own refusal; a field may belong to a parent."""
        for owner in cls.__mro__:
            if name in owner.__dict__ and hasattr(owner.__dict__[name], "__set__"):
                return owner.__dict__[name].__set__
        raise TypeError(f"{cls.__name__} has no slot {name}")
