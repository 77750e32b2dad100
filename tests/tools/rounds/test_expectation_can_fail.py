"""An expectation that is wrong fails its script, whatever its kind; the same line put right lets it pass."""

from dataclasses import dataclass

import pytest

from sabot_tools.rounds.expectation import KINDS, NEGATED
from sabot_tools.rounds.playing import Played, play
from sabot_tools.rounds.reading import script_from_text

HEAD = "GAME {game}\nTITLE a broken expectation\nRULES TCF-01\n"
DECIDED = """OPEN
bet 3 ante 10 pair_plus 5
bet 4 ante 10
CLOSE
hand 3 8s 8d 2c
hand 4 4s 5d 7c
hand dealer Qh 9d 3c
deal
bet 3 play 10
fold 4
"""
PAYING = DECIDED + "reveal\n"
LATE = "OPEN\nbet 3 ante 10\nCLOSE\nbet 3 bonus 5\n"
HOLDEM = """sit 1
sit 2
sit 3
OPEN
cave 1 200
cave 2 200
cave 3 200
button 3
stake 1 5
stake 2 10
hand 1 As Ah
hand 2 Kd Kc
hand 3 7h 2c
deal
"""
CALLED = HOLDEM + "stake 3 10\nstake 1 10\ncheck 2\n"
FOLDED = HOLDEM + "fold 3\nfold 1\n"


@dataclass(frozen=True)
class Case:
    kind: str
    before: str
    right: str
    wrong: str
    after: str = ""
    game: str = "tcf"

    def played(self, line: str) -> Played:
        text = f"{HEAD.format(game=self.game)}{self.before}EXPECT {line}\n{self.after}"
        return play(script_from_text(text, "case.round"))

    @property
    def line(self) -> int:
        return len((HEAD + self.before).splitlines()) + 1


