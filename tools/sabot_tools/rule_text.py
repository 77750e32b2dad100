"""Rules and ambiguities as plain text for a terminal, wrapped to its width.

Knows the catalogue's shapes and nothing of the command line. A derived rule always says that it is one.
"""

import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.catalogue import Ambiguity, Catalogue, Choice, Latitude, Mark, Rule, Wording
from sabot_gateway.rules.vocabulary import Language

DERIVED: Final = Wording(
    en="derived, not the letter of the regulation", fr="règle déduite, et non la lettre du règlement"
)
CHECK: Final = Wording(en="Check", fr="Contrôle")
SOURCE: Final = Wording(en="Source", fr="Source")
LINE: Final = Wording(en="line", fr="ligne")
KEY: Final = Wording(en="key", fr="clé")
DEFAULT: Final = Wording(en="default", fr="par défaut")
RECOMMENDED: Final = Wording(en="recommended", fr="recommandé")
AFFECTS: Final = Wording(en="Rules", fr="Règles")
DOMAINS: Final = {
    "amount": Wording(en="an amount", fr="un montant"),
    "basis_points": Wording(en="hundredths of a percent", fr="centièmes de pour cent"),
    "count": Wording(en="a number", fr="un nombre"),
    "pay_table": Wording(en="a pay table", fr="un barème"),
    "seconds": Wording(en="seconds", fr="secondes"),
    "text": Wording(en="a text", fr="un texte"),
}
LABEL_WIDTH: Final = 10  # "Français" and two spaces


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns, the one language to show (None: both, with English labels), and whether headings are bold."""

    columns: int
    language: Language | None
    bold: bool = False

    @property
    def labels(self) -> Language:
        return self.language or Language.EN

    def heading(self, text: str) -> str:
        wrapped = textwrap.fill(text, self.columns)
        return f"\x1b[1m{wrapped}\x1b[0m" if self.bold else wrapped

    def block(self, label: str, text: str) -> str:
        """`text` beside its label, wrapped with a hanging indent."""
        return textwrap.fill(
            text,
            self.columns,
            initial_indent=label.ljust(LABEL_WIDTH),
            subsequent_indent=" " * LABEL_WIDTH,
            break_long_words=False,
            break_on_hyphens=False,
        )

    def wording(self, wording: Wording) -> list[str]:
        """The wording in the language asked for, or in both."""
        spoken = [(Language.EN, "English"), (Language.FR, "Français")]
        return [self.block(name, wording.said_in(each)) for each, name in spoken if self.language in (None, each)]

    def label(self, wording: Wording) -> str:
        return wording.said_in(self.labels)


def rule_text(rule: Rule, catalogue: Catalogue, layout: Layout) -> str:
    """The whole page of one rule, with the ambiguities that touch it."""
    book = catalogue.books[rule.game]
    lines = [layout.heading(f"{rule.id} · {layout.label(book.title)} · {rule.mark}")]
    lines += layout.wording(rule.sentence)
    if rule.derived is not None:
        lines.append(layout.block("", f"({layout.label(DERIVED)} · {rule.derived})"))
    lines.append(layout.block(layout.label(CHECK), rule.check))
    if rule.quotes:
        lines.append(layout.block(layout.label(SOURCE), layout.label(book.document)))
        line = layout.label(LINE)
        lines += [layout.block("", f"{line} {each.line} · «\u00a0{each.sentence}\u00a0»") for each in rule.quotes]
    for ambiguity in catalogue.ambiguities_of(rule.id):
        lines += ["", ambiguity_text(ambiguity, layout, rule)]
    return "\n".join(lines)


def ambiguity_text(ambiguity: Ambiguity, layout: Layout, behind: Rule | None = None) -> str:
    """One ambiguity: its keys, its resolution and, unless shown `behind` one rule, the rules it touches."""
    lines = [layout.heading(f"{ambiguity.id} · {ambiguity.latitude} · {layout.label(ambiguity.title)}")]
    lines += [
        layout.block(layout.label(KEY), f"{choice.key} {choice_text(choice, layout)}") for choice in ambiguity.choices
    ]
    lines += layout.wording(ambiguity.resolution)
    if behind is None and ambiguity.rules:
        lines.append(layout.block(layout.label(AFFECTS), ", ".join(ambiguity.rules)))
    return "\n".join(lines)


def choice_text(choice: Choice, layout: Layout) -> str:
    """How much a key leaves open: its class, what it may be, and what we would take."""
    allowed = " | ".join(choice.values)
    if choice.domain is not None:
        allowed = layout.label(DOMAINS[choice.domain])
    given = RECOMMENDED if choice.latitude is Latitude.REQUIRED else DEFAULT
    default = "" if choice.default is None else f"; {layout.label(given)} {choice.default}"
    return f"({choice.latitude}) = {allowed}{default}"


def line_text(entry: Rule | Ambiguity, layout: Layout) -> str:
    """One entry of a list: id, mark and sentence, or id, class and title."""
    if isinstance(entry, Rule):
        kind, said = str(entry.mark), layout.label(entry.sentence)
        if entry.derived is not None:
            said = f"{said} ({layout.label(DERIVED)} · {entry.derived})"
    else:
        kind, said = str(entry.latitude), layout.label(entry.title)
    return layout.block(entry.id, f"{kind}  {said}")


def counts_text(catalogue: Catalogue, layout: Layout) -> str:
    """How many rules each game has, by mark."""
    rows = [["", *(_short(mark) for mark in Mark), "", ""]]
    for game in Game:
        book = catalogue.books[game]
        rows.append([game, *_counts(book.rules), str(len(book.rules)), layout.label(book.title)])
    everything = tuple(catalogue.rules.values())
    total = "total" if layout.labels is Language.EN else "en tout"
    rows.append([total, *_counts(everything), str(len(everything)), ""])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    last = len(widths) - 1
    table = "\n".join(
        "  ".join(
            cell.ljust(width) if column in (0, last) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
    classes = Counter(item.latitude for item in catalogue.ambiguities.values())
    split = ", ".join(f"{classes[latitude]} {latitude}" for latitude in Latitude)
    resolved = (
        f"{len(catalogue.ambiguities)} ambiguities resolved: {split}."
        if layout.labels is Language.EN
        else f"{len(catalogue.ambiguities)} ambiguïtés résolues\u00a0: {split}."
    )
    return f"{table}\n\n{resolved}"


def _counts(rules: Sequence[Rule]) -> list[str]:
    marks = Counter(rule.mark for rule in rules)
    return [str(marks[mark]) for mark in Mark]


def _short(mark: Mark) -> str:
    return "OUT-OF-SCOPE" if mark is Mark.OUT_OF_SENSOR_SCOPE else str(mark)
