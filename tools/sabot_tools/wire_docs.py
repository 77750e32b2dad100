"""The generated part of protocol/README.md: every message, field, choice and error code, from the table itself.

    python -m sabot_tools.wire_docs            write it
    python -m sabot_tools.wire_docs --check    write nothing; exit 1 if it is not current

Owns the one-line meanings, which the controllers have no room for; a field without one stops the generator.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from sabot_protocol import messages as table
from sabot_protocol.errors import SENTENCES
from sabot_protocol.version import MAJOR, MINOR, schema_hash
from sabot_tools.generated import ROOT, between_markers
from sabot_tools.wire_meanings import CHOICES, FIELDS, KINDS

PAGE: Final = "protocol/README.md"

Fields = Sequence[tuple[int, str, Any, bool]]


def pages() -> Mapping[str, str]:
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    return {PAGE: between_markers(page, "\n".join(_lines()))}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m sabot_tools.wire_docs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the page is not current")
    check = parser.parse_args(arguments).check
    path, text = Path(ROOT / PAGE), pages()[PAGE]
    if path.read_text(encoding="utf-8") == text:
        return 0
    if check:
        print(f"{PAGE} is not current: run python -m sabot_tools.wire_docs", file=sys.stderr)
        return 1
    path.write_text(text, encoding="utf-8")
    return 0


def type_text(kind: Any) -> str:
    """A type of the table in words."""
    match kind[0]:
        case "int":
            return f"{kind[1]:,} … {kind[2]:,}"
        case "bool":
            return "true or false"
        case "bytes":
            return f"{kind[1]} to {kind[2]} bytes"
        case "sizes":
            return " or ".join(", ".join(map(str, kind[1])).rsplit(", ", 1)) + " bytes"
        case "text":
            return f"text of {kind[1]} to {kind[2]} bytes"
        case "choice":
            return f"choice *{_choice_name(kind)}*"
        case "list":
            return f"{kind[2]} to {kind[3]} × ({type_text(kind[1])})"
        case "record":
            return "[" + ", ".join(name + ("" if required else "?") for _, name, _, required in kind[1]) + "]"
        case _:
            return "an event" if kind[1] else "an order"


def _lines() -> Iterator[str]:
    yield f"Version {MAJOR}.{MINOR}, schema hash `{schema_hash().hex()}`.\n"
    yield "### Messages\n"
    yield "A map; key 0 holds the kind. A question mark means optional.\n"
    for code, name, direction, fields in table.MESSAGES:
        yield f"**{code} `{name}`** ({direction}, `…/{name}`): {KINDS[name]}\n"
        yield from _table("key", name, fields)
    yield "### Events\n"
    yield "An array `[kind, device_ms, fields…]` in this order.\n"
    for code, name, fields in table.EVENTS:
        yield f"**{code} `{name}`**: {KINDS[name]}\n"
        yield from _table("place", name, fields)
    yield "### Orders of a command\n"
    yield "An array `[kind, fields…]` in this order.\n"
    for code, name, fields in table.COMMANDS:
        yield f"**{code} `{name}`**: {KINDS['command ' + name]}\n"
        yield from _table("place", "command " + name, fields)
    yield "### Records\n"
    for name, kind in (
        ("module", table.MODULE),
        ("lamp", table.LAMP),
        ("line", table.LINE),
        ("setting", table.SETTING),
    ):
        yield f"**{name}**: {KINDS['record ' + name]}\n"
        yield from _table("place", "record " + name, kind[1])
    yield "### Choices\n"
    yield "The number on the wire is the position, from 0.\n"
    yield "| choice | names |\n| --- | --- |"
    for name, kind in CHOICES.items():
        yield f"| {name} | {', '.join(f'{number} `{text}`' for number, text in enumerate(kind[1]))} |"
    yield "\n### Error codes\n"
    yield "| code | means |\n| --- | --- |"
    yield from (f"| `{error}` | {sentence} |" for error, sentence in SENTENCES)


def _table(head: str, owner: str, fields: Fields) -> Iterator[str]:
    if not fields:
        return
    yield f"| {head} | field | type | meaning |\n| --- | --- | --- | --- |"
    for key, name, kind, required in fields:
        meaning = FIELDS.get(f"{owner}.{name}") or FIELDS[name]
        yield f"| {key} | `{name}`{'' if required else '?'} | {type_text(kind)} | {meaning} |"
    yield ""


def _choice_name(kind: Any) -> str:
    return next(name for name, known in CHOICES.items() if known == kind)


if __name__ == "__main__":
    sys.exit(main())