NAMED = "EXPECT alert LATE_BET seat 3 spot bonus\n"
CASES = [
    Case("phase", PAYING, "phase paying", "phase dealing"),
    Case("seance", "OPEN\n", "seance open", "seance closed"),
    Case("shoe", "OPEN\n", "shoe ready", "shoe counted"),
    Case("coup", PAYING, "coup 1", "coup 2"),
    Case("review", DECIDED + "reboot shoe\nEXPECT alert CONTROLLER_REBOOTED\nEXPECT alert IN_REVIEW\n",
         "review controller_rebooted", "review events_missing"),
    Case("no review", DECIDED, "no review", "review"),
    Case("plays", PAYING, "plays 3 4", "plays 3"),
    Case("decision", DECIDED, "decision 4 fold", "decision 4 raise"),
    Case("bet", DECIDED, "bet 3 pair_plus 5", "bet 3 pair_plus 10"),
    Case("staff", "OPEN\n", "staff dealer dealer", "staff dealer dealer2"),
    Case("seat", "sit 3 Dupont\n", "seat 3 taken", "seat 3 empty"),
    Case("waiting", "wait-list Durand\nwait-list Dupont\n", "waiting Durand Dupont", "waiting Dupont Durand"),
    Case("button", "button 2\n", "button 2", "button 3", game="the"),
    Case("turn", HOLDEM, "turn 3", "turn 1", game="the"),
    Case("turn", FOLDED, "turn nobody", "turn 2", game="the"),
    Case("pot", CALLED, "pot 1 30", "pot 1 20", game="the"),
    Case("pot", CALLED, "pot 1 30 for 1 2 3", "pot 1 30 for 1 2", game="the"),
    Case("pot", CALLED, "pot 1 30", "pot 2 5", game="the"),
    Case("rake", FOLDED, "rake 0.40", "rake 1", game="the"),
    Case("settle", FOLDED, "settle 2 win +4.60", "settle 2 win +5", game="the"),
    Case("alert", LATE, "alert LATE_BET seat 3 spot bonus", "alert LATE_BET seat 4"),
    Case("alert", LATE, "alert LATE_BET spot bonus", "alert LATE_BET spot ante"),
    Case("alert", LATE, "alert LATE_BET by TCF-25", "alert LATE_BET by TCF-24"),
    Case("alert", LATE, "alert LATE_BET count 1", "alert LATE_BET count 2"),
    Case("alert", LATE, "alert LATE_BET is alarm", "alert LATE_BET is notice"),
    Case("alert", LATE, "alert LATE_BET", "alert CAPPED_BET"),
    Case("no alert", LATE, "alert LATE_BET", "no alert"),
    Case("open", LATE + NAMED, "open LATE_BET", "open CAPPED_BET"),
    Case("cleared", LATE + NAMED, "cleared CAPPED_BET", "cleared LATE_BET"),
    Case("blocked", LATE + NAMED, "blocked settle", "blocked pay"),
    Case("not blocked", LATE + NAMED, "blocked", "not blocked"),
    Case("lamp", PAYING, "lamp 3 ante win 20", "lamp 3 ante lose"),
    Case("lamp", PAYING, "lamp 3 ante win 20", "lamp 3 ante win 10"),
    Case("lamp", PAYING, "lamp 3 bonus dark", "lamp 3 ante dark"),
    Case("no lamps", "OPEN\n", "no lamps", "lamp 3 ante win"),
    Case("no lamps", PAYING, "lamp 3 ante win", "no lamps"),
    Case("order", PAYING, "order 4 ante 3 ante 3 play", "order 3 ante 4 ante 3 play"),
    Case("house", "OPEN\nconfigure table_min 1000\n", "house table_min 1000", "house table_min 500"),
    Case("display", "OPEN\n", 'display "faites vos jeux"', 'display "pas de jeu"'),
    Case("no display", "OPEN\n", 'no display "pas de jeu"', 'no display "faites vos jeux"'),
    Case("settle", PAYING, "settle 3 ante win +10 by TCF-59", "settle 3 ante lose -10 by TCF-59"),
    Case("settle", PAYING, "settle 3 ante win +10 by TCF-59", "settle 3 ante win +20 by TCF-59"),
    Case("settle", PAYING, "settle 3 ante win +10 by TCF-59", "settle 3 ante win +10 by TCF-48"),
    Case("settle", PAYING, "settle 3 ante win +10", "settle 5 ante win +10"),
    Case("settle", PAYING, "settle 3 ante win +10", "settle void"),
    Case("settle", DECIDED + "void collusion\n", "settle void by TCF-36", "settle void by TCF-35"),
    Case("no settlement", DECIDED, "no settlement", "settle 3 ante win +10"),
    Case("no settlement", PAYING, "settle 3 ante win +10", "no settlement"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.wrong)
def test_a_wrong_expectation_fails_at_its_line_and_a_right_one_does_not(case: Case) -> None:
    right = case.played(case.right)
    assert right.failure is None, str(right.failure)
    wrong = case.played(case.wrong)
    assert wrong.failure is not None
    assert (wrong.failure.line.file, wrong.failure.line.number) == ("case.round", case.line)
    assert wrong.failure.reason.endswith(".")


def test_every_kind_of_expectation_is_broken_once() -> None:
    kinds = {*KINDS, *(f"no {name}" for name in NEGATED), "not blocked"}
    assert {case.kind for case in CASES} == kinds


def test_an_alert_that_no_line_names_fails_the_script() -> None:
    played = play(script_from_text(HEAD.format(game="tcf") + LATE, "case.round"))
    assert played.failure is not None
    assert played.failure.line.number == 7
    assert "LATE_BET seat 3 spot bonus" in played.failure.reason


def test_an_alert_must_be_named_before_the_script_goes_on() -> None:
    late = LATE + "EXPECT phase dealing\ntake 3 bonus\n" + NAMED
    failure = play(script_from_text(HEAD.format(game="tcf") + late, "case.round")).failure
    assert failure is not None
    assert failure.line.number == 7
    assert "no EXPECT names" in failure.reason


def test_an_alert_that_comes_back_must_be_named_again() -> None:
    again = LATE + NAMED + "take 3 bonus\nbet 3 bonus 5\n"
    assert play(script_from_text(HEAD.format(game="tcf") + again, "case.round")).failure is not None
    assert play(script_from_text(HEAD.format(game="tcf") + again + NAMED, "case.round")).failure is None


def test_one_line_names_one_alert() -> None:
    two = LATE + "bet 3 pair_plus 5\nEXPECT alert LATE_BET\n"
    failure = play(script_from_text(HEAD.format(game="tcf") + two, "case.round")).failure
    assert failure is not None
    assert "pair_plus" in failure.reason
