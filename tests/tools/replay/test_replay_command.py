"""`sabot replay`: the same decisions again, differences in words, and one sentence for what cannot be read."""

import json
import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from sabot_gateway.journal.port import Journal
from sabot_gateway.journal.record import Entry, Kind, Record, Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.model.card import RANKS, SUITS
from sabot_gateway.model.effect import ClearAlert, Effect, RaiseAlert, RecordDecision, RecordSettlement
from sabot_gateway.transcript.decision import body_from_decision, decision_from_body
from sabot_gateway.transcript.fold import Fold, kept_steps, take
from sabot_tools.cli import main
from sabot_tools.rounds.playing import play
from sabot_tools.rounds.reading import script_from_file
from sabot_tools.rounds.recording import Recorder

ROUNDS = Path(__file__).parents[2] / "rounds"
# These speak of numbers, of other tables or of a new configuration, which a recording writes in its own way.
APART = {
    "stu-head-of-two-tables",
    "tcf-events-sent-again",
    "tcf-reboot-in-the-coup",
    "tcf-ruleset-changed-between-coups",
}
SAMPLE = sorted({path.stem for path in ROUNDS.glob("*.round")} - APART)[::25]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    with open_sqlite_journal(path) as opened:
        recorder = Recorder(opened)
        for table, script in (("T1", "tcf-overpaid"), ("T2", "stu-card-bought")):
            recorder.record(table, play(script_from_file(ROUNDS / f"{script}.round")))
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def ran(*words: object) -> tuple[int, str, str]:
        code = main(["replay", *map(str, words)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return ran


def records_of(journal: Path, table: str) -> list[Record]:
    with open_sqlite_journal(journal) as opened:
        return list(opened.read(Stream(table)))


def put_body(journal: Path, record: Record, body: bytes) -> None:
    """Somebody edits the file."""
    db = sqlite3.connect(journal)
    db.execute("UPDATE record SET body = ? WHERE id = ?", (body, record.id))
    db.commit()
    db.close()


def outline(effects: Iterable[Effect]) -> list[tuple[str, str]]:
    """What was concluded, without the numbers that a rig and a new table count differently."""
    found = []
    for effect in effects:
        match effect:
            case RaiseAlert(alert=alert):
                found.append(("alert", f"{alert.id} {alert.en}"))
            case ClearAlert(alert=alert_id, how=how):
                found.append(("over", f"{alert_id} {how}"))
            case RecordDecision(kind=kind, detail=detail):
                found.append((kind, " ".join(f"{name}={value}" for name, value in detail)))
            case RecordSettlement(settlement=settlement):
                found.append((str(settlement.status), " ".join(f"{seat.seat}:{seat.net}" for seat in settlement.seats)))
            case _:
                pass
    return found


def test_the_same_decisions_again(journal: Path, run: Run) -> None:
    code, out, error = run(journal)
    assert (code, error) == (0, "")
    assert "SAME" in out
    assert "2 tables" in out
    code, out, _ = run(journal, "--table", "T1", "--json")
    found = json.loads(out)
    assert (code, found["same"], found["tables"], found["pending"]) == (0, True, 1, 0)
    kinds = [record.kind for record in records_of(journal, "T1")]
    assert found["records"] == len(kinds)
    assert found["decisions"] == kinds.count(Kind.DECISION)


def test_scripts_of_every_game_replay(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    told: dict[Stream, list[tuple[str, str]]] = {}
    with open_sqlite_journal(path) as opened:
        recorder = Recorder(opened)
        for number, name in enumerate(SAMPLE):
            played = play(script_from_file(ROUNDS / f"{name}.round"))
            recorder.record(f"T{number}", played)
            told[Stream(f"T{number}")] = outline(effect for entry in played.entries for effect in entry.effects)
        streams = {stream: list(opened.read(stream)) for stream in opened.heads()}
    code, out, _ = run(path, "--json")
    assert code == 0
    assert json.loads(out)["tables"] == len(told)
    for table, expected in told.items():
        decisions = [decision_from_body(each.body) for each in streams[table] if each.kind is Kind.DECISION]
        concluded = (effect for decision in decisions for step in decision.steps for effect in step.effects)
        assert outline(concluded) == expected


def test_another_decision_is_named_with_cause_and_both_versions(journal: Path, run: Run) -> None:
    record = next(r for r in records_of(journal, "T1") if r.kind is Kind.DECISION and b"OVERPAID" in r.body)
    put_body(journal, record, record.body.replace(b"overpaid)", b"all good)"))
    code, out, _ = run(journal)
    assert code == 1
    assert f"T1, position {record.position}: another decision" in out
    assert "that night: Alert: Seat 3, ANTE: 30 instead of 20 (all good)." in out
    assert "now: Alert: Seat 3, ANTE: 30 instead of 20 (overpaid)." in out
    assert "DIFFERENT: 1 decision" in out
    code, out, _ = run(journal, "--json")
    (difference,) = json.loads(out)["differences"]
    assert (code, difference["table"], difference["position"]) == (1, "T1", record.position)
    assert difference["cause"] == record.position - 1
    assert difference["journaled"] != difference["replayed"]


def test_no_difference_names_a_card(journal: Path, run: Run) -> None:
    """Law 7: a settlement is told by its sums and rules."""
    for record in records_of(journal, "T1"):
        if record.kind is Kind.DECISION and b"TCF-62" in record.body:
            put_body(journal, record, record.body.replace(b"TCF-62", b"TCF-61"))
    code, out, _ = run(journal, "--most", "100")
    assert code == 1
    words = set(out.replace(",", " ").replace(":", " ").split())
    assert not {rank + suit for rank in RANKS for suit in SUITS} & words
    assert "TCF-61" in out
    assert "TCF-62" in out


@pytest.mark.parametrize("body", [b"", b"\xff\xff", b"\x83\x63one\x00\x01", b"\x82\x18\x63\x00"])
def test_bytes_that_no_release_wrote_are_a_difference(body: bytes, journal: Path, run: Run) -> None:
    for record in records_of(journal, "T1")[10:14]:
        put_body(journal, record, body)
        code, out, error = run(journal)
        assert (code, error) == (1, "")
        assert f"T1, position {record.position}: " in out
        put_body(journal, record, record.body)
    assert run(journal)[0] == 0


class Forgetful(Recorder):
    """Leaves out the decisions of one cause, as a gateway that died between the two appends."""

    def __init__(self, journal: Journal, forgotten: bytes) -> None:
        super().__init__(journal)
        self._forgotten = forgotten

    def _take(self, stream: Stream, fold: Fold, entry: Entry) -> Fold:
        taken = take(fold, entry.kind, entry.body, entry.received_ms)
        if self._forgotten not in body_from_decision(taken.fold.position, kept_steps(taken)):
            return super()._take(stream, fold, entry)
        self._append(stream, [entry])
        return taken.fold


@pytest.mark.parametrize(("forgotten", "code"), [(b"overpaid)", 1), (b"coup_finished", 0)])
def test_a_decision_that_is_missing(forgotten: bytes, code: int, run: Run, tmp_path: Path) -> None:
    """In the middle it is a difference; behind the last fact it may still be on its way."""
    path = tmp_path / "journal.db"
    with open_sqlite_journal(path) as opened:
        Forgetful(opened, forgotten).record("T1", play(script_from_file(ROUNDS / "tcf-overpaid.round")))
    got, out, _ = run(path)
    assert got == code
    assert ("has no decision in the journal" in out) == bool(code)
    assert ("a running gateway writes them in a moment" in out) == (not code)


def test_unknown_table_no_journal_and_half_a_journal_are_one_sentence(journal: Path, run: Run, tmp_path: Path) -> None:
    code, out, error = run(journal, "--table", "T9")
    assert (code, out) == (2, "")
    assert error == "sabot replay: The journal knows no table 'T9'; it has T1, T2.\n"
    half = tmp_path / "half.db"
    half.write_bytes(journal.read_bytes()[: journal.stat().st_size // 2 // 4096 * 4096 + 100])
    for path in (tmp_path / "none.db", half, Path(__file__)):
        code, out, error = run(path)
        assert (code, out) == (2, "")
        assert error.startswith("sabot replay: ")
        assert error.count("\n") == 1


def test_replay_runs_while_a_gateway_writes(journal: Path, run: Run) -> None:
    with open_sqlite_journal(journal):
        assert run(journal)[0] == 0
