"""Figures: sums that are exact at any size, bounds that hold the truth, theory of the rules that were played."""

import sqlite3
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot_gateway.journal.stored import StoredJournal
from sabot_gateway.model.game import Game
from sabot_gateway.projections.happening import Happening
from sabot_gateway.projections.rulesets import keep_ruleset, stored_ruleset
from sabot_gateway.projections.schema import TABLES
from sabot_gateway.projections.sheet import Sheet
from sabot_gateway.projections.statistics import HOUR_MS, LEAST_COUPS, By, Line, Period, count_coup, report
from sabot_gateway.projections.store import Views
from sabot_gateway.projections.theory import house_edges
from sabot_gateway.rulebook import shipped_ruleset
from sabot_tools.rounds.playing import Played

Record = Callable[..., Played]
LAW = shipped_ruleset(Game.TCP)


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    connection = opened()
    yield connection
    connection.close()


def opened() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.executescript(TABLES)
    keep_ruleset(connection, LAW)
    return connection


def coup(db: sqlite3.Connection, number: int, stake: int, net: int, *, at_ms: int = 0, dealer: str = "D1") -> None:
    """One finished coup with a single pair plus bet."""
    db.execute(
        "INSERT INTO coup (id, stream, number, game, ruleset, ruleset_sha256, seance, dealer, head, start_id,"
        " start_position, start_ms, status, players, drop_cents, win_cents)"
        " VALUES (?, 'T1', ?, 'TCP', '', ?, 1, ?, '', 1, 1, 0, 'settled', '3', ?, ?)",
        (number, number, LAW.sha256, dealer, stake, -net),
    )
    db.execute(
        "INSERT INTO spot (coup, nth, seat, spot, outcome, stake_cents, net_cents, rule, odds)"
        " VALUES (?, 0, 3, 'pair_plus', 'win', ?, ?, '', '')",
        (number, stake, net),
    )
    sheet = Sheet(
        game="TCP",
        ruleset_sha256=LAW.sha256,
        dealer=dealer,
        coup=number,
        players=[3],
        start_ms=at_ms - 60_000,
        end_ms=at_ms - 90_000,
        settled_ms=at_ms - 20_000,
        paid_ms=at_ms - 8_000,
    )
    count_coup(db, sheet, Happening(number, "T1", number, number, at_ms))


@given(st.lists(st.tuples(st.integers(1, 10**12), st.integers(-(10**12), 10**12)), min_size=1, max_size=30))
@settings(max_examples=50, deadline=None)
def test_sums_are_exact_for_the_largest_stakes(bets: list[tuple[int, int]]) -> None:
    db = opened()
    for number, (stake, net) in enumerate(bets, 1):
        coup(db, number, stake, net)
    (line,) = report(db, By.TABLE, Period())
    assert line.drop_cents == sum(stake for stake, _ in bets)
    assert line.win_cents == -sum(net for _, net in bets)
    assert line.square_cents == sum(net * net for _, net in bets)
    assert line.theory_cents == house_edges(LAW)["pair_plus"] * line.drop_cents
    db.close()


def test_a_line_says_pace_uptake_errors_and_times(db: sqlite3.Connection) -> None:
    for number in range(1, 5):
        coup(db, number, 1_000, -1_000, at_ms=HOUR_MS + number * 1_000, dealer=f"D{number % 2}")
    (line,) = report(db, By.GAME, Period())
    # Each coup ended ninety seconds after the one before: forty in an hour.
    assert line.coups_per_hour == 40
    assert line.uptake("pair_plus") == 1
    assert line.uptake("six_card") == 0
    assert line.mean_payment_ms == 12_000
    assert line.errors_per_thousand == 0
    assert line.hold == 1
    assert [(each.of, each.coups) for each in report(db, By.DEALER, Period())] == [("D0", 2), ("D1", 2)]
    assert [each.of for each in report(db, By.HOUR, Period())] == [str(HOUR_MS)]


def test_a_period_is_cut_to_whole_hours(db: sqlite3.Connection) -> None:
    for number, hour in enumerate((1, 2, 3), 1):
        coup(db, number, 1_000, 0, at_ms=hour * HOUR_MS + 5)
    assert [line.coups for line in report(db, By.TABLE, Period(from_ms=2 * HOUR_MS, to_ms=3 * HOUR_MS))] == [1]
    assert report(db, By.TABLE, Period(table="T2")) == []
    assert report(db, By.TABLE, Period(dealer="D1", game="TCP"))[0].coups == 3


def test_few_coups_have_no_bounds(db: sqlite3.Connection) -> None:
    for number in range(1, LEAST_COUPS):
        coup(db, number, 1_000, -1_000)
    (line,) = report(db, By.TABLE, Period())
    assert line.bounds is None
    assert not line.is_odd


def test_fair_cards_stay_within_bounds_and_a_thief_does_not(db: sqlite3.Connection) -> None:
    """Pair plus pays a pair even money and so on; a dealer who pays every loser even money is seen."""
    # 22,100 hands: 16,440 high cards lose, 3,744 pairs pay 1, 1,096 flushes 3, 720 straights 6, 52 trips 30,
    # 44 straight flushes 40 and 4 mini royals 200 to one.
    nets = [-1] * 16_440 + [1] * 3_744 + [3] * 1_096 + [6] * 720 + [30] * 52 + [40] * 44 + [200] * 4
    deals = nets[::20]  # every twentieth of all hands: as even as cards can be
    for number, net in enumerate(deals, 1):
        coup(db, number, 1_000, net * 1_000)
    (line,) = report(db, By.TABLE, Period())
    assert line.bounds is not None
    low, high = line.bounds
    assert low < float(line.theory or 0) < high
    assert not line.is_odd
    for number in range(len(deals) + 1, len(deals) + 301):
        coup(db, number, 1_000, 1_000)
    (robbed,) = report(db, By.TABLE, Period())
    assert robbed.is_odd


def test_rules_that_are_not_known_leave_no_theory(db: sqlite3.Connection) -> None:
    coup(db, 1, 1_000, 0)
    db.execute("DELETE FROM ruleset")
    (line,) = report(db, By.TABLE, Period())
    assert line.theory is None
    assert not line.is_odd


def test_a_ruleset_comes_back_as_it_was_kept(db: sqlite3.Connection) -> None:
    for game in Game:
        law = shipped_ruleset(game)
        keep_ruleset(db, law)
        kept = stored_ruleset(db, law.sha256)
        assert kept is not None
        assert (kept.id, kept.game, kept.sha256, dict(kept.values)) == (law.id, law.game, law.sha256, dict(law.values))
        assert house_edges(kept) == house_edges(law)
    assert stored_ruleset(db, "0" * 64) is None


def test_the_rake_is_the_houses_win_at_holdem(journal: StoredJournal, record: Record, views: Views) -> None:
    record("the-all-in-and-all-fold")
    views.catch_up(journal)
    with views.reading() as db:
        lines: list[Line] = report(db, By.GAME, Period())
    for line in lines:
        assert line.of == "THE"
        assert line.theory is None
        assert line.hold is None or line.hold == Fraction(line.win_cents, line.drop_cents)
