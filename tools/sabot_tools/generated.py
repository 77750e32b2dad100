"""Writes every generated file of the tree again, or says which are not current.

    python -m sabot_tools.generated            write them
    python -m sabot_tools.generated --check    write nothing; exit 1 and name what is not current

Each generator module has `pages() -> Mapping[path from the top of the tree, text]`.
A page that is half written by hand keeps its text outside the two marker lines.
"""

import argparse
import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]

GENERATORS: Final = (
    "sabot_tools.command_docs",
    "sabot_tools.fault_docs",
    "sabot_tools.firmware_build",
    "sabot_tools.gateway_settings_page",
    "sabot_tools.rule_docs",
    "sabot_tools.ruleset_docs",
    "sabot_tools.table_docs",
    "sabot_tools.vectors",
    "sabot_tools.wire_docs",
)

BEGIN: Final = "<!-- generated: begin -->"
END: Final = "<!-- generated: end -->"


def between_markers(page: str, text: str) -> str:
    """`page` with `text` in place of what stands between its two marker lines."""
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no {BEGIN} and {END} lines")
    return f"{head}{BEGIN}\n\n{text.strip()}\n\n{END}{tail}"


def outdated(root: Path = ROOT) -> Iterator[tuple[Path, str]]:
    """Each generated file whose text on disk differs, with the text it should have."""
    for name in GENERATORS:
        pages: Mapping[str, str] = importlib.import_module(name).pages()
        for page, text in pages.items():
            path = root / page
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                yield path, text


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m sabot_tools.generated", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is not current")
    args = parser.parse_args(arguments)
    stale = list(outdated())
    for path, text in stale:
        print(path.relative_to(ROOT))
        if not args.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return 1 if args.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
