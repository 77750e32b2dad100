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
        twin = _COPIES.get(cls)
        if twin is None:
            twin = _COPIES[cls] = _twin(cls, "part", "part.")
        new = twin(part)
        for name in changes:
            setattr(new, name, changes[name])
        new.__class__ = cls
        return new

    def maker(cls):
        """The constructor of a frozen, slotted dataclass whose fields are all given in their order."""
        names = ", ".join(each.name for each in fields(cls))
        twin = _twin(cls, names, "")

        def made(*values):
            new = twin(*values)
            new.__class__ = cls
            return new

        return made

    def _twin(cls, takes, source):
        """A class of the same layout, open to change, filled from what it takes."""
        names = tuple(each.name for each in fields(cls))
        assert cls.__mro__ == (cls, object), f"{cls.__name__} has parents, and a twin would be laid out otherwise"
        assert cls.__slots__ == names, f"{cls.__name__} keeps its fields elsewhere"
        lines = [f"    self.{name} = {source}{name}" for name in names]
        scope = {}
        code = "\n".join([f"def __init__(self, {takes}):", *lines])
        exec(code, scope)  # noqa: S102 - the names are the fields of our own classes
        return type(f"Open{cls.__name__}", (), {"__slots__": names, "__init__": scope["__init__"]})
