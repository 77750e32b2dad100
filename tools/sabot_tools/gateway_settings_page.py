"""docs/gateway-settings.md: every key of the gateway's settings, between the markers of a page written by hand."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from sabot_gateway.settings.key import NONE, REQUIRED, Key, Kind, Section
from sabot_gateway.settings.key_table import DEVICE, SECTIONS
from sabot_tools.generated import ROOT, between_markers

PAGE: Final = "docs/gateway-settings.md"


def pages(root: Path = ROOT) -> Mapping[str, str]:
    """The page with its tables of keys written anew."""
    written = (root / PAGE).read_text(encoding="utf-8")
    sections = [_section(section, _title(section)) for section in SECTIONS.values()]
    return {PAGE: between_markers(written, "\n\n".join([*sections, _section(DEVICE, "A controller's file")]))}


def _title(section: Section) -> str:
    if not section.name:
        return "At the top"
    if "." in section.name:
        return f"`[{section.name}]`, below its `[[{section.name.split('.')[0]}]]`"
    return f"`[[{section.name}]]`" if section.is_repeated else f"`[{section.name}]`"


def _section(section: Section, title: str) -> str:
    lines = [f"### {title}", "", section.meaning]
    if section.keys:
        lines += ["", "| key | value | default | means |", "| --- | --- | --- | --- |", *map(_row, section.keys)]
    return "\n".join(lines)


def _row(key: Key) -> str:
    cells = (f"`{key.name}`", ", ".join(_kind(key)), _default(key), key.meaning)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _kind(key: Key) -> Iterator[str]:
    match key.kind:
        case Kind.CHOICE:
            yield from (f"`{choice}`" for choice in key.choices)
        case Kind.CHOICES:
            yield "list of " + " / ".join(f"`{choice}`" for choice in key.choices)
        case Kind.INTEGER:
            yield f"{key.least:,} to {key.most:,}"
        case Kind.BOOLEAN:
            yield "`true`, `false`"
        case Kind.SECRET:
            yield "file, mode 0600"
        case _:
            yield str(key.kind)


def _default(key: Key) -> str:
    if key.default is REQUIRED:
        return "**required**"
    if key.note:
        return key.note
    if key.default is NONE or key.default == ():
        return "–"
    if isinstance(key.default, bool):
        return f"`{str(key.default).lower()}`"
    if isinstance(key.default, int):
        return f"{key.default:,}"
    if isinstance(key.default, tuple):
        return ", ".join(f"`{each}`" for each in key.default)
    return f"`{key.default}`"
