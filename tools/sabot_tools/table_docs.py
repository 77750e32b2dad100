"""The pages of the live table, written from its own tables: state diagrams per game, and the list of alerts.

A page is a pure function of TRANSITIONS and of the kinds of alerts (the service's own among them); `make docs` writes
them.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from sabot_gateway.model.alert import Clears, Holds
from sabot_gateway.model.game import Game
from sabot_gateway.runtime.alarm import KINDS as SERVICE_KINDS
from sabot_gateway.table.alerts import KINDS
from sabot_gateway.table.alerts.kind import AlertKind
from sabot_gateway.table.courses import COURSES
from sabot_gateway.table.phases import ALWAYS, ANY, TRANSITIONS, Machine, Row

FOLDER: Final = "docs/table"
WRITTEN: Final = "*Written from the table's own code by `make docs`; a test fails when it is not current.*"

TITLES: Final[Mapping[Game, str]] = {
    Game.TCF: "poker trois cartes",
    Game.STU: "stud poker de casino",
    Game.TCP: "Three Card Poker",
    Game.THE: "texas hold'em poker",
    Game.UTH: "ultimate hold'em poker",
}


def pages() -> Mapping[str, str]:
    """Every page, by its path from the top of the tree."""
    written = {f"{FOLDER}/{game.lower()}.md": game_page(game) for game in Game}
    written[f"{FOLDER}/README.md"] = machines_page()
    written["docs/alerts.md"] = alerts_page((*KINDS, *SERVICE_KINDS))
    return written


def game_page(game: Game) -> str:
    """The coup of one game as a diagram, and every row behind it."""
    rows = [row for row in TRANSITIONS if row.machine is Machine.COUP and _plays(row, game)]
    rounds = COURSES[game].rounds
    parts = [
        f"# The coup of {TITLES[game]}",
        WRITTEN,
        f"Rounds of decisions: {rounds}. "
        + (
            "The first card closes the bets."
            if COURSES[game].first_card_closes
            else "*Rien ne va plus* closes the bets; a card before it is an alert."
        )
        + " Séance, shoe and levels are the same at every game: [README](README.md).",
        diagram(rows, "idle"),
        "## Every row",
        _rows_table(rows),
    ]
    return "\n\n".join(parts) + "\n"


def machines_page() -> str:
    """The machines that every game shares."""
    parts = [
        "# The machines of a table",
        WRITTEN,
        "A table is a few small machines side by side. Each event is offered to them in this order: levels, séance,\n"
        "shoe, coup. The coup differs by game: "
        + ", ".join(f"[{TITLES[game]}]({game.lower()}.md)" for game in Game)
        + ".\nHow the code is laid out: [the table's README](../../gateway/sabot_gateway/table/README.md);\n"
        "what can go wrong: [alerts](../alerts.md).",
    ]
    for machine, start in ((Machine.SEANCE, "closed"), (Machine.SHOE, "empty")):
        rows = [row for row in TRANSITIONS if row.machine is machine]
        parts += [f"## {machine.capitalize()}", diagram(rows, start), _rows_table(rows)]
    rows = [row for row in TRANSITIONS if row.machine is Machine.LEVELS]
    parts += ["## Levels", "Kept in every phase; none of these has phases of its own.", _rows_table(rows)]
    return "\n\n".join(parts) + "\n"


def diagram(rows: Iterable[Row], start: str) -> str:
    """A mermaid state diagram: one arrow per pair of phases, labelled with what leads there."""
    arrows: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.to is not None and row.to != row.phase:
            source = "any" if row.phase == ANY else row.phase
            label = _label(row)
            labels = arrows.setdefault((source, row.to), [])
            if label not in labels:
                labels.append(label)
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {start}"]
    lines += [f"    {source} --> {to}: {', '.join(labels)}" for (source, to), labels in arrows.items()]
    return "\n".join([*lines, "```"])


def alerts_page(kinds: Iterable[AlertKind]) -> str:
    """Every alert with its severity, rules, sentences and what clears it."""
    ordered = sorted(kinds, key=lambda kind: kind.code)
    parts = [
        "# Alerts",
        WRITTEN,
        f"{len(ordered)} kinds. An alert that *holds* something keeps it from happening until it is corrected or the\n"
        "table head overrides it, which is recorded: **close** = the bets stay open, **settle** = nothing is settled,\n"
        "**pay** = the coup does not end. Repeated causes fold into one alert with a count.",
        "| code | severity | holds | rules | what clears it |",
    ]
    table = [parts.pop(), "| --- | --- | --- | --- | --- |"]
    for kind in ordered:
        rules = ", ".join(kind.rules.values()) or "–"
        holds = "" if kind.holds is Holds.NOTHING else str(kind.holds)
        table.append(f"| [{kind.code}](#{kind.code.lower()}) | {kind.severity} | {holds} | {rules} | {_clears(kind)} |")
    parts.append("\n".join(table))
    parts += [f"## {kind.code}\n\n- fr: {sentence_shown(kind.fr)}\n- en: {sentence_shown(kind.en)}" for kind in ordered]
    return "\n\n".join(parts) + "\n"


def sentence_shown(sentence: str) -> str:
    """A sentence as it is written in the code; the noun after a number in both its forms."""
    return re.sub(r"\{\w+:([^|}]*)\|([^}]*)\}", r"\1/\2", sentence)


def _clears(kind: AlertKind) -> str:
    who = {
        Clears.CORRECTION: "by itself",
        Clears.OVERRIDE: "correction or override",
        Clears.OPERATOR: "a person",
        Clears.COUP_END: "the end of the coup",
    }[kind.clears]
    return f"{who}: {kind.clears_when}"


def _plays(row: Row, game: Game) -> bool:
    """Rows that only hold'em can take are left out of the pages of the bank games."""
    functions = (*row.actions, *((row.guard,) if row.guard is not None else ()))
    is_holdem = any(function.__module__.rpartition(".")[2].startswith("holdem_") for function in functions)
    is_uncontested = row.guard is not None and row.guard.__name__ == "is_uncontested"
    return game is Game.THE or not (is_holdem or is_uncontested)


def _rows_table(rows: Iterable[Row]) -> str:
    lines = ["| phase | on | if | does | to |", "| --- | --- | --- | --- | --- |"]
    for row in rows:
        does = ", ".join(_named(action) for action in row.actions)
        guard = "" if row.guard is None else _named(row.guard)
        lines.append(f"| {row.phase} | {row.on} | {guard} | {does} | {row.to or ''} |")
    return "\n".join(lines)


def _label(row: Row) -> str:
    trigger = "" if row.on == ALWAYS else row.on
    guard = "" if row.guard is None else f"[{_named(row.guard)}]"
    return f"{trigger} {guard}".strip()


def _named(function: Callable[..., object]) -> str:
    """A guard or an action by its own name, in words."""
    return function.__name__.replace("_", " ")
