"""Makes the journals of this version: one per game, each a handful of scripts of tests/rounds as tables of their own.

    PYTHONPATH=protocol:gateway:tools python tests/replay/make_journals.py [--again]

They are made once per release: later releases must read them as they are (test_stored_replays.py). `--again` makes
those of a version anew that was never released.
"""

import shutil
import sys
import tempfile
import tomllib
from pathlib import Path

from sabot_gateway.journal.backup import back_up
from sabot_gateway.journal.port import Append
from sabot_gateway.journal.record import Entry, Kind, Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.model.review import AlertAcknowledged, AlertAssigned, AlertCommented, AlertEscalated, HandsUnsealed
from sabot_gateway.transcript.fact import body_from_event
from sabot_gateway.transcript.house import Action, body_from_action
from sabot_tools.rounds.playing import play
from sabot_tools.rounds.reading import script_from_file
from sabot_tools.rounds.recording import DAY_MS, FENCE, HOUSE, OWNER, Recorder

HERE = Path(__file__).parent
ROUNDS = HERE.parent / "rounds"
# What a night has: coups as they should be, wrong payments, an override, a void, a review, a staff change, a lost link.
SCRIPTS = {
    "tcf": (
        "second-coup",
        "overpaid",
        "wrong-payment-overridden",
        "collusion",
        "bonus-of-a-folded-hand",
        "confirmed-cards-decide",
        "dealer-changed-during-the-payments",
        "controller-lost",
        "alert-cleared-by-a-person",
    ),
    "stu": ("second-coup", "card-bought", "bonus-flush", "five-rounds", "fold", "purchase-void", "winner-unpaid"),
    "tcp": ("pair-plus-of-a-folded-hand", "winner-unpaid", "void-after-payments-began", "play-after-a-fold"),
    "the": ("void", "all-in-and-all-fold", "big-blind-folds", "fold-out-of-turn", "void-after-a-muck"),
    "uth": ("fold", "play-and-fold", "trips-of-a-folded-hand", "winner-unpaid", "void-after-payments-began"),
}


def main() -> int:
    version = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    folder = HERE / version
    if "--again" in sys.argv:
        shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        sys.stderr.write(f"{folder} exists: the journals of a release are made once.\n")
        return 1
    folder.mkdir()
    for game, names in SCRIPTS.items():
        make(folder, game, names)
    return 0


def make(folder: Path, game: str, names: tuple[str, ...]) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "journal.db"
        with open_sqlite_journal(path) as journal:
            recorder = Recorder(journal)
            for number, name in enumerate(names, 1):
                script = ROUNDS / f"{game}-{name}.round"
                played = play(script_from_file(script))
                assert played.failure is None, played.failure
                recorder.record(f"{game.upper()}{number}", played)
            for event in (
                AlertAssigned("S1", "1/OVERPAID/3-ante", "S2"),
                AlertCommented("S2", "1/OVERPAID/3-ante", "camera 4"),
                AlertAcknowledged("S2", "1/OVERPAID/3-ante", "seen"),
                AlertEscalated("S2", "1/OVERPAID/3-ante", "investigator", "twice tonight"),
                HandsUnsealed("I1", 1, "complaint of seat 3"),
            ):
                body = body_from_event(event, event.by)
                entry = Entry(Kind.OPERATOR, body, DAY_MS + 80_000_000)
                journal.append(Append(Stream(f"{game.upper()}2"), OWNER, FENCE, [entry])).result()
            action = Action("settings_changed", DAY_MS + 80_000_000, "A1", {"key": "retention_days"})
            entry = Entry(Kind.OPERATOR, body_from_action(action), DAY_MS + 80_000_000)
            journal.append(Append(HOUSE, OWNER, FENCE, [entry])).result()
            journal.sign_checkpoint(DAY_MS + 86_400_000).result()
        back_up(str(path), folder / f"{game}.db")
        (folder / f"{game}.pub").write_bytes((path.parent / "signing.pub").read_bytes())


if __name__ == "__main__":
    sys.exit(main())
