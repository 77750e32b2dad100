"""Opening and closing a table, its deck, and the words on the display."""

import pytest

from sabot_gateway.model.card import DECK
from sabot_gateway.model.event import BadgeRead, CutCardSeen, PlayerCalled, PlayerSeated, PlayerWaiting
from sabot_gateway.model.felt import Key
from sabot_gateway.model.game import Game
from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.table.floor import Floor, watch
from sabot_gateway.table.setup import TableSetup
from sabot_gateway.table.snapshot import SnapshotError, snapshot_of, state_from_snapshot
from sabot_gateway.table.state import Seance, SeancePhase, Staff, TableState
from table.table_stage import DEALER, Stage


def test_a_seance_opens_by_badge_key_deck_and_announcement() -> None:
    stage = Stage(Game.TCF).key(Key.OPEN_SESSION)
    assert stage.state.seance.phase == "closed"
    stage.head().key(Key.OPEN_SESSION)
    assert stage.state.seance.phase == "opening"
    stage.tell(BadgeRead(DEALER)).key(Key.NEW_DECK).rack(DECK[:51])
    assert stage.state.shoe.phase == "counting"
    stage.rack(DECK).key(Key.ANNOUNCE)
    assert (stage.state.seance.phase, stage.state.shoe.phase) == ("open", "counted")


@pytest.mark.rules("TCF-07", "TCF-08")
def test_the_deck_is_shuffled_and_cut_onto_the_cut_card() -> None:
    stage = Stage(Game.TCF).head().key(Key.OPEN_SESSION).key(Key.NEW_DECK).rack(DECK).key(Key.SHUFFLE)
    assert stage.state.shoe.phase == "shuffled"
    stage.key(Key.CUT, 3)
    assert stage.state.shoe.phase == "shuffled"
    assert stage.tell(CutCardSeen()).state.shoe.phase == "ready"


@pytest.mark.rules("UTH-04")
def test_ultimate_holdem_has_no_players_cut() -> None:
    stage = Stage(Game.UTH).head().key(Key.OPEN_SESSION).key(Key.NEW_DECK).rack(DECK).key(Key.SHUFFLE)
    assert stage.state.shoe.phase == "ready"


@pytest.mark.rules("TCF-02")
def test_a_deck_that_served_a_seance_is_not_new_in_the_next() -> None:
    stage = Stage(Game.TCF).open().head().key(Key.CLOSE_SESSION)
    assert stage.state.seance.phase == "closed"
    assert stage.state.setup.decks["red"].uses == 1
    stage.head().key(Key.OPEN_SESSION).key(Key.NEW_DECK).rack(DECK)
    assert "DECK_NOT_NEW" in stage.alerts()


def test_a_table_does_not_close_in_the_middle_of_a_coup() -> None:
    stage = Stage(Game.TCF).open().lay(2, "ante", 1000).key(Key.BETS_CLOSED).head().key(Key.CLOSE_SESSION)
    assert stage.state.seance.phase == "open"


@pytest.mark.rules("THE-23", "THE-24")
def test_the_waiting_list_is_first_come_first_called() -> None:
    stage = Stage(Game.THE).tell(PlayerWaiting("a")).tell(PlayerWaiting("b")).tell(PlayerWaiting("a"))
    assert stage.state.seance.waiting == ("a", "b")
    assert stage.tell(PlayerCalled("a", False)).tell(PlayerSeated(3, "b")).state.seance.waiting == ()


@pytest.mark.rules("TCF-47", "TCF-63")
@pytest.mark.parametrize(
    ("cards", "words"),
    [("7d Jh 5s 9c 2c 4d", ("pas de jeu", "no game")), ("7d Qh 5s Qc 2c 4d", ("banque gagne", "bank wins"))],
)
def test_the_display_says_what_the_dealer_announces(cards: str, words: tuple[str, str]) -> None:
    stage = Stage(Game.TCF).open().lay(3, "ante", 1000).key(Key.BETS_CLOSED).deal(cards)
    stage.lay(3, "play", 1000).key(Key.REVEAL)
    assert words in [(line.fr, line.en) for line in stage.state.lamps.display]


def test_the_display_names_the_next_payment_in_order() -> None:
    stage = Stage(Game.TCF).open().lay(3, "ante", 1000).lay(6, "ante", 1000).key(Key.BETS_CLOSED)
    stage.deal("Kc 7d Qh Kd 5s 9c 2c 3h 4d").lay(3, "play", 1000).key(Key.FOLD, 6).key(Key.REVEAL)
    assert ("6 MISE ramasser", "6 ANTE collect") in [(line.fr, line.en) for line in stage.state.lamps.display]
    stage.lay(6, "ante", 0)
    assert ("3 MISE payer = 20", "3 ANTE pay = 20") in [(line.fr, line.en) for line in stage.state.lamps.display]


def headed(table: str, game: Game, head: str) -> TableState:
    setup = TableSetup(table, shipped_ruleset(game))
    return TableState(setup, seance=Seance(SeancePhase.OPEN), staff=Staff(head=head))


@pytest.mark.rules("TCF-12", "UTH-10", "STU-11", "A-STU-09")
@pytest.mark.parametrize(
    ("games", "wrong"),
    [
        ((Game.TCF, Game.UTH), None),
        ((Game.TCF, Game.UTH, Game.TCF), 3),
        ((Game.STU,), None),
        ((Game.STU, Game.TCF), 2),
        ((Game.TCP, Game.TCP, Game.TCP), None),
    ],
)
def test_a_table_head_watches_only_so_many_tables(games: tuple[Game, ...], wrong: int | None) -> None:
    floor = Floor()
    effects: list[object] = []
    for number, game in enumerate(games):
        done = watch(floor, headed(f"T{number}", game, "H1"), 1000)
        floor = done.floor
        effects.extend(done.effects)
    found = [dict(alert.evidence)["tables"] for alert in floor.alerts.values()]
    assert found == ([] if wrong is None else [wrong])
    assert len(effects) == len(found)


def test_the_floor_is_content_when_the_head_leaves_a_table() -> None:
    floor = Floor()
    for number in range(3):
        floor = watch(floor, headed(f"T{number}", Game.TCF, "H1"), 0).floor
    again = watch(floor, headed("T2", Game.TCF, "H1"), 5)
    assert again.effects == ()
    done = watch(floor, headed("T2", Game.TCF, "H2"), 9)
    assert [type(effect).__name__ for effect in done.effects] == ["ClearAlert"]
    assert done.floor.alerts == {}


def test_a_snapshot_of_another_version_is_refused() -> None:
    data = snapshot_of(Stage(Game.TCF).state)
    book = {shipped_ruleset(Game.TCF).sha256: shipped_ruleset(Game.TCF)}
    with pytest.raises(SnapshotError, match="version"):
        state_from_snapshot({**data, "version": 0}, book.__getitem__)
    with pytest.raises(SnapshotError, match="cannot be read"):
        state_from_snapshot({**data, "state": ["o", "Nothing"]}, book.__getitem__)
    with pytest.raises(SnapshotError, match="no table"):
        state_from_snapshot({**data, "state": 7}, book.__getitem__)
