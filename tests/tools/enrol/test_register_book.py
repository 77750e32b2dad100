"""The registers as a book: what may be entered and struck out, and that a file is the old one or the new one."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway_config.house_files import House, tag_of
from sabot_gateway.config import load
from sabot_gateway.model.card import DECK
from sabot_gateway.model.person import Role
from sabot_gateway.model.tag import ChipState, Tag
from sabot_gateway.registers import registers_from_files
from sabot_tools.enrol.enrolment import paths_of
from sabot_tools.enrol.register_book import RegisterBook, RegisterPaths, change
from sabot_tools.enrol.register_file import replace_all
from sabot_tools.field.trouble import FieldError, StartError

NEW = {card: Tag(f"04cc00000000{card:02x}") for card in DECK}


def paths(folder: Path) -> RegisterPaths:
    return paths_of(load(House(folder).file))


@pytest.fixture
def book(tmp_path: Path) -> RegisterBook:
    return RegisterBook.read(paths(tmp_path))


def test_what_is_entered_is_what_the_gateway_reads(book: RegisterBook) -> None:
    book.add_deck("d3", "green", NEW)
    book.add_chips(2500, [Tag("04dd000000000001"), Tag("04dd000000000002")])
    book.add_badge(Tag("0badbad9"), "p-99", Role.TECHNICIAN)
    book.save()
    found = registers_from_files(book.paths.chips, book.paths.decks, book.paths.badges)
    assert {tag: card.card for tag, card in found.cards.items() if card.deck == "d3"} == {
        tag: card for card, tag in NEW.items()
    }
    assert found.decks["d3"].colour == "green"
    assert found.chips[Tag("04dd000000000002")].value_cents == 2500
    assert found.badges[Tag("0badbad9")].role is Role.TECHNICIAN
    assert len(found.cards) == 3 * 52
    assert len(found.chips) == 4


@pytest.mark.parametrize(
    ("tag", "where"),
    [
        (tag_of("2d"), "decks.csv, line 3"),
        ("04a1000000000b", "chips.csv, line 3"),  # written in capitals there
        ("0badbad1", "badges.csv, line 2"),
    ],
)
def test_a_tag_that_is_registered_anywhere_is_refused_by_its_line(book: RegisterBook, tag: str, where: str) -> None:
    ways: list[Callable[[], None]] = [
        lambda: book.add_chips(500, [Tag("04dd000000000001"), Tag(tag)]),
        lambda: book.add_badge(Tag(tag), "p-99", Role.DEALER),
        lambda: book.add_deck("d3", "red", {**NEW, DECK[7]: Tag(tag)}),
    ]
    for enter in ways:
        with pytest.raises(FieldError, match=rf"is registered already \({where}\)") as refused:
            enter()
        assert tag not in str(refused.value)
    assert book.place_of(Tag("04dd000000000001")) == ""  # nothing of a refused list is entered


def test_wrong_counts_and_names_are_one_sentence_each(book: RegisterBook) -> None:
    short = {card: NEW[card] for card in DECK[:51]}
    for enter, sentence in (
        (lambda: book.add_deck("d3", "red", short), "Deck d3 has 51 different cards instead of 52."),
        (lambda: book.add_deck("d1", "red", NEW), "Deck d1 is registered already"),
        (lambda: book.add_deck(" d3", "red", NEW), "A deck's name must be 1 to 64 letters"),
        (lambda: book.add_deck("d3", "", NEW), "A deck's colour must be 1 to 64 letters"),
        (lambda: book.add_chips(0, [NEW[DECK[0]]]), "A chip's value must be a whole number of cents above 0."),
        (lambda: book.add_chips(5, [NEW[DECK[0]]] * 2), "Tag 2 is the same as tag 1: each may come once."),
        (lambda: book.add_badge(NEW[DECK[0]], "p-17", Role.DEALER), "p-17 has a badge already; take it back first"),
        (lambda: book.add_badge(NEW[DECK[0]], "p\n17", Role.DEALER), "A person must be 1 to 64 letters"),
        (lambda: book.retire_deck("d9"), "There is no deck d9 in the register."),
        (lambda: book.take_back("p-99"), "There is no badge of p-99 in the register."),
    ):
        with pytest.raises(FieldError) as refused:
            enter()
        assert str(refused.value).startswith(sentence)
        assert refused.value.code == 1


def test_a_register_that_the_settings_do_not_name_is_asked_for(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.replace("sabot.toml", 'badges = "badges.csv"\n', "")
    book = RegisterBook.read(paths_of(load(house.file)))
    with pytest.raises(StartError, match=r"registers\.badges: names no file"):
        book.add_badge(Tag("0badbad9"), "p-99", Role.DEALER)


def test_a_retired_decks_tags_are_free_and_the_other_deck_is_untouched(book: RegisterBook) -> None:
    assert book.retire_deck("d1") == 52
    book.add_chips(100, [Tag(tag_of("As"))])
    book.save()
    again = RegisterBook.read(book.paths)
    assert again.decks() == {"d2": "blue"}
    assert again.place_of(Tag(tag_of("As", 2)))
    assert again.chip_state(Tag(tag_of("As"))) == "in_play"


def test_withdrawn_chips_stay_known_and_come_back(book: RegisterBook) -> None:
    chip = Tag("04a1000000000a")
    book.set_chips([chip], ChipState.WITHDRAWN)
    book.save()
    again = RegisterBook.read(book.paths)
    assert again.chips() == {(500, "withdrawn"): 1, (1000, "withdrawn"): 1}
    for tag, why in (
        (chip, "is withdrawn already (chips.csv, line 2)"),
        (Tag("04ff0000000000"), "is not registered"),
        (Tag("0badbad1"), "is no chip (badges.csv, line 2)"),
    ):
        assert again.why_not(tag, ChipState.WITHDRAWN) == why
        with pytest.raises(FieldError, match="Tag 1 of 1 is"):
            again.set_chips([tag], ChipState.WITHDRAWN)
    again.set_chips([chip], ChipState.IN_PLAY)
    assert again.chip_state(chip) == "in_play"


def test_permissions_and_links_are_kept(tmp_path: Path) -> None:
    (tmp_path / "house").mkdir()
    house = House(tmp_path / "house")
    real = tmp_path / "real.csv"
    (house.folder / "decks.csv").rename(real)
    (house.folder / "decks.csv").symlink_to(real)
    real.chmod(0o640)
    before = real.stat()
    change(paths_of(load(house.file)), lambda book: book.add_deck("d3", "red", NEW))
    after = real.stat()
    assert (house.folder / "decks.csv").is_symlink()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert (after.st_ino, after.st_mtime_ns) != (before.st_ino, before.st_mtime_ns)
    assert len(load(house.file).registers.decks) == 3


def test_a_file_of_another_account_stays_its_own(tmp_path: Path) -> None:
    files = paths(tmp_path)
    assert files.chips is not None
    # Only root can give a file away; anybody may give it to another of his groups.
    owner, group = (65534, 65534) if os.geteuid() == 0 else (os.geteuid(), os.getgroups()[-1])
    os.chown(files.chips, owner, group)
    change(files, lambda book: book.add_chips(100, [NEW[DECK[0]]]))
    assert (files.chips.stat().st_uid, files.chips.stat().st_gid) == (owner, group)


@pytest.mark.parametrize("ending", [KeyboardInterrupt, SystemExit, OSError(28, "No space left on device")])
def test_a_writing_that_ends_early_leaves_the_old_register(tmp_path: Path, ending: BaseException) -> None:
    file = tmp_path / "chips.csv"
    file.write_text("tag,value_cents,state\n")

    def end(_parts: object) -> None:
        raise ending

    with pytest.raises((KeyboardInterrupt, SystemExit, StartError)):
        replace_all({file: (("tag",), [("x",)])}, end)
    assert file.read_text() == "tag,value_cents,state\n"
    assert list(tmp_path.iterdir()) == [file]


def test_a_dry_run_checks_everything_and_writes_nothing(tmp_path: Path) -> None:
    files = paths(tmp_path)
    assert files.decks is not None
    before = files.decks.read_bytes()
    change(files, lambda book: book.add_deck("d3", "red", NEW), is_dry=True)
    assert files.decks.read_bytes() == before
    with pytest.raises(FieldError):
        change(files, lambda book: book.add_deck("d1", "red", NEW), is_dry=True)


TAGS = st.binary(min_size=4, max_size=4).map(lambda uid: Tag(uid.hex()))


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.integers(1, 10**6), st.lists(TAGS, max_size=5)), max_size=6))
def test_any_series_of_chips_is_read_back_as_entered_or_refused_whole(
    tmp_path_factory: pytest.TempPathFactory, series: list[tuple[int, list[Tag]]]
) -> None:
    folder = tmp_path_factory.mktemp("book")
    files = RegisterPaths(folder / "s", folder / "c.csv", folder / "d.csv", folder / "b.csv")
    files.settings.touch()
    RegisterBook.new(files).save()
    model: dict[Tag, int] = {}
    for cents, tags in series:
        is_right = len(set(tags)) == len(tags) and not model.keys() & set(tags)
        try:
            change(files, lambda book, cents=cents, tags=tags: book.add_chips(cents, tags))  # type: ignore[misc]
        except FieldError:
            assert not is_right
        else:
            assert is_right
            model.update(dict.fromkeys(tags, cents))
    found = registers_from_files(files.chips, files.decks, files.badges)
    assert {tag: chip.value_cents for tag, chip in found.chips.items()} == model
