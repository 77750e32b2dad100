"""`replace` for the state's dataclasses, as `dataclasses.replace` but many times as fast; and `maker`, to build one.

A step replaces a part of the state a few times, and the coup has many fields. The general function walks them in
Python, and the constructor of a frozen class goes past its own refusal field by field. Here each class gets a twin
with the same slots that is not frozen: it is filled by plain assignments, which Python does fastest, and then handed
over to its real class, frozen from then on. Typed as the originals, so mypy checks the names and types of every change.
"""

from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import replace as replace

    def maker(cls: T) -> T:
        """The constructor of a frozen, slotted dataclass whose fields are all given in their order."""

else:
    from dataclasses import fields

    _COPIES: dict[type, Any] = {}

    def replace(part, /, **changes):
        """A copy of a frozen, slotted dataclass with some fields changed; an unknown name is an AttributeError."""
        cls = part.__class__
        copier = _COPIES.get(cls)
        if copier is None:
            copier = _COPIES[cls] = _copier(cls)
        new = copier(part)
        for name in changes:
            setattr(new, name, changes[name])
        new.__class__ = cls
        return new

    def maker(cls):
        """The constructor of a frozen, slotted dataclass whose fields are all given."""
        names = [each.name for each in fields(cls)]
        scope = {"open_": _twin(cls), "cls": cls}
        lines = [f"    new.{name} = {name}" for name in names]
        return _compiled("made", ", ".join(names), ["    new = open_()", *lines, "    new.__class__ = cls"], scope)

    def _copier(cls):
        """A function from a part to an open copy of it."""
        lines = [f"    new.{each.name} = part.{each.name}" for each in fields(cls)]
        return _compiled("copied", "part", ["    new = open_()", *lines], {"open_": _twin(cls)})

    def _compiled(name, takes, lines, scope):
        code = "\n".join([f"def {name}({takes}):", *lines, "    return new"])
        exec(code, scope)  # noqa: S102 - the names are the fields of our own classes
        return scope[name]

    def _twin(cls):
        """A class of the same layout, open to change; `cls` may have one parent, as events have."""
        names = [each.name for each in fields(cls)]
        *parents, _ = cls.__mro__[1:]
        slots = {*cls.__slots__, *(name for parent in parents for name in parent.__slots__)}
        assert len(parents) <= 1, f"{cls.__name__} has grandparents, and a twin would be laid out otherwise"
        assert slots == set(names), f"{cls.__name__} keeps its fields elsewhere"
        members = {"__slots__": cls.__slots__}
        if parents:
            # The parent is frozen as well; its refusals are not for the twin, nor is its constructor.
            members |= {name: getattr(object, name) for name in ("__setattr__", "__delattr__", "__init__")}
        return type(f"Open{cls.__name__}", cls.__bases__, members)
